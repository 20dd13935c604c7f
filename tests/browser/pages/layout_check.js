/** Every variant's table at one size, with the longest piles it can have: what can't be read, overlaps or lies outside. */

import { Catalogue, deal } from "/js/rules.js";
import { LEAST_ALONG, LEAST_DOWN, LEAST_FONT, placeCard } from "/js/table/draft.js";
import { computeLayout } from "/js/table/geometry.js";

const records = (await (await fetch("/rules/variants.json")).json()).variants;
export const catalogue = new Catalogue(records);

/** As many cards on one pile as building allows: what was dealt, and a run down to the last card (or up, or both). */
export function longest(variant) {
  const steps = variant.record.deal.steps.filter((step) => step.to === "tableau");
  const dealt = Array.from({ length: variant.tableauEnd }, (_, pile) => steps.reduce((sum, step) => sum + step.sizes[pile], 0));
  const run = variant.tableau.build === "none" ? 0 : 12;
  const most = Math.max(...dealt);
  return { dealt, long: Math.min(variant.tableau.cap, most + run) };
}

export function countsOf(variant) {
  const { dealt, long } = longest(variant);
  const isDown = variant.record.deal.steps.some((step) => step.to === "tableau" && step.face === "down");
  const down = dealt.map((size) => (isDown ? size - 1 : 0));
  const which = dealt.indexOf(Math.max(...dealt));
  const reserve = variant.record.reserve ?? [];
  const cards = variant.names.map((name, number) => {
    if (name[0] === "t") return number === which ? long : dealt[number];
    if (name[0] === "f") return 1;
    if (name[0] === "c") return 1;
    if (name[0] === "r") return reserve[Number(name.slice(1))];
    return 12;
  });
  return { cards, down };
}

/** Games whose small picture of this size does not hold all of their cards. */
export async function cutOff(width, height) {
  const { render } = await import("/vendor/lit-html/lit-html.js");
  const { miniature } = await import("/js/table/miniature.js");
  return records.flatMap(({ id }) => {
    const host = document.createElement("div");
    render(miniature(catalogue.find(id), { width, height }), host);
    const { x, y, width: wide, height: high } = host.querySelector("svg").viewBox.baseVal;
    const inside = [...host.querySelectorAll("rect")].every(({ x: left, y: top, width: w, height: h }) => {
      const [right, low] = [left.baseVal.value + w.baseVal.value, top.baseVal.value + h.baseVal.value];
      return left.baseVal.value >= x && right <= x + wide && low <= y + high;
    });
    return inside ? [] : [id];
  });
}

export function problemsAt(width, height, wish) {
  const problems = [];
  for (const record of records) {
    const variant = catalogue.find(record.id);
    const counts = countsOf(variant);
    const layout = computeLayout(variant, counts, { width, height }, wish);
    const say = (text) => problems.push(`${variant.id} ${width}x${height} ${layout.form} w=${layout.w}: ${text}`);
    if (layout.w < 24) say("cards are too narrow");
    const boxes = [];
    variant.names.forEach((name, number) => {
      const spot = layout.spots[name];
      if (!spot) return say(`${name} has no place`);
      const count = counts.cards[number];
      const down = number < variant.tableauEnd ? counts.down[number] : 0;
      if (count - down > 1 && spot.dy && spot.dy < LEAST_DOWN) say(`${name}: ${spot.dy} px down`);
      if (count - down > 1 && spot.dx && Math.abs(spot.dx) < LEAST_ALONG) say(`${name}: ${spot.dx} px along`);
      if (spot.font < LEAST_FONT) say(`${name}: index of ${spot.font} px`);
      const first = placeCard(spot, 0, count, down);
      const end = placeCard(spot, Math.max(0, count - 1), count, down);
      const box = {
        name,
        left: Math.min(first.x, end.x),
        top: Math.min(first.y, end.y),
        right: Math.max(first.x, end.x) + layout.w,
        bottom: Math.max(first.y, end.y) + layout.h,
      };
      if (box.left < -0.5 || box.right > width + 0.5) say(`${name} lies outside: ${box.left}–${box.right}`);
      if (box.top < 0 || box.bottom > height + 0.5) say(`${name} lies outside: ${box.top}–${box.bottom}`);
      boxes.push(box);
    });
    for (const one of boxes) {
      for (const other of boxes) {
        if (one.name >= other.name) continue;
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const along = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (across > 0.5 && along > 0.5) say(`${one.name} and ${other.name} overlap`);
      }
    }
  }
  return problems;
}

/** How wide the cards of each variant are at one size, whether all of the table fits or not. */
export const widthsAt = (width, height) => Object.fromEntries(records.map((record) => {
  const variant = catalogue.find(record.id);
  return [record.id, computeLayout(variant, countsOf(variant), { width, height }).w];
}));

/** How far down each variant's deal reaches at one size, as a share of the height. */
export const reachAt = (width, height) => Object.fromEntries(records.map(({ id }) => {
  const { variant, piles, down } = deal(catalogue, `${id}:ms:11982`);
  return [id, computeLayout(variant, { cards: piles.map((pile) => pile.length), down }, { width, height }).height / height];
}));
