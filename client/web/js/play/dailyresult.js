/** What a daily's result says beyond one's own: place, percentile, how the times of all are spread, days in a row. */

import { html, nothing, svg } from "../lit.js";
import { Fetched } from "../http.js";
import { failed } from "../pages/rows.js";
import { formatTime, t } from "../words.js";

const TRIES = 8;
const AGAIN_MS = 1_500;
const FRESH_MS = 60_000;
/** Of fewer times it is not worth saying where most of them lie. */
const FEW = 4;

/** @typedef {{from_ms: number, to_ms: number, count: number}} Bucket */
/** @typedef {{answer: any, error: ApiError|null, tries: number, askedMs: number, again: () => void}} Day */
/** By race, and whether it has closed: then it is asked for anew. @type {Map<string, Day>} */
const asked = new Map();

/** How a daily has gone, asked for where it is not known or was a while ago. @param {App} app @param {Race} race @param {boolean} hasBuilt only then there is a place to wait for */
export function dayOf(app, race, hasBuilt) {
  const [, date = "", variant = ""] = race.id.split(".");
  const key = `${race.id} ${app.state.player?.id} ${race.state.phase === "closed"}`;
  const known = asked.get(key);
  if (known) {
    if (known.answer && performance.now() - known.askedMs > FRESH_MS) known.again();
    return known;
  }
  /** @type {Day} */
  const day = { answer: null, error: null, tries: 0, askedMs: 0, again: () => void ask(app, `daily/${date}/${encodeURIComponent(variant)}/result`, day, hasBuilt ? TRIES : 1) };
  asked.set(key, day);
  day.again();
  return day;
}

/** Asks until one's own row is there: it is posted a moment after the last move. @param {App} app @param {string} path @param {Day} day @param {number} tries */
function ask(app, path, day, tries) {
  day.tries += 1;
  day.askedMs = performance.now();
  const fetched = new Fetched(app.http.get(path), () => {
    day.answer = fetched.value ?? day.answer;
    day.error = fetched.error;
    app.refresh();
    if (!day.error && !day.answer.mine && day.tries < tries) setTimeout(() => ask(app, path, day, tries), AGAIN_MS);
  });
}

/** @param {Day} day @param {boolean} isClosed @param {boolean} hasBuilt */
export function dailyResult({ answer, error, tries, again }, isClosed, hasBuilt) {
  const mine = answer?.mine;
  return html`<section class="panel" aria-labelledby="day"><h2 id="day">${t("day.title")}</h2>
    ${mine ? placed(mine, isClosed) : hasBuilt ? html`<p class="soft">${t(tries >= TRIES ? "day.unlisted" : "daily.no_place")}</p>` : html`<p><b>${t("result.unplaced")}.</b> ${t("result.nothing_built")}</p>`}
    ${error && !answer ? failed(error, again) : nothing}
    ${answer ? histogram(answer) : nothing}
    ${answer?.streak ? html`<p class="row"><b>${t("day.streak", { n: answer.streak.current })}</b><span class="soft">${t("day.longest", { n: answer.streak.longest })}</span><a href="/me">${t("day.all")}</a></p>` : nothing}
  </section>`;
}

/** @param {any} mine @param {boolean} isClosed */
function placed(mine, isClosed) {
  const kind = mine.board.split(":")[3] ?? "ranked";
  const words = comparedWords(mine.better_than, isClosed);
  return html`<p><b class="figure-l">${t("day.place", { place: mine.place, of: mine.of })}</b> <a href="/boards/${encodeURIComponent(mine.board)}">${t(`day.board.${kind}`)}</a></p>
    ${words ? html`<p>${words}</p>` : nothing}
    ${mine.review ? html`<p class="soft small">${t("day.review")}</p>` : nothing}`;
}

/** How many one has left behind; who has left nobody behind is told the place alone. @param {number|null|undefined} percent none where there is nobody else @param {boolean} isClosed */
export function comparedWords(percent, isClosed) {
  if (percent == null) return t(isClosed ? "day.alone.closed" : "day.alone");
  if (percent === 100) return t(isClosed ? "day.first.closed" : "day.first");
  return percent >= 1 ? t("day.better", { percent: Math.floor(percent) }) : "";
}

/** The fewest neighbours that hold more than half of all. @param {Bucket[]} buckets */
export function mostOf(buckets) {
  const sum = (/** @type {Bucket[]} */ some) => some.reduce((all, { count }) => all + count, 0);
  const half = sum(buckets) / 2;
  for (let size = 1; size < buckets.length; size++) {
    const windows = buckets.slice(size - 1).map((_, at) => buckets.slice(at, at + size));
    const fullest = windows.reduce((best, each) => (sum(each) > sum(best) ? each : best));
    if (sum(fullest) > half) return fullest;
  }
  return buckets;
}

/** @param {any} answer */
function histogram(answer) {
  const { buckets, finished, total, mine } = answer;
  if (!finished) return html`<p class="soft">${t("day.none_finished")}</p>`;
  const most = Math.max(...buckets.map((/** @type {any} */ bucket) => bucket.count));
  const common = mostOf(buckets);
  const hasTime = mine?.end === "finished";
  const own = hasTime ? buckets.findIndex((/** @type {any} */ bucket) => bucket.from_ms <= mine.at_ms && mine.at_ms < bucket.to_ms) : -1;
  const words = [
    t("day.finished", { n: finished, total }),
    ...(finished < FEW ? [] : [t("day.times", { from: formatTime(common[0]?.from_ms ?? 0), to: formatTime(common.at(-1)?.to_ms ?? 0) })]),
    ...(hasTime ? [t("day.yours", { time: formatTime(mine.at_ms, { tenths: true }) })] : []),
  ].join(" ");
  const width = 320 / buckets.length;
  const thick = Math.min(width * 0.8, 60);
  const first = buckets[0];
  const last = buckets.at(-1);
  return html`<figure class="spread">
    <svg class="histogram" viewBox="0 0 320 68" role="img" aria-label=${words}>
      <line class="grid" x1="0" x2="320" y1="60.5" y2="60.5" />
      ${buckets.map((/** @type {any} */ { count }, /** @type {number} */ number) => {
        const height = count ? Math.max(3, (54 * count) / most) : 0;
        const middle = (number + 0.5) * width;
        return svg`<rect class=${number === own ? "is-mine" : ""} x=${middle - thick / 2} width=${thick} y=${60 - height} height=${height} rx="2" />
          ${number === own ? svg`<path class="is-mine" d=${`M${middle} 62l4 5h-8z`} />` : ""}`;
      })}
    </svg>
    <p class="row spread small soft" aria-hidden="true"><span>${formatTime(first.from_ms)}</span><span>${formatTime(last.to_ms)}</span></p>
    <figcaption class="soft small">${words}</figcaption>
    <details class="small"><summary>${t("day.table")}</summary>
      <table class="list"><thead><tr><th scope="col">${t("col.time")}</th><th scope="col">${t("day.players")}</th></tr></thead>
        <tbody>${buckets.filter((/** @type {any} */ bucket) => bucket.count).map((/** @type {any} */ bucket) => html`<tr><td>${t("day.from_to", { from: formatTime(bucket.from_ms), to: formatTime(bucket.to_ms) })}</td><td>${bucket.count}</td></tr>`)}</tbody></table></details>
  </figure>`;
}
