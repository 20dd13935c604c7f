/**
 * Hints in practice: asks the solver once for each position, waits for it, and says what it said. Whether it shows the
 * next move or tells the verdict alone is the player's wish; the server is asked the same and marks both.
 *
 * @typedef {HintEvent} Hint
 * @typedef {"move"|"verdict"} Wish
 */

import { parseMove, pileOf } from "../rules.js";
import { t } from "../words.js";
import { cardWords, pileWords, shortCard } from "./cardwords.js";

const PATIENCE_MS = 8000;

export class Hints {
  /**
   * @param {object} parts
   * @param {() => Attempt|null} parts.attempt
   * @param {() => void} parts.ask puts the question on its way
   * @param {() => void} parts.askAgain has an answer that did not come told again, without another mark
   * @param {(hint: Hint, wish: Wish) => void} parts.show
   * @param {(words: string, ms?: number) => void} parts.say for so many milliseconds, if it is not for a moment
   */
  constructor({ attempt, ask, askAgain, show, say }) {
    this.attempt = attempt;
    this.ask = ask;
    this.askAgain = askAgain;
    this.show = show;
    this.say = say;
    /** @type {Wish|null} */
    this.wish = null;
    /** The refusal that was there before it was asked. @type {Attempt["refused"]} */
    this.refused = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
  }

  close() {
    clearTimeout(this.timer);
  }

  /** Is an answer awaited? */
  get isWaiting() {
    return this.wish !== null;
  }

  /** @param {Wish} wish */
  want(wish) {
    const attempt = this.attempt();
    if (!attempt || attempt.end !== null || attempt.shown.isBlind || this.isWaiting) return;
    this.wish = wish;
    this.refused = attempt.refused;
    if (!knownHint(attempt)) {
      if (isAsked(attempt)) this.askAgain();
      else this.ask();
      this.say(t("hint.looking"), PATIENCE_MS);
      this.timer = setTimeout(() => this.giveUp(), PATIENCE_MS);
    }
    this.update();
  }

  /** Shows what was waited for, if it is there; lets go when the hint was refused or the player has gone on. */
  update() {
    const attempt = this.attempt();
    const { wish } = this;
    if (!attempt || wish === null) return;
    const hint = knownHint(attempt);
    const isRefused = attempt.refused !== this.refused && attempt.refused?.action?.type === "hint";
    const isOff = isRefused || !isAsked(attempt) || attempt.end !== null;
    if (!hint && !isOff) return;
    this.wish = null;
    clearTimeout(this.timer);
    if (hint) this.show(hint, wish);
  }

  giveUp() {
    this.wish = null;
    this.say(t("hint.silent"));
  }
}

/** What the solver said of the position that is shown. @param {Attempt} attempt @returns {Hint|null} */
export const knownHint = (attempt) => (attempt.hint?.version === attempt.shownVersion ? attempt.hint : null);

/** The last that was played or is on its way is a hint. @param {Attempt} attempt */
const isAsked = (attempt) => (attempt.pending.length ? attempt.pending.at(-1)?.action.type === "hint" : attempt.hintVersion === attempt.version);

/**
 * The move in words: with signs for the eye, with names for the ear.
 * @param {Position} position
 * @param {string} text
 * @param {(card: number) => string} name
 */
function moveWords(position, text, name) {
  const move = parseMove(text);
  if (move.source === "s") return t(pileOf(position, "s").length ? "hint.draw" : "hint.turn_over");
  if (move.source === "redeal") return t("hint.redeal");
  const card = name(pileOf(position, move.source).at(-move.count) ?? -1);
  if (move.target[0] === "f") return t("hint.up", { card });
  const under = pileOf(position, move.target).at(-1);
  if (move.target[0] === "t" && under !== undefined) return t("hint.onto", { card, target: name(under) });
  return t("hint.to", { card, place: pileWords(position.variant, move.target) });
}

/**
 * What to write and what to say.
 * @param {Position} position
 * @param {Hint} hint
 * @param {Wish} wish
 * @param {boolean} isIron
 */
export function hintWords(position, hint, wish, isIron) {
  if (hint.verdict === "winnable") {
    const verdict = wish === "verdict" || !hint.move ? t("hint.winnable") : t("hint.left", { n: hint.left ?? 0 });
    if (wish === "verdict" || !hint.move) return { seen: verdict, heard: verdict };
    const text = hint.move;
    const [seen = "", heard = ""] = [shortCard, cardWords].map((name) => `${moveWords(position, text, name)} ${verdict}`);
    return { seen, heard };
  }
  const words = hint.verdict === "unknown" ? t("hint.unknown") : lostWords(hint, isIron);
  return { seen: words, heard: words };
}

/** @param {Hint} hint @param {boolean} isIron */
function lostWords(hint, isIron) {
  if (hint.deal === "lost") return t("hint.lost.deal");
  if (!hint.back || isIron) return t("hint.lost");
  return t("hint.lost.back", { n: hint.back });
}
