/** The rules of the game at hand and, where there are any, the keys that do something in it, in a dialog over the table. */

import { html, nothing } from "../lit.js";
import { openDialog } from "../dialog.js";
import { ruleSentences } from "../guides/sentences.js";
import { t } from "../words.js";

/** @typedef {{hasHints: boolean, isIron: boolean}} Played */

/** Keys, what they do, and where if not everywhere. @type {[string, string, ((played: Played & {variant: Variant}) => boolean)?][]} */
const KEY_ROWS = [
  ["1–0", "keys.piles"],
  ["f", "keys.f"],
  ["← ↑ ↓ →", "keys.arrows"],
  ["Enter", "keys.enter"],
  ["z · y", "keys.zy", ({ isIron }) => !isIron],
  ["c · C", "keys.c"],
  ["d · w", "keys.dw", ({ variant }) => variant.stock >= 0],
  ["q", "keys.q", ({ variant }) => "c0" in variant.index],
  ["e", "keys.e", ({ variant }) => "r0" in variant.index],
  ["x", "keys.x", ({ variant }) => variant.redeal !== null],
  ["r", "keys.r", ({ isIron }) => !isIron],
  ["Esc", "keys.esc"],
  ["h · H", "keys.h", ({ hasHints }) => hasHints],
];

/** Is there likely a keyboard? */
export const hasKeys = () => !matchMedia("(pointer: coarse)").matches;

/** @param {App} app @param {string} variantId @param {Played} played */
export function help(app, variantId, played) {
  const variant = app.catalogue.find(variantId);
  const rows = KEY_ROWS.filter(([, , isOf]) => isOf?.({ ...played, variant }) ?? true);
  // The focus is at the top: on the button it would have the dialog begin at its end.
  openDialog(
    "help-title",
    html`<form method="dialog"><h2 id="help-title" tabindex="-1" autofocus>${variant.name}</h2>
      <ul class="sentences">${ruleSentences(variant).map(({ text }) => html`<li>${text}</li>`)}</ul>
      ${hasKeys()
        ? html`<h3>${t("keys.title")}</h3>
            <dl class="keys">${rows.map(([key, words]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t(words)}</dd></div>`)}</dl>`
        : nothing}
      <div class="row end"><button class="button is-main">${t("close")}</button></div></form>`,
    "is-tall",
  );
}
