/**
 * Where every pile lies on a table of a given size, for any variant, worked out from its data alone: numbers in,
 * numbers out. The largest cards win for which every rank and suit can be read, in the arrangement asked for or the one that
 * suits the screen.
 */

import { columns } from "./columns.js";
import { side } from "./side.js";
import { Draft, NARROWEST } from "./draft.js";
import { wings } from "./wings.js";

export const WIDEST = 132;
/** One row of so many piles is kept down to this width. */
const ONE_ROW_PILES = 8;
const ONE_ROW_WIDTH = 36;
/** The room that the widest rank has at the least, in its own size; in a wide font it takes more. */
const TEN_WIDTH = 1.08;
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

/** The arrangement that suits the shape of the draft; games with several cells are known in columns. @param {Variant} variant @param {{width: number, height: number}} box @returns {Form[]} */
function formsFor(variant, { width, height }) {
  const { cellEnd, foundationEnd } = variant;
  const isCastle = hasWings(variant) && cellEnd - foundationEnd <= 1;
  if (isCastle && width >= 1.25 * height && height >= 560) return ["wings", "columns"];
  return width > 1.15 * height ? ["side", "columns"] : ["columns"];
}

/**
 * The layout of a position on a draft.
 * @param {Variant} variant
 * @param {Counts} counts
 * @param {{width: number, height: number}} box
 * @param {{form?: "auto"|"columns"|"wings", isMirrored?: boolean, isLarge?: boolean, ten?: number}} [wish]
 * @returns {Layout}
 */
export function computeLayout(variant, counts, box, { form = "auto", isMirrored = false, isLarge = false, ten = 0 } = {}) {
  const wide = box.width > 1.15 * box.height;
  /** @type {Form[]} */
  let forms = formsFor(variant, box);
  if (form === "wings" && hasWings(variant)) forms = ["wings", "side", "columns"];
  else if (form !== "auto") forms = wide ? ["side", "columns"] : ["columns"];
  const planned = { ...plan(variant, counts), isLarge, ten: Math.max(ten, TEN_WIDTH) };
  /** @type {Layout|null} */
  let best = null;
  for (const each of forms) {
    const layout = largest(variant, counts, planned, box, each);
    // The wings, where they are asked for, give way only to much larger cards.
    if (layout && (!best || layout.w > best.w * (best.form === "wings" ? 1.3 : 1))) best = layout;
  }
  // A table too small for any arrangement is drawn at the narrowest width and may be scrolled.
  const scrolled = () => [1, 2, 3].map((rows) => arrange(variant, counts, { ...planned, ...counts }, { width: Math.max(box.width, 300), height: 4000 }, NARROWEST, "columns", rows)).find((each) => each !== null);
  const layout = /** @type {Layout} */ (best ?? scrolled());
  return isMirrored ? mirror(layout, box) : layout;
}

/** @param {Variant} variant @param {Counts} counts @returns {Counts & {longest: number}} */
function plan(variant, counts) {
  const steps = variant.record.deal.steps.filter((/** @type {any} */ step) => step.to === "tableau");
  const dealt = Array.from({ length: variant.tableauEnd }, (_, pile) =>
    steps.reduce((/** @type {number} */ sum, /** @type {any} */ step) => sum + (step.sizes[pile] ?? 0), 0),
  );
  const longest = Math.max(...dealt) + SPARE;
  const cards = counts.cards.map((count, pile) => (pile < variant.tableauEnd ? Math.max(count, (dealt[pile] ?? 0) + SPARE) : count));
  return { cards, down: counts.down, longest };
}

/** @param {Variant} variant @param {Counts} counts @param {Plan} planned @param {{width: number, height: number}} box @param {Form} form @returns {Layout|null} */
function largest(variant, counts, planned, box, form) {
  /** @type {Layout|null} */
  let best = null;
  for (let rows = 1; rows <= (form === "wings" ? 1 : 3); rows += 1) {
    const layout = largestIn(variant, counts, planned, box, form, rows);
    // One row of up to eight piles is what people know: it stays as long as its cards are not much too small.
    if (layout && rows === 1 && variant.tableauEnd <= ONE_ROW_PILES && layout.w >= ONE_ROW_WIDTH) return layout;
    if (layout && (!best || layout.w > best.w * 1.15)) best = layout;
  }
  return best;
}

/** @param {Variant} variant @param {Counts} counts @param {Plan} planned @param {{width: number, height: number}} box @param {Form} form @param {number} rows */
function largestIn(variant, counts, planned, box, form, rows) {
  for (let w = WIDEST; w >= NARROWEST; w -= 1) {
    const layout = arrange(variant, counts, w <= 44 ? { ...planned, ...counts } : planned, box, w, form, rows);
    if (layout) return layout;
  }
  return null;
}

/** @param {Variant} variant @param {Counts} counts @param {Plan} planned @param {{width: number, height: number}} box @param {number} w @param {Form} form @param {number} rows */
function arrange(variant, counts, planned, box, w, form, rows) {
  const draft = new Draft(variant, counts, planned, box, w);
  if (form === "wings") return wings(draft);
  return form === "side" ? side(draft, rows) : columns(draft, rows);
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
