/** Before the start: who sits where and is ready, the link to bring others, what will be played. */

import { html, nothing } from "../lit.js";
import { confirmOnce } from "../confirm.js";
import { qrOf } from "../qr.js";
import { pathOf } from "../state.js";
import { formatTime, t } from "../words.js";
import { dealLabel } from "./deallabel.js";
import { icon } from "./icons.js";

const ROWS_MOST = 8;

/** @param {App} app @param {Race} race */
export function lobby(app, race) {
  const { state } = race;
  const me = app.state.player?.id;
  const mine = state.entrants.find((e) => e.player.id === me);
  const isHost = state.host === me;
  const link = race.link ? location.origin + pathOf(race) : "";
  const free = Math.max(0, state.seats - state.entrants.length);
  // Nothing above the button goes or comes with a player: it would move from under the finger.
  const rows = state.seats > ROWS_MOST ? Math.min(free, 1) : free;
  const ask = (/** @type {Record<string, unknown>} */ command) => app.ask({ race: race.id, ...command });
  const canStart = isHost && state.start === "host" && state.entrants.length >= 2;
  return html`<div class="lobby">
    <header class="bar">
      ${mine
        ? html`<a class="icon-link" href="/" aria-label=${t("lobby.leave")} @click=${() => ask({ type: "leave" })}>${icon("back")}</a>`
        : html`<a class="icon-link" href="/" aria-label=${t("race.home")}>${icon("back")}</a>`}
      <h1 class="bar-name cut">${app.catalogue.find(state.variant).name}</h1>
      <span></span><span></span><a class="icon-link" href="/settings" aria-label=${t("nav.settings")}>${icon("gear")}</a>
    </header>
    <div class="lobby-body">
      ${link && mine ? invite(app, link, free > 0) : nothing}
      <section class="panel" aria-labelledby="seats">
        <h2 id="seats">${t("lobby.seats", { taken: state.entrants.length, seats: state.seats })}</h2>
        <ul class="seats">
          ${state.entrants.map((entrant) => seat(app, race, entrant, isHost))}
          ${Array.from({ length: rows }, () => html`<li class="seat is-free"><span class="soft">${t("lobby.free", { n: free / rows })}</span></li>`)}
        </ul>
        <p class="soft small">${t(state.start === "host" ? "lobby.host_starts" : "lobby.all_ready")} ${t("lobby.limit", { time: formatTime(state.limit_ms) })}
          ${state.iron ? `${t("home.iron")}.` : nothing}</p>
        <p class="soft small">${dealLabel(state)}</p>
        <div class="row lobby-start">
          ${mine
            ? html`<button class="button ${mine.ready ? "" : "is-main"}" type="button" aria-pressed=${mine.ready ? "true" : "false"}
                @click=${() => ask({ type: "ready", ready: !mine.ready })}>${mine.ready ? icon("check") : nothing}${t("lobby.ready")}</button>`
            : free
              ? html`<button class="button is-main" type="button" @click=${() => ask({ type: "enter", race: race.link })}>${t("lobby.sit")}</button>`
              : html`<p class="soft">${icon("eye")} ${t("lobby.watching")}</p>`}
          ${canStart ? html`<button class="button is-main" type="button" @click=${() => ask({ type: "start" })}>${t("lobby.start")}</button>` : nothing}
        </div>
      </section>
      ${state.commitment ? html`<details class="panel small"><summary>${t("lobby.fair")}</summary><p>${t("lobby.fair.text")}</p>${state.certified ? html`<p>${t("deal.certified.text")}</p>` : nothing}<p class="hash">${state.commitment}</p></details>` : nothing}
    </div>
  </div>`;
}

/** @param {App} app @param {string} link @param {boolean} isFree */
function invite(app, link, isFree) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      app.say(t("lobby.copied"));
      app.copied = link;
    } catch {
      /** @type {HTMLInputElement|null} */ (document.getElementById("link"))?.select();
    }
    app.refresh();
  };
  const share = () => navigator.share?.({ title: "Ramparts", url: link }).catch(() => undefined);
  return html`<section class="panel invite" aria-labelledby="invite">
    <div class="invite-words"><h2 id="invite">${t("lobby.invite")}</h2><p class="soft">${t(isFree ? "lobby.invite.text" : "lobby.invite.full")}</p>
      <label class="unseen" for="link">${t("lobby.link")}</label>
      <input id="link" class="link" readonly .value=${link} @focus=${(/** @type {any} */ event) => event.target.select()} />
      <div class="row"><button class="button" type="button" @click=${copy}>${icon("copy")}${t(app.copied === link ? "lobby.copied" : "lobby.copy")}</button>
        ${"share" in navigator ? html`<button class="button" type="button" @click=${share}>${t("lobby.share")}</button>` : nothing}</div></div>
    <div class="qr" role="img" aria-label=${t("lobby.qr")}>${qrOf(link)}</div>
  </section>`;
}

/** @param {App} app @param {Race} race @param {any} entrant @param {boolean} isHost */
function seat(app, race, entrant, isHost) {
  const { player, ready } = entrant;
  const isMe = player.id === app.state.player?.id;
  const isAway = entrant.here === false;
  const kick = () =>
    confirmOnce({
      title: t("kick.title", { name: player.name }),
      text: t("kick.text"),
      yes: t("lobby.kick"),
      no: t("cancel"),
      then: () => app.ask({ type: "kick", race: race.id, player: player.id }),
    });
  return html`<li class="seat ${ready ? "is-ready" : ""}">
    <span class="seat-mark" aria-hidden="true">${ready ? icon("check") : nothing}</span>
    <span class="cut" title=${player.name}>${player.name}</span>
    ${isMe ? html`<span class="tag">${t("you")}</span>` : nothing}
    ${race.state.host === player.id ? html`<span class="tag">${t("lobby.host")}</span>` : nothing}
    ${player.bot ? html`<span class="tag">${t("bot")}</span>` : nothing}
    <span class="soft small seat-state ${isAway ? "is-away" : ""}">${isAway ? t("mark.away") : t(ready ? "lobby.is_ready" : "lobby.not_ready")}</span>
    ${isHost && !isMe ? html`<button class="button is-plain small" type="button" @click=${kick}>${t("lobby.kick")}</button>` : nothing}
  </li>`;
}
