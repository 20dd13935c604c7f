export function fullCollect(p) { return []; }
export function safeCollect(p) { return []; }
