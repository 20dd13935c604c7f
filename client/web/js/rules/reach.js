/**
 * Looking ahead from what the player can see: whether any card that is not on a foundation now can still get to one.
 * The answer is exact or there is none: every position that can be reached is looked at, within a bound.
 *
 * @typedef {"open"|"shut"|"unknown"} Reach `open`: a card can get there, if not by the next move; `shut`: none ever can
 *   without an undo; `unknown`: there are too many positions, or it depends on a card that lies face down
 */

import { UNKNOWN } from "./cards.js";
import { legalMoves } from "./legality.js";
import { play } from "./play.js";
import { view } from "./positions.js";

/** Positions that are looked at before the search gives up. */
export const MOST_POSITIONS = 3000;

/**
 * Searches in steps of one position each, so that a page can do something else in between.
 * @param {Position} position
 * @param {number} [most]
 * @returns {Generator<void, Reach, void>}
 */
export function* searchReach(position, most = MOST_POSITIONS) {
  const start = view(position);
  const up = copiesUp(position);
  const seen = new Set([keyOf(start)]);
  const waiting = [start];
  for (const here of waiting) {
    if (isUncertain(here)) return "unknown";
    for (const move of legalMoves(here)) {
      const after = play(here, move);
      if (move.target[0] === "f" && isHigher(copiesUp(after), up)) return "open";
      const key = keyOf(after);
      if (seen.has(key)) continue;
      if (seen.size >= most) return "unknown";
      seen.add(key);
      waiting.push(after);
    }
    yield;
  }
  return "shut";
}

/** How often each card lies on the foundations: a card that was taken back and put up again is no news. @param {Position} position */
function copiesUp({ variant, piles }) {
  /** @type {Map<number, number>} */
  const copies = new Map();
  for (const card of piles.slice(variant.tableauEnd, variant.foundationEnd).flat()) copies.set(card, (copies.get(card) ?? 0) + 1);
  return copies;
}

/** @param {Map<number, number>} copies @param {Map<number, number>} before */
function isHigher(copies, before) {
  for (const [card, count] of copies) if (count > (before.get(card) ?? 0)) return true;
  return false;
}

/** What can be played here depends on a card that the player has not seen. @param {Position} position */
function isUncertain({ variant, piles, down }) {
  if (!variant.hasHiddenCards) return false;
  return piles.some((pile, number) => {
    return number !== variant.stock && pile.some((card, depth) => card === UNKNOWN && depth >= (down[number] ?? 0));
  });
}

/** The same for positions that differ by the names of cells, and of tableau piles where no redeal goes by their order. @param {Position} position */
function keyOf({ variant, piles, down, passes, redeals }) {
  const { tableauEnd, foundationEnd, cellEnd, redeal, stockRules } = variant;
  const tableau = piles.slice(0, tableauEnd).map((pile, number) => `${down[number] || ""}:${pile}`);
  if (!redeal && !variant.tableau.space.startsWith("auto-")) tableau.sort();
  const cells = piles.slice(foundationEnd, cellEnd).map(String).sort();
  const counted = [redeal && redeal.times !== null ? redeals : 0, stockRules && stockRules.passes !== null ? passes : 0];
  return [tableau.join("|"), piles.slice(tableauEnd, foundationEnd).join("|"), cells.join("|"), piles.slice(cellEnd).join("|"), counted].join("/");
}
