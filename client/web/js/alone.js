/** An attempt without a server: every action is confirmed at once, and hidden cards are known to this device only. */

import { act, beginAttempt } from "./attempt.js";
import { actionRefusal, advance, beginLine } from "./line.js";
import { isWon, progress, view } from "./rules.js";

/** @param {Position} start @param {number} startMs @returns {Alone} */
export function beginAlone(start, startMs) {
  const attempt = beginAttempt(view(start), { iron: false, startMs, session: 0 });
  return { truth: beginLine(start, { start }), attempt };
}

/** @param {Alone} alone @param {Action} action @param {number} atMs @returns {Alone} */
export function actAlone({ truth, attempt }, action, atMs) {
  if (attempt.end !== null || actionRefusal(truth, action) !== null) return { truth, attempt: act(attempt, action) };
  const line = advance(truth, action);
  const shown = { ...line, position: view(line.position), undo: line.undo.map(view), redo: line.redo.map(view) };
  const cards = progress(line.position);
  const isBetter = cards > attempt.bestCards;
  return {
    truth: line,
    attempt: {
      ...attempt,
      confirmed: shown,
      shown,
      refused: null,
      bestCards: isBetter ? cards : attempt.bestCards,
      bestMs: isBetter ? atMs : attempt.bestMs,
      end: isWon(line.position) ? "finished" : null,
      endMs: isWon(line.position) ? atMs : null,
    },
  };
}
