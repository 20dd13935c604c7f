/** The rules in the browser: one door to cards, variants, deals, positions, moves and collects. No DOM, no sockets. */

export * from "./rules/cards.js";
export * from "./rules/collect.js";
export * from "./rules/deals.js";
export * from "./rules/legality.js";
export * from "./rules/play.js";
export * from "./rules/positions.js";
export * from "./rules/shuffles.js";
export { Catalogue, makeVariant, mergePatch } from "./rules/variants.js";
