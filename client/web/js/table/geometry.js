/**
 * Where every pile lies on a table of a given size, for any variant, worked out from its data alone: numbers in,
 * numbers out. The largest cards win for which rank and suit of every card can be read, in the arrangement asked for
 * or in the one that suits the shape of the screen.
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
export const WIDEST = 132;
export const NARROWEST = 24;
/** The least step at which rank and suit of a buried card can be read, down a column and along a wing. */
export const LEAST_DOWN = 12;
export const LEAST_ALONG = 15;
export const LEAST_FONT = 12;
/** The width of the widest rank, in its own size. */
const TEN_WIDTH = 1.08;
const GAP = 0.08;
const LONGEST_STEP = 0.3;
/** Small cards lie further apart where there is room: their indices can be larger then. */
const LONGEST_STEP_SMALL = 0.5;
const SMALL = 60;
/** One row of piles is kept down to this width. */
const ONE_ROW_WIDTH = 36;
const COMFORT_STEP = 0.17;
/** Room for this many cards more than are dealt, before cards grow smaller. */
const SPARE = 3;

/**
 * Whether the classic wings can be drawn: an even row of piles, all face up, without a stock.
 * @param {Variant} variant
 */
export function hasWings(variant) {
  const { piles } = variant.tableau;
  const reserve = variant.record.reserve ?? [];
  const isDeep = reserve.length > 1 && Math.max(...reserve) > 1;
  return piles % 2 === 0 && piles >= 8 && piles <= 10 && variant.stock < 0 && !variant.hasHiddenCards && !isDeep;
}

/** The arrangement that suits the shape of the table. @param {Variant} variant @param {{width: number, height: number}} box @returns {Form[]} */
function formsFor(variant, { width, height }) {
  if (hasWings(variant) && width >= 1.25 * height && height >= 560) return ["wings", "columns"];
  return width > 1.15 * height ? ["side", "columns"] : ["columns"];
}

/**
 * The layout of a position on a table.
 * @param {Variant} variant
 * @param {Counts} counts
 * @param {{width: number, height: number}} box
 * @param {{form?: "auto"|"columns"|"wings", isMirrored?: boolean, isLarge?: boolean}} [wish]
 * @returns {Layout}
 */
export function computeLayout(variant, counts, box, { form = "auto", isMirrored = false, isLarge = false } = {}) {
  const wide = box.width > 1.15 * box.height;
  /** @type {Form[]} */
  let forms = formsFor(variant, box);
  if (form === "wings" && hasWings(variant)) forms = ["wings", "side", "columns"];
  else if (form !== "auto") forms = wide ? ["side", "columns"] : ["columns"];
  const planned = { ...plan(variant, counts), isLarge };
  /** @type {Layout|null} */
  let best = null;
  for (const each of forms) {
    const layout = largest(variant, counts, planned, box, each);
    // The wings, where they are asked for, give way only to much larger cards.
    if (layout && (!best || layout.w > best.w * (best.form === "wings" ? 1.3 : 1))) best = layout;
  }
  // A table too small for any arrangement is drawn at the narrowest width and may be scrolled.
  const scrolled = () => [1, 2, 3].map((rows) => arrange(variant, counts, counts, { width: Math.max(box.width, 300), height: 4000 }, NARROWEST, "columns", rows)).find((each) => each !== null);
  const layout = /** @type {Layout} */ (best ?? scrolled());
  return isMirrored ? mirror(layout, box) : layout;
}

/** @param {Variant} variant @param {Counts} counts @returns {Counts} */
function plan(variant, counts) {
  const steps = variant.record.deal.steps.filter((/** @type {any} */ step) => step.to === "tableau");
  const dealt = Array.from({ length: variant.tableauEnd }, (_, pile) =>
    steps.reduce((/** @type {number} */ sum, /** @type {any} */ step) => sum + (step.sizes[pile] ?? 0), 0),
  );
  const longest = Math.max(...dealt) + SPARE;
  const cards = counts.cards.map((count, pile) => (pile < variant.tableauEnd ? Math.max(count, longest) : count));
  return { cards, down: counts.down };
}

/** @param {Variant} variant @param {Counts} counts @param {Counts} planned @param {{width: number, height: number}} box @param {Form} form @returns {Layout|null} */
function largest(variant, counts, planned, box, form) {
  /** @type {Layout|null} */
  let best = null;
  for (let rows = 1; rows <= (form === "wings" ? 1 : 3); rows += 1) {
    const layout = largestIn(variant, counts, planned, box, form, rows);
    // One row of piles is what people know: it stays as long as its cards are not much too small.
    if (layout && rows === 1 && layout.w >= ONE_ROW_WIDTH) return layout;
    if (layout && (!best || layout.w > best.w * 1.15)) best = layout;
  }
  return best;
}

