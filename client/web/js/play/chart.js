/** Progress over time of all attempts: cards on the foundations, one line a player, mine on top. */

import { html, svg } from "../lit.js";
import { formatTime, t } from "../words.js";
import { HUES } from "./rivals.js";

const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 30;
const BOTTOM = 24;
const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600];
const STEPS_MOST = 5;
/** Kinds of stroke; with the hues, which repeat, more lines can be told apart than there are. */
const DASHES = 3;

/** @param {number} number @param {boolean} isMe */
const lineClass = (number, isMe) => `line ${isMe ? "is-me" : `hue-${number % HUES} dash-${number % DASHES}`}`;

/** @param {Played[]} attempts @param {string} me */
export function chartOf(attempts, me) {
  const lastMs = Math.max(1000, ...attempts.map(({ replay, steps }) => Math.max(replay.end === "expired" ? 0 : replay.end_ms, steps.at(-1)?.atMs ?? 0)));
  const all = attempts[0]?.steps[0]?.position.variant.cards ?? 52;
  const x = (/** @type {number} */ ms) => LEFT + ((WIDTH - LEFT - 8) * ms) / lastMs;
  const y = (/** @type {number} */ cards) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - 10) * cards) / all;
  const ordered = [...attempts].sort((a, b) => Number(a.replay.player.id === me) - Number(b.replay.player.id === me));
  const words = attempts.map(({ replay }) => t("chart.line", { name: replay.player.name, cards: replay.cards, time: formatTime(replay.at_ms) })).join(". ");
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const stepMs = 1000 * (STEPS_S.find((step) => lastMs / (1000 * step) <= STEPS_MOST) ?? lastMs / (1000 * STEPS_MOST));
  const times = Array.from({ length: Math.floor(lastMs / stepMs) + 1 }, (_, number) => number * stepMs);
  return html`<figure class="chart">
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${t("chart.label", { lines: words })}>
      ${ticks.map((part) => svg`<line class="grid" x1=${LEFT} x2=${WIDTH - 8} y1=${y(all * part)} y2=${y(all * part)} />
        <text class="axis" x=${LEFT - 6} y=${y(all * part) + 4} text-anchor="end">${Math.round(all * part)}</text>`)}
      ${times.map((ms) => svg`<text class="axis" x=${x(ms)} y=${HEIGHT - 6} text-anchor=${ms === 0 ? "start" : x(ms) > WIDTH - 30 ? "end" : "middle"}>${formatTime(ms)}</text>`)}
      ${ordered.map(({ replay, steps }) => {
        const number = attempts.findIndex((each) => each.replay === replay);
        const points = steps.flatMap((step, at) => {
          const before = steps[at - 1];
          return before ? [`${x(step.atMs).toFixed(1)},${y(before.cards).toFixed(1)}`, `${x(step.atMs).toFixed(1)},${y(step.cards).toFixed(1)}`] : [`${x(0)},${y(step.cards)}`];
        });
        return svg`<polyline class=${lineClass(number, replay.player.id === me)} points=${points.join(" ")} />`;
      })}
    </svg>
    <figcaption class="legend">${attempts.map(({ replay }, number) => html`<span class="legend-item"><svg viewBox="0 0 24 4"><line class=${lineClass(number, replay.player.id === me)} x2="24" y1="2" y2="2" /></svg><span class="cut">${replay.player.id === me ? t("you") : replay.player.name}</span></span>`)}</figcaption>
  </figure>`;
}
