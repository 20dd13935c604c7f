/** SHA-256 (FIPS 180-4) of a short ASCII text, at once: the browser's own is asynchronous and only on secure origins. */

const PRIMES = firstPrimes(64);
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/** @param {number} count */
function firstPrimes(count) {
  /** @type {number[]} */
  const primes = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime)) primes.push(number);
  }
  return primes;
}

/** The first 32 bits of the fraction. @param {number} root */
function fraction(root) {
  return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
}

/** @param {number} word @param {number} by */
const turn = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * Its eight words.
 * @param {string} text
 * @returns {number[]}
 */
export function sha256(text) {
  const bytes = [...text].map((letter) => letter.charCodeAt(0));
  const bits = bytes.length * 8;
  bytes.push(0x80);
  while (bytes.length % 64 !== 56) bytes.push(0);
  bytes.push(0, 0, 0, 0, bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255);
  let hash = [...START];
  for (let start = 0; start < bytes.length; start += 64) hash = compress(hash, bytes.slice(start, start + 64));
  return hash;
}

/** @param {number[]} hash @param {number[]} block @returns {number[]} */
function compress(hash, block) {
  const w = new Uint32Array(64);
  const at = (/** @type {number} */ i) => /** @type {number} */ (w[i]);
  for (let i = 0; i < 16; i += 1) {
    w[i] = block.slice(4 * i, 4 * i + 4).reduce((word, byte) => (word << 8) | byte, 0);
  }
  for (let i = 16; i < 64; i += 1) {
    const low = turn(at(i - 15), 7) ^ turn(at(i - 15), 18) ^ (at(i - 15) >>> 3);
    const high = turn(at(i - 2), 17) ^ turn(at(i - 2), 19) ^ (at(i - 2) >>> 10);
    w[i] = at(i - 16) + low + at(i - 7) + high;
  }
  let [a, b, c, d, e, f, g, h] = /** @type {[number,number,number,number,number,number,number,number]} */ (hash);
  for (let i = 0; i < 64; i += 1) {
    const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (ROUND[i] ?? 0) + at(i);
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + /** @type {number} */ (hash[i])) >>> 0);
}
