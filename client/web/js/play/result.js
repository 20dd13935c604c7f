/** After the race: place, time, moves, undos, then the chart, then the rematch, then everyone's results. */

import { html, nothing } from "../lit.js";
import { chartOf } from "./chart.js";
import { dailyResult, dayOf } from "./dailyresult.js";
import { raceLabel } from "./deallabel.js";
import { icon } from "./icons.js";
import { builtByDeal, standingsOf } from "./rivals.js";
import { loadReplays } from "./replays.js";
import { offerText, shareText } from "./share.js";
import { isWrittenOut } from "../rules.js";
import { formatTime, has, t } from "../words.js";

/** @param {App} app @param {Race} race @param {() => void} again */
export function resultOf(app, race, again) {
  const { state } = race;
  const me = app.state.player?.id;
  const isClosed = state.phase === "closed";
  const rows = state.results ?? null;
  const live = standingsOf(app, race).find((row) => row.isMe);
  const mine = rows?.find((row) => row.player.id === me) ?? null;
  const attempt = race.attempt;
  const cards = mine?.cards ?? attempt?.bestCards ?? live?.cards ?? 0;
  const end = mine?.end ?? attempt?.end ?? null;
  const atMs = end === "finished" ? (mine?.end_ms ?? attempt?.endMs ?? 0) : (mine?.at_ms ?? attempt?.bestMs ?? 0);
  const hints = mine?.hints ?? attempt?.counts.hints ?? 0;
  const variant = app.catalogue.find(state.variant);
  const all = variant.cards;
  // Of a large daily only the first are among the results.
  const hasBuilt = mine ? mine.place != null : cards > builtByDeal(race, variant);
  const day = state.kind === "daily" && end ? dayOf(app, race, hasBuilt) : null;
  const isPlaced = mine !== null && state.kind !== "practice" && state.kind !== "daily";
  return html`<div class="result">
    <header class="bar"><a class="icon-link" href="/" aria-label=${t("race.home")}>${icon("back")}</a>
      <h1 class="bar-name cut">${variant.name}</h1><span></span><span></span>
      <a class="icon-link" href="/settings" aria-label=${t("nav.settings")}>${icon("gear")}</a></header>
    <div class="result-body">
      ${mine || attempt
        ? html`<section class="headline" aria-label=${t("result.mine")}>
            <p class="headline-place">${!isPlaced ? t(end === "finished" ? "result.won" : "result.ended") : mine.place ? t("result.place", { place: mine.place }) : t("result.unplaced")}</p>
            <dl class="figures">
              ${end === "finished" || hasBuilt ? figure(t(end === "finished" ? "result.time" : "result.reached"), formatTime(atMs, { tenths: true })) : nothing}
              ${figure(t("col.cards"), `${cards}/${all}`)}
              ${figure(t("result.moves"), mine?.moves ?? attempt?.counts.moves ?? 0)} ${figure(t("result.undos"), mine?.undos ?? attempt?.counts.undos ?? 0)}
              ${hints ? figure(t("result.hints"), hints) : nothing}
            </dl>
            ${isPlaced && !hasBuilt ? html`<p>${t("result.nothing_built")}</p>` : nothing}
            ${state.kind === "practice" ? html`<p class="soft">${t("result.practice.text")}</p>` : nothing}
            <p class="soft small">${raceLabel(race, day?.answer?.finished)}</p>
            ${state.kind === "daily" && !isClosed ? html`<p class="soft">${t("daily.opens_later")}</p>` : nothing}
          </section>`
        : html`<section class="headline"><p class="headline-place">${t("result.over")}</p></section>`}
      ${isClosed && rows && areOpen(race) ? chart(app, race) : nothing} ${day ? dailyResult(day, isClosed, hasBuilt) : nothing}
      ${ways(app, race, { cards, all, atMs, end }, again)}
      ${isClosed && rows && state.kind !== "practice" ? results(app, race, rows) : nothing}
      ${isClosed && state.deal
        ? html`<section class="panel small"><h2>${t("result.deal")}</h2><p class="hash">${state.deal}</p>
            ${state.nonce && state.commitment ? html`<p class="soft">${t("result.fair")}</p><p class="hash">${state.commitment}</p>` : nothing}
            <a href="/practice/${encodeURIComponent(state.deal)}">${t("result.try")}</a></section>`
        : nothing}
    </div>
  </div>`;
}

