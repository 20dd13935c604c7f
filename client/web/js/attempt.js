/**
 * One's own attempt as this page knows it: what the server has confirmed, what is on its way, and what the table shows.
 * Pure: every function gives a new attempt.
 */

import { actionRefusal, advance, beginLine, entriesOf } from "./line.js";
import { decodePosition, isSamePosition, parseMove, progress } from "./rules.js";

const NO_COUNTS = { moves: 0, undos: 0, redos: 0, restarts: 0, hints: 0 };

/**
 * An attempt at its start.
 * @param {Position} position
 * @param {{iron: boolean, startMs: number, session: number}} known
 * @returns {Attempt}
 */
export function beginAttempt(position, { iron, startMs, session }) {
  const line = beginLine(position, { start: position, iron });
  return {
    epoch: 0,
    session,
    version: 0,
    lastId: 0,
    confirmed: line,
    pending: [],
    shown: line,
    shownVersion: 0,
    startMs,
    bestCards: progress(position),
    bestMs: 0,
    counts: NO_COUNTS,
    hint: null,
    hintVersion: -1,
    end: null,
    endMs: null,
    refused: null,
  };
}

/**
 * The attempt that a snapshot tells of; what is still on its way is taken over from the one known before.
 * @param {Attempt|null} before
 * @param {import("./protocol.js").AttemptState} told
 * @param {{variant: Variant, iron: boolean, startMs: number, session: number}} known
 * @returns {Attempt}
 */
export function loadAttempt(before, told, { variant, iron, startMs, session }) {
  const position = decodePosition(variant, told.position);
  const isSame = before !== null && before.version === told.version && before.session === session;
  const start = told.version === 0 ? position : (before?.confirmed.start ?? null);
  const line = isSame
    ? { ...before.confirmed, position }
    : beginLine(position, { start, canUndo: told.can_undo, canRedo: told.can_redo, iron });
  /** @type {Attempt} */
  const attempt = {
    epoch: told.epoch,
    session,
    version: told.version,
    lastId: Math.max(told.last_id, usedId(before, told.epoch)),
    confirmed: line,
    pending: before ? stillWaiting(before, told) : [],
    shown: before?.shown ?? line,
    shownVersion: told.version,
    startMs,
    bestCards: told.best_cards,
    bestMs: told.best_ms,
    counts: { moves: told.moves, undos: told.undos, redos: told.redos, restarts: told.restarts, hints: told.hints ?? 0 },
    hint: before?.hint ?? null,
    hintVersion: before?.hintVersion ?? -1,
    end: told.end ?? null,
    endMs: told.end_ms ?? null,
    refused: before?.refused ?? null,
  };
  return replay(before && before.epoch !== told.epoch ? renumber(attempt) : attempt);
}

/**
 * The last id used in this epoch, for a refused command too: an id that was answered gets the same answer again.
 * @param {Attempt|null} before @param {number} epoch
 */
function usedId(before, epoch) {
  return before !== null && (before.epoch === 0 || before.epoch === epoch) ? before.lastId : 0;
}

/** What was sent and is not in the log yet. @param {Attempt} before @param {import("./protocol.js").AttemptState} told @returns {readonly Pending[]} */
function stillWaiting(before, told) {
  if (told.end) return [];
  if (told.epoch === before.epoch) return before.pending.filter((each) => each.id > told.last_id);
  const [epoch, id] = (told.previous ?? "0.0").split(".").map(Number);
  // When the last stored is of another epoch, none of ours was; those made on the version that stands there still hold.
  const played = before.epoch === 0 || epoch === before.epoch ? (id ?? 0) : 0;
  return before.pending.filter((each) => each.id > played);
}

/** In a new epoch ids begin again. @param {Attempt} attempt @returns {Attempt} */
function renumber(attempt) {
  let { version } = attempt;
  let line = attempt.confirmed;
  /** @type {Pending[]} */
  const pending = [];
  for (const each of attempt.pending) {
    const isFor = each.version === version && !line.isBlind;
    if (!isFor || actionRefusal(line, each.action) !== null) break;
    pending.push({ id: attempt.lastId + pending.length + 1, version, action: each.action, tries: 0 });
    version += entriesOf(line, each.action);
    line = advance(line, each.action);
  }
  return { ...attempt, pending };
}

