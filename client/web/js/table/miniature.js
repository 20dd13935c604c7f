/** A small still picture of how a variant is laid out, from its data and the same geometry as the table. */

import { html, svg } from "../../vendor/lit-html/lit-html.js";
import { dealDeck } from "../rules.js";
import { deck } from "../rules/shuffles.js";
import { placeCard } from "./draft.js";
import { computeLayout } from "./geometry.js";

/** @param {import("../rules/variants.js").Variant} variant @param {{width?: number, height?: number, isDown?: boolean}} [how] */
export function miniature(variant, { width = 420, height = 300, isDown: isClosed = false } = {}) {
  const position = dealDeck(variant, deck("ms", "1", variant.decks));
  const counts = { cards: position.piles.map((pile) => pile.length), down: position.down };
  const layout = computeLayout(variant, counts, { width, height });
  const cards = variant.names.flatMap((name, number) => {
    const spot = layout.spots[name];
    const pile = position.piles[number] ?? [];
    if (!spot) return [];
    if (pile.length === 0) return [svg`<rect class="mini-space" x=${spot.x} y=${spot.y} width=${layout.w} height=${layout.h} rx="4" />`];
    return pile.map((_, depth) => {
      const at = placeCard(spot, depth, pile.length, position.down[number] ?? 0);
      const isDown = isClosed || name === "s" || depth < (position.down[number] ?? 0);
      return svg`<rect class=${isDown ? "mini-back" : "mini-card"} x=${at.x} y=${at.y} width=${layout.w} height=${layout.h} rx="4" />`;
    });
  });
  return html`<svg viewBox="-2 -2 ${width + 4} ${Math.min(height, layout.height) + 4}">${cards}</svg>`;
}
