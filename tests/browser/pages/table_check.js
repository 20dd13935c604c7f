/** Every game's table as it is drawn, with its longest piles: are rank and suit of every open card to be seen and told? */

import { placeCard } from "/js/table/draft.js";
import { Table } from "/js/table/table.js";
import { deal } from "/js/rules.js";
import { catalogue, longest } from "./layout_check.js";

const LEAST_PX = 12;
const LEAST_CONTRAST = 4.5;
/** The box of a line of text is higher than what is drawn in it, by this share of its size at each edge. */
const AIR = 0.12;

for (const name of ["base", "table"]) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = `/css/${name}.css`;
  document.head.append(link);
  await new Promise((done) => link.addEventListener("load", done));
}

/** The deal with its longest pile made as long as building can make it, by cards from the other piles. */
function longPile(variant) {
  const position = deal(catalogue, `${variant.id}:ms:11982`);
  const piles = position.piles.map((pile) => [...pile]);
  const { dealt, long } = longest(variant);
  const which = dealt.indexOf(Math.max(...dealt));
  const others = Array.from({ length: variant.tableauEnd }, (_, number) => number).filter((number) => number !== which);
  for (let turn = 0; piles[which].length < long && turn < 200; turn += 1) {
    const other = piles[others[turn % others.length]];
    if (other.length > (position.down[others[turn % others.length]] ?? 0) + 1) piles[which].push(other.pop());
  }
  return { ...position, piles };
}

/** @param {string} colour as the browser tells it */
function luminance(colour) {
  const [red, green, blue] = colour.match(/[\d.]+/g).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const contrast = (one, other) => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const nothing = () => undefined;
const GAME = { targets: () => [], counts: () => [], play: nothing, draw: nothing, refuseLift: nothing, refuseHome: nothing,
  pileLabel: () => "", cardLabel: () => "", chosenText: () => "", say: nothing };

/** What is wrong on one table: cards whose index is covered, cut off, too small or too pale; and how many were looked at. */
function look(table, position) {
  const problems = [];
  let looked = 0;
  const area = table.surface.getBoundingClientRect();
  for (const card of table.cards) {
    const number = position.variant.index[card.pile];
    const count = position.piles[number].length;
    if (!card.isUp || card.root.classList.contains("is-buried")) continue;
    looked += 1;
    const say = (text) => problems.push(`${card.pile} ${card.depth}: ${text}`);
    const style = getComputedStyle(card.first);
    if (parseFloat(style.fontSize) < LEAST_PX) say(`an index of ${style.fontSize}`);
    const seen = contrast(style.color, getComputedStyle(card.root).backgroundColor);
    if (seen < LEAST_CONTRAST) say(`a contrast of ${seen.toFixed(2)}`);
    const slack = Math.max(2, AIR * parseFloat(style.fontSize));
    const own = card.root.getBoundingClientRect();
    const spot = table.layout.spots[card.pile];
    const next = card.depth + 1 < count ? placeCard(spot, card.depth + 1, count, position.down[number] ?? 0) : null;
    for (const part of [card.first.querySelector(".rank"), card.first.querySelector(".suit")]) {
      const box = part.getBoundingClientRect();
      if (box.width === 0) say("an index without rank or suit");
      if (box.left < own.left - slack || box.right > own.right + slack || box.bottom > own.bottom + slack) say("an index beyond its card");
      if (!next || (!spot.dx && !spot.dy)) continue;
      const [left, top] = [area.left + next.x, area.top + next.y];
      const across = Math.min(box.right, left + own.width) - Math.max(box.left, left);
      const along = Math.min(box.bottom, top + own.height) - Math.max(box.top, top);
      if (across > slack && along > slack) say("an index under the next card");
    }
  }
  return { problems, looked };
}

/** All games at one size in these looks. */
export function problemsOfTables(width, height, looks) {
  const root = document.createElement("div");
  root.className = "table";
  root.style.cssText = `width: ${width}px; height: ${height}px; flex: none`;
  document.body.append(root);
  const table = new Table(root, GAME);
  const problems = [];
  let looked = 0;
  for (const id of catalogue.records.keys()) {
    const position = longPile(catalogue.find(id));
    for (const { theme, colours, ...wishes } of looks) {
      document.documentElement.dataset.theme = theme;
      document.documentElement.dataset.colours = colours;
      table.wish({ form: "auto", isMirrored: false, isLarge: false, deck: "", ...wishes });
      table.show({ ...position }, true);
      const found = look(table, position);
      looked += found.looked;
      problems.push(...found.problems.map((text) => `${id} ${JSON.stringify({ theme, colours, ...wishes })} ${text}`));
    }
  }
  table.close();
  root.remove();
  return { problems, looked };
}
