/** A small still picture of how a variant is laid out, from its data and the same geometry as the table. */

import { html, nothing, svg } from "../lit.js";
import { dealDeck } from "../rules.js";
import { colourOf } from "../rules/cards.js";
import { deck } from "../rules/shuffles.js";
import { shortCard } from "../play/cardwords.js";
import { placeCard } from "./draft.js";
import { computeLayout } from "./geometry.js";

/** How many times as large as it is shown it may be laid out, until all of it finds room. */
const SCALES = [1, 1.5, 2, 3];

/**
 * @param {Variant} variant
 * @param {{width?: number, height?: number, isDown?: boolean, hasFaces?: boolean}} [how] with faces, rank and suit of open cards can be read
 */
export function miniature(variant, { width = 420, height = 300, isDown = false, hasFaces = false } = {}) {
  const position = dealDeck(variant, deck("ms", "1", variant.decks));
  let picture = html``;
  for (const scale of SCALES) {
    const size = { width: width * scale, height: height * scale };
    const { cards, bottom } = draw(position, size, isDown, hasFaces);
    picture = html`<svg viewBox="-2 -2 ${size.width + 4} ${Math.min(size.height, bottom) + 4}">${cards}</svg>`;
    if (bottom <= size.height) break;
  }
  return picture;
}

/** The cards, and where the lowest ends. @param {Position} position @param {{width: number, height: number}} size @param {boolean} isClosed @param {boolean} hasFaces */
function draw({ variant, piles, down }, size, isClosed, hasFaces) {
  const layout = computeLayout(variant, { cards: piles.map((pile) => pile.length), down }, size);
  let bottom = 0;
  const cards = variant.names.flatMap((name, number) => {
    const spot = layout.spots[name];
    const pile = piles[number] ?? [];
    if (!spot) return [];
    bottom = Math.max(bottom, spot.y + layout.h);
    if (pile.length === 0) return [svg`<rect class="mini-space" x=${spot.x} y=${spot.y} width=${layout.w} height=${layout.h} rx="4" />`];
    const place = (/** @type {number} */ depth) => placeCard(spot, depth, pile.length, down[number] ?? 0);
    return pile.map((card, depth) => {
      const at = place(depth);
      bottom = Math.max(bottom, at.y + layout.h);
      const isLeftward = depth + 1 < pile.length ? place(depth + 1).x < at.x : depth > 0 && at.x < place(depth - 1).x;
      const isDown = isClosed || name === "s" || depth < (down[number] ?? 0);
      return svg`<rect class=${isDown ? "mini-back" : "mini-card"} x=${at.x} y=${at.y} width=${layout.w} height=${layout.h} rx="4" />${hasFaces && !isDown ? index(card, at, layout.w, isLeftward) : nothing}`;
    });
  });
  return { cards, bottom };
}

/** Rank and suit in the corner that the next card leaves free. @param {number} card @param {{x: number, y: number}} at @param {number} width @param {boolean} isLeftward */
function index(card, at, width, isLeftward) {
  const size = width * 0.3;
  const x = isLeftward ? at.x + width * 0.93 : at.x + width * 0.07;
  return svg`<text class="mini-index ${colourOf(card) ? "is-red" : ""}" x=${x} y=${at.y + size * 0.98} font-size=${size} text-anchor=${isLeftward ? "end" : "start"}>${shortCard(card)}</text>`;
}
