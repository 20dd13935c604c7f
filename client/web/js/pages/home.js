/** Home: today's dailies, a friend, a quick match, practice, and the heads of the boards. One click plays as a guest. */

import { html, nothing } from "../lit.js";
import { Fetched } from "../http.js";
import { makeKey } from "../keys.js";
import { recall, keep } from "../settings.js";
import { formatTime, t } from "../words.js";
import { dealLabel } from "../play/deallabel.js";
import { Day, isMine, markOf, stateOf, stateSentence, stateWords } from "./days.js";
import { Lives } from "./lives.js";
import { practicePath } from "./practicepath.js";
import { boardRows, problemWords } from "./rows.js";
import { miniature } from "../table/miniature.js";

const LIMITS_MIN = [5, 10, 20, 30, 60];

export default class HomePage {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const { featured } = app.catalogue;
    this.day = new Day(app, "today");
    const today = new Date().toISOString().slice(0, 10);
    this.board = new Fetched(app.http.get(`boards/day:${today}:${featured}:open?limit=5`), () => app.refresh());
    this.choice = { variant: featured, quick: featured, practice: featured, minutes: 20, iron: false, seats: 2, ...recall("ramparts.home") };
    this.creating = "";
    this.problem = "";
    this.errorSerial = app.state.error?.serial ?? 0;
    this.lives = new Lives(app);
    this.timer = setInterval(() => this.tick(), 1000);
  }

  close() {
    clearInterval(this.timer);
    this.lives.close();
    for (const [variant, waits] of Object.entries(this.app.state.queued)) if (waits) this.app.ask({ type: "unqueue", variant });
  }

  title() {
    return "";
  }

  tick() {
    this.lives.tick();
    const left = document.getElementById("next-daily");
    if (left) left.textContent = formatTime(86_400_000 - (Date.now() % 86_400_000));
  }

  update() {
    this.tick();
    this.day.update();
    const race = this.creating ? this.app.state.created[this.creating] : null;
    if (race) {
      this.creating = "";
      this.app.go(`/race/${race}`);
    }
    const { error } = this.app.state;
    if (error && error.serial > this.errorSerial) {
      this.errorSerial = error.serial;
      if (error.re === "create" || error.re === "queue" || error.key === this.creating) {
        this.creating = "";
        this.problem = error.code;
        this.app.refresh();
      }
    }
  }

  /** @param {Record<string, unknown>} change */
  set(change) {
    this.choice = { ...this.choice, ...change };
    keep("ramparts.home", this.choice);
    this.app.refresh();
  }

  /** @param {SubmitEvent} event */
  friend(event) {
    event.preventDefault();
    const { variant, minutes, iron, seats } = this.choice;
    this.creating = makeKey();
    this.app.ask({ type: "create", key: this.creating, kind: "private", variant, limit_ms: minutes * 60_000, iron, seats });
    this.app.refresh();
  }

  quick() {
    const variant = this.choice.quick;
    this.app.ask({ type: this.app.state.queued[variant] ? "unqueue" : "queue", variant });
  }

  render() {
    return html`<div class="home">
      <section class="hero"><h1>${t("home.title")}</h1><p class="soft">${t("home.text")}</p></section>
      ${this.problem ? html`<p class="link-state" role="alert">${t(`error.${this.problem}`)}</p>` : nothing}
      <div class="grid">${this.daily()} ${this.friendPanel()} ${this.quickPanel()} ${this.practicePanel()} ${this.lives.panel()} ${this.boardPanel()}</div>
    </div>`;
  }

  daily() {
    const { app } = this;
    const featured = this.day.challenges.find((each) => each.variant === this.day.featured);
    const others = this.day.challenges.filter((each) => each !== featured);
    const variant = app.catalogue.find(featured?.variant ?? app.catalogue.featured);
    const label = featured?.mine ? "home.daily.result" : featured?.is_running ? "home.daily.again" : "home.daily.play";
    return html`<section class="panel daily" aria-labelledby="daily">
      <div class="daily-head"><h2 id="daily">${t("home.daily")}</h2><p class="soft small">${t("home.next")} <span id="next-daily" class="figure"></span></p></div>
      <div class="daily-main">
        <div class="miniature" aria-hidden="true">${miniature(variant)}</div>
        <div><h3 class="daily-name">${variant.name}</h3><p class="soft">${featured && isMine(featured) ? html`<b>${stateSentence(featured)}</b>` : t("home.daily.text")}</p>
          <p class="soft small">${featured ? dealLabel(featured) : nothing}</p>
          <p class="daily-way">${featured ? html`<a class="button is-main" href="/race/${featured.race}">${t(label)}</a>` : nothing}</p></div>
      </div>
      ${this.day.error ? html`<p class="soft">${this.day.error.status ? problemWords(this.day.error) : t("home.daily.none")}</p>` : nothing}
      <ul class="chips">${others.slice(0, 6).map((each) => this.chip(each))}
        ${others.length > 6 ? html`<li><a class="chip" href="/daily">${t("home.daily.all", { n: others.length + 1 })}</a></li>` : nothing}</ul>
    </section>`;
  }

  /** @param {any} daily */
  chip(daily) {
    const { name } = this.app.catalogue.find(daily.variant);
    const href = `/race/${daily.race}`;
    if (!isMine(daily)) return html`<li><a class="chip" href=${href}>${name}</a></li>`;
    return html`<li><a class="chip is-mine" href=${href} aria-label="${name}: ${stateWords(daily)}"><i class="day-mark is-${stateOf(daily)}" aria-hidden="true">${markOf(stateOf(daily))}</i>${name}</a></li>`;
  }

  /** @param {string} id @param {string} label @param {string} value @param {(value: string) => void} change @param {boolean} ranked */
  variantSelect(id, label, value, change, ranked) {
    const { catalogue } = this.app;
    const records = ranked ? catalogue.ranked() : [...catalogue.records.values()];
    return html`<label for=${id}>${label}<select id=${id} @change=${(/** @type {any} */ event) => change(event.target.value)}>
      ${records.map((record) => html`<option value=${record["id"]} ?selected=${record["id"] === value}>${record["name"]}</option>`)}</select></label>`;
  }

  friendPanel() {
    const { choice } = this;
    return html`<form class="panel" aria-labelledby="friend" @submit=${(/** @type {SubmitEvent} */ event) => this.friend(event)}>
      <h2 id="friend">${t("home.friend")}</h2><p class="soft">${t("home.friend.text")}</p>
      ${this.variantSelect("friend-variant", t("home.game"), choice.variant, (variant) => this.set({ variant }), false)}
      <div class="pair"><label for="friend-minutes">${t("home.minutes")}<select id="friend-minutes" @change=${(/** @type {any} */ event) => this.set({ minutes: Number(event.target.value) })}>
          ${LIMITS_MIN.map((each) => html`<option value=${each} ?selected=${each === choice.minutes}>${t("home.min", { n: each })}</option>`)}</select></label>
        <label for="friend-seats">${t("home.seats")}<select id="friend-seats" @change=${(/** @type {any} */ event) => this.set({ seats: Number(event.target.value) })}>
          ${[2, 3, 4, 6, 8, 12, 20, 50, 100].map((each) => html`<option value=${each} ?selected=${each === choice.seats}>${each}</option>`)}</select></label></div>
      <label class="check"><input type="checkbox" .checked=${choice.iron} @change=${(/** @type {any} */ event) => this.set({ iron: event.target.checked })} />${t("home.iron")}</label>
      <button class="button" type="submit" ?disabled=${this.creating !== ""}>${t("home.friend.make")}</button></form>`;
  }

  quickPanel() {
    const waits = this.app.state.queued[this.choice.quick] === true;
    return html`<section class="panel is-half" aria-labelledby="quick"><h2 id="quick">${t("home.quick")}</h2><p class="soft">${t("home.quick.text")}</p>
      ${this.variantSelect("quick-variant", t("home.game"), this.choice.quick, (quick) => this.set({ quick }), true)}
      <div class="row"><button class="button" type="button" @click=${() => this.quick()}>${t(waits ? "home.quick.stop" : "home.quick.start")}</button>
        <p class="soft small" role="status">${waits ? t("home.quick.waiting") : nothing}</p></div></section>`;
  }

  practicePanel() {
    const open = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
      this.app.go(practicePath(this.choice.practice, String(form.get("code") ?? "")));
    };
    return html`<form class="panel is-half" aria-labelledby="practice" @submit=${open}><h2 id="practice">${t("home.practice")}</h2><p class="soft">${t("home.practice.text")}</p>
      <div class="pair is-wordy">${this.variantSelect("practice-variant", t("home.game"), this.choice.practice, (practice) => this.set({ practice }), false)}
        <label for="code">${t("practice.seed")}<input id="code" name="code" autocomplete="off" spellcheck="false" placeholder=${t("practice.random")} /></label></div>
      <button class="button" type="submit">${t("home.practice.start")}</button></form>`;
  }

  boardPanel() {
    return html`<section class="panel is-twothirds" aria-labelledby="board"><h2 id="board">${t("home.board")}</h2>
      ${boardRows(this.app, this.board, t("boards.empty"))}<p><a href="/boards">${t("home.board.all")}</a></p></section>`;
  }
}
