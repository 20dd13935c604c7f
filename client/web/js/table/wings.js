/** The classic picture of the castle games: wings left and right of the foundations. */

/** The classic picture: wings left and right of the foundations; the end cards point away from them. @param {Draft} draft @returns {Layout|null} */
export function wings(draft) {
  const { width, height } = draft.box;
  const half = draft.tableau.length / 2;
  const others = [...draft.cells, ...(draft.isFan || draft.isDeep ? [] : draft.reserve)];
  const isWide = draft.tableau.length === 10;
  const top = wingsTop(draft, others);
  if (top === null) return null;
  const middle = Math.ceil(draft.foundations.length / half);
  const between = middle * draft.cell - draft.gap + 4 * draft.gap;
  const room = (width - between) / 2;
  const rowHeight = draft.h + draft.gap;
  if (room < draft.w || top + half * rowHeight - draft.gap > height) return null;
  const start = top + Math.max(0, (height - top - (half * rowHeight - draft.gap)) / 2);
  for (const [number, name] of draft.tableau.entries()) {
    // Odd and even piles of ten face each other; of eight, the first four are the left wing.
    const row = isWide ? Math.floor(number / 2) : number % half;
    const isLeft = isWide ? number % 2 === 0 : number < half;
    const x = isLeft ? room - draft.w : width - room;
    if (!draft.along(name, x, start + row * rowHeight, room, isLeft ? -1 : 1)) return null;
  }
  const per = Math.ceil(draft.foundations.length / middle);
  const offset = ((half - per) * rowHeight) / 2;
  draft.foundations.forEach((name, number) => {
    const x = width / 2 - (middle * draft.cell - draft.gap) / 2 + Math.floor(number / per) * draft.cell;
    draft.put(name, x, start + offset + (number % per) * rowHeight);
  });
  return draft.done("wings");
}

/** What stands above the wings: cells and reserve; its height with a gap, or null if it does not fit. @param {Draft} draft @param {string[]} others */
function wingsTop(draft, others) {
  const { width } = draft.box;
  if (draft.isDeep) return null;
  if (draft.isFan) {
    const [name = ""] = draft.reserve;
    const room = Math.min(width, draft.w + Math.max(0, draft.count(name) - 1) * draft.fan);
    return draft.along(name, (width - room) / 2, 0, room + 1, 1) ? draft.h + 2 * draft.gap : null;
  }
  if (others.length === 0) return 0;
  return draft.block(others, 0) + draft.gap;
}
