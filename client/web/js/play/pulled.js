/** Cards that the player took back from a foundation: autoplay leaves them alone, after a reload too, until they go up by hand. */

export class Pulled {
  /** @param {string} key of the attempt, for as long as the tab lives */
  constructor(key) {
    this.key = `ramparts.pulled.${key}`;
    /** @type {Set<number>} */
    this.cards = new Set(read(this.key));
  }

  /** After a move of this card. @param {number} card @param {{source: string, target: string}} move */
  note(card, { source, target }) {
    const before = this.cards.size;
    if (source[0] === "f") this.cards.add(card);
    else if (target[0] === "f") this.cards.delete(card);
    if (this.cards.size !== before) write(this.key, [...this.cards]);
  }
}

/** @param {string} key @returns {number[]} */
function read(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {string} key @param {number[]} cards */
function write(key, cards) {
  try {
    sessionStorage.setItem(key, JSON.stringify(cards));
  } catch {
    // Without storage it holds until the page is left.
  }
}
