/**
 * Cards as numbers: `13 * suit + rank - 1`, suits C S H D = 0..3, so that `suit >> 1` is the colour.
 * Two decks hold the same numbers twice. A card that may not be known is `UNKNOWN`.
 */

export const RANKS = "A23456789TJQK";
export const SUITS = "CSHD";
export const UNKNOWN = -1;

/** 1 for the ace to 13 for the king. @param {number} card */
export const rankOf = (card) => (card % 13) + 1;

/** 0 clubs, 1 spades, 2 hearts, 3 diamonds. @param {number} card */
export const suitOf = (card) => Math.floor(card / 13);

/** 0 black, 1 red. @param {number} card */
export const colourOf = (card) => suitOf(card) >> 1;

/**
 * The card of a text such as `TD`; `??` is UNKNOWN.
 * @param {string} text
 * @returns {number}
 */
export function parseCard(text) {
  if (text === "??") return UNKNOWN;
  const rank = RANKS.indexOf(text[0] ?? " ");
  const suit = SUITS.indexOf(text[1] ?? " ");
  if (text.length !== 2 || rank < 0 || suit < 0) throw new RangeError(`no card: ${text}`);
  return 13 * suit + rank;
}

/** The text that `parseCard` reads. @param {number} card @returns {string} */
export function formatCard(card) {
  return card === UNKNOWN ? "??" : `${RANKS[card % 13]}${SUITS[suitOf(card)]}`;
}
