/** Keys for what the client makes: the same key again gets the same thing. */
export function makeKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
