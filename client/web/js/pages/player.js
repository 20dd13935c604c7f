/** A player as others see them: since when, and where they stand on today's and the all-time boards. */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { Fetched } from "../http.js";
import { currentLanguage, formatTime, t } from "../words.js";
import { boardName } from "./boards.js";
import { problemWords } from "./rows.js";

const GAMES = 6;

export default class PlayerPage {
  /** @param {import("../app.js").App} app @param {{name: string}} params */
  constructor(app, { name }) {
    this.app = app;
    this.name = name;
    const changed = () => app.refresh();
    const profile = app.http.get(`players/${encodeURIComponent(name)}`);
    this.profile = new Fetched(profile, changed);
    const variants = [...app.catalogue.records.keys()].slice(0, GAMES);
    const boards = variants.flatMap((variant) => ["best", "day"].map((span) => ({ span, variant })));
    const rows = profile.then(({ player }) =>
      Promise.all(
        boards.map(async ({ span, variant }) => {
          const board = boardName(span, variant, "ranked", new Date());
          const page = await app.http.get(`boards/${encodeURIComponent(board)}?around=${player.id}`).catch(() => null);
          const row = page?.rows.find((/** @type {any} */ each) => each.player.id === player.id);
          return row ? { span, variant, row, total: page.total } : null;
        }),
      ),
    );
    this.rows = new Fetched(rows.then((all) => all.filter((each) => each !== null)), changed);
  }

  title() {
    return this.name;
  }

  render() {
    const { profile, rows, app } = this;
    if (profile.error) return html`<div class="note"><h1>${t("player.none")}</h1><p>${problemWords(profile.error)}</p></div>`;
    if (!profile.value) return html`<p class="loading" role="status">${t("loading")}</p>`;
    const { player, since_ms: since } = profile.value;
    const date = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "long" }).format(since);
    return html`<div class="stack"><header><h1 class="cut" title=${player.name}>${player.name}</h1>
        <p class="soft">${t("player.since", { date })}${player.bot ? html` <span class="tag">${t("bot")}</span>` : nothing}</p></header>
      <section class="panel" aria-labelledby="bests"><h2 id="bests">${t("player.places")}</h2><p class="soft small">${t("player.places.text")}</p>
        ${rows.value?.length
          ? html`<div class="wide"><table class="list"><thead><tr><th scope="col">${t("home.game")}</th><th scope="col">${t("boards.span")}</th><th scope="col">${t("col.place")}</th><th scope="col">${t("col.cards")}</th><th scope="col">${t("col.time")}</th></tr></thead>
              <tbody>${rows.value.map(({ span, variant, row, total }) => html`<tr><td>${app.catalogue.find(variant).name}</td><td>${t(`boards.span.${span}`)}</td><td>${t("player.of", { place: row.place, total })}</td><td>${row.cards ?? ""}</td><td>${row.at_ms == null ? "" : formatTime(row.at_ms, { tenths: true })}</td></tr>`)}</tbody></table></div>`
          : html`<p class="soft">${rows.value ? t("player.empty") : t("loading")}</p>`}</section></div>`;
  }
}
