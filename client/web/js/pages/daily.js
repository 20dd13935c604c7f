/** The dailies of a day, also of one that has not opened yet, and the way to the days before. */

import { html, nothing } from "../lit.js";
import { dealLabel } from "../play/deallabel.js";
import { miniature } from "../table/miniature.js";
import { formatDay, isDay, t } from "../words.js";
import { Day, isMine, stateWords } from "./days.js";
import { problemWords } from "./rows.js";

const DAY_MS = 86_400_000;

export default class DailyPage {
  /** @param {App} app @param {{date?: string}} params */
  constructor(app, { date = "today" }) {
    this.app = app;
    this.date = date === "today" ? new Date().toISOString().slice(0, 10) : date;
    this.day = new Day(app, date);
  }

  title() {
    return t("nav.daily");
  }

  update() {
    this.day.update();
  }

  /** The day before. */
  before() {
    return new Date(Date.parse(`${this.date}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
  }

  /** Why there are no deals. @param {ApiError} error */
  problem(error) {
    if (!isDay(this.date)) return t("daily.no_day");
    return error.code === "not_found" ? t("daily.none") : problemWords(error);
  }

  render() {
    const { app, day } = this;
    const isToday = this.date === new Date().toISOString().slice(0, 10);
    const on = formatDay(this.date, { dateStyle: "full" });
    const late = day.challenges.filter((each) => !each.committed_before).map((each) => app.catalogue.find(each.variant).name);
    return html`<div class="stack">
      <header class="row spread"><h1>${isToday ? t("daily.title") : on}</h1>
        <p class="row"><a class="button is-plain" href="/archive">${t("daily.archive")}</a>${isDay(this.date) ? html`<a class="button is-plain" href="/daily/${this.before()}">${t("daily.before")}</a>` : nothing}${isToday ? nothing : html`<a class="button is-plain" href="/daily">${t("daily.today")}</a>`}</p></header>
      ${isToday ? html`<p class="soft">${on}. ${t("daily.text")}</p>` : nothing}
      ${late.length ? html`<details class="small"><summary>${late.length < day.challenges.length ? t("daily.late", { games: late.join(", ") }) : t("daily.late.all")}</summary><p>${t("daily.late.text")}</p></details>` : nothing}
      ${day.error ? html`<p class="panel">${this.problem(day.error)}</p>` : nothing}
      <ul class="cards">${day.challenges.map((each) => {
        const variant = app.catalogue.find(each.variant);
        const isFeatured = each.variant === day.featured;
        const label = each.is_running ? "daily.back" : each.phase === "open" && !each.mine ? "nav.play" : "daily.result";
        return html`<li class="panel tile ${isFeatured ? "is-featured" : ""}">
          <div class="miniature" aria-hidden="true">${miniature(variant, { width: 300, height: 190 })}</div>
          <h2 class="cut">${variant.name}</h2>
          <p class="soft small">${t(`daily.phase.${each.phase}`)}${each.iron ? ` · ${t("iron")}` : nothing}${isMine(each) ? html` · <b>${stateWords(each)}</b>` : nothing}</p>
          <p class="soft small">${dealLabel(each)}</p>
          ${each.phase === "announced"
            ? nothing
            : html`<p class="row"><a class="button ${isFeatured && each.phase === "open" ? "is-main" : ""}" href="/race/${each.race}">${t(label)}</a>
                <a class="button is-plain" href="/boards/${each.boards.open}">${t("nav.boards")}</a></p>`}</li>`;
      })}</ul></div>`;
  }
}
