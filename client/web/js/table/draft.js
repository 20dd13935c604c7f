/**
 * One attempt to lay a table with cards of one width: piles are put where an arrangement wants them, their steps as long
 * as there is room for. Says no where a card could not be read.
 *
 * @typedef {import("../rules/variants.js").Variant} Variant
 * @typedef {"columns"|"side"|"wings"} Form
 *
 * @typedef {object} Spot One pile: card `n` lies at `x + n * dx`, `y + n * dy`.
 * @property {number} x
 * @property {number} y
 * @property {number} dx
 * @property {number} dy
 * @property {number} downStep the step of face-down cards, in the direction of the others
 * @property {number} shown how many cards at its end are fanned; 0 for all
 * @property {number} font of its indices
 * @property {"inline"|"left"|"right"} index how the indices of its cards stand: in a line, or upright at one edge
 *
 * @typedef {object} Layout
 * @property {Form} form
 * @property {number} w
 * @property {number} h
 * @property {number} gap
 * @property {number} height what the layout takes
 * @property {number} width
 * @property {Record<string, Spot>} spots
 *
 * @typedef {object} Counts
 * @property {readonly number[]} cards in each pile, in the order of `variant.names`
 * @property {readonly number[]} down face down in each tableau pile
 * @property {boolean} [isLarge] indices as large as they can be
 */

export const RATIO = 1.4;
/** The least step at which rank and suit of a buried card can be read, down a column and along a wing. */
export const LEAST_DOWN = 12;
export const LEAST_ALONG = 15;
export const LEAST_FONT = 12;
/** The width of the widest rank, in its own size. */
export const TEN_WIDTH = 1.08;
const GAP = 0.08;
const LONGEST_STEP = 0.3;
/** Small cards lie further apart where there is room: their indices can be larger then. */
const LONGEST_STEP_SMALL = 0.5;
const SMALL = 60;
const COMFORT_STEP = 0.17;

/** @param {number} size */
const even = (size) => 2 * Math.floor(size / 2);

/** The piles put so far, and what is the same for all of them. */
export class Draft {
  /** @param {Variant} variant @param {Counts} counts @param {Counts} planned @param {{width: number, height: number}} box @param {number} w */
  constructor(variant, counts, planned, box, w) {
    this.variant = variant;
    this.counts = counts;
    this.planned = planned;
    this.box = box;
    this.w = w;
    this.h = Math.round(w * RATIO);
    this.gap = Math.max(2, Math.round(w * GAP));
    this.cell = w + this.gap;
    this.longest = (w < SMALL ? LONGEST_STEP_SMALL : LONGEST_STEP) * this.h;
    /** The step of cards that lie side by side, where there is room. */
    this.fan = Math.max(LEAST_ALONG, 0.42 * w);
    /** @type {Record<string, Spot>} */
    this.spots = {};
    /** The largest that indices may be. */
    this.font = planned.isLarge ? Math.min(44, even(0.4 * w)) : Math.min(30, even((w < SMALL ? 0.4 : 0.26) * w));
    const { names, tableauEnd, foundationEnd, cellEnd, reserveEnd, stock } = variant;
    this.tableau = names.slice(0, tableauEnd);
    this.foundations = names.slice(tableauEnd, foundationEnd);
    this.cells = names.slice(foundationEnd, cellEnd);
    this.reserve = names.slice(cellEnd, reserveEnd);
    this.stock = stock >= 0 ? names.slice(stock, stock + 2) : [];
    const sizes = variant.record.reserve ?? [];
    this.isFan = sizes.length === 1 && sizes[0] > 1;
    this.isDeep = sizes.length > 1 && Math.max(...sizes) > 1;
    this.across = Math.floor((box.width + this.gap) / this.cell);
  }

  /** @param {string} name */
  count(name) {
    return this.counts.cards[this.variant.index[name] ?? -1] ?? 0;
  }

