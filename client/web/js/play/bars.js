/** Thin bars of progress. */

import { html } from "../../vendor/lit-html/lit-html.js";

/** @param {number} value @param {number} most */
export const barOf = (value, most) =>
  html`<svg class="bar-thin" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-room" width="100" height="4" /><rect class="bar-fill" width=${(100 * value) / most} height="4" /></svg>`;
