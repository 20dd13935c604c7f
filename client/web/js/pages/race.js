/** One race from its link to its rematch: lobby, countdown, play, result. Which of them is told by the race's phase. */

import { html, nothing } from "../lit.js";
import { confirmOnce } from "../confirm.js";
import { countOf } from "../play/bars.js";
import { dealLabel, raceLabel } from "../play/deallabel.js";
import { lobby } from "../play/lobby.js";
import { help } from "../play/help.js";
import { icon } from "../play/icons.js";
import { railOf, standingsOf, thinBar } from "../play/rivals.js";
import { resultOf } from "../play/result.js";
import { PlayScreen } from "../play/screen.js";
import { miniature } from "../table/miniature.js";
import { findRace, liveRace, pathOf } from "../state.js";
import { formatTime, t } from "../words.js";

const TICK_MS = 100;
const SWEEP_MS = 900;
/** Errors of `enter` after which one may still look on. */
const CLOSED_TO_ME = ["not_entered", "already_started", "closed", "ended", "full", "day_over", "busy"];

export default class RacePage {
  /** @param {App} app @param {{race: string}} params */
  constructor(app, { race }) {
    this.app = app;
    this.name = race;
    this.isTable = true;
    this.isRailOpen = false;
    /** The win is looked at for a moment before the result takes its place. */
    this.sweepUntil = 0;
    this.hadEnded = true;
    this.asked = 0;
    this.hasLooked = false;
    this.wantsRematch = false;
    /** @type {PlayScreen|null} */
    this.screen = null;
    this.newsOf = { finished: 0, phase: "", isKicked: false };
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.errorSerial = app.state.error?.serial ?? 0;
    this.enter();
  }

  get race() {
    return findRace(this.app.state, this.name);
  }

  get isPlaying() {
    const { race } = this;
    const { phase } = race?.state ?? {};
    if (performance.now() < this.sweepUntil) return true;
    return phase === "countdown" || (phase === "running" && race?.attempt !== null && (race?.attempt.end === null || race?.state.kind === "private" || race?.state.kind === "quick"));
  }

  close() {
    clearInterval(this.timer);
    this.screen?.close();
    const { race } = this;
    if (race?.isWatched) this.app.ask({ type: "unwatch", race: race.id });
    this.app.store.dispatch({ type: "forget", race: race?.state.phase === "closed" ? this.name : "" });
  }

  /** Takes the seat, opens the daily, or comes back: once for each connection. Who may not looks on. */
  enter() {
    const { race, app } = this;
    const { session, phase } = app.state.link;
    if (phase !== "open") return;
    if (this.asked === session) {
      this.lookOn();
      return;
    }
    this.asked = session;
    if (race && (race.attempt?.session === session || app.state.wanted.includes(race.id))) return;
    app.ask({ type: this.hasLooked ? "watch" : "enter", race: this.key });
  }

  /** What the server knows the race by: without a seat a private race opens by its link alone. */
  get key() {
    const { race } = this;
    return (race?.isWatched ? race.link : null) ?? race?.id ?? this.name;
  }

  /** After `enter` was refused for a reason that does not forbid looking. */
  lookOn() {
    const { error } = this.app.state;
    if (this.hasLooked || !error || error.serial <= this.errorSerial) return;
    if (error.re !== "enter" || error.race !== this.key || !CLOSED_TO_ME.includes(error.code)) return;
    this.hasLooked = true;
    this.errorSerial = error.serial;
    this.app.ask({ type: "watch", race: this.key });
  }

  title() {
    const { race } = this;
    return race ? this.app.catalogue.find(race.state.variant).name : "";
  }

  /** @returns {string|null} */
  problem() {
    const { error } = this.app.state;
    if (!error || error.serial <= this.errorSerial) return null;
    const isOurs = error.race === this.name || error.race === this.race?.id || error.re === "enter" || error.re === "watch";
    return isOurs && !this.race ? error.code : null;
  }

  tick() {
    const { race, app } = this;
    if (!race) return;
    const timer = document.querySelector(".clock");
    if (timer) timer.textContent = this.clockText();
    const { phase, start_ms: startMs } = race.state;
    if (phase === "countdown" && startMs) {
      const left = Math.ceil((startMs - app.nowMs()) / 1000);
      const figure = document.querySelector(".countdown-figure");
      const text = left > 0 ? String(left) : t("race.go");
      if (figure && figure.textContent !== text) {
        figure.textContent = text;
        if (left <= 3 && left > 0) app.say(text);
      }
    }
  }

