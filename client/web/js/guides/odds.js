/**
 * How often a game is won, as two numbers that are never mixed: the winnable share, what perfect play could win, and
 * the finish rate, what players here do win.
 */

import { html, nothing, svg } from "../lit.js";
import { Fetched } from "../http.js";
import { formatPercent, t } from "../words.js";

/** Of fewer attempts no rate is told. */
const ENOUGH = 20;

/** @typedef {{deals: number, winnable: number, lost: number, undecided: number, share: number, interval: [number, number]}} Share */

/** What the solver measured, by variant. @returns {Promise<Record<string, Share>>} */
async function readShares() {
  const answer = await fetch(new URL("../../winnable-share.json", import.meta.url));
  if (!answer.ok) throw new Error(`winnable-share.json: ${answer.status}`);
  return answer.json();
}

export class Odds {
  /** @param {App} app @param {string} variantId */
  constructor(app, variantId) {
    this.variantId = variantId;
    this.shares = new Fetched(readShares(), () => app.refresh());
    this.finishes = new Fetched(app.http.get(`variants/${encodeURIComponent(variantId)}/finishes`), () => app.refresh());
  }

  render() {
    return html`<div class="odds"><div>${this.share()}</div><div>${this.rate()}</div></div><p class="soft small">${t("odds.text")}</p>`;
  }

  share() {
    const title = html`<h3>${t("odds.share")}</h3>`;
    if (!this.shares.value) return html`${title}<p class="soft">${t(this.shares.error ? "odds.unreachable" : "loading")}</p>`;
    const share = this.shares.value[this.variantId];
    if (!share) return html`${title}<p class="soft">${t("odds.share.none")}</p>`;
    const { deals, winnable, lost, undecided, interval } = share;
    const [low, high] = interval;
    return html`${title}<p class="odds-figure">${formatPercent(share.share)}</p>${scale(share.share, low, high)}
      <p class="small">${t("odds.share.text", { deals, winnable, lost, undecided })}</p>
      <p class="small soft">${t("odds.share.interval", { low: formatPercent(low), high: formatPercent(high) })}</p>`;
  }

  rate() {
    const title = html`<h3>${t("odds.rate")}</h3>`;
    const { value, error } = this.finishes;
    if (!value) return html`${title}<p class="soft">${t(error ? "odds.unreachable" : "loading")}</p>`;
    const { attempts, finished } = value;
    if (!attempts) return html`${title}<p class="soft">${t("odds.rate.none")}</p>`;
    return html`${title}<p class="odds-figure">${formatPercent(finished / attempts)}</p>${scale(finished / attempts, 0, finished / attempts)}
      <p class="small">${t("odds.rate.text", { n: attempts, finished })}</p>${byGrade(value.grades)}`;
  }
}

/** The same for the deals of each difficulty. @param {{grade: string, attempts: number, finished: number}[]} grades */
function byGrade(grades) {
  const graded = grades.filter(({ grade }) => grade !== "ungraded");
  if (!graded.length) return nothing;
  return html`<ul class="small">${graded.map(({ grade, attempts, finished }) => {
    const of = t("stats.of", { n: finished, all: attempts });
    return html`<li>${t("stats.grade", { grade })}: ${attempts < ENOUGH ? t("odds.rate.few", { of }) : `${formatPercent(finished / attempts)} (${of})`}</li>`;
  })}</ul>`;
}

/** A line from nothing to all, with a band on it and a mark at the value; the words beside it say the same. @param {number} value @param {number} low @param {number} high */
const scale = (value, low, high) =>
  html`<svg class="odds-scale" viewBox="0 0 204 10" preserveAspectRatio="none" aria-hidden="true">${svg`<rect class="odds-track" x="2" y="4" width="200" height="2" rx="1" />
    <rect class="odds-band" x=${2 + 200 * low} y="2.5" width=${Math.max(1, 200 * (high - low))} height="5" rx="2" />${value > 0 ? svg`<rect class="odds-mark" x=${1 + 200 * value} y="0" width="2" height="10" rx="1" />` : nothing}`}</svg>`;
