/** Replays of a closed race: fetched once, and played again by the rules into positions with their times. */

import { Fetched } from "../http.js";
import { deal, parseMove, play, progress } from "../rules.js";

const MOST = 12;
/** @type {Map<string, Fetched<Played[]>>} */
const loaded = new Map();

/** @param {App} app @param {any} replay @returns {Played} */
export function playAgain(app, replay) {
  const start = deal(app.catalogue, replay.deal);
  /** @type {Step[]} */
  const steps = [{ atMs: 0, position: start, cards: progress(start), what: "" }];
  /** @type {Position[]} */
  let undo = [];
  /** @type {Position[]} */
  let redo = [];
  let position = start;
  let group = "";
  for (const entry of replay.entries) {
    if (entry.what === "undo") {
      redo = [...redo, position];
      position = undo.at(-1) ?? position;
      undo = undo.slice(0, -1);
    } else if (entry.what === "redo") {
      undo = [...undo, position];
      position = redo.at(-1) ?? position;
      redo = redo.slice(0, -1);
    } else if (entry.what === "restart") {
      undo = [...undo, position];
      redo = [];
      position = start;
    } else if (entry.what !== "resign" && entry.what !== "hint") {
      if (entry.group !== group) undo = [...undo, position];
      redo = [];
      position = play(position, parseMove(entry.what));
    }
    group = entry.group;
    steps.push({ atMs: entry.at_ms, position, cards: progress(position), what: entry.what });
  }
  return { replay, steps };
}

/** One attempt's replay. @param {App} app @param {string} attempt */
export function loadReplay(app, attempt) {
  const known = loaded.get(attempt);
  if (known) return known;
  const promise = app.http.get(`attempts/${encodeURIComponent(attempt)}/replay`).then((replay) => [playAgain(app, replay)]);
  const fetched = new Fetched(promise, () => app.refresh());
  loaded.set(attempt, fetched);
  return fetched;
}

/** Those of the first few of a race's results, and one's own. @param {App} app @param {Race} race */
export function loadReplays(app, race) {
  const key = `race ${race.id}`;
  const known = loaded.get(key);
  if (known) return known;
  const me = app.state.player?.id;
  const rows = (race.state.results ?? []).filter((row, number) => number < MOST || row.player.id === me);
  const promise = Promise.all(
    rows.map((row) => app.http.get(`attempts/${race.id}.${row.player.id}/replay`).then((replay) => playAgain(app, replay), () => null)),
  ).then((all) => all.filter((each) => each !== null));
  const fetched = new Fetched(promise, () => app.refresh());
  loaded.set(key, fetched);
  return fetched;
}

const LINE_STEP_MS = 700;

/** A line of moves as steps that are played through at a walking pace. @param {Position} start @param {readonly string[]} line @returns {Step[]} */
export function lineSteps(start, line) {
  /** @type {Step[]} */
  const steps = [{ atMs: 0, position: start, cards: progress(start), what: "" }];
  let position = start;
  for (const [number, what] of line.entries()) {
    position = play(position, parseMove(what));
    steps.push({ atMs: (number + 1) * LINE_STEP_MS, position, cards: progress(position), what });
  }
  return steps;
}
