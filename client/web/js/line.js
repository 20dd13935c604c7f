/**
 * A line of play: where an attempt stands and which positions undo and redo lead to. It follows the same rules as the
 * server's history; positions that were played before this page was loaded are not known, and undoing to one of them
 * makes the line blind until the server has answered.
 */

import { DRAW, REDEAL, fullCollect, play, refusal, reveal, safeCollect } from "./rules.js";

/**
 * A line that begins here.
 * @param {Position} position
 * @param {{start?: Position|null, canUndo?: boolean, canRedo?: boolean, iron?: boolean}} [known]
 * @returns {Line}
 */
export function beginLine(position, { start = null, canUndo = false, canRedo = false, iron = false } = {}) {
  return {
    position,
    start,
    undo: [],
    redo: [],
    unknownUndo: canUndo ? 1 : 0,
    unknownRedo: canRedo ? 1 : 0,
    iron: iron || position.variant.hasHiddenCards,
    isBlind: false,
  };
}

/** @param {Line} line */
export const canUndo = (line) => !line.iron && !line.isBlind && line.undo.length + line.unknownUndo > 0;
/** @param {Line} line */
export const canRedo = (line) => !line.iron && !line.isBlind && line.redo.length + line.unknownRedo > 0;

/** The moves that an action plays, one after the other. @param {Position} position @param {Action} action @returns {readonly Move[]} */
export function movesOf(position, action) {
  switch (action.type) {
    case "move":
      return [{ source: action.source, target: action.target, count: action.count }];
    case "draw":
      return [DRAW];
    case "redeal":
      return [REDEAL];
    case "collect":
      return action.scope === "safe" ? safeCollect(position) : fullCollect(position);
    default:
      return [];
  }
}

/**
 * Why an action may not come next, as the server would say it, or null if it may.
 * @param {Line} line
 * @param {Action} action
 * @returns {string|null}
 */
export function actionRefusal(line, action) {
  switch (action.type) {
    case "resign":
    case "hint":
      return null;
    case "undo":
      return line.iron ? "iron" : canUndo(line) ? null : "nothing_to_undo";
    case "redo":
      return line.iron ? "iron" : canRedo(line) ? null : "nothing_to_redo";
    case "restart":
      return line.iron ? "iron" : null;
    case "collect":
      return movesOf(line.position, action).length ? null : "nothing_to_collect";
    default: {
      const [move] = movesOf(line.position, action);
      return move ? refusal(line.position, move) : "no_such_pile";
    }
  }
}

/**
 * The line after an action that `actionRefusal` allows. What the server told takes the place of what is computed.
 * @param {Line} line
 * @param {Action} action
 * @param {{position?: Position|null, moves?: readonly Move[]|null, turned?: Turned[]|null}} [told]
 * @returns {Line}
 */
export function advance(line, action, told = {}) {
  const { position, undo, redo } = line;
  const known = told.position ?? null;
  switch (action.type) {
    case "resign":
    case "hint":
      return line;
    case "undo": {
      const back = known ?? undo.at(-1) ?? null;
      const rest = undo.length ? { undo: undo.slice(0, -1) } : {};
      return { ...line, ...rest, position: back ?? position, isBlind: back === null, redo: [...redo, position] };
    }
    case "redo": {
      const forth = known ?? redo.at(-1) ?? null;
      const rest = redo.length ? { redo: redo.slice(0, -1) } : {};
      return { ...line, ...rest, position: forth ?? position, isBlind: forth === null, undo: [...undo, position] };
    }
    case "restart": {
      const start = known ?? line.start;
      const after = { undo: [...undo, position], redo: [], unknownRedo: 0 };
      return { ...line, ...after, start, position: start ?? position, isBlind: start === null };
    }
    default: {
      const moves = told.moves ?? movesOf(position, action);
      const played = moves.reduce((here, move) => play(here, move), position);
      const after = known ?? reveal(played, told.turned ?? []);
      // A card that a collect turns up may go up as well: how far it goes only the server knows.
      const isBlind = known === null && !told.moves && action.type === "collect" && turnsUnknown(position, after);
      return { ...line, position: after, isBlind, undo: [...undo, position], redo: [], unknownRedo: 0 };
    }
  }
}

/** Something was turned up that is not known. @param {Position} before @param {Position} after */
const turnsUnknown = (before, after) => after.down.some((down, number) => down < (before.down[number] ?? 0));

/** How many entries of the server's log an action makes. @param {Line} line @param {Action} action */
export const entriesOf = (line, action) => (action.type === "collect" ? movesOf(line.position, action).length : 1);
