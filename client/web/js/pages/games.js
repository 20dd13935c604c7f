/** All games, found by any of their names. */

import { html, nothing } from "../lit.js";
import { miniature } from "../table/miniature.js";
import { t } from "../words.js";

/** Without case, accents and signs. @param {string} text */
export const plain = (text) => text.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "");

/** Whether a record goes by a name with this in it. @param {Record<string, any>} record @param {string} wanted */
export const goesBy = (record, wanted) => [record["name"], record["id"], ...record["aka"]].some((name) => plain(name).includes(plain(wanted)));

/** What one sees of it at a glance: how many piles, and what goes on what. @param {Record<string, any>} record */
const inShort = ({ tableau }) => t("games.short", { n: tableau.piles, build: t(`build.${tableau.build}`) + (tableau.build === "none" ? "" : t(`match.${tableau.match}`)) });

export default class GamesPage {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.wanted = new URLSearchParams(location.search).get("q") ?? "";
  }

  title() {
    return t("nav.games");
  }

  render() {
    const { app } = this;
    const found = [...app.catalogue.records.values()].filter((record) => goesBy(record, this.wanted));
    return html`<div class="stack"><h1>${t("nav.games")}</h1>
      <label for="search" class="narrow">${t("games.search")}<input id="search" type="search" autocomplete="off" .value=${this.wanted} placeholder=${t("games.search.example")} @input=${(/** @type {any} */ event) => {
        this.wanted = event.target.value;
        app.refresh();
      }} /></label>
      <p class="unseen" role="status">${t("games.found", { n: found.length })}</p>
      ${found.length ? nothing : html`<p class="panel">${t("games.none")}</p>`}
      <ul class="cards">${found.map(
        (record) => html`<li><a class="panel tile" href="/games/${record["id"]}"><div class="miniature" aria-hidden="true">${miniature(app.catalogue.find(record["id"]), { width: 300, height: 190 })}</div>
          <h2 class="cut">${record["name"]}</h2><p class="soft small">${inShort(record)}</p>
          ${record["aka"].length ? html`<p class="soft small cut" title=${record["aka"].join(", ")}>${record["aka"].join(", ")}</p>` : nothing}</a></li>`,
      )}</ul></div>`;
  }
}