/** @param {Variant} variant @param {Counts} counts @param {Counts} planned @param {{width: number, height: number}} box @param {Form} form @param {number} rows */
function largestIn(variant, counts, planned, box, form, rows) {
  for (let w = WIDEST; w >= NARROWEST; w -= 1) {
    const layout = arrange(variant, counts, w <= 44 ? { ...counts, isLarge: planned.isLarge === true } : planned, box, w, form, rows);
    if (layout) return layout;
  }
  return null;
}

/** @param {Variant} variant @param {Counts} counts @param {Counts} planned @param {{width: number, height: number}} box @param {number} w @param {Form} form @param {number} rows */
function arrange(variant, counts, planned, box, w, form, rows) {
  const table = new Table(variant, counts, planned, box, w);
  if (form === "wings") return table.wings();
  return form === "side" ? table.side(rows) : table.columns(rows);
}

/** The same, seen in a mirror: for the left hand. @param {Layout} layout @param {{width: number}} box @returns {Layout} */
function mirror(layout, box) {
  const other = /** @type {const} */ ({ left: "right", right: "left", inline: "inline" });
  const spots = Object.entries(layout.spots).map(([name, spot]) => {
    const mirrored = { ...spot, x: box.width - spot.x - layout.w, dx: -spot.dx };
    return /** @type {const} */ ([name, { ...mirrored, index: spot.dx ? other[spot.index] : spot.index }]);
  });
  return { ...layout, spots: Object.fromEntries(spots) };
}

/** @param {number} size */
const even = (size) => 2 * Math.floor(size / 2);

