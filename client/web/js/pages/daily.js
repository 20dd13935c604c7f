/** The dailies of a day and the way to the days before. */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { Fetched } from "../http.js";
import { dealLabel } from "../play/deallabel.js";
import { recall } from "../settings.js";
import { miniature } from "../table/miniature.js";
import { currentLanguage, t } from "../words.js";
import { problemWords } from "./rows.js";

const DAY_MS = 86_400_000;

export default class DailyPage {
  /** @param {import("../app.js").App} app @param {{date?: string}} params */
  constructor(app, { date = "today" }) {
    this.app = app;
    this.date = date === "today" ? new Date().toISOString().slice(0, 10) : date;
    this.day = new Fetched(app.http.get(`daily/${encodeURIComponent(date)}`), () => app.refresh());
  }

  title() {
    return t("nav.daily");
  }

  /** @param {number} days */
  shifted(days) {
    const ms = Date.parse(`${this.date}T00:00:00Z`) + days * DAY_MS;
    return Number.isNaN(ms) ? "" : new Date(ms).toISOString().slice(0, 10);
  }

  render() {
    const { app, day } = this;
    const done = recall("ramparts.dailies") ?? {};
    const ms = Date.parse(`${this.date}T12:00:00Z`);
    const words = Number.isNaN(ms) ? this.date : new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "full", timeZone: "UTC" }).format(ms);
    const isToday = this.date === new Date().toISOString().slice(0, 10);
    return html`<div class="stack">
      <header class="row spread"><h1>${t(isToday ? "daily.title" : "daily.title.past")}</h1>
        <p class="row"><a class="button is-plain" href="/archive">${t("daily.archive")}</a><a class="button is-plain" href="/daily/${this.shifted(-1)}">${t("daily.before")}</a>${isToday ? nothing : html`<a class="button is-plain" href="/daily">${t("daily.today")}</a>`}</p></header>
      <p class="soft">${words}. ${isToday ? t("daily.text") : nothing}</p>
      ${day.error ? html`<p class="panel">${day.error.code === "not_found" ? t("daily.none") : problemWords(day.error)}</p>` : nothing}
      <ul class="cards">${(day.value?.challenges ?? []).map((/** @type {any} */ each) => {
        const variant = app.catalogue.find(each.variant);
        return html`<li class="panel tile ${each.variant === day.value.featured ? "is-featured" : ""}">
          <div class="miniature" aria-hidden="true">${miniature(variant, { width: 300, height: 190 })}</div>
          <h2 class="cut">${variant.name}</h2>
          <p class="soft small">${t(`daily.phase.${each.phase}`)}${each.iron ? ` · ${t("iron")}` : nothing}${each.committed_before ? nothing : ` · ${t("daily.not_before")}`}${done[each.race] ? ` · ${t("daily.done")}` : nothing}</p>
          <p class="soft small">${dealLabel(each)}</p>
          <p class="row"><a class="button ${each.variant === day.value.featured && each.phase === "open" ? "is-main" : ""}" href="/race/${each.race}">${t(each.phase === "open" ? (done[each.race] ? "daily.back" : "daily.play") : "daily.result")}</a>
            <a class="button is-plain" href="/boards/${each.boards.open}">${t("nav.boards")}</a></p></li>`;
      })}</ul></div>`;
  }
}
