/** Between an attempt and the table: what may be lifted and where it may go, by the rules; and what one tap means. */

import { DRAW, changes, isRun, movesFrom, parseMove, pileOf, rankOf, refusal, suitOf } from "../rules.js";

/** How many cards may be lifted from a pile: 1, and runs. @param {Position} position @param {string} source @returns {number[]} */
export function liftable(position, source) {
  const pile = pileOf(position, source);
  const kind = source[0];
  const { variant } = position;
  if (pile.length === 0 || kind === "s") return [];
  if (kind === "f") {
    const number = (variant.index[source] ?? 0) - variant.tableauEnd;
    return variant.foundations[number]?.worryBack ? [1] : [];
  }
  if (kind !== "t" || !variant.tableau.liftsRuns) return [1];
  const down = position.down[variant.index[source] ?? 0] ?? 0;
  const counts = [1];
  for (let count = 2; count <= pile.length - down && isRun(position, pile.slice(-count)); count += 1) counts.push(count);
  return counts;
}

/** Where these cards may go. @param {Position} position @param {string} source @param {number} count */
export function targetsOf(position, source, count) {
  const moves = movesFrom(position, source).filter((move) => move.count === count);
  return moves.map((move) => move.target);
}

/**
 * The target that one tap takes: a foundation, then a pile where it is built, best in its own suit, then a space, then a
 * cell; null if there is none that changes anything.
 * @param {Position} position
 * @param {string} source
 * @param {number} count
 */
export function bestTarget(position, source, count) {
  const card = pileOf(position, source).at(-count) ?? 0;
  const cost = (/** @type {string} */ target) => {
    const pile = pileOf(position, target);
    const top = pile.at(-1);
    switch (target[0]) {
      case "f":
        return 0;
      case "t":
        if (top === undefined) return 50;
        return (suitOf(top) === suitOf(card) ? 10 : 20) + (rankOf(top) > rankOf(card) ? 0 : 5) - pile.length / 100;
      default:
        return 80;
    }
  };
  const targets = targetsOf(position, source, count).filter((target) => changes(position, { source, target, count }));
  return targets.sort((a, b) => cost(a) - cost(b))[0] ?? null;
}

/** A move as a command of the wire. @param {Move} move @returns {Action} */
export const moveAction = (move) =>
  move.source === "s" ? { type: "draw" } : { type: "move", source: move.source, target: move.target, count: move.count };

/** Whether the stock can be turned. @param {Position} position */
export const canDraw = (position) => position.variant.stock >= 0 && refusal(position, DRAW) === null;

/** Whether the tableau can be dealt again. @param {Position} position */
export const canRedeal = (position) => position.variant.redeal !== null && refusal(position, parseMove("redeal")) === null;
