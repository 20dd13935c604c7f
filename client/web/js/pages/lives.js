/** Races that are being played and may be watched: asked for now and then while the page is looked at. */

import { html, nothing, repeat } from "../lit.js";
import { barOf } from "../play/bars.js";
import { formatTime, t } from "../words.js";
import { problemWords } from "./rows.js";

const ASK_MS = 10_000;
const SHOWN = 4;

export class Lives {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {any[]|null} */
    this.races = null;
    /** @type {any} */
    this.error = null;
    this.timer = setInterval(() => void this.ask(), ASK_MS);
    this.onShown = () => void this.ask();
    document.addEventListener("visibilitychange", this.onShown);
    void this.ask();
  }

  close() {
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.onShown);
  }

  async ask() {
    if (document.hidden) return;
    try {
      this.races = (await this.app.http.get("races")).races;
      this.error = null;
    } catch (error) {
      this.error = error;
    }
    this.app.refresh();
  }

  /** Every second: the time that is left. */
  tick() {
    for (const element of document.querySelectorAll("[data-closes-ms]")) {
      element.textContent = this.left(Number(/** @type {HTMLElement} */ (element).dataset["closesMs"]));
    }
  }

  /** @param {number} closesMs */
  left(closesMs) {
    return t("lives.left", { time: formatTime(Math.max(0, closesMs - this.app.nowMs())) });
  }

  panel() {
    const { races, error } = this;
    return html`<section class="panel lives" aria-labelledby="lives"><h2 id="lives">${t("lives.title")}</h2>
      ${error ? html`<p class="soft">${problemWords(error)}</p>` : !races ? html`<p class="soft">${t("loading")}</p>` : nothing}
      ${races?.length === 0 && !error ? html`<p class="soft">${t("lives.none")}</p>` : nothing}
      ${races?.length ? html`<ul class="lives-list">${repeat(races.slice(0, SHOWN), (race) => race.race, (race) => this.row(race))}</ul>` : nothing}
    </section>`;
  }

  /** @param {any} race */
  row(race) {
    const game = this.app.catalogue.find(race.variant).name;
    const names = race.entrants.map((/** @type {any} */ entrant) => entrant.player.name).join(" · ");
    return html`<li><a class="live" href="/race/${race.race}" aria-label=${t("lives.watch", { names, game })}>
      <span class="live-head"><b class="cut">${game}</b><span class="soft small figure-s" data-closes-ms=${race.closes_ms} .textContent=${this.left(race.closes_ms)}></span></span>
      ${race.entrants.map(
        (/** @type {any} */ entrant, /** @type {number} */ number) => html`<span class="live-row hue-${number}"><span class="cut">${entrant.player.name}</span>${entrant.player.bot ? html` <span class="tag">${t("bot")}</span>` : html`<span></span>`}
          <span class="live-count">${entrant.cards}</span>${barOf(entrant.cards, race.cards)}</span>`,
      )}</a></li>`;
  }
}
