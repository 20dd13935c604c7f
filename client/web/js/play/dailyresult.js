/** What a daily's result says beyond one's own: my place so far, percentile, a histogram of times, and my streak. */

import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { Fetched } from "../http.js";
import { recall } from "../settings.js";
import { formatTime, t } from "../words.js";

const BARS = 12;
const DAY_MS = 86_400_000;
/** @type {Map<string, {mine: Fetched<any>, all: Fetched<any>}>} */
const loaded = new Map();

/** Days in a row, up to this one, on which a daily was played on this device. @param {string[]} races @param {string} date */
export function streakOf(races, date) {
  const days = new Set(races.map((race) => race.split(".")[1]));
  let streak = 0;
  for (let ms = Date.parse(`${date}T00:00:00Z`); days.has(new Date(ms).toISOString().slice(0, 10)); ms -= DAY_MS) streak += 1;
  return streak;
}

/** @param {import("../app.js").App} app @param {import("../state.js").Race} race */
export function dailyResult(app, race) {
  const [, date = "", variant = ""] = race.id.split(".");
  const board = encodeURIComponent(`day:${date}:${variant}:open`);
  let known = loaded.get(race.id);
  if (!known) {
    const changed = () => app.refresh();
    known = { mine: new Fetched(app.http.get(`boards/${board}?around=me`), changed), all: new Fetched(app.http.get(`boards/${board}?limit=100`), changed) };
    loaded.set(race.id, known);
  }
  const row = known.mine.value?.rows.find((/** @type {any} */ each) => each.player.id === app.state.player?.id);
  const total = known.mine.value?.total ?? 0;
  const times = (known.all.value?.rows ?? []).filter((/** @type {any} */ each) => each.end === "finished").map((/** @type {any} */ each) => each.at_ms);
  const streak = streakOf(Object.keys(recall("ramparts.dailies") ?? {}), date);
  return html`<section class="panel" aria-labelledby="day"><h2 id="day">${t("daily.so_far")}</h2>
    ${row ? html`<p>${t("daily.place", { place: row.place, total })} ${total > 1 ? t("daily.percentile", { percent: Math.round((100 * (total - row.place)) / (total - 1)) }) : nothing}</p>` : html`<p class="soft">${t("daily.no_place")}</p>`}
    ${times.length > 1 ? histogram(times, row?.at_ms ?? null) : nothing}
    <p class="soft">${t("daily.streak", { n: streak })}</p></section>`;
}

/** @param {number[]} times @param {number|null} mine */
function histogram(times, mine) {
  const least = Math.min(...times);
  const width = Math.max(1, (Math.max(...times) - least) / BARS);
  const binOf = (/** @type {number} */ ms) => Math.min(BARS - 1, Math.floor((ms - least) / width));
  const bins = Array(BARS).fill(0);
  for (const ms of times) bins[binOf(ms)] += 1;
  const most = Math.max(...bins);
  const own = mine === null ? -1 : binOf(mine);
  const label = t("daily.histogram", { n: times.length, from: formatTime(least), to: formatTime(Math.max(...times)) });
  return html`<svg class="histogram" viewBox="0 0 ${BARS * 20} 64" role="img" aria-label=${label}>${bins.map(
    (count, bin) => svg`<rect class=${bin === own ? "is-mine" : ""} x=${bin * 20 + 2} width="16" y=${60 - (56 * count) / most} height=${(56 * count) / most + 2} rx="2" />`,
  )}</svg>`;
}
