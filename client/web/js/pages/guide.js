/** The guide of one game: picture, rules with examples, how it is raced, tips, questions, history, related games. */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ruleSentences } from "../guides/sentences.js";
import { shortCard } from "../play/cardwords.js";
import { pileOf } from "../rules.js";
import { miniature } from "../table/miniature.js";
import { addGames, has, t } from "../words.js";

const TIPS = 4;

export default class GuidePage {
  /** @param {import("../app.js").App} app @param {{variant: string}} params */
  constructor(app, { variant }) {
    this.app = app;
    this.variant = app.catalogue.has(variant) ? app.catalogue.find(variant) : null;
    void addGames().then(() => app.refresh());
  }

  title() {
    return this.variant?.name ?? "";
  }

  render() {
    const { variant, app } = this;
    if (!variant) return html`<div class="note"><h1>${t("guide.none")}</h1><a class="button is-main" href="/games">${t("nav.games")}</a></div>`;
    const { record } = variant;
    const related = [...app.catalogue.records.values()].filter((each) => each["id"] !== variant.baseId && isRelated(variant.record, each)).slice(0, 5);
    const numbers = (/** @type {string} */ kind) => Array.from({ length: TIPS }, (_, n) => `${kind}.${n + 1}`).filter(has);
    const own = numbers(`guide.${variant.baseId}.tip`);
    const family = own.length ? own : numbers(`guide.${familyOf(variant)}.tip`);
    const history = `guide.${variant.baseId}.history`;
    return html`<article class="guide stack"><header class="row spread"><h1>${variant.name}</h1><a class="button is-main" href="/practice/${encodeURIComponent(`${variant.id}:ms:1`)}">${t("guide.try")}</a></header>
      ${record["aka"].length ? html`<p class="soft">${t("guide.aka", { names: record["aka"].join(", ") })}</p>` : nothing}
      <div class="panel"><div class="miniature is-large" role="img" aria-label=${t("guide.picture", { name: variant.name })}>${miniature(variant, { width: 640, height: 380 })}</div></div>
      <section class="panel"><h2>${t("guide.rules")}</h2><ul class="sentences">${ruleSentences(variant).map((sentence) => html`<li>${sentence.text}${exampleOf(sentence.example)}</li>`)}</ul></section>
      <section class="panel"><h2>${t("guide.race")}</h2><p>${t("guide.race.text")}</p>${variant.hasHiddenCards ? html`<p>${t("guide.race.hidden")}</p>` : nothing}</section>
      ${family.length ? html`<section class="panel"><h2>${t("guide.tips")}</h2><ul class="sentences">${family.map((key) => html`<li>${t(key)}</li>`)}</ul></section>` : nothing}
      <section class="panel"><h2>${t("guide.questions")}</h2>${["undo", "blocked", "fair"].map((key) => html`<details><summary>${t(`guide.q.${key}`)}</summary><p>${t(`guide.a.${key}`)}</p></details>`)}</section>
      ${has(history) ? html`<section class="panel"><h2>${t("guide.history")}</h2><p>${t(history)}</p></section>` : nothing}
      <section class="panel"><h2>${t("guide.related")}</h2><ul class="chips">${related.map((each) => html`<li><a class="chip" href="/games/${each["id"]}">${each["name"]}</a></li>`)}
        <li><a class="chip" href="/games/klondike-draw1">${app.catalogue.find("klondike-draw1").name}</a></li></ul></section></article>`;
  }
}

/** A family by the data: shown tips fit all of it. @param {import("../rules/variants.js").Variant} variant */
function familyOf({ tableau, cellEnd, foundationEnd, stock }) {
  if (stock >= 0) return "stock";
  if (cellEnd > foundationEnd) return "cells";
  return tableau.match === "suit" ? "suit" : "castle";
}

/** @param {Record<string, any>} one @param {Record<string, any>} other */
function isRelated(one, other) {
  if ((one["related"] ?? []).includes(other["id"]) || (other["related"] ?? []).includes(one["id"])) return true;
  const likeness = [
    one["tableau"].build === other["tableau"].build,
    one["tableau"].match === other["tableau"].match,
    one["tableau"].piles === other["tableau"].piles,
    Boolean(one["reserve"]) === Boolean(other["reserve"]),
    Boolean(one["stock"]) === Boolean(other["stock"]),
  ];
  return likeness.filter(Boolean).length >= 4;
}

/** @param {import("../guides/sentences.js").Example|null} example */
function exampleOf(example) {
  if (!example) return nothing;
  const words = (/** @type {import("../rules/legality.js").Move} */ move) => {
    const cards = pileOf(example.position, move.source).slice(-move.count).map(shortCard).join(" ");
    const top = pileOf(example.position, move.target).at(-1);
    const place = top === undefined ? t(`example.${move.target[0]}`) : shortCard(top);
    return t("example.move", { cards, place });
  };
  return html`<span class="example"><span class="yes">${t("example.yes")} ${words(example.yes)}</span>${example.no ? html`<span class="no">${t("example.no")} ${words(example.no)}</span>` : nothing}</span>`;
}
