/** The guide of one game: picture, rules with examples, how it is raced, tips, questions, history, related games. */

import { html, nothing } from "../lit.js";
import { Odds } from "../guides/odds.js";
import { ruleSentences } from "../guides/sentences.js";
import { shortCard } from "../play/cardwords.js";
import { builtFromTheStart, pileOf } from "../rules.js";
import { miniature } from "../table/miniature.js";
import { addGames, has, t } from "../words.js";
import { practicePath } from "./practicepath.js";

const CLASSIC = "klondike-draw1";
const MOST = 6;
const RELATED = 5;

export default class GuidePage {
  /** @param {App} app @param {{variant: string}} params */
  constructor(app, { variant }) {
    this.app = app;
    this.variant = app.catalogue.has(variant) ? app.catalogue.find(variant) : null;
    this.odds = this.variant ? new Odds(app, this.variant.id) : null;
    void addGames().then(() => app.refresh());
  }

  title() {
    return this.variant?.name ?? "";
  }

  render() {
    const { variant } = this;
    if (!variant) return html`<div class="note"><h1>${t("guide.none")}</h1><a class="button is-main" href="/games">${t("nav.games")}</a></div>`;
    const { aka } = variant.record;
    return html`<article class="guide"><header class="stack-s"><div class="row spread"><h1>${variant.name}</h1><a class="button is-main" href=${practicePath(variant.id, "")}>${t("guide.try")}</a></div>
      ${aka.length ? html`<p class="soft">${t("guide.aka", { names: aka.join(", ") })}</p>` : nothing}</header>
      <div class="guide-look miniature is-large" role="img" aria-label=${t("guide.picture", { name: variant.name })}>${miniature(variant, { width: 640, height: 420, hasFaces: true })}</div>
      <div class="guide-text stack">${rules(variant)}${race(variant)}${tips(variant)}${questions(variant)}</div>
      <div class="guide-more stack"><section class="panel"><h2>${t("guide.odds")}</h2>${this.odds?.render()}</section>${history(variant)}${this.related(variant)}</div></article>`;
  }

  /** @param {Variant} variant */
  related(variant) {
    const { catalogue } = this.app;
    const related = [...catalogue.records.values()].filter((each) => each["id"] !== variant.baseId && isRelated(variant.record, each));
    const classic = catalogue.find(CLASSIC);
    return html`<section class="panel"><h2>${t("guide.related")}</h2><ul class="chips">${related
      .filter((each) => each["id"] !== CLASSIC)
      .slice(0, RELATED)
      .map((each) => html`<li><a class="chip" href="/games/${each["id"]}">${each["name"]}</a></li>`)}
      ${variant.baseId === CLASSIC ? nothing : html`<li><a class="chip" href="/games/${CLASSIC}">${t("guide.classic", { name: classic.name })}</a></li>`}</ul></section>`;
  }
}

/** @param {Variant} variant */
const rules = (variant) =>
  html`<section class="panel"><h2>${t("guide.rules")}</h2><ul class="sentences">${ruleSentences(variant).map((sentence) => html`<li>${sentence.text}${exampleOf(sentence.example)}</li>`)}</ul></section>`;

/** How a race on it is ranked, with what its own data adds to that. @param {Variant} variant */
function race(variant) {
  const aside = builtFromTheStart(variant);
  return html`<section class="panel"><h2>${t("guide.race")}</h2><p>${t("guide.race.text")}</p>
    <p>${aside ? t("guide.race.aside", { n: aside }) : t("guide.race.none")}</p>${variant.hasHiddenCards ? html`<p>${t("guide.race.hidden")}</p>` : nothing}</section>`;
}

/** @param {Variant} variant */
function tips(variant) {
  const keys = numbered(`guide.${variant.baseId}.tip`);
  return keys.length ? html`<section class="panel"><h2>${t("guide.tips")}</h2><ul class="sentences">${keys.map((key) => html`<li>${t(key)}</li>`)}</ul></section>` : nothing;
}

/** Its own questions, then those of all games. @param {Variant} variant */
function questions(variant) {
  const own = numbered(`guide.${variant.baseId}.q`);
  const all = [...own, ...["undo", "blocked", "par", "fair"].map((name) => `guide.q.${name}`)];
  const answer = (/** @type {string} */ key) => key.replace(".q.", ".a.");
  return html`<section class="panel"><h2>${t("guide.questions")}</h2><div>${all.map((key) => html`<details><summary>${t(key)}</summary><p>${t(answer(key))}</p></details>`)}</div></section>`;
}

/** What is known, with its source; nothing where nothing is. @param {Variant} variant */
function history(variant) {
  const key = `guide.${variant.baseId}.history`;
  if (!has(key)) return nothing;
  return html`<section class="panel"><h2>${t("guide.history")}</h2><p>${t(key)}</p><p class="soft small">${t("guide.source", { source: t(`guide.${variant.baseId}.source`) })}</p></section>`;
}

/** The keys under a name that have words: `name.1`, `name.2` … @param {string} name */
const numbered = (name) => Array.from({ length: MOST }, (_, n) => `${name}.${n + 1}`).filter(has);

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

/** @param {Example|null} example */
function exampleOf(example) {
  if (!example) return nothing;
  const words = (/** @type {Move} */ move) => {
    const cards = pileOf(example.position, move.source).slice(-move.count).map(shortCard).join(" ");
    const top = pileOf(example.position, move.target).at(-1);
    const place = top === undefined ? t(`example.${move.target[0]}`) : shortCard(top);
    return t("example.move", { cards, place });
  };
  return html`<span class="example">${example.yes ? html`<span class="yes">${t("example.yes")} ${words(example.yes)}</span>` : nothing}${example.no ? html`<span class="no">${t("example.no")} ${words(example.no)}</span>` : nothing}</span>`;
}
