/** What stands in a band above the tableau: stock, cells, reserve and foundations. */

import { NARROWEST } from "./draft.js";

/** Piles that are known to stand in one row are put into two for cards that are so much larger. */
const STACKED_FROM = 1.15;

/** The band above the tableau: its height, or null if it is too wide. @param {Draft} draft */
export function band(draft) {
  const { width } = draft.box;
  const fan = draft.stock.length ? draft.wasteStep() * ((draft.variant.stockRules?.turn ?? 1) - 1) : 0;
  const stock = draft.stock.length ? 2 * draft.cell + fan : 0;
  const own = draft.cells.length * draft.cell;
  const up = draft.foundations.length * draft.cell - draft.gap;
  const space = draft.cell / 2;
  if (draft.isDeep) return deepBand(draft);
  const lefts = stock + own;
  const spread = draft.isFan ? 0 : draft.reserve.length * draft.cell;
  if (lefts + spread + (lefts + spread ? space : 0) + up <= width) {
    const left = bandLeft(draft, width);
    placeStock(draft, left, 0);
    draft.row(draft.cells, left + stock, 0);
    if (!draft.isFan) draft.row(draft.reserve, left + lefts, 0);
    draft.row(draft.foundations, lefts || spread ? width - left - up : (width - up) / 2, 0);
  } else {
    const split = splitBand(draft, lefts, up);
    if (!split) return null;
  }
  let bottom = draft.height();
  if (draft.isFan) {
    const [name = ""] = draft.reserve;
    const room = Math.min(width, draft.w + Math.max(0, draft.count(name) - 1) * draft.fan);
    if (!draft.along(name, (width - room) / 2, bottom + draft.gap, room + 1, 1)) return null;
    bottom += draft.gap + draft.h;
  }
  return bottom;
}

/** The band starts where the tableau starts. @param {Draft} draft @param {number} width */
function bandLeft(draft, width) {
  const per = Math.min(draft.tableau.length, draft.across);
  const flush = (width - (per * draft.cell - draft.gap)) / 2;
  const need = draft.cells.length + draft.foundations.length + (draft.isFan ? 0 : draft.reserve.length) + draft.stock.length;
  return need + 1 <= per ? Math.max(0, flush) : Math.max(0, Math.min(flush, (width - (need + 0.5) * draft.cell) / 2));
}

/** Foundations and cells in a first row, the reserve in rows of its own. @param {Draft} draft @param {number} lefts @param {number} up */
function splitBand(draft, lefts, up) {
  const { width } = draft.box;
  let y = 0;
  if (lefts + (lefts ? draft.gap : 0) + up <= width) {
    placeStock(draft, 0, y);
    draft.row(draft.cells, draft.stock.length * draft.cell, y);
    draft.row(draft.foundations, lefts ? width - up : (width - up) / 2, y);
  } else {
    const flat = (draft.w * width) / (lefts + up);
    if (lefts - draft.gap > width || (flat >= NARROWEST && flat * STACKED_FROM > draft.w)) return false;
    y = draft.block(draft.foundations, y);
    const left = (width - (lefts - draft.gap)) / 2;
    placeStock(draft, left, y);
    draft.row(draft.cells, left + lefts - draft.cells.length * draft.cell, y);
  }
  if (draft.isFan || draft.reserve.length === 0) return true;
  draft.block(draft.reserve, draft.height() + draft.gap);
  return true;
}

/** Deep reserve piles as columns at the left, foundations beside them in two rows. @param {Draft} draft */
function deepBand(draft) {
  const half = Math.ceil(draft.foundations.length / 2);
  const columns = draft.reserve.length + half;
  if (columns > draft.across) return null;
  const left = (draft.box.width - (columns * draft.cell - draft.gap)) / 2;
  const { height } = draft.box;
  const unneeded = height - draft.gap * 1.5 - Math.max(...draft.tableau.map((name) => draft.least(name)));
  const room = Math.min(draft.h + draft.longest * 12, height * 0.48, Math.max(height * 0.42, unneeded));
  for (const [number, name] of draft.reserve.entries()) if (!draft.down(name, left + number * draft.cell, 0, room)) return null;
  const right = left + draft.reserve.length * draft.cell;
  draft.row(draft.foundations.slice(0, half), right, 0);
  draft.row(draft.foundations.slice(half), right, draft.h + draft.gap);
  return draft.height();
}

/** @param {Draft} draft @param {number} x @param {number} y */
function placeStock(draft, x, y) {
  const [stock, waste] = draft.stock;
  if (!stock || !waste) return;
  const turn = draft.variant.stockRules?.turn ?? 1;
  draft.put(stock, x, y);
  draft.put(waste, x + draft.cell, y, { dx: draft.wasteStep(), shown: turn, font: draft.fontForAlong(draft.wasteStep()), index: turn > 1 ? "left" : "inline" });
}
