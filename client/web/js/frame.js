/** What stands round every page: head, the state of the connection, foot. */

import { html, nothing } from "./lit.js";
import { SIGNED_OUT } from "./connection.js";
import { icon } from "./play/icons.js";
import { openReport } from "./report.js";
import { liveRace, openRace } from "./state.js";
import { t } from "./words.js";

const LINKS = [
  ["/", "nav.play"],
  ["/daily", "nav.daily"],
  ["/boards", "nav.boards"],
  ["/games", "nav.games"],
];

/** @param {App} app @param {Page} page */
export function frame(app, page) {
  if (page.isTable) return html`${linkState(app)}<main class="stage" tabindex="-1">${page.render()}</main>${page.isPlaying ? nothing : foot(app)}`;
  return html`
    <a class="skip" href="#main" @click=${skip}>${t("nav.skip")}</a>
    <header class="head">
      <a class="brand" href="/" aria-label=${t("nav.home")}>${brand()}<span>Ramparts</span></a>
      <nav aria-label=${t("nav.label")}>
        ${LINKS.map(([path = "/", key = ""]) => html`<a href=${path} aria-current=${isHere(path) ? "page" : nothing}>${t(key)}</a>`)}
      </nav>
      <a class="icon-link" href="/settings" aria-label=${t("nav.settings")} title=${t("nav.settings")}>${icon("gear")}</a>
    </header>
    ${linkState(app)} ${wayBack(app)}
    <main id="main" class="page" tabindex="-1">${page.render()}</main>
    ${foot(app)}
  `;
}

/** Under every page but a table in play, whose menu has the report instead. @param {App} app */
const foot = (app) => html`<footer class="foot">
  ${app.state.player ? html`<a class="foot-you" href="/me">${t("foot.you", { name: app.state.player.name })}</a>` : nothing}
  <a href="/about">${t("foot.about")}</a>
  <button class="as-link" type="button" @click=${() => openReport(app)}>${t("report.title")}</button>
</footer>`;

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** @param {string} path */
const isHere = (path) => (path === "/" ? location.pathname === "/" : location.pathname.startsWith(path));

export const brand = () =>
  html`<svg viewBox="0 0 24 24" width="26" height="26" fill="currentColor" aria-hidden="true"><path d="M2 21V6h4v3h4V6h4v3h4V6h4v15z"/></svg>`;

/** This device's token is void: its player is to be recovered, or another begun. @param {App} app */
export const isSignedOut = ({ state: { link } }) => link.phase === "closed" && link.code === SIGNED_OUT;

/** What a person needs to know of the connection; nothing while all is well. @param {App} app */
export function linkState(app) {
  const { phase, code, notice } = app.state.link;
  if (phase === "open") return notice ? html`<p class="link-state" role="status">${notice}</p>` : nothing;
  if (phase === "connecting" && app.state.link.session === 0) return nothing;
  if (code === 4001) {
    return html`<p class="link-state is-asking" role="status">${t("link.taken")}
      <button class="button" type="button" @click=${() => app.connection.start()}>${t("link.here")}</button></p>`;
  }
  if (code === 4010) {
    return html`<p class="link-state is-asking" role="status">${t("link.upgrade")}
      <button class="button" type="button" @click=${() => location.reload()}>${t("link.reload")}</button></p>`;
  }
  if (isSignedOut(app)) {
    const begin = () => {
      app.token.clear();
      app.connection.start();
    };
    return html`<p class="link-state is-asking" role="status">${t("link.signed_out")}
      <a class="button" href="/settings">${t("link.recover")}</a>
      <button class="button" type="button" @click=${begin}>${t("link.guest")}</button></p>`;
  }
  if (phase === "closed") {
    return html`<p class="link-state is-asking" role="status">${t("link.closed")}
      <button class="button" type="button" @click=${() => app.connection.start()}>${t("link.again")}</button></p>`;
  }
  return html`<p class="link-state" role="status">${t(navigator.onLine ? "link.waiting" : "link.offline")}</p>`;
}

/** The way to the race that I am in, from every page that is not it. @param {App} app */
function wayBack(app) {
  const live = liveRace(app.state);
  const race = live ?? openRace(app.state);
  if (!race) return nothing;
  return html`<p class="link-state is-live" role="status"><span>${t(live ? "live.waiting" : "live.seat")}</span>
    <a class="button is-main" href="/race/${race}">${t(live ? "live.back" : "live.lobby")}</a></p>`;
}
