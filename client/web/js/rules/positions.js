/** Where every card lies, what a player may know of it, and the form on the wire. */

import { RANKS, UNKNOWN, formatCard, parseCard, rankOf } from "./cards.js";

/** @param {Position} position @param {string} name @returns {Pile} */
export function pileOf(position, name) {
  return position.piles[position.variant.index[name] ?? -1] ?? [];
}

/** Cards on the foundations. @param {Position} position */
export function progress(position) {
  const { tableauEnd, foundationEnd } = position.variant;
  return countCards(position.piles.slice(tableauEnd, foundationEnd));
}

/** Cards that are not on a foundation yet. @param {Position} position */
export function cardsLeft(position) {
  return countCards(position.piles) - progress(position);
}

/** Whether two positions show the same cards in the same places. @param {Position} a @param {Position} b */
export function isSamePosition(a, b) {
  if (a === b) return true;
  const isSame = (/** @type {readonly number[]} */ one, /** @type {readonly number[]} */ other) =>
    one === other || (one.length === other.length && one.every((each, at) => each === other[at]));
  if (a.variant !== b.variant || a.passes !== b.passes || a.redeals !== b.redeals || !isSame(a.down, b.down)) return false;
  return a.piles.every((pile, number) => isSame(pile, b.piles[number] ?? []));
}

/** @param {readonly Pile[]} piles */
function countCards(piles) {
  return piles.reduce((sum, pile) => sum + pile.length, 0);
}

/** All cards are on the foundations. @param {Position} position */
export const isWon = (position) => cardsLeft(position) === 0;

/** The rank that every foundation starts with; 0 while undecided or where each has its own. @param {Position} position */
export function commonBase(position) {
  const { foundations, tableauEnd, foundationEnd } = position.variant;
  if (position.base || foundations[0]?.base !== "chosen-rank") return position.base;
  for (let number = tableauEnd; number < foundationEnd; number += 1) {
    const bottom = position.piles[number]?.[0];
    if (bottom !== undefined) return rankOf(bottom);
  }
  return 0;
}

/** The stock has not been gone through yet, so its order may not be known. @param {Position} position */
function isStockHidden(position) {
  return position.variant.hasHiddenCards && position.variant.stock >= 0 && position.passes === 0;
}

/** What the player may know: UNKNOWN for the rest. @param {Position} position @returns {Position} */
export function view(position) {
  const { variant, down } = position;
  if (!variant.hasHiddenCards) return position;
  const piles = position.piles.map((pile, number) => {
    const hidden = number === variant.stock && isStockHidden(position) ? pile.length : (down[number] ?? 0);
    return pile.map((card, depth) => (depth < hidden ? UNKNOWN : card));
  });
  return { ...position, piles };
}

/**
 * The cards that one move made known, by pile.
 * @param {Position} before
 * @param {Position} after
 * @returns {Turned[]}
 */
export function turned(before, after) {
  const { variant } = before;
  if (!variant.hasHiddenCards) return [];
  /** @type {Turned[]} */
  const news = [];
  const tell = (/** @type {number} */ number, /** @type {Pile} */ cards) =>
    news.push({ pile: variant.names[number] ?? "", cards: cards.map(formatCard) });
  before.down.forEach((down, number) => {
    const now = after.down[number] ?? 0;
    if (now < down) tell(number, after.piles[number]?.slice(now, down) ?? []);
  });
  if (!isStockHidden(before)) return news;
  const length = (/** @type {Position} */ position, /** @type {number} */ number) =>
    position.piles[number]?.length ?? 0;
  const drawn = length(before, variant.stock) - length(after, variant.stock);
  const toWaste = length(after, variant.stock + 1) - length(before, variant.stock + 1);
  for (let number = 0; number < variant.tableauEnd && drawn > Math.max(toWaste, 0); number += 1) {
    const pile = after.piles[number] ?? [];
    const was = before.piles[number] ?? [];
    if (pile.length === 1 && !(was.length === 1 && was[0] === pile[0])) tell(number, pile);
  }
  if (drawn > 0 && toWaste > 0) tell(variant.stock + 1, after.piles[variant.stock + 1]?.slice(-toWaste) ?? []);
  return news;
}

/**
 * A view with the turned cards at the ends of their piles.
 * @param {Position} known
 * @param {Turned[]} news
 * @returns {Position}
 */
export function reveal(known, news) {
  if (news.length === 0) return known;
  const piles = [...known.piles];
  for (const { pile: name, cards } of news) {
    const number = known.variant.index[name] ?? -1;
    const pile = piles[number] ?? [];
    piles[number] = [...pile.slice(0, pile.length - cards.length), ...cards.map(parseCard)];
  }
  return { ...known, piles };
}

/** @param {Pile} pile */
const texts = (pile) => pile.map(formatCard);

/**
 * The form on the wire: lists of card texts, bottom first; what is empty or zero throughout is left out.
 * @param {Position} position
 * @returns {Record<string, any>}
 */
export function encodePosition(position) {
  const { variant, piles } = position;
  const { tableauEnd, foundationEnd, cellEnd, reserveEnd, stock } = variant;
  /** @type {Record<string, any>} */
  const encoded = {
    tableau: piles.slice(0, tableauEnd).map(texts),
    foundations: piles.slice(tableauEnd, foundationEnd).map(texts),
  };
  if (position.down.some((down) => down > 0)) encoded.down = [...position.down];
  if (cellEnd > foundationEnd) {
    encoded.cells = piles.slice(foundationEnd, cellEnd).map((pile) => (pile.length ? formatCard(pile[0] ?? 0) : null));
  }
  if (reserveEnd > cellEnd) encoded.reserve = piles.slice(cellEnd, reserveEnd).map(texts);
  if (stock >= 0) {
    encoded.stock = texts(piles[stock] ?? []);
    encoded.waste = texts(piles[stock + 1] ?? []);
    encoded.passes = position.passes;
  }
  if (variant.redeal) encoded.redeals = position.redeals;
  if (position.base) encoded.base = RANKS[position.base - 1];
  return encoded;
}

/**
 * The position that `encodePosition` or the server wrote.
 * @param {Variant} variant
 * @param {Record<string, any>} encoded
 * @returns {Position}
 */
export function decodePosition(variant, encoded) {
  const pile = (/** @type {string[]} */ cards) => cards.map(parseCard);
  const piles = [
    ...encoded.tableau.map(pile),
    ...encoded.foundations.map(pile),
    ...(encoded.cells ?? []).map((/** @type {string|null} */ card) => (card === null ? [] : [parseCard(card)])),
    ...(encoded.reserve ?? []).map(pile),
    ...(variant.stock >= 0 ? [pile(encoded.stock), pile(encoded.waste)] : []),
  ];
  if (piles.length !== variant.names.length) throw new RangeError(`no position of ${variant.id}`);
  return {
    variant,
    piles,
    down: encoded.down ?? Array(variant.tableauEnd).fill(0),
    passes: encoded.passes ?? 0,
    redeals: encoded.redeals ?? 0,
    base: encoded.base ? RANKS.indexOf(encoded.base) + 1 : 0,
  };
}
