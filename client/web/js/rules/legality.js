/**
 * What a position allows: the one place where the rules of moving are applied.
 * A refusal is the code that the server would answer.
 */

import { UNKNOWN, colourOf, rankOf, suitOf } from "./cards.js";
import { commonBase } from "./positions.js";

/** Turns cards from the stock to the waste; with an empty stock turns the waste over. @type {Move} */
export const DRAW = Object.freeze({ source: "s", target: "w", count: 1 });
/** Gathers the tableau and deals it again. @type {Move} */
export const REDEAL = Object.freeze({ source: "redeal", target: "redeal", count: 1 });

/** @param {Move} move @param {Move} other */
export const isSameMove = (move, other) =>
  move.source === other.source && move.target === other.target && move.count === other.count;

/** `t3-f0`, `t3-t5*4`, `draw`, `redeal`. @param {Move} move */
export function formatMove(move) {
  if (isSameMove(move, DRAW)) return "draw";
  if (isSameMove(move, REDEAL)) return "redeal";
  return `${move.source}-${move.target}${move.count === 1 ? "" : `*${move.count}`}`;
}

/** @param {string} text @returns {Move} */
export function parseMove(text) {
  if (text === "draw") return DRAW;
  if (text === "redeal") return REDEAL;
  const found = /^([tfcr]\d+|w)-([tfcr]\d+|[sw])(?:\*(\d+))?$/.exec(text);
  if (!found) throw new RangeError(`no move: ${text}`);
  return { source: found[1] ?? "", target: found[2] ?? "", count: Number(found[3] ?? 1) };
}

/** @param {number} under @param {number} card @param {number} step @param {boolean} wrap */
function follows(under, card, step, wrap) {
  const difference = rankOf(card) - rankOf(under) - step;
  return wrap ? difference % 13 === 0 : difference === 0;
}

/** @param {Match} match @param {number} under @param {number} card */
function matchRefusal(match, under, card) {
  switch (match) {
    case "suit":
      return suitOf(under) === suitOf(card) ? null : "suit";
    case "other":
      return suitOf(under) !== suitOf(card) ? null : "suit";
    case "alt":
      return colourOf(under) !== colourOf(card) ? null : "colour";
    case "color":
      return colourOf(under) === colourOf(card) ? null : "colour";
    default:
      return null;
  }
}

/**
 * Bit 1 if `card` is one lower than `under` and the tableau builds down, bit 2 likewise up.
 * @param {Tableau} tableau
 * @param {number} under
 * @param {number} card
 */
function directions(tableau, under, card) {
  const builds = (/** @type {string} */ way) => tableau.build === way || tableau.build === "both";
  const down = builds("down") && follows(under, card, -1, tableau.wrap);
  const up = builds("up") && follows(under, card, 1, tableau.wrap);
  return Number(down) | (Number(up) << 1);
}

/**
 * Why a card may not be built on another of the tableau.
 * @param {Tableau} tableau
 * @param {number} under
 * @param {number} card
 */
export function buildRefusal(tableau, under, card) {
  if (under === UNKNOWN || card === UNKNOWN) return "not_available";
  return directions(tableau, under, card) ? matchRefusal(tableau.match, under, card) : "rank";
}

/** @param {Position} position @param {number} card */
function spaceRefusal(position, card) {
  const { space, spaceRank } = position.variant.tableau;
  if (card === UNKNOWN) return "not_available";
  if (space === "none") return "space";
  if (space === "rank") return rankOf(card) === spaceRank ? null : "space";
  if (space === "base-1") {
    const base = commonBase(position);
    return base && rankOf(card) === ((base + 11) % 13) + 1 ? null : "space";
  }
  return null;
}

/**
 * Why a card may not go to this foundation.
 * @param {Position} position
 * @param {number} number of the pile in the row of all piles
 * @param {number} card
 */
export function foundationRefusal(position, number, card) {
  const foundation = /** @type {Foundation} */ (position.variant.foundations[number - position.variant.tableauEnd]);
  return foundationPileRefusal(position, foundation, position.piles[number] ?? [], card);
}

