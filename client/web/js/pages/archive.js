/** The archive: a month of dailies of one game, day by day, with what I did on each and the way to all of it. */

import { html, nothing } from "../lit.js";
import { Fetched } from "../http.js";
import { icon } from "../play/icons.js";
import { formatDay, t } from "../words.js";
import { isMine, markOf, stateOf, stateSentence, stateWords } from "./days.js";
import { problemWords } from "./rows.js";

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** The first day of a month as an instant. @param {string} month */
const firstOf = (month) => Date.parse(`${month}-01T12:00:00Z`);

/** @param {string} month @param {number} months */
export function shiftedMonth(month, months) {
  const date = new Date(firstOf(month));
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

/** The weeks of a month from Monday to Sunday; null where a day is of another month. @param {string} month @returns {(string|null)[][]} */
export function weeksOf(month) {
  const first = new Date(firstOf(month));
  const before = (first.getUTCDay() + 6) % 7;
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const cells = Array.from({ length: Math.ceil((before + count) / 7) * 7 }, (_, cell) => {
    const day = cell - before + 1;
    return day >= 1 && day <= count ? `${month}-${String(day).padStart(2, "0")}` : null;
  });
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(7 * week, 7 * week + 7));
}

export default class ArchivePage {
  /** @param {App} app @param {{variant?: string, month?: string}} params */
  constructor(app, { variant = "", month = "" }) {
    this.app = app;
    this.variant = app.catalogue.has(variant) ? variant : app.catalogue.featured;
    this.month = MONTH.test(month) ? month : new Date().toISOString().slice(0, 7);
    this.chosen = "";
    this.loadedFor = "";
    /** The deals of closed days that were looked at. @type {Map<string, Fetched<any>>} */
    this.opened = new Map();
    this.load();
  }

  load() {
    const { app } = this;
    const who = `${this.variant} ${this.month} ${app.token.read()}`;
    if (this.loadedFor === who) return;
    this.loadedFor = who;
    this.page = new Fetched(app.http.get(`archive/${this.month}/${encodeURIComponent(this.variant)}`), () => app.refresh());
  }

  title() {
    return t("archive.title");
  }

  update() {
    this.load();
    const day = this.shown();
    if (day?.phase !== "closed" || this.opened.has(day.race)) return;
    this.opened.set(day.race, new Fetched(this.app.http.get(`daily/${day.date}/${encodeURIComponent(this.variant)}`), () => this.app.refresh()));
  }

  /** @param {{variant?: string, month?: string}} change */
  pick(change) {
    Object.assign(this, change);
    this.chosen = "";
    history.replaceState(null, "", `/archive/${this.variant}/${this.month}`);
    this.load();
    this.app.refresh();
  }

  /** @param {string} date */
  choose(date) {
    this.chosen = date;
    this.app.refresh();
  }

  /** @returns {Map<string, any>} */
  days() {
    return new Map((this.page?.value?.days ?? []).map((/** @type {any} */ day) => [day.date, day]));
  }

  /** The day that is told of: the one that was chosen, else today's, else the last. */
  shown() {
    const days = this.days();
    return days.get(this.chosen) ?? days.get(this.page?.value?.today ?? "") ?? [...days.values()].at(-1);
  }

