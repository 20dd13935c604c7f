/** A player: since when, statistics by game, days in a row, and results by pages. `/me` is one's own, a guest's too. */

import { html, nothing } from "../lit.js";
import { Fetched } from "../http.js";
import { formatDate, formatDay, formatNumber, formatTime, t } from "../words.js";
import { Paged } from "./paged.js";
import { problemWords } from "./rows.js";

const PAGE = 20;
const UNGRADED = "ungraded";

export default class PlayerPage {
  /** @param {App} app @param {{name?: string}} params */
  constructor(app, { name = "me" }) {
    this.app = app;
    this.name = name;
    this.isMe = name === "me";
    this.path = `players/${encodeURIComponent(name)}`;
    this.loadedFor = "";
    this.load();
  }

  /** A new guest's token comes with the connection: before it there is nothing to ask for. */
  load() {
    const { app, path } = this;
    const who = this.isMe ? (app.state.player?.id ?? "") : this.name;
    if (!who || this.loadedFor === who) return;
    this.loadedFor = who;
    const changed = () => app.refresh();
    this.profile = new Fetched(app.http.get(path), changed);
    this.statistics = new Fetched(app.http.get(`${path}/statistics`), changed);
    this.results = new Paged(app, `${path}/results?limit=${PAGE}`);
  }

  title() {
    return this.isMe ? t("mine.title") : this.name;
  }

  update() {
    this.load();
  }

  render() {
    const { profile } = this;
    if (profile?.error) return html`<div class="note"><h1>${t("player.none")}</h1><p>${problemWords(profile.error)}</p><a class="button is-main" href="/boards">${t("home.board.all")}</a></div>`;
    if (!profile?.value) return html`<p class="loading" role="status">${t("loading")}</p>`;
    const { player } = profile.value;
    const date = formatDate(profile.value.since_ms ?? profile.value.claimed_ms ?? profile.value.created_ms, { dateStyle: "long" });
    return html`<div class="stack"><header><h1 class="cut" title=${player.name}>${player.name}</h1>
        <p class="soft">${t("player.since", { date })}${player.bot ? html` <span class="tag">${t("bot")}</span>` : nothing}
          ${this.isMe ? html` · <a href="/settings">${t("mine.settings")}</a>` : nothing}</p></header>
      ${this.isMe && player.guest ? html`<p class="panel">${t("mine.guest")}</p>` : nothing}
      ${this.figures()} ${this.list()}</div>`;
  }

  figures() {
    const { statistics } = this;
    const told = statistics?.value;
    if (statistics?.error) return html`<p class="panel">${problemWords(statistics.error)}</p>`;
    if (!told) return html`<p class="panel soft" role="status">${t("loading")}</p>`;
    if (!told.attempts) return html`<section class="panel" aria-labelledby="stats"><h2 id="stats">${t("stats.title")}</h2><p class="soft">${t("stats.none")}</p></section>`;
    return html`<section class="panel" aria-labelledby="stats"><h2 id="stats">${t("stats.title")}</h2>
      <dl class="figures is-start">${figure(t("stats.attempts"), formatNumber(told.attempts))} ${figure(t("stats.finished"), share(told))}
        ${figure(t("stats.streak"), formatNumber(told.streak.current))} ${figure(t("stats.longest"), formatNumber(told.streak.longest))}</dl>
      <div class="wide"><table class="list is-numbers"><thead><tr><th scope="col">${t("home.game")}</th><th scope="col">${t("stats.finished")}</th>
        <th scope="col">${t("stats.best")}</th><th scope="col" class="is-wide-only">${t("stats.median")}</th><th scope="col">${t("stats.average")}</th></tr></thead>
        <tbody>${told.variants.filter((/** @type {any} */ each) => isShown(each, told.variants)).map((/** @type {any} */ each) => this.row(each))}</tbody></table></div>
      <p class="soft small">${t("stats.text")}</p></section>`;
  }

  /** @param {any} each */
  row(each) {
    const name = this.app.catalogue.has(each.variant) ? this.app.catalogue.find(each.variant).name : each.variant;
    const best = each.best_ms == null ? "–" : formatTime(each.best_ms, { tenths: true });
    return html`<tr class=${each.grade ? "is-part" : ""}><th scope="row">${each.grade ? t(each.grade === UNGRADED ? "stats.ungraded" : "stats.grade", { grade: each.grade }) : html`<a href="/games/${each.variant}">${name}</a>`}</th>
      <td>${t("stats.of", { n: formatNumber(each.finished), all: formatNumber(each.attempts) })}</td><td>${each.best_race ? html`<a href="/race/${each.best_race}">${best}</a>` : best}</td>
      <td class="is-wide-only">${each.median_ms == null ? "–" : formatTime(each.median_ms, { tenths: true })}</td><td>${each.average_place == null ? "–" : formatNumber(each.average_place)}</td></tr>`;
  }

  list() {
    const { results } = this;
    if (!results || (!results.error && !results.value?.total)) return nothing;
    const rows = results.pages.flatMap((page) => page.results);
    return html`<section class="panel" aria-labelledby="results"><h2 id="results">${t("results.title")}</h2>
      ${rows.length ? html`<div class="wide"><table class="list"><thead><tr><th scope="col">${t("results.when")}</th><th scope="col">${t("results.kind")}</th><th scope="col">${t("col.time")}</th><th scope="col">${t("col.place")}</th></tr></thead>
      <tbody>${rows.map((row) => this.result(row))}</tbody></table></div>` : nothing}
      ${results.more("results.more")}</section>`;
  }

  /** @param {any} row */
  result(row) {
    const name = this.app.catalogue.has(row.variant) ? this.app.catalogue.find(row.variant).name : row.variant;
    const day = row.race.split(".")[1];
    const when = row.kind === "daily" ? formatDay(day, dayStyle(Date.parse(day))) : formatDate(row.ended_ms, dayStyle(row.ended_ms));
    return html`<tr><td class="nowrap">${when}</td><td><a href="/race/${row.race}">${name}</a> ${row.kind === "daily" ? nothing : html`<span class="soft small">${t(`results.kind.${row.kind}`)}</span>`}</td>
      <td>${row.end === "finished" ? formatTime(row.end_ms, { tenths: true }) : html`<span class="soft nowrap">${t("results.reached", { cards: row.cards })}</span>`}</td>
      <td class="nowrap">${row.place == null ? "–" : t("player.of", { place: row.place, total: row.of ?? row.place })}</td></tr>`;
  }
}

/** Grades are told apart only where a game was played on more than one. @param {any} each @param {any[]} all */
const isShown = (each, all) => !each.grade || all.filter((other) => other.variant === each.variant && other.grade).length > 1;

/** Day and month, and the year when it is another one. @param {number} ms @returns {Intl.DateTimeFormatOptions} */
const dayStyle = (ms) => ({ day: "numeric", month: "short", ...(new Date(ms).getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" }) });

/** @param {string} name @param {string} value */
const figure = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** @param {{attempts: number, finished: number}} counts */
const share = ({ attempts, finished }) => `${formatNumber(finished)} (${formatNumber(Math.round((100 * finished) / attempts))} %)`;
