/**
 * The page as a whole: it holds the state, the connection, the settings and the open page, and draws them again when one
 * of them changes.
 */

import { html, render } from "./lit.js";
import { Connection } from "./connection.js";
import { Http } from "./http.js";
import { countingRace, initialState, liveRace, makeReduce, pathOf } from "./state.js";
import { Store } from "./store.js";
import { applySettings, keep, loadSettings, recall, saveSettings } from "./settings.js";
import { pickLanguage, t, useLanguage } from "./words.js";
import { frame } from "./frame.js";
import { findRoute } from "./routes.js";

const TOKEN = "ramparts.token";
const SAY_AGAIN_MS = 40;
const RACE_NEWS_MS = 3000;

/** What stands at an address that has no page. @type {Page} */
const NOTHING = {
  title: () => t("error.not_found"),
  render: () => html`<div class="stack"><h1>${t("error.not_found")}</h1><p><a class="button" href="/">${t("race.home")}</a></p></div>`,
};

export class App {
  /** @param {Catalogue} catalogue */
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.settings = loadSettings();
    /** @type {Store<State, Happening>} */
    this.store = new Store(makeReduce(catalogue), initialState());
    const token = { read: () => recall(TOKEN), write: (/** @type {string} */ text) => keep(TOKEN, text), clear: () => keep(TOKEN, null) };
    this.token = token;
    this.http = new Http(token.read);
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
    this.connection = new Connection({ url, store: this.store, token });
    /** @type {Page|null} */
    this.page = null;
    this.root = /** @type {HTMLElement} */ (document.getElementById("app"));
    this.polite = /** @type {HTMLElement} */ (document.getElementById("polite"));
    this.isStale = false;
    this.newsMs = -Infinity;
    this.opening = 0;
    /** The address of the open page. */
    this.path = "";
    /** The race to whose countdown the player was brought. */
    this.called = "";
    /** The error after which it was looked for what keeps the player busy. */
    this.busySerial = 0;
    /** My progress over time in races of this visit, for the picture in a shared result. @type {Map<string, {atMs: number, cards: number}[]>} */
    this.progressOf = new Map();
    /** The link that was copied last. */
    this.copied = "";
    this.store.subscribe(() => this.changed());
    addEventListener("popstate", () => this.turn());
    addEventListener("beforeunload", (event) => {
      if (this.page?.isHeld?.()) event.preventDefault();
    });
    addEventListener("click", (event) => this.follow(event));
  }

  get state() {
    return this.store.state;
  }

  /** Now, by the server's clock. */
  nowMs() {
    return performance.now() + this.state.offsetMs;
  }

  async start() {
    applySettings(this.settings);
    await useLanguage(this.settings.language || pickLanguage(navigator.languages));
    this.connection.start();
    this.root.replaceChildren();
    await this.open();
  }

  /** @param {Partial<Settings>} change */
  async choose(change) {
    this.settings = { ...this.settings, ...change };
    saveSettings(this.settings);
    applySettings(this.settings);
    if ("language" in change) await useLanguage(this.settings.language || pickLanguage(navigator.languages));
    this.refresh();
  }

  /** @param {string} path @param {{replace?: boolean}} [how] */
  go(path, { replace = false } = {}) {
    if (path !== location.pathname + location.search) history[replace ? "replaceState" : "pushState"](null, "", path);
    void this.open();
  }

  /** Links within the site open without loading the page anew. @param {MouseEvent} event */
  follow(event) {
    const link = /** @type {HTMLElement} */ (event.target).closest?.("a");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    if (!findRoute(link.pathname)) return;
    event.preventDefault();
    const then = () => this.go(link.pathname + link.search);
    if (this.mayLeaveFor(link.pathname)) then();
    else this.page?.askToLeave?.(then);
  }

  /** The settings are looked at during a race; all else is leaving it. @param {string} path */
  mayLeaveFor(path) {
    return path === "/settings" || path === location.pathname || this.page?.isHeld?.() !== true;
  }

  /** The browser's own back and forth. */
  turn() {
    const { page, path } = this;
    const to = location.pathname + location.search;
    if (to === path || location.pathname === "/settings" || page?.isHeld?.() !== true) {
      void this.open();
      return;
    }
    history.pushState(null, "", path);
    page.askToLeave?.(() => this.go(to));
  }

  async open() {
    const route = findRoute(location.pathname);
    this.opening += 1;
    const turn = this.opening;
    let make;
    try {
      make = (await route?.load())?.default;
    } catch {
      // The server has a newer client than this page: its parts are gone, so take the new one.
      if (navigator.onLine && this.page) location.assign(location.href);
      return;
    }
    if (turn !== this.opening) return;
    this.page?.close?.();
    this.path = location.pathname + location.search;
    this.page = make ? new make(this, route?.params) : NOTHING;
    scrollTo(0, 0);
    this.draw();
    if (turn > 1) /** @type {HTMLElement|null} */ (document.querySelector("main"))?.focus({ preventScroll: true });
  }

  /** Something changed: go where it calls, then draw. */
  changed() {
    const { matched, error } = this.state;
    if (matched) {
      this.store.dispatch({ type: "seen", what: "matched" });
      this.go(`/race/${matched}`);
    }
    if (error?.code === "busy" && error.serial !== this.busySerial) {
      this.busySerial = error.serial;
      if (!liveRace(this.state)) void this.findLive();
    }
    const counting = countingRace(this.state);
    // A hidden tab takes nothing over from the one that is looked at.
    const isCalled = counting && (!document.hidden || this.state.wanted.includes(counting.id));
    if (isCalled && counting.id !== this.called) {
      this.called = counting.id;
      const path = pathOf(counting);
      if (![path, `/race/${counting.id}`].includes(location.pathname)) this.go(path);
    }
    this.noteProgress();
    this.refresh();
  }

  /** The race that keeps me busy may have begun in another tab: followed, it is led back to from here too. */
  async findLive() {
    const { live } = await this.http.get("players/me").catch(() => ({ live: null }));
    if (live) this.ask({ type: "watch", race: live });
  }

  noteProgress() {
    for (const { id, attempt } of Object.values(this.state.races)) {
      if (!attempt) continue;
      const steps = this.progressOf.get(id) ?? [];
      if (attempt.bestCards > (steps.at(-1)?.cards ?? -1)) steps.push({ atMs: attempt.bestMs, cards: attempt.bestCards });
      this.progressOf.set(id, steps);
    }
  }

  /** Draws again, once for all changes of a frame. */
  refresh() {
    if (this.isStale) return;
    this.isStale = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.isStale = false;
    const { page } = this;
    if (!page) return;
    document.title = page.title() ? `${page.title()} · Ramparts` : "Ramparts";
    document.body.classList.toggle("is-table", page.isTable === true);
    render(frame(this, page), this.root);
    page.update?.();
  }

  /** Sends a command that is not part of an attempt. @param {Record<string, unknown>} command */
  ask(command) {
    this.store.dispatch({ type: "ask", command });
  }

  /** Reads a text out to those who listen. @param {string} text */
  say(text) {
    this.polite.textContent = "";
    setTimeout(() => {
      this.polite.textContent = text;
    }, SAY_AGAIN_MS);
  }

  /** News of the race: at most one in a while, and never in place of what the player does. @param {string} text */
  sayNews(text) {
    const now = performance.now();
    if (now - this.newsMs < RACE_NEWS_MS) return;
    this.newsMs = now;
    this.say(text);
  }
}