  clockText() {
    const { race, app } = this;
    const attempt = race?.attempt;
    if (!race || !attempt) {
      return race?.state.start_ms && race.state.phase === "running" ? formatTime(app.nowMs() - race.state.start_ms) : "0:00";
    }
    const at = attempt.endMs ?? app.nowMs() - attempt.startMs;
    return formatTime(Math.min(at, race.state.limit_ms));
  }

  render() {
    this.enter();
    const { race } = this;
    if (!race) return this.waiting(this.problem());
    if (race.isKicked) return this.waiting("kicked");
    const { phase } = race.state;
    const isAlone = race.state.kind === "daily" || race.state.kind === "practice";
    const isWonHere = race.attempt?.end === "finished" && performance.now() < this.sweepUntil;
    if ((phase === "closed" || (isAlone && race.attempt?.end)) && !isWonHere) return resultOf(this.app, race, () => this.again());
    if (phase === "open") return lobby(this.app, race);
    if (phase === "countdown") return this.countdown();
    if (race.attempt) return this.play();
    return this.watching();
  }

  /** @param {string|null} problem */
  waiting(problem) {
    if (!problem) return html`<p class="loading" role="status">${t("race.opening")}</p>`;
    const key = `error.${problem}`;
    const live = problem === "busy" ? liveRace(this.app.state) : null;
    return html`<div class="note"><h1>${t(problem === "kicked" ? "race.kicked" : "race.cant")}</h1><p>${t(key)}</p>
      <div class="row"><a class="button is-main" href="/">${t("race.home")}</a>
      ${live ? html`<a class="button" href="/race/${live}">${t("live.back")}</a>` : nothing}</div></div>`;
  }

  countdown() {
    const { race } = this;
    const variant = race ? this.app.catalogue.find(race.state.variant) : null;
    const names = race?.state.entrants.map((entrant) => entrant.player.name).join(" · ");
    return html`<div class="countdown"><div class="deck-still" aria-hidden="true">${variant ? miniature(variant, { width: innerWidth, height: Math.max(300, innerHeight - 160), isDown: true }) : nothing}</div>
      <p class="countdown-names cut">${names}</p>
      <p class="countdown-figure" role="timer"></p><p class="soft">${t("race.same_deal")}</p><p class="soft small">${race ? dealLabel(race.state) : nothing}</p></div>`;
  }

  play() {
    const { app, race } = this;
    if (!race?.attempt) return nothing;
    const isRace = race.state.kind !== "practice";
    const hasHints = !isRace && !race.attempt.shown.position.variant.hasHiddenCards;
    this.screen ??= new PlayScreen(app, {
      key: race.id,
      act: (action) => app.store.dispatch({ type: "act", race: race.id, action }),
      attempt: () => this.race?.attempt ?? null,
      askAgain: hasHints ? () => app.ask({ type: "resync", race: race.id }) : null,
    });
    const isTogether = race.state.entrants.length > 1;
    return html`
      ${this.bar()} ${isTogether ? thinBar(app, race, () => this.toggleRail()) : nothing}
      <div class="play ${isTogether ? "has-rail" : ""}">
        <div class="table-side">${this.screen.root}
          <div class="below">${race.attempt.end ? this.ended() : this.screen.controls({ isRace, onResign: () => this.resign(), onHelp: (isIron) => help(app, race.state.variant, { hasHints, isIron }) })}</div>
        </div>
        ${isTogether ? railOf(app, race, this.isRailOpen, () => this.toggleRail()) : nothing}
      </div>`;
  }

  toggleRail() {
    this.isRailOpen = !this.isRailOpen;
    this.app.refresh();
  }

  bar() {
    const { app, race } = this;
    if (!race) return nothing;
    const place = standingsOf(app, race).find((row) => row.isMe)?.place ?? null;
    const isTogether = race.state.entrants.length > 1;
    const attempt = race.attempt;
    return html`<header class="bar is-play">
      <a class="icon-link" href="/" aria-label=${t("race.leave")}>${icon("back")}</a>
      <div class="bar-name"><h1 class="cut">${this.title()}</h1><p class="soft small cut bar-deal">${raceLabel(race)}</p></div>
      ${app.settings.timer ? html`<p class="clock" role="timer" aria-label=${t("col.time")} .textContent=${this.clockText()}></p>` : nothing}
      <p class="bar-place">${isTogether && place ? html`<b>${t("race.place", { place })}</b>` : nothing}
        ${attempt ? html`<span class="soft" title=${t("race.up")}>${countOf(attempt.bestCards, attempt.shown.position.variant.cards)}</span>` : nothing}
        ${attempt?.counts.hints ? html`<span class="soft">${t("race.hints", { n: attempt.counts.hints })}</span>` : nothing}</p>
      <a class="icon-link" href="/settings" aria-label=${t("nav.settings")}>${icon("gear")}</a>
    </header>`;
  }