/** @param {Position} position @param {Foundation} foundation @param {readonly number[]} pile @param {number} card */
function foundationPileRefusal(position, foundation, pile, card) {
  if (card === UNKNOWN) return "not_available";
  const top = pile[pile.length - 1];
  if (top === undefined) {
    if (foundation.suit >= 0 && suitOf(card) !== foundation.suit) return "suit";
    const wanted = foundation.baseRank || commonBase(position);
    return wanted === 0 || wanted === rankOf(card) ? null : "base";
  }
  if (pile.length >= foundation.size) return "full";
  const unmatched = matchRefusal(foundation.match, top, card);
  return unmatched ?? (follows(top, card, foundation.up ? 1 : -1, foundation.wrap) ? null : "rank");
}

/** @param {Position} position @param {number} target @param {number} card @param {number} count */
function tableauRefusal(position, target, card, count) {
  const { tableau } = position.variant;
  const pile = position.piles[target] ?? [];
  const under = pile[pile.length - 1];
  if (under === undefined && count > 1 && tableau.oneCardToSpace) return "too_many";
  const refused = under === undefined ? spaceRefusal(position, card) : buildRefusal(tableau, under, card);
  return refused ?? (pile.length + count > tableau.cap ? "capped" : null);
}

/** Each card is built on the one under it, all in one direction. @param {Position} position @param {readonly number[]} cards */
export function isRun(position, cards) {
  const { tableau } = position.variant;
  let direction = 3;
  for (let depth = 1; depth < cards.length && direction; depth += 1) {
    const under = cards[depth - 1] ?? UNKNOWN;
    const card = cards[depth] ?? UNKNOWN;
    const isLinked =
      under !== UNKNOWN &&
      card !== UNKNOWN &&
      !matchRefusal(tableau.match, under, card) &&
      !matchRefusal(tableau.liftMatch, under, card);
    direction = isLinked ? direction & directions(tableau, under, card) : 0;
  }
  return direction !== 0;
}

/** How many cards empty cells and spaces let one carry to this pile. @param {Position} position @param {number} target */
export function liftBound(position, target) {
  const { variant, piles } = position;
  const empty = (/** @type {number} */ from, /** @type {number} */ to) =>
    piles.slice(from, to).filter((pile) => pile.length === 0).length;
  const oneByOne = 1 + empty(variant.foundationEnd, variant.cellEnd);
  if (variant.tableau.space !== "any") return oneByOne;
  return oneByOne * 2 ** (empty(0, variant.tableauEnd) - Number(piles[target]?.length === 0));
}

/** @param {Position} position @param {number} source @param {number} target @param {number} count */
function runRefusal(position, source, target, count) {
  const { variant } = position;
  const pile = position.piles[source] ?? [];
  const to = variant.kinds[target];
  if (count < 1 || variant.kinds[source] !== "t" || to === "c" || count > pile.length) return "count";
  if (!variant.tableau.liftsRuns) return "too_many";
  if (count > pile.length - (position.down[source] ?? 0)) return "not_available";
  const run = pile.slice(-count);
  if (!isRun(position, run)) return "not_a_run";
  if (to === "f") return completeRunRefusal(position, target, run);
  const refused = tableauRefusal(position, target, run[0] ?? UNKNOWN, count);
  if (refused) return refused;
  return variant.tableau.boundedBySpaces && count > liftBound(position, target) ? "too_many" : null;
}

/** @param {Position} position @param {number} target @param {readonly number[]} run */
function completeRunRefusal(position, target, run) {
  const foundation = /** @type {Foundation} */ (position.variant.foundations[target - position.variant.tableauEnd]);
  if (!foundation.completeRun || run.length !== foundation.size) return "count";
  if (position.piles[target]?.length) return "full";
  const up = [...run].reverse();
  for (let height = 0; height < up.length; height += 1) {
    const refused = foundationPileRefusal(position, foundation, up.slice(0, height), up[height] ?? UNKNOWN);
    if (refused) return refused;
  }
  return null;
}

/** @param {Position} position */
export function drawRefusal(position) {
  const { stock, stockRules } = position.variant;
  if (position.piles[stock]?.length) return null;
  if (!position.piles[stock + 1]?.length) return "no_stock";
  const passes = stockRules?.passes ?? null;
  return passes !== null && position.passes + 1 >= passes ? "no_passes" : null;
}

