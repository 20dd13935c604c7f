/** The dailies of a day with what I did in each, as the server knows it; and that in words and marks, for every page that tells it. */

import { Fetched } from "../http.js";
import { formatTime, t } from "../words.js";

/** A day's dailies, asked for again when this device turns out to be another player's. */
export class Day {
  /** @param {App} app @param {string} date `today`, or as `2026-11-30` */
  constructor(app, date) {
    this.app = app;
    this.path = `daily/${encodeURIComponent(date)}`;
    this.token = app.token.read();
    this.fetched = this.fetch();
  }

  fetch() {
    return new Fetched(this.app.http.get(this.path), () => this.app.refresh());
  }

  /** A new guest, who had no token, has done nothing yet. */
  update() {
    const token = this.app.token.read();
    if (token === this.token) return;
    if (this.token !== null) this.fetched = this.fetch();
    this.token = token;
  }

  get error() {
    return this.fetched.error;
  }

  /** @returns {string|null} */
  get featured() {
    return this.fetched.value?.featured ?? null;
  }

  /** @returns {any[]} */
  get challenges() {
    return this.fetched.value?.challenges ?? [];
  }
}

/** @param {any} day */
export function stateOf(day) {
  if (day.mine) return day.mine.end === "finished" ? "finished" : "played";
  if (day.phase === "open" || day.is_running) return "open";
  return "missed";
}

/** @param {any} day */
export function stateWords(day) {
  if (day.mine?.end === "finished") return t("archive.finished", { time: formatTime(day.mine.end_ms, { tenths: true }) });
  if (day.mine) return t("archive.played", { cards: day.mine.cards });
  if (day.is_running) return t("archive.running");
  return t(day.phase === "open" ? "archive.open" : "archive.missed");
}

/** @param {any} day */
export function stateSentence(day) {
  const words = stateWords(day);
  return `${words[0]?.toUpperCase()}${words.slice(1)}.`;
}

/** Whether I have begun it. @param {any} day */
export const isMine = (day) => Boolean(day.mine || day.is_running);

/** A mark that tells states apart without colour. @param {string} state */
export const markOf = (state) => ({ finished: "✓", played: "●", open: "○" })[state] ?? "–";