  /** @param {string} name @param {number} x @param {number} y @param {Partial<Spot>} [more] */
  put(name, x, y, more = {}) {
    this.spots[name] = { x: Math.round(x), y: Math.round(y), dx: 0, dy: 0, downStep: 0, shown: 0, font: Math.max(LEAST_FONT, this.font), index: "inline", ...more };
  }

  /** @param {string[]} names @param {number} x @param {number} y */
  row(names, x, y) {
    names.forEach((name, number) => this.put(name, x + number * this.cell, y));
  }

  /**
   * A pile that runs down: the step is as long as there is room for, or false if its cards can't be read.
   * @param {string} name
   * @param {number} x
   * @param {number} y
   * @param {number} room
   */
  down(name, x, y, room) {
    const number = this.variant.index[name] ?? 0;
    const hidden = number < this.variant.tableauEnd ? (this.counts.down[number] ?? 0) : 0;
    const planned = Math.max(this.count(name), this.planned.cards[number] ?? 0);
    const downStep = Math.max(4, Math.round(this.h * 0.07));
    const steps = Math.max(0, this.count(name) - 1 - hidden);
    const free = room - this.h - hidden * downStep;
    const comfort = Math.max(LEAST_DOWN, COMFORT_STEP * this.h);
    const isPlanned = planned > this.count(name);
    const wanted = isPlanned ? comfort * Math.max(0, planned - 1 - hidden) : LEAST_DOWN * steps;
    if (free < 0 || wanted > free || LEAST_DOWN * steps > free) return false;
    const dy = steps ? Math.min(this.longest, free / steps) : this.longest;
    this.put(name, x, y, { dy: Math.floor(dy), downStep, font: this.fontFor(dy - 2) });
    return true;
  }

  /** The index that fits a step. @param {number} room */
  fontFor(room) {
    return Math.max(LEAST_FONT, Math.min(this.font, even(room)));
  }

  /** @param {string} name @param {number} x @param {number} y @param {number} room @param {1|-1} way */
  along(name, x, y, room, way) {
    const planned = this.planned.cards[this.variant.index[name] ?? 0] ?? 0;
    const steps = Math.max(0, this.count(name) - 1);
    const free = room - this.w;
    const isPlanned = planned > this.count(name);
    const wanted = isPlanned ? Math.max(LEAST_ALONG, 0.2 * this.w) * (planned - 1) : LEAST_ALONG * steps;
    if (free < 0 || wanted > free || LEAST_ALONG * steps > free) return false;
    const dx = steps ? Math.min(this.fan, free / steps) : this.fan;
    this.put(name, x, y, { dx: way * Math.floor(dx), font: this.fontFor((dx - 2) / TEN_WIDTH), index: way > 0 ? "left" : "right" });
    return true;
  }

  wasteStep() {
    return Math.max(LEAST_ALONG, Math.round(0.3 * this.w));
  }

  /** The lower edge of what has been put so far. */
  height() {
    let bottom = 0;
    for (const [name, spot] of Object.entries(this.spots)) {
      bottom = Math.max(bottom, spot.y + this.h + Math.max(0, this.count(name) - 1) * spot.dy);
    }
    return bottom;
  }

  /** @param {Form} form @returns {Layout} */
  done(form) {
    return { form, w: this.w, h: this.h, gap: this.gap, width: this.box.width, height: this.height(), spots: this.spots };
  }
}

/**
 * Where a card of a pile lies.
 * @param {Spot} spot
 * @param {number} depth from the bottom, 0 first
 * @param {number} count of cards in the pile
 * @param {number} down how many of them lie face down
 */
export function placeCard(spot, depth, count, down) {
  if (spot.shown) {
    const fanned = Math.max(0, depth - Math.max(0, count - spot.shown));
    return { x: spot.x + fanned * spot.dx, y: spot.y };
  }
  const hidden = Math.min(depth, down);
  const step = spot.dx ? Math.sign(spot.dx) : 0;
  return {
    x: spot.x + (depth - hidden) * spot.dx + hidden * step * spot.downStep,
    y: spot.y + (depth - hidden) * spot.dy + (spot.dy ? hidden * spot.downStep : 0),
  };
}
