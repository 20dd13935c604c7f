/** What is known of a race's deal before it is seen: certified and how hard, or fresh and whether anybody has won it. */

import { html, nothing, svg } from "../lit.js";
import { t } from "../words.js";

export const GRADES = ["1", "2", "3", "4", "5"];

/** @typedef {{chosen_deal?: boolean, certified?: boolean|null, grade?: number|null, won?: boolean|null}} Deal */

/** In words, with as many of five marks filled as the deal is hard; nothing is claimed of a deal that players chose. @param {Deal} deal */
export function dealLabel({ chosen_deal: isChosen, certified, grade, won }) {
  if (isChosen) return nothing;
  if (!certified) return t(won ? "deal.won" : certified === false ? "deal.fresh" : "deal.later");
  if (!grade) return t("deal.certified");
  return html`<span class="deal-label">${marks(grade)}<span>${t("deal.certified")} · <span class="whole">${t("deal.grade", { grade })}</span></span></span>`;
}

/** The same of a race that has begun: whoever has finished has won its deal. @param {Race} race @param {number} [finished] how many others are known to have */
export function raceLabel({ state, attempt }, finished = 0) {
  const ends = [attempt, ...state.entrants, ...(state.results ?? [])].map((each) => each?.end);
  return dealLabel({ ...state, won: finished > 0 || ends.includes("finished") });
}

/** @param {number} grade */
const marks = (grade) => html`<svg class="deal-marks" viewBox="0 0 33 14" aria-hidden="true">${GRADES.map((each, place) => {
  const height = 4 + 2.5 * place;
  return svg`<rect class=${Number(each) <= grade ? "is-on" : ""} x=${7 * place} y=${14 - height} width="5" height=${height} rx="1" />`;
})}</svg>`;
