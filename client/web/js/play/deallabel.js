/** What is known of a race's deal before it is seen: that a solver has won it, and how hard it is within its game. */

import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { t } from "../words.js";

export const GRADES = ["1", "2", "3", "4", "5"];

/** @typedef {{chosen_deal?: boolean, certified?: boolean|null, grade?: number|null}} Deal */

/** In words, with as many of five marks filled as the deal is hard; nothing is claimed of a deal that players chose. @param {Deal} deal */
export function dealLabel({ chosen_deal: isChosen, certified, grade }) {
  if (isChosen) return nothing;
  if (!certified || !grade) return t(certified ? "deal.certified" : certified === false ? "deal.fresh" : "deal.later");
  return html`<span class="deal-label">${marks(grade)}<span>${t("deal.certified")} · <span class="whole">${t("deal.grade", { grade })}</span></span></span>`;
}

/** @param {number} grade */
const marks = (grade) => html`<svg class="deal-marks" viewBox="0 0 33 14" aria-hidden="true">${GRADES.map((each, place) => {
  const height = 4 + 2.5 * place;
  return svg`<rect class=${Number(each) <= grade ? "is-on" : ""} x=${7 * place} y=${14 - height} width="5" height=${height} rx="1" />`;
})}</svg>`;
