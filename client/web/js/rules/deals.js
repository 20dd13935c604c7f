/** Deal codes (`variant:generator:seed`) and how a shuffled deck is laid out. The shuffles are in `shuffles.js`. */

import { rankOf } from "./cards.js";
import { foundationRefusal } from "./legality.js";
import { deck, isSeed } from "./shuffles.js";
import { readRank } from "./variants.js";

/**
 * The parts of a deal code; throws RangeError for what can't be dealt.
 * @param {Catalogue} catalogue
 * @param {string} text
 */
export function parseDealCode(catalogue, text) {
  const [id = "", generator = "", seed = "", ...more] = text.split(":");
  if (more.length || !catalogue.has(id) || !isSeed(generator, seed)) throw new RangeError(`no deal code: ${text}`);
  return { variant: catalogue.find(id), generator, seed };
}

/** Was the layout written out card by card? Of such a deal the solver says nothing. @param {string} text a deal code */
export const isWrittenOut = (text) => text.split(":")[1] === "cards";

/**
 * The first position of a deal code.
 * @param {Catalogue} catalogue
 * @param {string} text
 * @returns {Position}
 */
export function deal(catalogue, text) {
  const { variant, generator, seed } = parseDealCode(catalogue, text);
  return dealDeck(variant, deck(generator, seed, variant.decks));
}

/**
 * The layout of a deck, its first card dealt first.
 * @param {Variant} variant
 * @param {number[]} cards
 * @returns {Position}
 */
export function dealDeck(variant, cards) {
  const layout = variant.record.deal;
  /** @type {number[][]} */
  const piles = variant.names.map(() => []);
  /** @type {number[]} */
  const down = Array(variant.tableauEnd).fill(0);
  const left = [...cards].reverse();
  let base = 0;

  const playUp = (/** @type {number} */ card) => {
    const position = { variant, piles, down, passes: 0, redeals: 0, base };
    for (let number = variant.tableauEnd; number < variant.foundationEnd; number += 1) {
      if (foundationRefusal(position, number, card) === null) {
        piles[number]?.push(card);
        return true;
      }
    }
    return false;
  };

  const setAside = readRank(layout.set_aside);
  if (setAside) {
    const bases = cards.filter((card) => rankOf(card) === setAside).slice(0, layout.set_aside_count ?? undefined);
    for (const card of bases.sort((a, b) => a - b)) {
      left.splice(left.lastIndexOf(card), 1);
      playUp(card);
    }
  }

  const fillSlot = (/** @type {any} */ step, /** @type {number} */ number) => {
    const replace = readRank(step.replace);
    let card = /** @type {number} */ (left.pop());
    if (step.play_up && playUp(card)) {
      while (replace && rankOf(card) === replace) {
        card = /** @type {number} */ (left.pop());
        if (!playUp(card)) {
          piles[number]?.push(card);
          return;
        }
      }
      return;
    }
    piles[number]?.push(card);
  };

  for (const step of layout.steps) {
    if (step.to === "stock") {
      piles[variant.stock] = left.splice(0);
    } else if (step.to === "foundation") {
      const card = /** @type {number} */ (left.pop());
      base = rankOf(card);
      playUp(card);
    } else {
      const first = { tableau: 0, cells: variant.foundationEnd, reserve: variant.cellEnd }[/** @type {"cells"} */ (step.to)];
      const slots = step.sizes.map((/** @type {number} */ _, /** @type {number} */ slot) => slot);
      if (step.from === "right") slots.reverse();
      for (let row = 0; row < Math.max(...step.sizes); row += 1) {
        for (const slot of slots) {
          if (row >= step.sizes[slot]) continue;
          fillSlot(step, first + slot);
          if (step.face === "down") down[slot] = piles[slot]?.length ?? 0;
        }
      }
    }
  }
  const sunk = readRank(layout.sink);
  if (sunk) for (const pile of piles.slice(0, variant.tableauEnd)) sink(pile, sunk, layout.sink_mode);
  return { variant, piles, down, passes: 0, redeals: 0, base };
}

/**
 * Cards of the sinking rank go to the bottom of their pile.
 * @param {number[]} pile
 * @param {number} rank
 * @param {string|undefined} mode
 */
function sink(pile, rank, mode) {
  if (mode === "slide") {
    pile.sort((a, b) => Number(rankOf(a) !== rank) - Number(rankOf(b) !== rank));
    return;
  }
  pile.forEach((card, number) => {
    const lowest = pile.findIndex((other, low) => low < number && rankOf(other) !== rank);
    if (rankOf(card) === rank && lowest >= 0) {
      pile[number] = /** @type {number} */ (pile[lowest]);
      pile[lowest] = card;
    }
  });
}