/** A redeal is left and there are cards to gather. @param {Position} position */
export function mayRedeal(position) {
  const { redeal, tableauEnd } = position.variant;
  if (!redeal || (redeal.times !== null && position.redeals >= redeal.times)) return false;
  return position.piles.slice(0, tableauEnd).some((pile) => pile.length > 0);
}

/** @param {Position} position */
function redealRefusal(position) {
  if (!mayRedeal(position)) return "no_redeals";
  const mustWait = position.variant.redeal?.onlyWhenBlocked;
  return mustWait && movesOfCards(position).some((move) => changes(position, move)) ? "not_blocked" : null;
}

/**
 * Why this move may not be played: the code of the refusal, or null if it may.
 * @param {Position} position
 * @param {Move} move
 * @returns {string|null}
 */
export function refusal(position, move) {
  const { variant } = position;
  const source = variant.index[move.source];
  const target = variant.index[move.target];
  if (source === undefined || target === undefined) {
    return isSameMove(move, REDEAL) ? redealRefusal(position) : "no_such_pile";
  }
  const kind = variant.kinds[source];
  const to = variant.kinds[target];
  if (kind === "s") return isSameMove(move, DRAW) ? drawRefusal(position) : "not_available";
  if (to === "r") return "to_reserve";
  if (to === "s") return "to_stock";
  if (to === "w") return "to_waste";
  if (source === target) return "same_pile";
  const pile = position.piles[source] ?? [];
  if (pile.length === 0) return "empty_pile";
  if (kind === "f" && (to !== "t" || !variant.foundations[source - variant.tableauEnd]?.worryBack)) {
    return "from_foundation";
  }
  if (move.count !== 1) return runRefusal(position, source, target, move.count);
  const card = pile[pile.length - 1] ?? UNKNOWN;
  if (to === "t") return tableauRefusal(position, target, card, 1);
  if (to === "c") return position.piles[target]?.length ? "full" : null;
  const foundation = variant.foundations[target - variant.tableauEnd];
  if (foundation?.completeRun && foundation.size > 1) return "count";
  return foundationRefusal(position, target, card);
}

/** The legal moves but draw and redeal. @param {Position} position @returns {Move[]} */
export function movesOfCards(position) {
  const { variant } = position;
  return variant.names.flatMap((source) => movesFrom(position, source));
}

/**
 * The legal moves of cards from one pile.
 * @param {Position} position
 * @param {string} source
 * @returns {Move[]}
 */
export function movesFrom(position, source) {
  const { variant } = position;
  const from = variant.index[source] ?? -1;
  const kind = variant.kinds[from];
  const pile = position.piles[from] ?? [];
  if (pile.length === 0 || kind === "s") return [];
  const isLifting = kind === "t" && variant.tableau.liftsRuns;
  const most = isLifting ? pile.length - (position.down[from] ?? 0) : 1;
  /** @type {Move[]} */
  const moves = [];
  for (let count = 1; count <= most; count += 1) {
    if (count > 1 && !isRun(position, pile.slice(-count))) break;
    for (const target of variant.names) {
      const move = { source, target, count };
      if (refusal(position, move) === null) moves.push(move);
    }
  }
  return moves;
}

/** Every move that may be played. @param {Position} position @returns {Move[]} */
export function legalMoves(position) {
  const moves = movesOfCards(position);
  if (position.variant.stock >= 0 && drawRefusal(position) === null) moves.push(DRAW);
  if (position.variant.redeal && redealRefusal(position) === null) moves.push(REDEAL);
  return moves;
}

/**
 * A legal move of cards changes more than the names of spaces and cells.
 * @param {Position} position
 * @param {Move} move
 */
export function changes(position, move) {
  if (move.target[0] === "c") return move.source[0] !== "c";
  const { index } = position.variant;
  const isToSpace = position.piles[index[move.target] ?? -1]?.length === 0;
  if (move.source[0] !== "t" || move.target[0] !== "t" || !isToSpace) return true;
  return move.count < (position.piles[index[move.source] ?? -1]?.length ?? 0) || mayRedeal(position);
}