  /** From day to day by arrows, by weeks up and down, to the ends by Home and End, by months with Page up and down. @param {KeyboardEvent} event */
  key(event) {
    const dates = [...this.days().keys()];
    const at = dates.indexOf(/** @type {HTMLElement} */ (event.target).dataset["date"] ?? "");
    if (at < 0) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -dates.length, End: dates.length };
    const sideways = document.documentElement.dir === "rtl" && event.key.startsWith("Arrow") && /Left|Right/.test(event.key) ? -1 : 1;
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step) {
      event.preventDefault();
      const next = dates[Math.max(0, Math.min(dates.length - 1, at + step * sideways))] ?? "";
      this.choose(next);
      this.app.draw();
      /** @type {HTMLElement|null} */ (document.querySelector(`[data-date="${next}"]`))?.focus();
    } else if (event.key === "PageUp" || event.key === "PageDown") {
      event.preventDefault();
      const months = this.months();
      const next = months[months.indexOf(this.month) + (event.key === "PageUp" ? -1 : 1)];
      if (next) this.pick({ month: next });
    }
  }

  /** All months from the first day of this server to now. */
  months() {
    const { first_day: first, today } = this.page?.value ?? {};
    const until = (today ?? new Date().toISOString()).slice(0, 7);
    const months = [until];
    while (first && (months[0] ?? "") > first.slice(0, 7)) months.unshift(shiftedMonth(months[0] ?? until, -1));
    return months.includes(this.month) ? months : [...months, this.month].sort();
  }

  render() {
    const { app, page } = this;
    const months = this.months();
    const at = months.indexOf(this.month);
    const name = (/** @type {string} */ month) => formatDay(`${month}-01`, { month: "long", year: "numeric" });
    const go = (/** @type {number} */ step, /** @type {string} */ label) => html`<button class="icon-link archive-step ${step > 0 ? "is-after" : ""}" type="button" aria-label=${t(label)} title=${t(label)} ?disabled=${!months[at + step]} @click=${() => this.pick({ month: months[at + step] ?? this.month })}>${icon("back")}</button>`;
    return html`<div class="stack archive"><header><h1>${t("archive.title")}</h1><p class="soft">${t("archive.text")}</p></header>
      <div class="pair"><label for="archive-variant">${t("home.game")}<select id="archive-variant" @change=${(/** @type {any} */ event) => this.pick({ variant: event.target.value })}>
          ${app.catalogue.ranked().map((record) => html`<option value=${record["id"]} ?selected=${record["id"] === this.variant}>${record["name"]}</option>`)}</select></label>
        <div class="archive-months">${go(-1, "archive.before")}<label for="archive-month">${t("boards.span.month")}<select id="archive-month" .value=${this.month} @change=${(/** @type {any} */ event) => this.pick({ month: event.target.value })}>
          ${months.map((month) => html`<option value=${month} ?selected=${month === this.month}>${name(month)}</option>`)}</select></label>${go(1, "archive.after")}</div></div>
      ${page?.error ? html`<p class="panel">${problemWords(page.error)}</p>` : html`<div class="archive-parts">${this.calendar(name(this.month))} ${this.day()}</div>`}</div>`;
  }

  /** @param {string} month */
  calendar(month) {
    const days = this.days();
    const { today = "" } = this.page?.value ?? {};
    const weekday = (/** @type {number} */ number, /** @type {"short"|"long"} */ style) => formatDay(`2024-01-0${number + 1}`, { weekday: style });
    const shown = this.shown()?.date;
    return html`<section class="panel">
      <table class="calendar" aria-label=${t("archive.calendar", { month })} @keydown=${(/** @type {KeyboardEvent} */ event) => this.key(event)}>
        <thead><tr>${Array.from({ length: 7 }, (_, number) => html`<th scope="col" abbr=${weekday(number, "long")}>${weekday(number, "short")}</th>`)}</tr></thead>
        <tbody>${weeksOf(this.month).map((week) => html`<tr>${week.map((date) => html`<td>${date ? this.cell(date, days.get(date), date === shown, date === today) : nothing}</td>`)}</tr>`)}</tbody></table>
      ${this.page?.value && !days.size ? html`<p class="soft">${t("archive.empty")}</p>` : nothing}
      <ul class="archive-legend small soft" aria-hidden="true">${["finished", "played", "open", "missed"].map((state) => html`<li><i class="day-mark is-${state}">${markOf(state)}</i>${t(`archive.legend.${state}`)}</li>`)}</ul></section>`;
  }

  /** @param {string} date @param {any} day @param {boolean} isShown @param {boolean} isToday */
  cell(date, day, isShown, isToday) {
    const number = Number(date.slice(8));
    if (!day) return html`<span class="day is-none">${number}</span>`;
    const state = stateOf(day);
    const long = formatDay(date, { day: "numeric", month: "long" });
    return html`<button class="day is-${state} ${isToday ? "is-today" : ""}" type="button" data-date=${date} tabindex=${isShown ? 0 : -1} aria-pressed=${isShown ? "true" : "false"} aria-current=${isToday ? "date" : nothing}
      aria-label="${long}: ${stateWords(day)}" @click=${() => this.choose(date)}><span>${number}</span><i class="day-mark is-${state}" aria-hidden="true">${markOf(state)}</i></button>`;
  }

  day() {
    const day = this.shown();
    if (!day) return nothing;
    const words = formatDay(day.date, { dateStyle: "full" });
    const deal = this.opened.get(day.race)?.value?.deal;
    return html`<section class="panel archive-day" aria-labelledby="archive-day" aria-live="polite"><h2 id="archive-day">${words}</h2>
      <p>${stateSentence(day)}${day.mine?.place ? html` <b>${t("day.place", { place: day.mine.place, of: day.mine.of })}</b>` : nothing}</p>
      <p class="row">${day.phase === "open" && !day.mine
        ? html`<a class="button is-main" href="/race/${day.race}">${t(day.is_running ? "archive.back" : "archive.play")}</a>`
        : day.phase === "closed" || isMine(day) ? html`<a class="button is-main" href="/race/${day.race}">${t(day.is_running ? "archive.back" : day.phase === "closed" ? "archive.result" : "daily.result")}</a>` : nothing}
        <a class="button" href="/boards/day:${day.date}:${this.variant}:open">${t("archive.board")}</a>
        ${deal ? html`<a class="button" href="/practice/${encodeURIComponent(deal)}">${t("archive.practise")}</a>` : nothing}</p>
      ${day.phase === "closed" ? nothing : html`<p class="soft small">${t("archive.shut")}</p>`}</section>`;
  }
}