/** The shown line is the confirmed one and what is on its way. @param {Attempt} attempt @returns {Attempt} */
function replay(attempt) {
  let line = attempt.confirmed;
  let { version } = attempt;
  for (const { action } of attempt.pending) {
    if (!line.isBlind && actionRefusal(line, action) === null) {
      version += entriesOf(line, action);
      line = advance(line, action);
    }
  }
  // What is confirmed as it was shown stays the same thing: nothing on the table is disturbed.
  const isAsShown = isSamePosition(line.position, attempt.shown.position);
  const shown = isAsShown ? { ...line, position: attempt.shown.position } : line;
  return { ...attempt, shown, shownVersion: version };
}

/**
 * A player acts: shown at once and put on its way, or refused at once with its reason.
 * @param {Attempt} attempt
 * @param {Action} action
 * @returns {Attempt}
 */
export function act(attempt, action) {
  if (attempt.end !== null) return refuse(attempt, "ended", "", action);
  if (attempt.shown.isBlind) return attempt;
  const code = actionRefusal(attempt.shown, action);
  if (code !== null) return refuse(attempt, code, "", action);
  const id = Math.max(attempt.lastId, attempt.pending.at(-1)?.id ?? 0) + 1;
  const pending = [...attempt.pending, { id, version: attempt.shownVersion, action, tries: 0 }];
  const shownVersion = attempt.shownVersion + entriesOf(attempt.shown, action);
  return { ...attempt, pending, shown: advance(attempt.shown, action), shownVersion, refused: null };
}

/** Nothing is taken back. @param {Attempt} attempt @param {string} code @param {string} message @param {Action|null} action @returns {Attempt} */
export function refuse(attempt, code, message, action) {
  return { ...attempt, refused: { serial: (attempt.refused?.serial ?? 0) + 1, code, message, action } };
}

/**
 * The server stored a command.
 * @param {Attempt} attempt
 * @param {import("./protocol.js").AcceptedEvent} told
 * @returns {Attempt}
 */
export function accept(attempt, told) {
  const found = attempt.pending.find((each) => each.id === told.id);
  if (!found || told.version <= attempt.version) return attempt;
  const { action } = found;
  const position = told.position ? decodePosition(attempt.confirmed.position.variant, told.position) : null;
  const confirmed = advance(attempt.confirmed, action, {
    position,
    moves: told.moves?.map(parseMove) ?? null,
    turned: told.turned ?? null,
  });
  return replay({
    ...attempt,
    confirmed: { ...confirmed, isBlind: false },
    version: told.version,
    lastId: told.id,
    pending: attempt.pending.filter((each) => each.id > told.id),
    bestCards: told.best_cards,
    bestMs: told.best_ms,
    hintVersion: action.type === "hint" ? told.version : attempt.hintVersion,
    counts: count(attempt.counts, action, told.moves?.length ?? 1),
    end: told.end ?? attempt.end,
    endMs: told.end_ms ?? attempt.endMs,
  });
}

/** @param {Attempt["counts"]} counts @param {Action} action @param {number} moves */
function count(counts, action, moves) {
  switch (action.type) {
    case "undo":
      return { ...counts, undos: counts.undos + 1 };
    case "redo":
      return { ...counts, redos: counts.redos + 1 };
    case "restart":
      return { ...counts, restarts: counts.restarts + 1 };
    case "hint":
      return { ...counts, hints: counts.hints + 1 };
    case "resign":
      return counts;
    default:
      return { ...counts, moves: counts.moves + moves };
  }
}

/**
 * The server refused a command: it and all that was built on it is taken back.
 * @param {Attempt} attempt
 * @param {import("./protocol.js").RejectedEvent} told
 * @returns {Attempt}
 */
export function reject(attempt, told) {
  const found = attempt.pending.find((each) => each.id === told.id);
  if (!found) return attempt;
  const pending = attempt.pending.filter((each) => each.id !== told.id);
  const without = replay({ ...attempt, pending, lastId: Math.max(attempt.lastId, told.id) });
  const isEcho = told.code === "stale" || told.code === "superseded";
  return isEcho ? without : refuse(without, told.code, told.message, found.action);
}

/** The solver has answered; an answer to an older version is of no use any more. @param {Attempt} attempt @param {HintEvent} told @returns {Attempt} */
export function hear(attempt, told) {
  return told.version < attempt.version ? attempt : { ...attempt, hint: told, hintVersion: told.version };
}

/** The server asks for a command again. @param {Attempt} attempt @param {number} id @returns {Attempt} */
export function askAgain(attempt, id) {
  const pending = attempt.pending.map((each) => (each.id === id ? { ...each, tries: each.tries + 1 } : each));
  return { ...attempt, pending };
}
