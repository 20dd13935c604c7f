/** Who else is in the race and how far: bars with suit tops, marks, places that slide. */

import { html, nothing, repeat } from "../lit.js";
import { barOf } from "./bars.js";
import { builtFromTheStart, pileOf, progress } from "../rules.js";
import { formatTime, t } from "../words.js";
import { shortCard } from "./cardwords.js";
import { raceLabel } from "./deallabel.js";

/** Calm hues of equal lightness, never red or amber. */
export const HUES = 8;
const ROWS_MOST = 60;
const THIN_MOST = 4;
const LARGE_MOST = 8;

/** How many cards the deal has put on the foundations; who does not know it (any more) knows what all deals have in common. @param {Race} race @param {Variant} variant */
export function builtByDeal({ attempt }, variant) {
  const start = attempt?.confirmed.start;
  return start ? progress(start) : builtFromTheStart(variant);
}

/** Everyone by place. @param {App} app @param {Race} race @returns {Row[]} */
export function standingsOf(app, race) {
  const me = app.state.player?.id;
  const variant = app.catalogue.find(race.state.variant);
  const dealt = builtByDeal(race, variant);
  /** @type {Row[]} */
  const rows = race.state.entrants.map((entrant, number) => {
    const isMe = entrant.player.id === me;
    const { attempt } = race;
    const mine = isMe && attempt ? attempt : null;
    const latest = race.progress[entrant.player.id];
    const foundations = variant.names.filter((name) => name[0] === "f");
    return {
      player: entrant.player,
      place: null,
      cards: mine ? Math.max(mine.bestCards, progress(mine.shown.position)) : Math.max(entrant.cards, dealt),
      atMs: mine ? mine.bestMs : entrant.at_ms,
      tops: mine ? foundations.map((name) => pileOf(mine.shown.position, name).length) : (latest?.tops ?? []),
      end: mine?.end ?? entrant.end ?? null,
      endMs: mine?.endMs ?? entrant.end_ms ?? null,
      here: entrant.here !== false,
      undoing: latest?.undoing === true,
      isMe,
      hue: number % HUES,
      all: variant.cards,
    };
  });
  rows.sort((a, b) => b.cards - a.cards || a.atMs - b.atMs);
  rows.forEach((row, number) => {
    const before = rows[number - 1];
    const isEqual = before !== undefined && before.cards === row.cards && before.atMs === row.atMs;
    row.place = row.cards <= dealt ? null : isEqual ? before.place : number + 1;
  });
  return rows;
}

/** @param {Row} row */
function mark(row) {
  if (row.end === "finished") return html`<span class="mark is-finished">${formatTime(row.endMs ?? 0)}</span>`;
  if (row.end) return html`<span class="mark">${t(`mark.${row.end}`)}</span>`;
  if (!row.here) return html`<span class="mark">${t("mark.away")}</span>`;
  if (row.undoing) return html`<span class="mark">${t("mark.undoing")}</span>`;
  return nothing;
}

/** Each foundation as a card that fills from below, with its top where that can be told from the count. @param {Row} row @param {Variant} variant */
const gauges = ({ tops }, variant) => html`<span class="gauges" aria-hidden="true">${variant.foundations.map(({ baseRank, up, suit, size }, number) => {
  const top = tops[number] ?? 0;
  const rank = (baseRank + (up ? 11 + top : 13 - top)) % 13;
  return html`<span><svg viewBox="0 0 5 7"><rect class="bar-room" width="5" height="7" /><rect class="bar-fill" y=${7 - (7 * top) / size} width="5" height="7" /></svg>${top && baseRank && suit >= 0 ? shortCard(13 * suit + rank) : top}</span>`;
})}</span>`;

/** @param {Row} row */
function bars(row) {
  const size = 13;
  const tops = row.tops.length ? row.tops : [];
  if (tops.length === 4) {
    return html`<span class="suit-bars" aria-hidden="true">${tops.map((top) => barOf(top, size))}</span>`;
  }
  return html`<span class="suit-bars is-one" aria-hidden="true">${barOf(row.cards, row.all)}</span>`;
}

/** @param {Row} row @param {Variant|null} variant to draw its foundations large */
const rowOf = (row, variant) => html`<li class="rival hue-${row.hue} ${row.isMe ? "is-me" : ""} ${row.end ? "is-done" : ""} ${row.end || row.undoing || !row.here ? "is-marked" : ""}">
  <span class="rival-place">${row.place ?? "–"}</span>
  <span class="rival-name cut" title=${row.player.name}>${row.player.name}${row.player.bot ? html` <span class="tag">${t("bot")}</span>` : nothing}</span>
  <span class="rival-cards">${row.cards}</span>
  ${variant && row.tops.length ? gauges(row, variant) : bars(row)} ${mark(row)}
</li>`;

/** The rail at the side, on a phone a sheet. @param {App} app @param {Race} race @param {boolean} isOpen @param {(() => void)|null} toggle */
export function railOf(app, race, isOpen, toggle) {
  const rows = standingsOf(app, race);
  const mine = rows.findIndex((row) => row.isMe);
  const shown = rows.filter((_, number) => number < ROWS_MOST || number === mine);
  // Who watches has no table, and sees those of a few more closely.
  const isLarge = !toggle && shown.length <= LARGE_MOST;
  return html`<aside class="rail ${isOpen ? "is-open" : ""} ${isLarge ? "is-large" : ""}" aria-label=${t("race.standings")}>
    <h2>${t("race.standings")}<span>${t("race.up")}</span></h2>
    <ol class="rivals" id="rivals">${repeat(shown, (row) => row.player.id, (row) => rowOf(row, isLarge ? app.catalogue.find(race.state.variant) : null))}</ol>
    <p class="soft small rail-deal">${raceLabel(race)}</p>
    ${rows.length > shown.length ? html`<p class="soft small">${t("race.more", { n: rows.length - shown.length })}</p>` : nothing}
    ${toggle ? html`<button class="button rail-close" type="button" @click=${toggle}>${t("close")}</button>` : nothing}
  </aside>`;
}

/** On a phone: one thin line a rival, which opens the sheet. @param {App} app @param {Race} race @param {() => void} open */
export function thinBar(app, race, open) {
  const all = standingsOf(app, race);
  const first = all.slice(0, THIN_MOST);
  const mine = all.find((row) => row.isMe);
  const rows = mine && !first.includes(mine) ? [...first.slice(0, -1), mine] : first;
  const words = rows.map((row) => `${row.player.name}: ${row.cards}`).join(", ");
  return html`<button class="thin" type="button" aria-label=${t("race.open_standings", { standings: words })} @click=${open}>
    ${rows.map((row) => html`<span class="thin-row hue-${row.hue} ${row.isMe ? "is-me" : ""}"><span class="thin-name cut">${row.isMe ? t("you") : row.player.name}</span>
      ${barOf(row.cards, row.all)}<span class="thin-count">${row.cards}</span></span>`)}
  </button>`;
}
