/**
 * What is left to do, looked for while the player thinks: that no card can move is known at once; that no card can get
 * to a foundation any more takes a search, in small pieces and never longer than a bound.
 *
 * @typedef {""|"blocked"|"shut"} Word nothing is said while there is something to do, or no certainty
 */

import { isBlocked, isWon, searchReach, view } from "../rules.js";

/** The player has stopped for as long as this before anything is searched. */
const PAUSE_MS = 500;
/** A piece of the search: well under a frame. */
const PIECE_MS = 6;

export class Outlook {
  /** @param {(word: Word) => void} tell is called when the word changes */
  constructor(tell) {
    this.tell = tell;
    /** @type {Word} */
    this.word = "";
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
  }

  /** From here on it is about this position; null: about none. @param {Position|null} position */
  watch(position) {
    clearTimeout(this.timer);
    if (position === null || isWon(position)) return this.say("");
    if (isBlocked(view(position))) return this.say("blocked");
    this.say("");
    const search = searchReach(position);
    this.timer = setTimeout(() => this.seek(search), PAUSE_MS);
  }

  /** @param {ReturnType<typeof searchReach>} search */
  seek(search) {
    const until = performance.now() + PIECE_MS;
    while (performance.now() < until) {
      const { done, value } = search.next();
      if (!done) continue;
      if (value === "shut") this.say("shut");
      return;
    }
    this.timer = setTimeout(() => this.seek(search), PIECE_MS);
  }

  /** @param {Word} word */
  say(word) {
    if (word === this.word) return;
    this.word = word;
    this.tell(word);
  }

  close() {
    clearTimeout(this.timer);
  }
}
