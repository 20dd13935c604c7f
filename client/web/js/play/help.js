/** The rules of the game at hand and the keys, in a dialog over the table. */

import { html, render } from "../../vendor/lit-html/lit-html.js";
import { ruleSentences } from "../guides/sentences.js";
import { t } from "../words.js";

const KEY_ROWS = [
  ["1–0", "keys.piles"],
  ["f", "keys.f"],
  ["← ↑ ↓ →", "keys.arrows"],
  ["Enter", "keys.enter"],
  ["z · y", "keys.zy"],
  ["c · C", "keys.c"],
  ["d · w", "keys.dw"],
  ["q · e", "keys.qe"],
  ["x", "keys.x"],
  ["r", "keys.r"],
  ["Esc", "keys.esc"],
];

/** @param {import("../app.js").App} app @param {string} variantId @param {boolean} [hasHints] */
export function help(app, variantId, hasHints = false) {
  const variant = app.catalogue.find(variantId);
  const dialog = document.createElement("dialog");
  dialog.className = "dialog is-tall";
  dialog.setAttribute("aria-labelledby", "help-title");
  dialog.addEventListener("close", () => dialog.remove());
  render(
    html`<form method="dialog"><h2 id="help-title">${variant.name}</h2>
      <ul class="sentences">${ruleSentences(variant).map(({ text }) => html`<li>${text}</li>`)}</ul>
      <h3>${t("keys.title")}</h3>
      <dl class="keys">${(hasHints ? [...KEY_ROWS, ["h · H", "keys.h"]] : KEY_ROWS).map(([key = "", words = ""]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t(words)}</dd></div>`)}</dl>
      <div class="row end"><button class="button is-main" autofocus>${t("close")}</button></div></form>`,
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
}
