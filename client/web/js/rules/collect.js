/**
 * Collecting: which cards may go to the foundations without losing a win, and all that fit. What safe means, and why it
 * can't lose a win, stands in `docs/variants.md`; it is derived from the fields of the record.
 *
 * @typedef {readonly number[]} Chain what must be up before a card can go up, nearest first
 */

import { UNKNOWN, rankOf, suitOf } from "./cards.js";
import { buildRefusal, drawRefusal, movesOfCards } from "./legality.js";
import { play } from "./play.js";
import { commonBase, isWon, pileOf } from "./positions.js";

const PACK = Array.from({ length: 52 }, (_, card) => card);

/** @type {ReadonlySet<number>} */
const NONE = new Set();

/**
 * All that fits, one after the other; a base that is still to be chosen is left to the player.
 * @param {Position} position
 * @param {ReadonlySet<number>} stays cards that are left where they lie
 */
export function fullCollect(position, stays = NONE) {
  /** @type {Move[]} */
  const moves = [];
  let here = position;
  for (let move = builds(here, stays)[0]; move; move = builds(here, stays)[0]) {
    moves.push(move);
    here = play(here, move);
  }
  return moves;
}

/**
 * The moves, one after the other, that can never lose a win; all that fits where that wins at once.
 * @param {Position} position
 * @param {ReadonlySet<number>} stays cards that are left where they lie
 */
export function safeCollect(position, stays = NONE) {
  const whole = fullCollect(position, stays);
  if (isWon(whole.reduce(play, position))) return whole;
  /** @type {Move[]} */
  const moves = [];
  let here = position;
  const safe = () => builds(here, stays).find((move) => isSafe(here, move));
  for (let move = safe(); move; move = safe()) {
    moves.push(move);
    here = play(here, move);
  }
  return moves;
}

/** Moves to the foundations that choose no base. @param {Position} position @param {ReadonlySet<number>} stays */
function builds(position, stays) {
  const base = position.variant.foundations[0]?.base;
  const isUndecided = base === "chosen-each" || (base === "chosen-rank" && !commonBase(position));
  return movesOfCards(position).filter(
    ({ source, target }) => target[0] === "f" && !stays.has(pileOf(position, source).at(-1) ?? UNKNOWN) && (!isUndecided || pileOf(position, target).length > 0),
  );
}

/**
 * This legal move of one card to a foundation can't lose a win: if there is a win now, there is one after it.
 * @param {Position} position
 * @param {Move} move
 */
export function isSafe(position, move) {
  const card = pileOf(position, move.source).at(-1) ?? UNKNOWN;
  return isProvable(position.variant) && !orderMatters(position, move) && new Ledger(position).allows(card);
}

/** Groups of foundations that build alike, with how many there are. @param {Variant} variant */
function groupsOf(variant) {
  /** @type {{foundation: Foundation, count: number}[]} */
  const groups = [];
  for (const foundation of variant.foundations) {
    const group = groups.find(({ foundation: { up, baseRank } }) => up === foundation.up && baseRank === foundation.baseRank);
    if (group) group.count += 1;
    else groups.push({ foundation, count: 1 });
  }
  return groups;
}

/** The proof covers these foundations; where it does not, nothing is called safe unless it wins at once. @param {Variant} variant */
function isProvable(variant) {
  const groups = groupsOf(variant);
  const { foundation, count } = /** @type {{foundation: Foundation, count: number}} */ (groups[0]);
  if (variant.foundations.some((each) => each.completeRun)) return false;
  if (groups.length > 1) {
    const meets = groups.every(({ foundation: each }) => isPlain(each) && !each.worryBack && !each.wrap);
    return variant.decks === 1 && groups.length === 2 && meets && groups[0]?.foundation.up !== groups[1]?.foundation.up;
  }
  if (foundation.size !== 13 || count !== 4 * variant.decks) return false;
  if (foundation.base === "chosen-each" && foundation.suit < 0) return false;
  const isOneWay = (foundation.base === "rank" || foundation.base === "dealt") && foundation.suit >= 0;
  return isOneWay || !foundation.worryBack;
}

/** @param {Foundation} foundation */
const isPlain = ({ suit, size, baseRank, up }) => suit >= 0 && size === 13 && baseRank === (up ? 1 : 13);

