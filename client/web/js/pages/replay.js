/** The replay of an attempt, or of two side by side on one clock: scrubber, speeds, keys. */

import { html } from "../../vendor/lit-html/lit-html.js";
import { icon } from "../play/icons.js";
import { pileLabel, cardWords } from "../play/cardwords.js";
import { loadReplay } from "../play/replays.js";
import { deckOf } from "../settings.js";
import { Table } from "../table/table.js";
import { formatTime, t } from "../words.js";
import { problemWords } from "./rows.js";

const SPEEDS = [1, 2, 5, 10, 30];
const SKIP_MS = 5000;

export default class ReplayPage {
  /** @param {import("../app.js").App} app @param {{race: string}} params an attempt, or two with a comma between */
  constructor(app, { race }) {
    this.app = app;
    this.isTable = true;
    this.attempts = race.split(",").slice(0, 2).map((attempt) => loadReplay(app, attempt));
    const nothingDone = () => undefined;
    this.tables = this.attempts.map((_, number) => {
      const root = document.createElement("div");
      root.className = "table is-shown";
      const position = () => this.positionOf(number);
      const table = new Table(root, {
        targets: () => [],
        counts: () => [],
        play: nothingDone,
        draw: nothingDone,
        refuseLift: nothingDone,
        refuseHome: nothingDone,
        pileLabel: (name, cards, hidden) => pileLabel(/** @type {any} */ (position()).variant, name, cards, hidden),
        cardLabel: (name, depth) => cardWords(position()?.piles[position()?.variant.index[name] ?? -1]?.[depth] ?? -1),
        chosenText: () => "",
        say: nothingDone,
      });
      table.wish({ form: app.settings.form, isMirrored: app.settings.leftHanded, deck: deckOf(app.settings) });
      return table;
    });
    this.atMs = 0;
    this.speed = 5;
    this.isPlaying = false;
    this.lastMs = 0;
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    addEventListener("keydown", this.onKey);
  }

  close() {
    this.isPlaying = false;
    removeEventListener("keydown", this.onKey);
    for (const table of this.tables) table.close();
  }

  title() {
    return t("replay.title");
  }

  /** @param {number} number */
  steps(number) {
    return this.attempts[number]?.value?.[0]?.steps ?? [];
  }

  /** @param {number} number */
  stepAt(number) {
    const steps = this.steps(number);
    let at = 0;
    while (at + 1 < steps.length && (steps[at + 1]?.atMs ?? 0) <= this.atMs) at += 1;
    return at;
  }

  /** @param {number} number */
  positionOf(number) {
    return this.steps(number)[this.stepAt(number)]?.position ?? null;
  }

  endMs() {
    return Math.max(1, ...this.attempts.map((_, number) => this.steps(number).at(-1)?.atMs ?? 0));
  }

  /** @param {number} atMs */
  seek(atMs) {
    this.atMs = Math.max(0, Math.min(this.endMs(), atMs));
    if (this.atMs >= this.endMs()) this.isPlaying = false;
    this.app.refresh();
  }

  /** To the next or the last step of any of them. @param {1|-1} way */
  step(way) {
    const times = this.attempts.flatMap((_, number) => this.steps(number).map((step) => step.atMs)).sort((a, b) => a - b);
    const next = way > 0 ? times.find((ms) => ms > this.atMs) : times.findLast((ms) => ms < this.atMs);
    this.isPlaying = false;
    if (next !== undefined) this.seek(next);
  }

  toggle() {
    this.isPlaying = !this.isPlaying;
    if (this.isPlaying && this.atMs >= this.endMs()) this.atMs = 0;
    this.lastMs = performance.now();
    if (this.isPlaying) requestAnimationFrame(() => this.run());
    this.app.refresh();
  }

  run() {
    if (!this.isPlaying) return;
    const now = performance.now();
    this.seek(this.atMs + (now - this.lastMs) * this.speed);
    this.lastMs = now;
    requestAnimationFrame(() => this.run());
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (/** @type {HTMLElement} */ (event.target).closest("input, select, button, a") && event.key !== "k") return;
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => this.toggle(),
      k: () => this.toggle(),
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      l: () => this.seek(this.atMs + SKIP_MS),
      j: () => this.seek(this.atMs - SKIP_MS),
      Home: () => this.seek(0),
      End: () => this.seek(this.endMs()),
    };
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }

  render() {
    const error = this.attempts.find((attempt) => attempt.error)?.error;
    if (error) return html`<div class="note"><h1>${t("replay.cant")}</h1><p>${problemWords(error)}</p><a class="button is-main" href="/">${t("race.home")}</a></div>`;
    if (!this.attempts.every((attempt) => attempt.value)) return html`<p class="loading" role="status">${t("loading")}</p>`;
    const first = this.attempts[0]?.value?.[0]?.replay;
    return html`<header class="bar"><a class="icon-link" href="/race/${first.race}" aria-label=${t("replay.back")}>${icon("back")}</a><h1 class="bar-name cut">${t("replay.title")}</h1>
        <p class="clock">${formatTime(this.atMs)}</p><p class="bar-place soft">${formatTime(this.endMs())}</p><span></span></header>
      <div class="replay ${this.attempts.length > 1 ? "is-two" : ""}">${this.tables.map((table, number) => {
        const played = this.attempts[number]?.value?.[0];
        const step = this.stepAt(number);
        return html`<section class="replay-side"><h2 class="cut">${played?.replay.player.name} <span class="soft">${played?.steps[step]?.cards} · ${t("replay.step", { step, steps: (played?.steps.length ?? 1) - 1 })}</span></h2>${table.root}</section>`;
      })}</div>
      <div class="below"><label class="unseen" for="scrub">${t("replay.time")}</label>
        <input id="scrub" type="range" min="0" max=${this.endMs()} step="100" .value=${String(this.atMs)} aria-valuetext=${formatTime(this.atMs)} @input=${(/** @type {any} */ event) => this.seek(Number(event.target.value))} />
        <div class="controls" role="toolbar" aria-label=${t("replay.controls")}>
          <button class="button" type="button" @click=${() => this.step(-1)}>${icon("undo")}<span>${t("replay.before")}</span></button>
          <button class="button is-main" type="button" @click=${() => this.toggle()}>${icon(this.isPlaying ? "pause" : "play")}<span>${t(this.isPlaying ? "replay.pause" : "replay.play")}</span></button>
          <button class="button" type="button" @click=${() => this.step(1)}>${icon("redo")}<span>${t("replay.next")}</span></button>
          <label class="speed"><span class="unseen">${t("replay.speed")}</span><select @change=${(/** @type {any} */ event) => {
            this.speed = Number(event.target.value);
          }}>${SPEEDS.map((speed) => html`<option value=${speed} ?selected=${speed === this.speed}>${speed}×</option>`)}</select></label>
        </div></div>`;
  }

  update() {
    this.tables.forEach((table, number) => {
      const position = this.positionOf(number);
      if (position) table.show(position);
    });
  }
}
