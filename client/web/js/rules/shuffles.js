/** The numberings: how a seed text becomes the order in which cards are dealt. `docs/deals.md` states each exactly. */

import { parseCard } from "./cards.js";
import { sha256 } from "./sha256.js";

const MS_LAST = 2n ** 31n - 1n;
const PYSOL_LAST = 10n ** 20n;
const PYSOL_AS_MS_LAST = 31999n;
const NUMBER = /^[1-9][0-9]{0,20}$/;
const R1_SEED = /^[a-z2-7]{25}[aeimquy4]$/;

/** A deck written out, without spaces. */
const WRITTEN = /^(?:[A23456789TJQK][CSHD])+$/;

export const GENERATORS = ["ms", "pysol", "r1", "cards"];

/**
 * Whether a seed can be dealt: each has exactly one text.
 * @param {string} generator
 * @param {string} seed
 */
export function isSeed(generator, seed) {
  if (generator === "r1") return R1_SEED.test(seed);
  if (generator === "cards") return WRITTEN.test(seed);
  const last = { ms: MS_LAST, pysol: PYSOL_LAST }[generator];
  return last !== undefined && NUMBER.test(seed) && BigInt(seed) <= last;
}

/**
 * The shuffled cards, the one dealt first first.
 * @param {string} generator
 * @param {string} seed
 * @param {number} decks
 * @returns {number[]}
 */
export function deck(generator, seed, decks) {
  if (!isSeed(generator, seed)) throw new RangeError(`no seed: ${generator}:${seed}`);
  if (generator === "cards") return writtenDeck(seed, decks);
  if (generator === "r1") return shuffleByHash(seed, decks);
  if (generator === "ms" || BigInt(seed) <= PYSOL_AS_MS_LAST) return shuffleByCongruence(Number(seed), decks);
  return shuffleByTwister(BigInt(seed), decks);
}

/**
 * An r1 seed of 16 random bytes: base32 in lower case without padding.
 * @param {Uint8Array} entropy
 */
export function r1Seed(entropy) {
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  let bits = entropy.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n) << 2n;
  let text = "";
  for (let letter = 0; letter < 26; letter += 1, bits >>= 5n) text = alphabet[Number(bits & 31n)] + text;
  return text;
}

/** @param {string} seed @param {number} decks */
function writtenDeck(seed, decks) {
  const cards = (seed.match(/../g) ?? []).map(parseCard);
  const isWhole = cards.length === 52 * decks && new Set(cards).size === 52;
  if (!isWhole) throw new RangeError("not a whole deck");
  return cards;
}

/** @param {number} decks */
function packs(decks) {
  return Array.from({ length: 52 * decks }, (_, number) => number % 52);
}

/**
 * Fisher–Yates from the end.
 * @param {number[]} cards
 * @param {(bound: number) => number} draw gives a number below its bound
 */
function swapDown(cards, draw) {
  for (let last = cards.length - 1; last > 0; last -= 1) {
    const other = draw(last + 1);
    const card = /** @type {number} */ (cards[last]);
    cards[last] = /** @type {number} */ (cards[other]);
    cards[other] = card;
  }
  return cards;
}

/** @param {number} seed @param {number} decks */
function shuffleByCongruence(seed, decks) {
  const cards =
    decks === 1
      ? Array.from({ length: 52 }, (_, number) => 13 * [0, 3, 2, 1][number % 4] + Math.floor(number / 4))
      : packs(decks);
  let state = seed;
  const draw = (/** @type {number} */ bound) => {
    state = (Math.imul(state, 214013) + 2531011) & 0x7fffffff;
    return (state >> 16) % bound;
  };
  return swapDown(cards, draw).reverse();
}

/** @param {bigint} seed @param {number} decks */
function shuffleByTwister(seed, decks) {
  const next = twisterWords(seed);
  const draw = (/** @type {number} */ bound) => {
    const high = next() >>> 5;
    const low = next() >>> 6;
    return Math.floor(((high * 67108864 + low) / 9007199254740992) * bound);
  };
  return swapDown(packs(decks), draw).reverse();
}

/** @param {string} seed @param {number} decks */
function shuffleByHash(seed, decks) {
  const next = hashWords(seed);
  const draw = (/** @type {number} */ bound) => {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    let word = next();
    while (word >= limit) word = next();
    return word % bound;
  };
  return swapDown(packs(decks), draw);
}

/**
 * 32-bit words, big-endian, of SHA-256 over `ramparts r1`, the seed and a counter, each on its line.
 * @param {string} seed
 */
function hashWords(seed) {
  /** @type {number[]} */
  let words = [];
  let counter = 0;
  return () => {
    if (words.length === 0) {
      words = sha256(`ramparts r1\n${seed}\n${counter}`);
      counter += 1;
    }
    return /** @type {number} */ (words.shift());
  };
}

/**
 * MT19937 seeded by array (Matsumoto and Nishimura 2002, `init_by_array`).
 * @param {bigint} seed
 */
function twisterWords(seed) {
  const state = twisterStart(seed);
  let at = 624;
  const word = (/** @type {number} */ i) => /** @type {number} */ (state[i]);
  return () => {
    if (at === 624) {
      for (let i = 0; i < 624; i += 1) {
        const mixed = (word(i) & 0x80000000) | (word((i + 1) % 624) & 0x7fffffff);
        state[i] = word((i + 397) % 624) ^ (mixed >>> 1) ^ (mixed & 1 ? 0x9908b0df : 0);
      }
      at = 0;
    }
    let tempered = word(at);
    at += 1;
    tempered ^= tempered >>> 11;
    tempered ^= (tempered << 7) & 0x9d2c5680;
    tempered ^= (tempered << 15) & 0xefc60000;
    return (tempered ^ (tempered >>> 18)) >>> 0;
  };
}

/** @param {bigint} seed */
function twisterStart(seed) {
  const key = [];
  for (let rest = seed; rest > 0n || key.length === 0; rest >>= 32n) key.push(Number(rest & 0xffffffffn));
  const state = new Uint32Array(624);
  const word = (/** @type {number} */ i) => /** @type {number} */ (state[i]);
  const mix = (/** @type {number} */ i, /** @type {number} */ factor) =>
    Math.imul(word(i) ^ (word(i) >>> 30), factor);
  state[0] = 19650218;
  for (let i = 1; i < 624; i += 1) state[i] = mix(i - 1, 1812433253) + i;
  let i = 1;
  let j = 0;
  const step = () => {
    i += 1;
    if (i === 624) {
      state[0] = word(623);
      i = 1;
    }
  };
  for (let round = 0; round < Math.max(624, key.length); round += 1) {
    state[i] = (word(i) ^ mix(i - 1, 1664525)) + /** @type {number} */ (key[j]) + j;
    step();
    j = (j + 1) % key.length;
  }
  for (let round = 0; round < 623; round += 1) {
    state[i] = (word(i) ^ mix(i - 1, 1566083941)) - i;
    step();
  }
  state[0] = 0x80000000;
  return state;
}
