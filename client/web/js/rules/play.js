/**
 * Playing a move: the next position, the redeal, the piles that fill themselves; and whether anything is left to do.
 */

import { UNKNOWN } from "./cards.js";
import { DRAW, REDEAL, changes, drawRefusal, isSameMove, mayRedeal, movesOfCards } from "./legality.js";
import { isWon } from "./positions.js";

/**
 * The position after a move that is known to be legal; on a view, a card it turns up stays UNKNOWN.
 * @param {Position} position
 * @param {Move} move
 * @returns {Position}
 */
export function play(position, move) {
  if (isSameMove(move, REDEAL)) return redealt(position);
  if (isSameMove(move, DRAW)) return drawn(position);
  const { variant } = position;
  const source = variant.index[move.source] ?? -1;
  const target = variant.index[move.target] ?? -1;
  const piles = [...position.piles];
  const from = piles[source] ?? [];
  const moved = from.slice(from.length - move.count);
  if (move.count > 1 && variant.kinds[target] === "f") moved.reverse();
  piles[source] = from.slice(0, from.length - move.count);
  piles[target] = [...(piles[target] ?? []), ...moved];
  let { down } = position;
  if (down[source] && down[source] === piles[source]?.length) {
    down = down.map((count, number) => (number === source ? count - 1 : count));
  }
  fillSpaces(position, piles);
  return { ...position, piles, down };
}

/** @param {Position} position @returns {Position} */
function drawn(position) {
  const { variant } = position;
  const piles = [...position.piles];
  const stock = piles[variant.stock] ?? [];
  const waste = piles[variant.stock + 1] ?? [];
  let { passes } = position;
  if (stock.length) {
    const left = Math.max(0, stock.length - (variant.stockRules?.turn ?? 1));
    piles[variant.stock] = stock.slice(0, left);
    piles[variant.stock + 1] = [...waste, ...stock.slice(left).reverse()];
  } else {
    piles[variant.stock] = [...waste].reverse();
    piles[variant.stock + 1] = [];
    passes += 1;
  }
  fillSpaces(position, piles);
  return { ...position, piles, passes };
}

/** Where piles fill themselves, every space takes the next card. @param {Position} position @param {Pile[]} piles */
function fillSpaces({ variant }, piles) {
  const { space } = variant.tableau;
  if (space !== "auto-stock" && space !== "auto-waste") return;
  const sources = space === "auto-stock" ? [variant.stock] : [variant.stock + 1, variant.stock];
  for (let number = 0; number < variant.tableauEnd; number += 1) {
    for (const source of sources) {
      const pile = piles[source] ?? [];
      if (piles[number]?.length || pile.length === 0) continue;
      piles[number] = pile.slice(-1);
      piles[source] = pile.slice(0, -1);
    }
  }
}

/** Piles read in order, cut into packets; cards too many for that make the first packets longer. @param {Position} position */
function redealt(position) {
  const { variant } = position;
  const { packet = 1, topFirst = true } = variant.redeal ?? {};
  const turn = (/** @type {Pile} */ pile) => (topFirst ? [...pile].reverse() : [...pile]);
  const order = position.piles.slice(0, variant.tableauEnd).flatMap(turn);
  const extra = Math.max(0, order.length - packet * variant.tableauEnd);
  const piles = [...position.piles];
  for (let number = 0, start = 0; number < variant.tableauEnd; number += 1) {
    const size = packet + Math.floor(extra / variant.tableauEnd) + Number(number < extra % variant.tableauEnd);
    piles[number] = turn(order.slice(start, start + size));
    start += size;
  }
  return { ...position, piles, redeals: position.redeals + 1 };
}

/**
 * No legal move changes the position (names of spaces and cells aside), before or after a redeal or a pass.
 * A view whose stock is not known is not called blocked while a card can be drawn.
 * @param {Position} position
 */
export function isBlocked(position) {
  if (isWon(position)) return false;
  for (const passed of throughTheStock(position)) {
    if (position.variant.stock >= 0 && passed.piles[position.variant.stock]?.includes(UNKNOWN)) return false;
    const tried = mayRedeal(passed) ? [passed, redealt(passed)] : [passed];
    if (tried.some((here) => movesOfCards(here).some((move) => changes(here, move)))) return false;
  }
  return true;
}

/** The position after each number of draws, until stock and waste come round again. @param {Position} position */
function* throughTheStock(position) {
  yield position;
  if (position.variant.stock < 0) return;
  const seen = new Set([JSON.stringify(position.piles)]);
  let here = position;
  while (drawRefusal(here) === null) {
    here = play(here, DRAW);
    const key = JSON.stringify(here.piles);
    if (seen.has(key)) return;
    seen.add(key);
    yield here;
  }
}
