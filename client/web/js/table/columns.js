/** The tableau in columns below a band of all else, or in as many rows of columns as there is room for. */

import { band } from "./band.js";

/** Foundations, cells, reserve and stock in a band above, the tableau in rows below. @param {Draft} draft @param {number} rows @returns {Layout|null} */
export function columns(draft, rows) {
  if (draft.isDeep && rows === 2) return beside(draft);
  const bottom = band(draft);
  if (bottom === null) return null;
  let y = bottom ? bottom + Math.round(draft.gap * 1.5) : 0;
  if (rows === 1) {
    const rest = draft.spread(draft.box.height - y);
    y += draft.lower(rest) + Math.round(Math.min(rest * 0.25, draft.h * 0.5));
  }
  const per = Math.ceil(draft.tableau.length / rows);
  return per <= draft.across && tableauRows(draft, y, rows, per) ? draft.done("columns") : null;
}

/** Foundations in a row above; the deep piles of the reserve beside the tableau. @param {Draft} draft @returns {Layout|null} */
function beside(draft) {
  const columns = draft.reserve.length + draft.tableau.length;
  const wide = columns * draft.cell;
  if (wide > draft.box.width || draft.foundations.length > draft.across) return null;
  const left = (draft.box.width - wide) / 2;
  draft.row(draft.foundations, (draft.box.width - (draft.foundations.length * draft.cell - draft.gap)) / 2, 0);
  const top = draft.h + draft.gap;
  const room = Math.min(draft.box.height - top, draft.h + draft.longest * 18);
  const isPlaced = [...draft.reserve, ...draft.tableau].every((name, number) =>
    draft.down(name, left + number * draft.cell + (number < draft.reserve.length ? 0 : draft.gap), top, room),
  );
  return isPlaced ? draft.done("columns") : null;
}

/** The tableau in rows from here down; whether all its cards can be read. @param {Draft} draft @param {number} top @param {number} rows @param {number} per */
export function tableauRows(draft, top, rows, per) {
  const left = (draft.box.width - (per * draft.cell - draft.gap)) / 2;
  const free = draft.box.height - top - (rows - 1) * draft.gap * 1.5;
  const groups = Array.from({ length: rows }, (_, row) => draft.tableau.slice(row * per, (row + 1) * per));
  const need = groups.map((names) => Math.max(...names.map((name) => draft.least(name))));
  const total = need.reduce((sum, each) => sum + each, 0);
  let y = top;
  for (const [row, names] of groups.entries()) {
    const room = rows === 1 ? free : Math.min(free * ((need[row] ?? 0) / total), draft.h + draft.longest * 12);
    for (const [column, name] of names.entries()) {
      if (!draft.down(name, left + column * draft.cell, y, Math.floor(room))) return false;
    }
    y += room + draft.gap * 1.5;
  }
  return true;
}
