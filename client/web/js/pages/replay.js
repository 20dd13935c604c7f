/** The replay of an attempt, or of two side by side on one clock; where each was lost, and the line that would have won. */

import { html, nothing } from "../lit.js";
import { download } from "../download.js";
import { ApiError } from "../http.js";
import { countOf } from "../play/bars.js";
import { icon } from "../play/icons.js";
import { Inquiry } from "../play/inquiry.js";
import { lossPanel } from "../play/losspanel.js";
import { entryWords, lossWords, verdictWords } from "../play/losswords.js";
import { Reel } from "../play/reel.js";
import { lineSteps, loadReplay } from "../play/replays.js";
import { shownTable } from "../play/showntable.js";
import { stripLegend, stripOf } from "../play/strip.js";
import { openReport } from "../report.js";
import { isWrittenOut, parseMove } from "../rules.js";
import { formatTime, t } from "../words.js";
import { problemWords } from "./rows.js";

const SPEEDS = [1, 2, 5, 10, 30];
const SKIP_MS = 5000;

export default class ReplayPage {
  /** @param {App} app @param {{race: string}} params an attempt, or two with a comma between */
  constructor(app, { race }) {
    this.app = app;
    this.isTable = true;
    /** No foot under it: the table needs the room, and the bar has the report. */
    this.isPlaying = true;
    const ids = race.split(",").slice(0, 2);
    const refresh = () => app.refresh();
    this.attempts = ids.map((attempt) => loadReplay(app, attempt));
    this.inquiries = ids.map((attempt, number) => new Inquiry(app.http, attempt, () => this.heard(number)));
    this.wantsAnalysis = new URLSearchParams(location.search).has("analysis");
    this.hasLooked = false;
    /** Why a record could not be saved. */
    this.unsaved = "";
    this.tables = ids.map(() => shownTable(app.settings));
    this.replay = new Reel(() => this.attempts.map((_, number) => this.steps(number)), refresh, 5);
    /** The line that would have won, while it is shown on one of the tables. @type {{number: number, steps: Step[], reel: Reel}|null} */
    this.line = null;
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    addEventListener("keydown", this.onKey);
  }

  close() {
    this.replay.stop();
    this.line?.reel.stop();
    removeEventListener("keydown", this.onKey);
    for (const inquiry of this.inquiries) inquiry.close();
    for (const table of this.tables) table.close();
  }

  title() {
    return t("replay.title");
  }

  /** @param {number} number */
  played(number) {
    return this.attempts[number]?.value?.[0] ?? null;
  }

  /** @param {number} number @returns {Step[]} */
  steps(number) {
    return this.played(number)?.steps ?? [];
  }

  /** What a table shows. @param {number} number @returns {Step|null} */
  stepOf(number) {
    if (this.line?.number === number) return this.line.steps[this.line.reel.stepAt(0)] ?? null;
    return this.steps(number)[this.replay.stepAt(number)] ?? null;
  }

  /** What the controls move. */
  get reel() {
    return this.line?.reel ?? this.replay;
  }

  /** @param {number} number @param {number} version */
  toVersion(number, version) {
    this.leaveLine();
    this.replay.stop();
    this.replay.seek(this.steps(number)[version]?.atMs ?? 0);
  }

  /** To the next loss of these attempts from here on, or the first. @param {number[]} numbers */
  toNextLoss(numbers) {
    const losses = numbers.flatMap((number) => (this.inquiries[number]?.value?.losses ?? []).map(({ at }) => ({ number, at, ms: this.steps(number)[at]?.atMs ?? 0 })));
    losses.sort((a, b) => a.ms - b.ms);
    const next = losses.find(({ ms }) => ms > this.replay.atMs) ?? losses[0];
    if (next) this.toVersion(next.number, next.at);
  }

  /** Does the solver say anything about this deal? @param {number} number */
  mayAsk(number) {
    const played = this.played(number);
    return played !== null && !isWrittenOut(played.replay.deal);
  }

  /** The record in a file, as `ramparts verify` takes it. @param {any} replay */
  async save({ attempt }) {
    this.unsaved = "";
    try {
      download(`${attempt}.record`, await this.app.http.get(`attempts/${attempt}/replay?format=record`), "text/plain");
    } catch (error) {
      this.unsaved = t("lost.unsaved", { why: error instanceof ApiError ? problemWords(error) : t("error.internal") });
    }
    this.app.refresh();
  }

