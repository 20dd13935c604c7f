/** Replays of a closed race: fetched once, and played again by the rules into positions with their times. */

import { Fetched } from "../http.js";
import { deal, parseMove, play, progress } from "../rules.js";

const MOST = 12;
/** @type {Map<string, {session: number, fetched: Fetched<Played[]>}>} */
const loaded = new Map();

/**
 * What was asked for once; what was refused or could not be reached is asked for again over the next connection.
 * @param {App} app @param {string} key @param {() => Promise<Played[]>} ask
 */
function load(app, key, ask) {
  const known = loaded.get(key);
  const { session } = app.state.link;
  if (known && (!known.fetched.error || known.session === session)) return known.fetched;
  const fetched = new Fetched(ask(), () => app.refresh());
  loaded.set(key, { session, fetched });
  return fetched;
}

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
  return load(app, attempt, async () => [playAgain(app, await app.http.get(`attempts/${encodeURIComponent(attempt)}/replay`))]);
}

/** Those of the first few of a race's results, and one's own; without what the server can't give. @param {App} app @param {Race} race */
export function loadReplays(app, race) {
  const me = app.state.player?.id;
  const rows = (race.state.results ?? []).filter((row, number) => number < MOST || row.player.id === me);
  const missing = (/** @type {ApiError} */ error) => {
    if (error.status === 0) throw error;
    return null;
  };
  return load(app, `race ${race.id}`, async () => {
    const all = await Promise.all(
      rows.map((row) => app.http.get(`attempts/${race.id}.${row.player.id}/replay`).then((replay) => playAgain(app, replay), missing)),
    );
    return all.filter((each) => each !== null);
  });
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
