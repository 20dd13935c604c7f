/** Progress as a count and as a thin bar. */

import { html } from "../lit.js";
import { t } from "../words.js";

/** How many of all cards are on the foundations; where there is room, in words. @param {number} cards @param {number} all */
export const countOf = (cards, all) => html`${cards}/${all} <span class="is-wide-only">${t("race.up")}</span>`;

/** @param {number} value @param {number} most */
export const barOf = (value, most) =>
  html`<svg class="bar-thin" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-room" width="100" height="4" /><rect class="bar-fill" width=${(100 * value) / most} height="4" /></svg>`;
