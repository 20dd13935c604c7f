/** Beside the replay: where the attempt was lost, in words, with buttons that lead there and to the line that wins. */

import { html, nothing } from "../lit.js";
import { problemWords } from "../pages/rows.js";
import { isWrittenOut } from "../rules.js";
import { t } from "../words.js";
import { icon } from "./icons.js";
import { lossWords, parWords, slowestWords, verdictWords } from "./losswords.js";

/** @param {Side} side @param {Ways} ways @param {boolean} isNamed several attempts are shown */
export function lossPanel({ inquiry, played }, ways, isNamed) {
  const isWon = played.replay.end === "finished";
  const title = t(isWon ? "lost.title.won" : "lost.title");
  return html`<section class="losses" aria-label=${isNamed ? `${played.replay.player.name}: ${title}` : title}>
    <h2 class="cut">${isNamed ? played.replay.player.name : title}</h2>
    ${inquiry.state === "ready" && inquiry.value ? found(inquiry.value, played, ways) : open(inquiry, isWon, isWrittenOut(played.replay.deal))}
    <button class="button is-plain" type="button" title=${t("lost.save.text")} @click=${ways.save}>${icon("save")}<span>${t("lost.save")}</span></button></section>`;
}

/** @param {import("./inquiry.js").Inquiry} inquiry @param {boolean} isWon @param {boolean} isSilent nothing is told of the deal */
function open(inquiry, isWon, isSilent) {
  if (isSilent) return html`<p class="soft small">${t("error.written_out")}</p>`;
  const ask = (/** @type {string} */ words) => html`<button class="button ask" type="button" aria-keyshortcuts="m" @click=${() => inquiry.ask()}>${icon("search")}<span>${words}</span></button>`;
  switch (inquiry.state) {
    case "unasked":
      return html`<p class="soft small is-roomy">${t("lost.ask.text")}</p>${ask(t(isWon ? "lost.ask.won" : "lost.title"))}`;
    case "refused":
      return html`<p role="alert">${inquiry.error ? problemWords(inquiry.error) : nothing}</p>${inquiry.mayAskAgain ? ask(t("lost.again")) : nothing}`;
    case "queued":
      return waiting(inquiry.ahead ? t("lost.queued", { n: inquiry.ahead }) : t("lost.queued.next"));
    default:
      return waiting(t(inquiry.state === "running" ? "lost.running" : "lost.asking"));
  }
}

/** @param {string} words */
const waiting = (words) => html`<p class="losses-waiting" role="status"><i class="pulse" aria-hidden="true"></i>${words}</p>`;

/** @param {Analysis} analysis @param {Played} played @param {Ways} ways */
function found(analysis, { steps }, ways) {
  const words = verdictWords(analysis);
  const slow = slowestWords(analysis);
  const hasLine = !analysis.finished && analysis.line !== undefined;
  return html`<div class="losses-words">
      ${analysis.losses.length ? html`<ol>${analysis.losses.map((loss) => html`<li><button class="loss" type="button" @click=${() => ways.toLoss(loss)}>${icon("flag")}<span>${lossWords(loss, steps)}</span></button></li>`)}</ol>` : nothing}
      ${words ? html`<p>${words}</p>` : nothing}
      ${analysis.hidden_cards ? html`<p class="soft small">${t("lost.hidden")}</p>` : nothing}
    </div>
    <div class="losses-ways">
      ${analysis.losses.length ? html`<button class="button" type="button" aria-keyshortcuts="m" @click=${ways.toNext}>${icon("flag")}<span>${t("lost.jump")}</span><kbd class="is-roomy">m</kbd></button>` : nothing}
      ${hasLine ? html`<button class="button" type="button" aria-keyshortcuts="w" @click=${ways.toLine}>${icon("play")}<span>${t("lost.line")}</span><kbd class="is-roomy">w</kbd></button>` : nothing}
    </div>
    ${hasLine ? html`<p class="soft small is-roomy">${t("lost.line.from", { step: analysis.last_winnable ?? 0, n: analysis.line?.length ?? 0 })}</p>` : nothing}
    <dl class="losses-figures" aria-label=${t("lost.facts")}>
      ${analysis.par ? html`<div><dt>${t("col.moves")}</dt><dd>${parWords(analysis)}</dd><dd class="soft small">${t("lost.par.text")}</dd></div>` : nothing}
      ${slow ? html`<div class="is-roomy"><dt>${t("lost.slowest")}</dt><dd>${slow}</dd></div>` : nothing}
    </dl>`;
}