/** One attempt at an arrangement with cards of one width. */
class Table {
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
   * A pile that runs down: the step is as long as there is room for, or null if its cards can't be read.
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
    const dx = steps ? Math.min(0.42 * this.w, free / steps) : 0.42 * this.w;
    this.put(name, x, y, { dx: way * Math.floor(dx), font: this.fontFor((dx - 2) / TEN_WIDTH), index: way > 0 ? "left" : "right" });
    return true;
  }

  /** Foundations, cells, reserve and stock in a band above, the tableau in rows below. @param {number} rows @returns {Layout|null} */
  columns(rows) {
    if (this.isDeep && rows === 2) return this.beside();
    const bottom = this.band();
    if (bottom === null) return null;
    const y = bottom ? bottom + Math.round(this.gap * 1.5) : 0;
    const per = Math.ceil(this.tableau.length / rows);
    return per <= this.across && this.tableauRows(y, rows, per) ? this.done("columns") : null;
  }

  /** Foundations in a row above; the deep piles of the reserve beside the tableau. @returns {Layout|null} */
  beside() {
    const columns = this.reserve.length + this.tableau.length;
    const wide = columns * this.cell;
    if (wide > this.box.width || this.foundations.length > this.across) return null;
    const left = (this.box.width - wide) / 2;
    this.row(this.foundations, (this.box.width - (this.foundations.length * this.cell - this.gap)) / 2, 0);
    const top = this.h + this.gap;
    const room = Math.min(this.box.height - top, this.h + this.longest * 18);
    const isPlaced = [...this.reserve, ...this.tableau].every((name, number) =>
      this.down(name, left + number * this.cell + (number < this.reserve.length ? 0 : this.gap), top, room),
    );
    return isPlaced ? this.done("columns") : null;
  }

  /** @param {number} top @param {number} rows @param {number} per */
  tableauRows(top, rows, per) {
    const left = (this.box.width - (per * this.cell - this.gap)) / 2;
    const free = this.box.height - top - (rows - 1) * this.gap * 1.5;
    const groups = Array.from({ length: rows }, (_, row) => this.tableau.slice(row * per, (row + 1) * per));
    const need = groups.map((names) => Math.max(...names.map((name) => this.need(name))));
    const total = need.reduce((sum, each) => sum + each, 0);
    let y = top;
    for (const [row, names] of groups.entries()) {
      const room = rows === 1 ? free : Math.min(free * ((need[row] ?? 0) / total), this.h + this.longest * 12);
      for (const [column, name] of names.entries()) {
        if (!this.down(name, left + column * this.cell, y, Math.floor(room))) return false;
      }
      y += room + this.gap * 1.5;
    }
    return true;
  }

  /** What a pile takes at the least. @param {string} name */
  need(name) {
    const number = this.variant.index[name] ?? 0;
    const hidden = this.counts.down[number] ?? 0;
    const count = Math.max(this.count(name), this.planned.cards[number] ?? 0, 1);
    return this.h + hidden * Math.max(4, this.h * 0.07) + Math.max(0, count - 1 - hidden) * LEAST_DOWN;
  }

  /** The band above the tableau: its height, or null if it is too wide. */
  band() {
    const { width } = this.box;
    const fan = this.stock.length ? this.wasteStep() * ((this.variant.stockRules?.turn ?? 1) - 1) : 0;
    const stock = this.stock.length ? 2 * this.cell + fan : 0;
    const own = this.cells.length * this.cell;
    const up = this.foundations.length * this.cell - this.gap;
    const space = this.cell / 2;
    if (this.isDeep) return this.deepBand();
    const lefts = stock + own;
    const spread = this.isFan ? 0 : this.reserve.length * this.cell;
    if (lefts + spread + (lefts + spread ? space : 0) + up <= width) {
      const left = this.bandLeft(width);
      this.placeStock(left, 0);
      this.row(this.cells, left + stock, 0);
      if (!this.isFan) this.row(this.reserve, left + lefts, 0);
      this.row(this.foundations, lefts || spread ? width - left - up : (width - up) / 2, 0);
    } else {
      const split = this.splitBand(lefts, up);
      if (!split) return null;
    }
    let bottom = this.height();
    if (this.isFan) {
      const [name = ""] = this.reserve;
      const room = Math.min(width, this.w + Math.max(0, this.count(name) - 1) * 0.42 * this.w);
      if (!this.along(name, (width - room) / 2, bottom + this.gap, room + 1, 1)) return null;
      bottom += this.gap + this.h;
    }
    return bottom;
  }

  /** The band starts where the tableau starts. @param {number} width */
  bandLeft(width) {
    const per = Math.min(this.tableau.length, this.across);
    const flush = (width - (per * this.cell - this.gap)) / 2;
    const need = this.cells.length + this.foundations.length + (this.isFan ? 0 : this.reserve.length) + this.stock.length;
    return need + 1 <= per ? Math.max(0, flush) : Math.max(0, Math.min(flush, (width - (need + 0.5) * this.cell) / 2));
  }

  /** Foundations and cells in a first row, the reserve in rows of its own. @param {number} lefts @param {number} up */
  splitBand(lefts, up) {
    const { width } = this.box;
    let y = 0;
    if (lefts + (lefts ? this.gap : 0) + up <= width) {
      this.placeStock(0, y);
      this.row(this.cells, this.stock.length * this.cell, y);
      this.row(this.foundations, lefts ? width - up : (width - up) / 2, y);
    } else {
      if (this.stock.length || this.foundations.length > this.across || this.cells.length > this.across) return false;
      this.row(this.foundations, (width - up) / 2, y);
      y += this.h + this.gap;
      this.row(this.cells, (width - (this.cells.length * this.cell - this.gap)) / 2, y);
    }
    if (this.isFan || this.reserve.length === 0) return true;
    y += this.h + this.gap;
    const rows = Math.ceil(this.reserve.length / this.across);
    const per = Math.ceil(this.reserve.length / rows);
    for (let row = 0; row < rows; row += 1) {
      this.row(this.reserve.slice(row * per, (row + 1) * per), (width - (per * this.cell - this.gap)) / 2, y + row * (this.h + this.gap));
    }
    return true;
  }

  /** Deep reserve piles as columns at the left, foundations beside them in two rows. */
  deepBand() {
    const half = Math.ceil(this.foundations.length / 2);
    const columns = this.reserve.length + half;
    if (columns > this.across) return null;
    const left = (this.box.width - (columns * this.cell - this.gap)) / 2;
    const room = Math.min(this.box.height * 0.42, this.h + this.longest * 12);
    for (const [number, name] of this.reserve.entries()) if (!this.down(name, left + number * this.cell, 0, room)) return null;
    const right = left + this.reserve.length * this.cell;
    this.row(this.foundations.slice(0, half), right, 0);
    this.row(this.foundations.slice(half), right, this.h + this.gap);
    return this.height();
  }

  wasteStep() {
    return Math.max(LEAST_ALONG, Math.round(0.3 * this.w));
  }

  /** @param {number} x @param {number} y */
  placeStock(x, y) {
    const [stock, waste] = this.stock;
    if (!stock || !waste) return;
    const turn = this.variant.stockRules?.turn ?? 1;
    this.put(stock, x, y);
    this.put(waste, x + this.cell, y, { dx: this.wasteStep(), shown: turn, font: this.fontFor((this.wasteStep() - 2) / TEN_WIDTH), index: turn > 1 ? "left" : "inline" });
  }

  /** Foundations in columns at the right, all else at the left, the tableau between them with the whole height. @param {number} rows @returns {Layout|null} */
  side(rows) {
    const { width, height } = this.box;
    const fits = Math.floor((height + this.gap) / (this.h + this.gap));
    if (fits < 1) return null;
    const right = this.stack(this.foundations, fits);
    const turn = this.variant.stockRules?.turn ?? 1;
    const rest = [...this.stock, ...this.cells, ...(this.isFan || this.isDeep ? [] : this.reserve)];
    const left = rest.length ? Math.ceil(rest.length / fits) : 0;
    const fans = this.isFan || this.isDeep ? this.reserve : [];
    const fan = fans.length;
    const extra = this.stock.length ? ((turn - 1) * this.wasteStep()) / this.cell : 0;
    const room = width - (right + left + fan + extra) * this.cell - (right ? this.gap : 0) - (left + fan ? this.gap : 0);
    const start = (left + fan + extra) * this.cell + (left + fan ? this.gap : 0);
    const across = Math.floor((room + this.gap) / this.cell);
    const per = Math.ceil(this.tableau.length / rows);
    if (per > across) return null;
    const whole = this.box;
    this.box = { width: room, height };
    const isPlaced = this.tableauRows(0, rows, per);
    this.box = whole;
    if (!isPlaced) return null;
    for (const name of this.tableau) {
      const spot = this.spots[name];
      if (spot) spot.x += Math.round(start);
    }
    // What stands at the sides keeps close to the tableau, however wide the table is.
    const xs = this.tableau.map((name) => this.spots[name]?.x ?? 0);
    const apart = Math.max(this.gap, this.cell / 3);
    const rightX = Math.min(Math.max(...xs) + this.cell + apart, width - right * this.cell + this.gap);
    const leftX = Math.max(0, Math.min(...xs) - start - apart);
    this.columnOf(this.foundations, rightX, fits);
    this.columnOf(rest, leftX, fits);
    const waste = this.stock[1];
    const spot = waste ? this.spots[waste] : undefined;
    if (spot) Object.assign(spot, { dx: this.wasteStep(), shown: turn, index: turn > 1 ? "left" : "inline" });
    if (!fans.every((name, number) => this.down(name, leftX + (left + number) * this.cell, 0, height))) return null;
    return this.done("side");
  }

  /** @param {string[]} names @param {number} fits */
  stack(names, fits) {
    return Math.ceil(names.length / fits);
  }

  /** @param {string[]} names @param {number} x @param {number} fits */
  columnOf(names, x, fits) {
    const columns = Math.ceil(names.length / fits) || 1;
    const per = Math.ceil(names.length / columns);
    names.forEach((name, number) => {
      this.put(name, x + Math.floor(number / per) * this.cell, (number % per) * (this.h + this.gap));
    });
  }

  /** The classic picture: wings left and right of the foundations; the end cards point away from them. @returns {Layout|null} */
  wings() {
    const { width, height } = this.box;
    const half = this.tableau.length / 2;
    const others = [...this.cells, ...(this.isFan || this.isDeep ? [] : this.reserve)];
    const isWide = this.tableau.length === 10;
    const top = this.wingsTop(others);
    if (top === null) return null;
    const middle = Math.ceil(this.foundations.length / half);
    const between = middle * this.cell - this.gap + 4 * this.gap;
    const room = (width - between) / 2;
    const rowHeight = this.h + this.gap;
    if (room < this.w || top + half * rowHeight - this.gap > height) return null;
    const start = top + Math.max(0, (height - top - (half * rowHeight - this.gap)) / 2);
    for (const [number, name] of this.tableau.entries()) {
      // Odd and even piles of ten face each other; of eight, the first four are the left wing.
      const row = isWide ? Math.floor(number / 2) : number % half;
      const isLeft = isWide ? number % 2 === 0 : number < half;
      const x = isLeft ? room - this.w : width - room;
      if (!this.along(name, x, start + row * rowHeight, room, isLeft ? -1 : 1)) return null;
    }
    const per = Math.ceil(this.foundations.length / middle);
    const offset = ((half - per) * rowHeight) / 2;
    this.foundations.forEach((name, number) => {
      const x = width / 2 - (middle * this.cell - this.gap) / 2 + Math.floor(number / per) * this.cell;
      this.put(name, x, start + offset + (number % per) * rowHeight);
    });
    return this.done("wings");
  }

  /** What stands above the wings: cells and reserve; its height with a gap, or null if it does not fit. @param {string[]} others */
  wingsTop(others) {
    const { width } = this.box;
    if (this.isDeep) return null;
    if (this.isFan) {
      const [name = ""] = this.reserve;
      const room = Math.min(width, this.w + Math.max(0, this.count(name) - 1) * 0.42 * this.w);
      return this.along(name, (width - room) / 2, 0, room + 1, 1) ? this.h + 2 * this.gap : null;
    }
    if (others.length === 0) return 0;
    const rows = Math.ceil(others.length / this.across);
    const per = Math.ceil(others.length / rows);
    for (let row = 0; row < rows; row += 1) {
      const names = others.slice(row * per, (row + 1) * per);
      this.row(names, (width - (names.length * this.cell - this.gap)) / 2, row * (this.h + this.gap));
    }
    return rows * (this.h + this.gap) + this.gap;
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
