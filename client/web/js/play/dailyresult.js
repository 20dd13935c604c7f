/** What a daily's result says beyond one's own: place, percentile, how the times of all are spread, days in a row. */

import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { formatTime, t } from "../words.js";

const TRIES = 8;
const AGAIN_MS = 1_500;

/** @typedef {{answer: any, tries: number}} Asked */
/** By race, and whether it has closed: then it is asked for anew. @type {Map<string, Asked>} */
const asked = new Map();

/** How a daily has gone, asked for where it is not known yet. @param {import("../app.js").App} app @param {import("../state.js").Race} race @returns {Asked} */
export function dayOf(app, race) {
  const [, date = "", variant = ""] = race.id.split(".");
  const key = `${race.id} ${app.state.player?.id} ${race.state.phase === "closed"}`;
  let known = asked.get(key);
  if (!known) {
    known = { answer: null, tries: 0 };
    asked.set(key, known);
    void ask(app, `daily/${date}/${encodeURIComponent(variant)}/result`, known);
  }
  return known;
}

/** @param {Asked} day */
export function dailyResult({ answer, tries }) {
  const mine = answer?.mine;
  const kind = mine?.board.split(":")[3] ?? "ranked";
  return html`<section class="panel" aria-labelledby="day"><h2 id="day">${t("day.title")}</h2>
    ${mine
      ? html`<p><b class="figure-l">${t("day.place", { place: mine.place, of: mine.of })}</b> <a href="/boards/${encodeURIComponent(mine.board)}">${t(`day.board.${kind}`)}</a></p>
          ${mine.better_than == null ? nothing : html`<p>${t("day.better", { percent: Math.floor(mine.better_than) })}</p>`}
          ${mine.review ? html`<p class="soft small">${t("day.review")}</p>` : nothing}`
      : html`<p class="soft">${t(answer && tries >= TRIES ? "result.unplaced" : "daily.no_place")}</p>`}
    ${answer ? histogram(answer) : nothing}
    ${answer?.streak ? html`<p class="row"><b>${t("day.streak", { n: answer.streak.current })}</b><span class="soft">${t("day.longest", { n: answer.streak.longest })}</span><a href="/me">${t("day.all")}</a></p>` : nothing}
  </section>`;
}

/** Asks until one's own row is there: it is posted a moment after the last move. @param {import("../app.js").App} app @param {string} path @param {Asked} known */
async function ask(app, path, known) {
  known.tries += 1;
  const answer = await app.http.get(path).catch(() => null);
  if (answer) known.answer = answer;
  app.refresh();
  if (!answer?.mine && known.tries < TRIES) setTimeout(() => void ask(app, path, known), AGAIN_MS);
}

/** @param {any} answer */
function histogram(answer) {
  const { buckets, finished, total, mine } = answer;
  if (!finished) return html`<p class="soft">${t("day.none_finished")}</p>`;
  const most = Math.max(...buckets.map((/** @type {any} */ bucket) => bucket.count));
  const fullest = buckets.find((/** @type {any} */ bucket) => bucket.count === most);
  const hasTime = mine?.end === "finished";
  const own = hasTime ? buckets.findIndex((/** @type {any} */ bucket) => bucket.from_ms <= mine.at_ms && mine.at_ms < bucket.to_ms) : -1;
  const words = [t("day.times", { n: finished, total, from: formatTime(fullest.from_ms), to: formatTime(fullest.to_ms) }), ...(hasTime ? [t("day.yours", { time: formatTime(mine.at_ms, { tenths: true }) })] : [])].join(" ");
  const width = 320 / buckets.length;
  const first = buckets[0];
  const last = buckets.at(-1);
  return html`<figure class="spread">
    <svg class="histogram" viewBox="0 0 320 68" role="img" aria-label=${words}>
      <line class="grid" x1="0" x2="320" y1="60.5" y2="60.5" />
      ${buckets.map((/** @type {any} */ { count }, /** @type {number} */ number) => {
        const height = count ? Math.max(3, (54 * count) / most) : 0;
        return svg`<rect class=${number === own ? "is-mine" : ""} x=${number * width + width * 0.1} width=${Math.min(width * 0.8, 60)} y=${60 - height} height=${height} rx="2" />
          ${number === own ? svg`<path class="is-mine" d=${`M${number * width + width * 0.1 + Math.min(width * 0.8, 60) / 2} 62l4 5h-8z`} />` : ""}`;
      })}
    </svg>
    <p class="row spread small soft" aria-hidden="true"><span>${formatTime(first.from_ms)}</span><span>${formatTime(last.to_ms)}</span></p>
    <figcaption class="soft small">${words}</figcaption>
    <details class="small"><summary>${t("day.table")}</summary>
      <table class="list"><thead><tr><th scope="col">${t("col.time")}</th><th scope="col">${t("day.players")}</th></tr></thead>
        <tbody>${buckets.filter((/** @type {any} */ bucket) => bucket.count).map((/** @type {any} */ bucket) => html`<tr><td>${t("day.from_to", { from: formatTime(bucket.from_ms), to: formatTime(bucket.to_ms) })}</td><td>${bucket.count}</td></tr>`)}</tbody></table></details>
  </figure>`;
}
