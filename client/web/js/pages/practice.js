/** Practice: any deal, or one that can be won from the server's pool; where there is no server, here alone. */

import { html, nothing } from "../lit.js";
import { actAlone, beginAlone } from "../alone.js";
import { makeKey } from "../keys.js";
import { help } from "../play/help.js";
import { icon } from "../play/icons.js";
import { PlayScreen } from "../play/screen.js";
import { deal, r1Seed } from "../rules.js";
import { miniature } from "../table/miniature.js";
import { formatTime, t } from "../words.js";
import { practicePath } from "./practicepath.js";

const PATIENCE_MS = 1500;

export default class PracticePage {
  /** @param {App} app @param {{deal?: string}} params the code of a deal, or a game whose deal is not chosen */
  constructor(app, { deal: code = "" }) {
    this.app = app;
    this.code = code;
    this.isTable = code !== "";
    this.problem = "";
    /** The game whose picture stands beside the choice. */
    this.chosen = [...app.catalogue.records.keys()][0] ?? "";
    this.key = makeKey();
    this.isAsked = false;
    this.errorSerial = app.state.error?.serial ?? 0;
    /** @type {Alone|null} */
    this.alone = null;
    /** @type {PlayScreen|null} */
    this.screen = null;
    this.timer = setInterval(() => this.tick(), 200);
    this.openedMs = performance.now();
  }

  close() {
    clearInterval(this.timer);
    this.screen?.close();
  }

  title() {
    return t("home.practice");
  }

  tick() {
    if (this.code && !this.attempt && !this.problem && performance.now() - this.openedMs > PATIENCE_MS && this.app.state.link.phase !== "open") this.playAlone();
    const clock = document.querySelector(".clock");
    if (clock && this.attempt) clock.textContent = this.clockText();
  }

  clockText() {
    return formatTime(this.attempt?.endMs ?? performance.now() - (this.attempt?.startMs ?? 0));
  }

  update() {
    const { app } = this;
    if (!this.code || this.attempt || this.problem) {
      this.screen?.update();
      return;
    }
    const race = app.state.created[this.key];
    if (race) {
      app.go(`/race/${race}`, { replace: true });
      return;
    }
    const { error } = app.state;
    if (error && error.serial > this.errorSerial && (error.re === "create" || error.key === this.key)) {
      this.problem = error.code;
      app.refresh();
    } else if (app.state.link.phase === "open" && !this.isAsked) {
      this.isAsked = true;
      app.ask({ type: "create", key: this.key, kind: "practice", [this.isGame ? "variant" : "deal"]: this.code });
    }
  }

  playAlone() {
    if (this.isGame) {
      this.code = `${this.code}:r1:${r1Seed(crypto.getRandomValues(new Uint8Array(16)))}`;
      // Loaded anew, the page deals the same again.
      history.replaceState(null, "", practicePath("", this.code));
      this.app.path = location.pathname;
    }
    try {
      this.alone = beginAlone(deal(this.app.catalogue, this.code), performance.now());
    } catch {
      this.problem = "bad_deal";
    }
    this.app.refresh();
  }

  get isPlaying() {
    return this.isTable && !this.problem;
  }

  get attempt() {
    return this.alone?.attempt ?? null;
  }

  /** Is the deal not chosen? */
  get isGame() {
    return this.app.catalogue.has(this.code);
  }

  /** @param {Action} action */
  act(action) {
    if (!this.alone) return;
    this.alone = actAlone(this.alone, action, performance.now() - this.alone.attempt.startMs);
    this.app.refresh();
  }

  render() {
    if (!this.code) return this.chooser();
    if (this.problem) {
      return html`<div class="note"><h1>${t("practice.cant")}</h1><p>${t(`error.${this.problem}`)}</p><a class="button is-main" href="/practice">${t("practice.other")}</a></div>`;
    }
    if (!this.attempt) return html`<p class="loading" role="status">${t("race.opening")}</p>`;
    this.screen ??= new PlayScreen(this.app, { key: this.code, act: (action) => this.act(action), attempt: () => this.attempt });
    const variant = this.attempt.shown.position.variant;
    return html`<header class="bar is-play"><a class="icon-link" href="/practice" aria-label=${t("race.leave")}>${icon("back")}</a><h1 class="bar-name cut">${variant.name}</h1>
        ${this.app.settings.timer ? html`<p class="clock" role="timer" aria-label=${t("col.time")} .textContent=${this.clockText()}></p>` : nothing}
        <p class="bar-place soft">${t("practice.alone")}</p><a class="icon-link" href="/settings" aria-label=${t("nav.settings")}>${icon("gear")}</a></header>
      <div class="play"><div class="table-side">${this.screen.root}
        <div class="below">${this.attempt.end ? html`<div class="ended" role="status"><p class="ended-word">${t("result.won")}</p><p>${this.clockText()}</p><a class="button is-main" href="/practice/${variant.id}">${t("result.practice")}</a></div>` : this.screen.controls({ isRace: false, onResign: null, onHelp: (isIron) => help(this.app, variant.id, { hasHints: false, isIron }) })}</div></div></div>`;
  }

  chooser() {
    const start = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
      this.app.go(practicePath(String(form.get("variant")), String(form.get("seed") ?? "")));
    };
    const choose = (/** @type {any} */ event) => {
      this.chosen = event.target.value;
      this.app.refresh();
    };
    return html`<div class="stack"><header><h1>${t("home.practice")}</h1><p class="soft">${t("practice.text")}</p></header>
      <div class="chooser"><form class="panel" @submit=${start}>
      <label for="variant">${t("home.game")}<select id="variant" name="variant" @change=${choose}>${[...this.app.catalogue.records.values()].map((record) => html`<option value=${record["id"]} ?selected=${record["id"] === this.chosen}>${record["name"]}</option>`)}</select></label>
      <label for="seed">${t("practice.seed")}<input id="seed" name="seed" autocomplete="off" spellcheck="false" placeholder=${t("practice.random")} /></label>
      <button class="button is-main" type="submit">${t("practice.start")}</button>
      <a href="/games/${this.chosen}">${t("practice.guide")}</a></form>
      <div class="miniature is-large" aria-hidden="true">${miniature(this.app.catalogue.find(this.chosen), { width: 640, height: 400, hasFaces: true })}</div></div></div>`;
  }
}