/** Taking a card away shifts what comes after it: packets of a redeal, cards that fill spaces, every third card. @param {Position} position @param {Move} move */
function orderMatters(position, move) {
  const { redeal, tableau, stockRules, stock } = position.variant;
  if (redeal && (redeal.times === null || position.redeals < redeal.times)) return true;
  const isStocked = stock >= 0 && [stock, stock + 1].some((pile) => (position.piles[pile]?.length ?? 0) > 0);
  if (tableau.space.startsWith("auto-") && isStocked) return true;
  return stockRules !== null && stockRules.turn > 1 && move.source === "w" && drawRefusal(position) === null;
}

/** What is up, and what must be up before a card can go up, in one position. */
class Ledger {
  /** @param {Position} position */
  constructor(position) {
    this.variant = position.variant;
    this.groups = groupsOf(position.variant).map(({ foundation }) => foundation);
    const foundations = position.piles.slice(position.variant.tableauEnd, position.variant.foundationEnd);
    const built = foundations.flat();
    this.up = new Set(built.filter((card) => built.filter((other) => other === card).length === this.variant.decks));
    this.upSomewhere = new Set(built);
    const [group] = this.groups;
    /** The base of each suit, 0 while it is not decided. */
    this.bases =
      group?.base === "chosen-each"
        ? foundations.map((pile) => (pile[0] === undefined ? 0 : rankOf(pile[0])))
        : Array(4).fill(group?.baseRank || commonBase(position));
  }

  /** No card can ever need this one as the place to lie on, or each that could goes up at once itself. @param {number} card */
  allows(card) {
    if (!this.chains(card).some((chain) => chain?.every((each) => this.up.has(each)))) return false;
    const worriesBack = this.groups.some((group) => group.worryBack);
    // What a player who has sent the card up may have sent up beyond another who has not.
    const sent = new Set([card]);
    const waiting = [card];
    for (let host = waiting.pop(); host !== undefined; host = waiting.pop()) {
      const under = host;
      const guests = new Set(PACK.filter((guest) => buildRefusal(this.variant.tableau, under, guest) === null));
      if (!worriesBack) for (const guest of this.up) guests.delete(guest);
      for (const guest of guests) if (!this.up.has(guest) && !this.follows(card, under, guest)) return false;
      if (worriesBack) for (const chain of this.chains(under)) for (const each of chain ?? []) guests.add(each);
      for (const guest of guests) if (!sent.has(guest)) waiting.push(guest);
      for (const guest of guests) sent.add(guest);
    }
    return true;
  }

  /** Whichever way `host` went up, `guest` can go up instead of lying on it. @param {number} card @param {number} host @param {number} guest */
  follows(card, host, guest) {
    const ways = this.chains(host).flatMap((chain) => (chain ? [[host, ...chain]] : []));
    return ways.every((way) => this.isReady(guest, this.certainlyUp(card, way)));
  }

  /** What is up once the host at the head of `chain` is; in a run that moves, nothing but what was up before. @param {number} card @param {Chain} chain */
  certainlyUp(card, chain) {
    const isOneCopy = this.variant.decks === 1;
    const up = new Set(this.up);
    if (isOneCopy || this.upSomewhere.has(card)) up.add(card);
    if (!this.variant.tableau.liftsRuns) for (const each of isOneCopy ? chain : chain.slice(1)) up.add(each);
    return up;
  }

  /** @param {number} guest @param {Set<number>} up */
  isReady(guest, up) {
    if (up.has(guest)) return true;
    const nearest = this.groups[0]?.match === "suit" ? 1 : 4;
    return this.chains(guest).some((chain) => chain?.slice(0, nearest).every((each) => up.has(each)));
  }

  /** For each group, what must lie under the card on a foundation; null: not decided. @param {number} card @returns {(Chain|null)[]} */
  chains(card) {
    return this.groups.map((group) => {
      const suit = suitOf(card);
      const place = card % 13;
      const base = group.baseRank || this.bases[suit];
      if (!base) return null;
      const step = group.up ? 1 : -1;
      const depth = mod13((place + 1 - base) * step);
      const suits = group.match === "suit" ? [suit] : [0, 1, 2, 3];
      const ranks = Array.from({ length: depth }, (_, back) => mod13(place - step * (back + 1)));
      return ranks.flatMap((rank) => suits.map((each) => 13 * each + rank));
    });
  }
}

/** @param {number} number */
const mod13 = (number) => ((number % 13) + 13) % 13;