  ended() {
    const { app, race } = this;
    if (!race) return nothing;
    const end = race.attempt?.end;
    const others = race.state.entrants.filter((e) => !e.end && e.player.id !== app.state.player?.id).length;
    // Who finishes later comes after: the place of one who has finished is final.
    const place = end === "finished" && race.state.entrants.length > 1 ? standingsOf(app, race).find((row) => row.isMe)?.place : null;
    return html`<div class="ended" role="status"><p class="ended-word">${place ? t("race.place", { place }) : t(`end.${end}`)}</p>
      <p>${formatTime(race.attempt?.endMs ?? 0, { tenths: true })}${others ? html`<span class="soft block">${t("race.waiting_for", { n: others })}</span>` : nothing}</p></div>`;
  }

  watching() {
    const { app, race } = this;
    if (!race) return nothing;
    return html`${this.bar()}
      <div class="watching"><p class="soft">${icon("eye")} ${t("race.watching")}</p>${railOf(app, race, true, null)}</div>`;
  }

  /** A race that runs with me in it: its clock runs on when I leave. */
  isHeld() {
    const { race } = this;
    return race?.state.phase === "running" && race.attempt !== null && race.attempt.end === null && race.state.kind !== "practice";
  }

  /** @param {() => void} then */
  askToLeave(then) {
    confirmOnce({
      title: t("leave.title"),
      text: t(this.race?.state.kind === "daily" ? "leave.daily" : "leave.text"),
      yes: t("leave.yes"),
      no: t("leave.no"),
      then,
    });
  }

  resign() {
    const { race, app } = this;
    if (!race) return;
    const isRace = race.state.kind !== "practice";
    confirmOnce({
      title: t(isRace ? "resign.title" : "give_up.title"),
      text: t(isRace ? "resign.text" : "give_up.text"),
      yes: t(isRace ? "play.resign" : "give_up.yes"),
      no: t("leave.no"),
      then: () => app.store.dispatch({ type: "act", race: race.id, action: { type: "resign" } }),
    });
  }

  again() {
    const { race, app } = this;
    if (!race) return;
    this.wantsRematch = true;
    if (race.state.rematch) app.go(`/race/${race.state.rematch}`);
    else app.ask({ type: "rematch", race: race.id });
  }

  update() {
    this.screen?.update();
    this.tick();
    const { race, app } = this;
    if (!race) return;
    this.tellNews(race);
    if (race.attempt) {
      if (race.attempt.end === "finished" && !this.hadEnded) {
        this.sweepUntil = performance.now() + SWEEP_MS;
        setTimeout(() => app.refresh(), SWEEP_MS + 20);
        app.refresh();
      }
      this.hadEnded = race.attempt.end !== null;
    }
    // Another page may be on its way already.
    if (app.path !== location.pathname + location.search) return;
    if (location.pathname !== pathOf(race)) {
      history.replaceState(null, "", pathOf(race));
      app.path = location.pathname;
    }
    if (race.state.rematch && this.wantsRematch) app.go(`/race/${race.state.rematch}`);
  }

  /** @param {Race} race */
  tellNews(race) {
    const { app, newsOf } = this;
    const done = race.state.entrants.filter((e) => e.end === "finished").length;
    if (done > newsOf.finished) {
      const last = race.state.entrants.find((e) => e.end === "finished" && e.player.id !== app.state.player?.id);
      if (last) app.sayNews(t("say.finished", { name: last.player.name, time: formatTime(last.end_ms ?? 0) }));
    }
    if (race.isKicked && !newsOf.isKicked) app.say(t("error.kicked"));
    if (race.state.phase !== newsOf.phase) {
      if (race.state.phase === "running" && newsOf.phase === "countdown") app.say(t("say.started"));
      if (race.state.phase === "closed" && newsOf.phase) app.say(t("say.closed"));
    }
    this.newsOf = { finished: done, phase: race.state.phase, isKicked: race.isKicked };
  }
}