  /** Asks where it was lost; once that is known, goes there. */
  askOrJump() {
    for (const [number, inquiry] of this.inquiries.entries()) if (this.mayAsk(number)) inquiry.ask();
    this.toNextLoss([...this.inquiries.keys()]);
  }

  /** Plays the line that would have won on its table. @param {number} number */
  showLine(number) {
    const analysis = this.inquiries[number]?.value;
    const start = this.steps(number)[analysis?.last_winnable ?? -1];
    if (!analysis?.line || !start) return;
    this.replay.stop();
    const steps = lineSteps(start.position, analysis.line);
    const reel = new Reel(() => [steps], () => this.app.refresh(), 1);
    this.line = { number, steps, reel };
    reel.start();
    this.app.refresh();
  }

  leaveLine() {
    this.line?.reel.stop();
    this.line = null;
    this.app.refresh();
  }

  toggleLine() {
    const number = this.inquiries.findIndex(({ value }) => value !== null && !value.finished && value.line !== undefined);
    if (this.line) this.leaveLine();
    else if (number >= 0) this.showLine(number);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnControl = /** @type {HTMLElement} */ (event.target).closest("input, select, button, a") !== null;
    if (isOnControl && !["k", "m", "w", "Escape"].includes(event.key)) return;
    const { reel } = this;
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => reel.toggle(),
      k: () => reel.toggle(),
      ArrowRight: () => reel.step(1),
      ArrowLeft: () => reel.step(-1),
      l: () => reel.seek(reel.atMs + SKIP_MS),
      j: () => reel.seek(reel.atMs - SKIP_MS),
      Home: () => reel.seek(0),
      End: () => reel.seek(reel.endMs()),
      m: () => this.askOrJump(),
      w: () => this.toggleLine(),
      Escape: () => this.leaveLine(),
    };
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }

  /** An analysis has come nearer; once it is there its first sentence is read out. @param {number} number */
  heard(number) {
    const value = this.inquiries[number]?.value;
    if (value) this.app.say([...value.losses.map((loss) => lossWords(loss, this.steps(number))), verdictWords(value)].join(" "));
    this.app.refresh();
  }

  /** Once the replays are there: analyses that are known are read, and asked for where one came for them. */
  look() {
    if (this.hasLooked) return;
    this.hasLooked = true;
    this.inquiries.forEach((inquiry, number) => {
      if (!this.mayAsk(number)) return;
      if (this.wantsAnalysis) inquiry.ask();
      else if (this.played(number)?.replay.analysed) inquiry.look();
    });
  }

  render() {
    const error = this.attempts.find((attempt) => attempt.error)?.error;
    if (error) return html`<div class="note"><h1>${t("replay.cant")}</h1><p>${problemWords(error)}</p><a class="button is-main" href="/">${t("race.home")}</a></div>`;
    if (!this.attempts.every((attempt) => attempt.value)) return html`<p class="loading" role="status">${t("loading")}</p>`;
    this.look();
    const { reel, line } = this;
    const [now, end] = line ? [String(reel.stepAt(0)), String(line.steps.length - 1)] : [formatTime(reel.atMs), formatTime(reel.endMs())];
    return html`<header class="bar"><a class="icon-link" href="/race/${this.played(0)?.replay.race}" aria-label=${t("live.back")}>${icon("back")}</a>
        <h1 class="bar-name cut">${t(line ? "lost.line.title" : "replay.title")}</h1>
        <p class="clock">${now}</p><p class="bar-place soft">${end}</p>
        <button class="icon-link" type="button" aria-label=${t("report.title")} title=${t("report.title")} @click=${() => openReport(this.app)}>${icon("speech")}</button></header>
      <div class="replay-room">
        <div class="replay ${this.attempts.length > 1 ? "is-two" : ""}">${this.tables.map((table, number) => html`<section class="replay-side"><h2 class="cut">${this.headOf(number)}</h2>${table.root}</section>`)}</div>
        <aside class="losses-side">${line ? this.lineWords(line) : this.attempts.map((_, number) => this.panelOf(number))}${this.unsaved ? html`<p class="problem" role="alert">${this.unsaved}</p>` : nothing}</aside>
      </div>
      <div class="below">${this.scrubber()} ${line ? nothing : this.strips()} ${this.controls()}</div>`;
  }

  /** @param {number} number */
  headOf(number) {
    const played = this.played(number);
    const { line } = this;
    const where =
      line?.number === number
        ? t("lost.line.step", { move: line.reel.stepAt(0), moves: line.steps.length - 1 })
        : t("replay.step", { step: this.replay.stepAt(number), steps: (played?.steps.length ?? 1) - 1 });
    return html`${played?.replay.player.name} <span class="soft">· ${countOf(this.stepOf(number)?.cards ?? 0, played?.steps[0]?.position.variant.cards ?? 0)} · ${where}</span>`;
  }

  /** @param {number} number */
  panelOf(number) {
    const [played, inquiry] = [this.played(number), this.inquiries[number]];
    if (!played || !inquiry) return nothing;
    const ways = { toLoss: (/** @type {{at: number}} */ loss) => this.toVersion(number, loss.at), toNext: () => this.toNextLoss([number]), toLine: () => this.showLine(number), save: () => void this.save(played.replay) };
    return lossPanel({ played, inquiry }, ways, this.attempts.length > 1);
  }

  /** @param {{number: number, steps: Step[], reel: Reel}} line */
  lineWords({ steps, reel }) {
    const at = reel.stepAt(0);
    const moves = steps.length - 1;
    const before = steps[at - 1]?.position;
    const words = at === moves ? t("lost.line.won", { moves }) : before ? t("lost.line.at", { move: at, moves, entry: entryWords(before, steps[at]?.what ?? "") }) : t("lost.line.start", { moves });
    return html`<section class="losses" aria-label=${t("lost.line.title")}><p>${words}</p>
      <button class="button" type="button" aria-keyshortcuts="w Escape" @click=${() => this.leaveLine()}>${icon("back")}<span>${t("lost.line.back")}</span><kbd class="is-roomy">w</kbd></button></section>`;
  }

  scrubber() {
    const { reel, line } = this;
    const text = line ? t("lost.line.step", { move: reel.stepAt(0), moves: line.steps.length - 1 }) : formatTime(reel.atMs);
    return html`<label class="unseen" for="scrub">${t(line ? "lost.line.title" : "replay.time")}</label>
      <input id="scrub" type="range" min="0" max=${reel.endMs()} step="100" .value=${String(reel.atMs)} aria-valuetext=${text} @input=${(/** @type {any} */ event) => reel.seek(Number(event.target.value))} />`;
  }

  strips() {
    const analyses = this.inquiries.flatMap(({ value }) => value ?? []);
    if (!analyses.length) return nothing;
    return html`<div class="strips">${this.inquiries.map(({ value }, number) => {
      if (!value) return nothing;
      const name = this.inquiries.length > 1 ? html`<span class="strip-name cut">${this.played(number)?.replay.player.name}</span>` : nothing;
      return html`<div class="strip-row">${name}${stripOf(value, this.steps(number), this.replay.endMs(), number)}</div>`;
    })}${stripLegend(analyses)}</div>`;
  }

  controls() {
    const { reel } = this;
    return html`<div class="controls" role="toolbar" aria-label=${t("replay.controls")}>
      <button class="button" type="button" @click=${() => reel.step(-1)}>${icon("undo")}<span>${t("replay.before")}</span></button>
      <button class="button is-main" type="button" @click=${() => reel.toggle()}>${icon(reel.isPlaying ? "pause" : "play")}<span>${t(reel.isPlaying ? "replay.pause" : "replay.play")}</span></button>
      <button class="button" type="button" @click=${() => reel.step(1)}>${icon("redo")}<span>${t("replay.next")}</span></button>
      <label class="speed"><span class="unseen">${t("replay.speed")}</span><select @change=${(/** @type {any} */ event) => {
        reel.speed = Number(event.target.value);
      }}>${SPEEDS.map((speed) => html`<option value=${speed} .selected=${speed === reel.speed}>${speed}×</option>`)}</select></label>
    </div>`;
  }

  update() {
    this.tables.forEach((table, number) => {
      const step = this.stepOf(number);
      if (!step || step.position === table.position) return;
      table.show(step.position);
      const move = step.what.includes("-") ? parseMove(step.what) : null;
      table.markLast(move?.target ?? null, move?.count ?? 0);
    });
  }
}
