/** The rules in the browser: one door to cards, variants, deals, positions, moves and collects. No DOM, no sockets. */

export { RANKS, SUITS, UNKNOWN, colourOf, formatCard, parseCard, rankOf, suitOf } from "./rules/cards.js";
export { fullCollect, safeCollect } from "./rules/collect.js";
export { deal, dealDeck, isWrittenOut, parseDealCode } from "./rules/deals.js";
export { DRAW, REDEAL, changes, formatMove, isRun, legalMoves, mayRedeal, movesFrom, parseMove, refusal } from "./rules/legality.js";
export { isBlocked, play } from "./rules/play.js";
export { searchReach } from "./rules/reach.js";
export { cardsLeft, commonBase, decodePosition, encodePosition, isSamePosition, isWon, pileOf, progress, reveal, turned, view } from "./rules/positions.js";
export { GENERATORS, deck, isSeed, r1Seed } from "./rules/shuffles.js";
export { Catalogue, builtFromTheStart, makeVariant, mergePatch } from "./rules/variants.js";