/** Where to go from here; `end` is null of who was not in the race. @param {App} app @param {Race} race @param {{cards: number, all: number, atMs: number, end: string|null}} mine @param {() => void} again */
function ways(app, race, { end, ...mine }, again) {
  const { kind, phase, deal, rematch } = race.state;
  const isAlone = kind === "daily" || kind === "practice";
  const replay = `/replay/${race.id}.${app.state.player?.id}`;
  const canAsk = phase === "closed" && end !== null && !isWrittenOut(deal ?? "");
  const main = isAlone
    ? html`<a class="button is-main" href=${kind === "daily" ? "/daily" : `/practice/${race.state.variant}`}>${t(`result.${kind}`)}</a>`
    : end
      ? html`<button class="button is-main" type="button" @click=${again}>${t(rematch ? "result.rematch.join" : "result.rematch")}</button>`
      : html`<a class="button is-main" href="/">${t("result.home")}</a>`;
  return html`<div class="row center">${main}
      ${end && kind !== "practice" ? html`<button class="button" type="button" @click=${() => share(app, race, { ...mine, end })}>${t(app.copied === race.id ? "result.copied" : "result.share")}</button>` : nothing}
      ${end && kind === "practice" ? html`<a class="button" href=${replay}>${t("result.replay")}</a>` : nothing}
      ${canAsk ? html`<a class="button" href="${replay}?analysis" aria-describedby=${end === "finished" ? "par" : nothing}>${t(end === "finished" ? "lost.ask.won" : "lost.title")}</a>` : nothing}
    </div>
    ${canAsk && end === "finished" ? html`<p class="soft small center" id="par">${t("lost.par.text")}</p>` : nothing}`;
}

/** @param {string} name @param {string|number} value */
const figure = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** May I see the replays? Those of a private race are for who was in it. @param {Race} race */
const areOpen = (race) => race.state.kind !== "private" || !race.isWatched;

/** @param {App} app @param {Race} race */
function chart(app, race) {
  const replays = loadReplays(app, race);
  if (!replays.value) return html`<div class="chart is-waiting" aria-hidden="true"></div>`;
  return chartOf(replays.value, app.state.player?.id ?? "");
}

/** @param {App} app @param {Race} race @param {any[]} rows */
function results(app, race, rows) {
  const me = app.state.player?.id;
  return html`<section class="panel" aria-labelledby="results"><h2 id="results">${t("result.all")}</h2>
    <div class="wide"><table class="list"><thead><tr><th scope="col">${t("col.place")}</th><th scope="col">${t("col.player")}</th><th scope="col">${t("col.cards")}</th>
      <th scope="col">${t("col.time")}</th><th scope="col" class="is-wide-only">${t("col.moves")}</th><th scope="col" class="is-wide-only">${t("col.undos")}</th><th></th></tr></thead>
    <tbody>${rows.map(
      (row) => html`<tr class=${row.player.id === me ? "is-me" : ""}><td>${row.place ?? "–"}</td>
        <td class="cut"><div class="who"><span class="cut" title=${row.player.name}>${row.player.name}</span>${row.player.bot ? html`<span class="tag">${t("bot")}</span>` : nothing}</div></td>
        <td>${row.cards}</td><td>${row.end === "finished" ? formatTime(row.end_ms, { tenths: true }) : t(has(`mark.${row.end}`) ? `mark.${row.end}` : "mark.expired")}</td>
        <td class="is-wide-only">${row.moves ?? ""}</td><td class="is-wide-only">${row.undos ?? ""}</td>
        <td>${areOpen(race) ? html`<a href="/replay/${race.id}.${row.player.id}${me && row.player.id !== me && rows.some((each) => each.player.id === me) ? `,${race.id}.${me}` : ""}" aria-label=${t("result.watch", { name: row.player.name })}>${icon("play")}</a>` : nothing}</td></tr>`,
    )}</tbody></table></div></section>`;
}

/** @param {App} app @param {Race} race @param {{cards: number, all: number, atMs: number, end: string}} mine */
async function share(app, race, mine) {
  const text = shareText(app, race, mine);
  try {
    await navigator.clipboard.writeText(text);
    app.copied = race.id;
    app.say(t("result.copied"));
  } catch {
    offerText(text);
  }
  app.refresh();
}
