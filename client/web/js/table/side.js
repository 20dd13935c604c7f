/** Foundations at the right of the tableau, all else at its left: for tables that are wider than high. */

import { tableauRows } from "./columns.js";

/** Foundations in columns at the right, all else at the left, the tableau between them with the whole height. @param {Draft} draft @param {number} rows @returns {Layout|null} */
export function side(draft, rows) {
  const { width, height } = draft.box;
  const fits = Math.floor((height + draft.gap) / (draft.h + draft.gap));
  if (fits < 1) return null;
  const up = evenly(draft.foundations.length, fits);
  const right = draft.foundations.length / up;
  const turn = draft.variant.stockRules?.turn ?? 1;
  const rest = [...draft.stock, ...draft.cells, ...(draft.isFan || draft.isDeep ? [] : draft.reserve)];
  const left = rest.length ? Math.ceil(rest.length / fits) : 0;
  const fans = draft.isFan || draft.isDeep ? draft.reserve : [];
  const fan = fans.length;
  const extra = draft.stock.length ? ((turn - 1) * draft.wasteStep()) / draft.cell : 0;
  const room = width - (right + left + fan + extra) * draft.cell - (right ? draft.gap : 0) - (left + fan ? draft.gap : 0);
  const start = (left + fan + extra) * draft.cell + (left + fan ? draft.gap : 0);
  const across = Math.floor((room + draft.gap) / draft.cell);
  const per = Math.ceil(draft.tableau.length / rows);
  if (per > across) return null;
  const whole = draft.box;
  draft.box = { width: room, height };
  const isPlaced = tableauRows(draft, 0, rows, per);
  draft.box = whole;
  if (!isPlaced) return null;
  for (const name of draft.tableau) {
    const spot = draft.spots[name];
    if (spot) spot.x += Math.round(start);
  }
  // What stands at the sides keeps close to the tableau, however wide the table is.
  const xs = draft.tableau.map((name) => draft.spots[name]?.x ?? 0);
  const apart = Math.max(draft.gap, draft.cell / 3);
  const rightX = Math.min(Math.max(...xs) + draft.cell + apart, width - right * draft.cell + draft.gap);
  const leftX = Math.max(0, Math.min(...xs) - start - apart);
  columnOf(draft, draft.foundations, rightX, up);
  columnOf(draft, rest, leftX, fits);
  const waste = draft.stock[1];
  const spot = waste ? draft.spots[waste] : undefined;
  if (spot) Object.assign(spot, { dx: draft.wasteStep(), shown: turn, index: turn > 1 ? "left" : "inline" });
  if (!fans.every((name, number) => draft.down(name, leftX + (left + number) * draft.cell, 0, height))) return null;
  const tallest = Math.max(draft.height(), draft.h + (draft.planned.longest - 1) * draft.longest);
  draft.lower(Math.max(0, height - tallest));
  return draft.done("side");
}

/** How many of so many foundations stand in each column: the same in all. @param {number} count @param {number} fits */
function evenly(count, fits) {
  let up = Math.min(count, fits);
  while (count % up) up -= 1;
  return up;
}

/** @param {Draft} draft @param {string[]} names @param {number} x @param {number} fits */
function columnOf(draft, names, x, fits) {
  const columns = Math.ceil(names.length / fits) || 1;
  const per = Math.ceil(names.length / columns);
  names.forEach((name, number) => {
    draft.put(name, x + Math.floor(number / per) * draft.cell, (number % per) * (draft.h + draft.gap));
  });
}
