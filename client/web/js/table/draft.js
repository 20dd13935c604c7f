/**
 * One attempt to lay a table with cards of one width: piles are put where an arrangement wants them, their steps as long
 * as there is room for. Says no where a card could not be read.
 */

export const RATIO = 1.4;
/** The least step at which rank and suit of a buried card can be read, down a column and along a wing. */
export const LEAST_DOWN = 12;
export const LEAST_ALONG = 15;
export const LEAST_FONT = 12;
export const NARROWEST = 24;
const SMALL = 60;
const GAP = 0.08;
/** Small cards lie closer side by side, and further apart down a pile, where there is room: their indices can be larger then. */
const GAP_SMALL = 0.05;
const LONGEST_STEP = 0.3;
const LONGEST_STEP_SMALL = 0.5;
/** The same where the piles have the whole height of a table to themselves. */
const WIDE_STEP = 0.4;
const WIDE_STEP_SMALL = 0.75;
const COMFORT_STEP = 0.17;
const DOWN_STEP = 0.07;
const WIDE_DOWN_STEP = 0.15;

/** @param {number} size */
const even = (size) => 2 * Math.floor(size / 2);

/** The piles put so far, and what is the same for all of them. */
export class Draft {
  /** @param {Variant} variant @param {Counts} counts @param {Plan} planned @param {{width: number, height: number}} box @param {number} w */
  constructor(variant, counts, planned, box, w) {
    this.variant = variant;
    this.counts = counts;
    this.planned = planned;
    this.box = box;
    this.w = w;
    this.h = Math.round(w * RATIO);
    this.isSmall = w < SMALL;
    this.gap = Math.max(2, Math.round(w * (this.isSmall ? GAP_SMALL : GAP)));
    this.cell = w + this.gap;
    this.longest = (this.isSmall ? LONGEST_STEP_SMALL : LONGEST_STEP) * this.h;
    /** The step of cards that lie face down. */
    this.downStep = Math.max(4, Math.round(DOWN_STEP * this.h));
    /** The least step of cards that lie side by side: more than usual where the font is wide. */
    this.leastAlong = Math.max(LEAST_ALONG, Math.ceil(LEAST_FONT * planned.ten + 2));
    /** Their step where there is room. */
    this.fan = Math.max(this.leastAlong, 0.42 * w);
    /** @type {Record<string, Spot>} */
    this.spots = {};
    /** The largest that indices may be. */
    this.font = this.isSmall ? even(0.45 * w) : planned.isLarge ? Math.min(44, even(0.4 * w)) : Math.min(30, even(0.26 * w));
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

  /** Lengthens the steps of piles in a room as far as it has height for the longest; what height is left then. @param {number} room */
  spread(room) {
    const steps = this.planned.longest - 1;
    const most = (this.isSmall ? WIDE_STEP_SMALL : WIDE_STEP) * this.h;
    const each = (room - this.h) / steps;
    this.longest = Math.max(this.longest, Math.min(most, each));
    this.downStep = Math.max(this.downStep, Math.round(Math.min(WIDE_DOWN_STEP * this.h, each / 2)));
    return Math.max(0, room - this.h - steps * this.longest);
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
    const { downStep } = this;
    const steps = Math.max(0, this.count(name) - 1 - hidden);
    const free = room - this.h - hidden * downStep;
    const comfort = Math.max(LEAST_DOWN, COMFORT_STEP * this.h);
    const isPlanned = planned > this.count(name);
    const wanted = isPlanned ? comfort * Math.max(0, planned - 1 - hidden) : LEAST_DOWN * steps;
    if (free < 0 || wanted > free || LEAST_DOWN * steps > free) return false;
    const dy = steps ? Math.min(this.longest, free / steps) : this.longest;
    this.put(name, x, y, { dy: Math.floor(dy), downStep, font: this.fontFor(dy - Math.max(2, 0.12 * dy)) });
    return true;
  }

  /** The index that fits a step. @param {number} room */
  fontFor(room) {
    return Math.max(LEAST_FONT, Math.min(this.font, even(room)));
  }

  /** Piles of one card in as few rows as there is room for, in the middle; their lower edge with a gap. @param {string[]} names @param {number} top */
  block(names, top) {
    const rows = Math.ceil(names.length / this.across);
    const per = Math.ceil(names.length / rows);
    for (let row = 0; row < rows; row += 1) {
      this.row(names.slice(row * per, (row + 1) * per), (this.box.width - (per * this.cell - this.gap)) / 2, top + row * (this.h + this.gap));
    }
    return top + rows * (this.h + this.gap);
  }

  /** The index that fits a step along. @param {number} step */
  fontForAlong(step) {
    return this.fontFor((step - 2) / this.planned.ten);
  }

  /** @param {string} name @param {number} x @param {number} y @param {number} room @param {1|-1} way */
  along(name, x, y, room, way) {
    const planned = this.planned.cards[this.variant.index[name] ?? 0] ?? 0;
    const steps = Math.max(0, this.count(name) - 1);
    const free = room - this.w;
    const isPlanned = planned > this.count(name);
    const wanted = isPlanned ? Math.max(this.leastAlong, 0.2 * this.w) * (planned - 1) : this.leastAlong * steps;
    if (free < 0 || wanted > free || this.leastAlong * steps > free) return false;
    const dx = steps ? Math.min(this.fan, free / steps) : this.fan;
    this.put(name, x, y, { dx: way * Math.floor(dx), font: this.fontForAlong(dx), index: way > 0 ? "left" : "right" });
    return true;
  }

  /** The height that a pile takes at the least. @param {string} name */
  least(name) {
    const number = this.variant.index[name] ?? 0;
    const hidden = this.counts.down[number] ?? 0;
    const count = Math.max(this.count(name), this.planned.cards[number] ?? 0, 1);
    return this.h + hidden * this.downStep + Math.max(0, count - 1 - hidden) * LEAST_DOWN;
  }

  wasteStep() {
    return Math.max(this.leastAlong, Math.round(0.3 * this.w));
  }

  /** Lets down all that has been put so far, nearer to the hand, by a part of the height that nothing needs; how far. @param {number} rest */
  lower(rest) {
    const by = Math.round(Math.min(rest * 0.5, this.h * 1.6));
    for (const spot of Object.values(this.spots)) spot.y += by;
    return by;
  }

  /** The lower edge of what has been put so far. */
  height() {
    let bottom = 0;
    for (const [name, spot] of Object.entries(this.spots)) {
      const count = this.count(name);
      const end = placeCard(spot, Math.max(0, count - 1), count, this.counts.down[this.variant.index[name] ?? -1] ?? 0);
      bottom = Math.max(bottom, end.y + this.h);
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
