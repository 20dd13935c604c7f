/** A result to pass on, without a card of it: time, undos, and how progress grew, as a small picture in characters. */

import { html } from "../lit.js";
import { openDialog } from "../dialog.js";
import { pathOf } from "../state.js";
import { formatTime, t } from "../words.js";

const BLOCKS = "▁▂▃▄▅▆▇█";

/**
 * Ten columns of progress over time.
 * @param {readonly {atMs: number, cards: number}[]} steps
 * @param {number} all cards there are
 * @param {number} untilMs
 */
export function sparkline(steps, all, untilMs) {
  return Array.from({ length: 10 }, (_, column) => {
    const until = (untilMs * (column + 1)) / 10;
    const cards = steps.reduce((most, step) => (step.atMs <= until ? Math.max(most, step.cards) : most), 0);
    return BLOCKS[Math.min(BLOCKS.length - 1, Math.floor((cards / all) * BLOCKS.length))];
  }).join("");
}

/** @param {App} app @param {Race} race @param {{cards: number, all: number, atMs: number, end: string}} mine */
export function shareText(app, race, { cards, all, atMs, end }) {
  const { state, attempt } = race;
  const name = app.catalogue.find(state.variant).name;
  const date = /^daily\.(\d{4}-\d\d-\d\d)\./.exec(race.id)?.[1];
  const steps = app.progressOf.get(race.id) ?? [];
  const lines = [
    `Ramparts · ${name}${date ? ` · ${date}` : ""}`,
    end === "finished" ? t("share.finished", { time: formatTime(atMs), undos: attempt?.counts.undos ?? 0 }) : t("share.reached", { cards, all, time: formatTime(atMs) }),
    ...(steps.length > 1 ? [sparkline(steps, all, atMs)] : []),
    date ? `${location.origin}/daily` : `${location.origin}${pathOf(race)}`,
  ];
  return lines.join("\n");
}

/** Where the clipboard is shut to a page, as over plain HTTP: the text, chosen already, to be copied by hand. @param {string} text */
export function offerText(text) {
  const dialog = openDialog(
    "share-title",
    html`<form method="dialog"><h2 id="share-title">${t("result.share")}</h2>
      <textarea readonly rows="5" aria-labelledby="share-title" .value=${text}></textarea>
      <div class="row end"><button class="button">${t("close")}</button></div></form>`,
  );
  const shown = dialog.querySelector("textarea");
  shown?.focus();
  shown?.select();
}
