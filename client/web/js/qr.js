/** QR codes for links: byte mode, error correction M, versions 1 to 6 (ISO/IEC 18004), drawn as one SVG path. */

import { html, nothing, svg } from "./lit.js";

const TOTAL = [26, 44, 70, 100, 134, 172];
const CHECK = [10, 16, 26, 18, 24, 16];
const BLOCKS = [1, 1, 1, 2, 2, 4];
const QUIET = 4;

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power += 1) {
  EXP[power] = value;
  EXP[power + 255] = value;
  LOG[value] = power;
  value = value & 128 ? (value << 1) ^ 0x11d : value << 1;
}

/** @param {number} a @param {number} b */
const times = (a, b) => (a && b ? (EXP[(LOG[a] ?? 0) + (LOG[b] ?? 0)] ?? 0) : 0);

/** @param {number[]} data @param {number} count */
function checkBytes(data, count) {
  let divisor = [1];
  for (let power = 0; power < count; power += 1) {
    const next = [...divisor, 0];
    divisor.forEach((factor, at) => {
      next[at + 1] = (next[at + 1] ?? 0) ^ times(factor, EXP[power] ?? 0);
    });
    divisor = next;
  }
  const rest = [...data, ...Array(count).fill(0)];
  for (let at = 0; at < data.length; at += 1) {
    const factor = rest[at] ?? 0;
    divisor.forEach((each, offset) => {
      rest[at + offset] = (rest[at + offset] ?? 0) ^ times(each, factor);
    });
  }
  return rest.slice(data.length);
}

/** @param {Uint8Array} bytes @param {number} version from 0 */
function codewords(bytes, version) {
  const blocks = BLOCKS[version] ?? 1;
  const room = (TOTAL[version] ?? 0) - (CHECK[version] ?? 0) * blocks;
  let bits = `0100${bytes.length.toString(2).padStart(8, "0")}`;
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  bits += "0".repeat(Math.min(4, room * 8 - bits.length));
  bits += "0".repeat((8 - (bits.length % 8)) % 8);
  const data = (bits.match(/.{8}/g) ?? []).map((each) => parseInt(each, 2));
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad);
  const size = Math.floor(room / blocks);
  const longer = room % blocks;
  const parts = Array.from({ length: blocks }, (_, block) => {
    const start = block * size + Math.max(0, block - (blocks - longer));
    return data.slice(start, start + size + Number(block >= blocks - longer));
  });
  const checks = parts.map((part) => checkBytes(part, CHECK[version] ?? 0));
  const woven = [];
  for (let at = 0; at <= size; at += 1) for (const part of parts) if (at < part.length) woven.push(part[at] ?? 0);
  for (let at = 0; at < (CHECK[version] ?? 0); at += 1) for (const part of checks) woven.push(part[at] ?? 0);
  return woven;
}

/** The dark modules of a text, row by row; null if it is too long. @param {string} text @returns {boolean[][]|null} */
export function qrModules(text) {
  const bytes = new TextEncoder().encode(text);
  const version = TOTAL.findIndex((total, at) => bytes.length + 2 <= total - (CHECK[at] ?? 0) * (BLOCKS[at] ?? 1));
  if (version < 0) return null;
  const size = 21 + 4 * version;
  /** @type {(boolean|null)[][]} */
  const fixed = Array.from({ length: size }, () => Array(size).fill(null));
  drawPatterns(fixed, version);
  const words = codewords(bytes, version);
  let best = { cost: Infinity, modules: /** @type {boolean[][]} */ ([]) };
  for (let mask = 0; mask < 8; mask += 1) {
    const modules = fill(fixed, words, mask);
    const cost = penalty(modules);
    if (cost < best.cost) best = { cost, modules };
  }
  return best.modules;
}

/** @param {(boolean|null)[][]} grid @param {number} version */
function drawPatterns(grid, version) {
  const size = grid.length;
  const set = (/** @type {number} */ x, /** @type {number} */ y, /** @type {boolean} */ dark) => {
    const row = grid[y];
    if (row && x >= 0 && x < size) row[x] = dark;
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    for (let dy = -4; dy <= 4; dy += 1) {
      for (let dx = -4; dx <= 4; dx += 1) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set((cx ?? 0) + dx, (cy ?? 0) + dy, ring !== 2 && ring !== 4);
      }
    }
  }
  if (version > 0) {
    for (let dy = -2; dy <= 2; dy += 1) {
      for (let dx = -2; dx <= 2; dx += 1) set(size - 7 + dx, size - 7 + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }
  }
  for (let at = 0; at < 9; at += 1) {
    for (const [x, y] of [[8, at], [at, 8]]) if (grid[y ?? 0]?.[x ?? 0] === null) set(x ?? 0, y ?? 0, false);
  }
  for (let at = 0; at < 8; at += 1) {
    set(size - 1 - at, 8, false);
    set(8, size - 1 - at, false);
  }
  set(8, size - 8, true);
}

/** @param {(boolean|null)[][]} fixed @param {number[]} words @param {number} mask */
function fill(fixed, words, mask) {
  const size = fixed.length;
  const modules = fixed.map((row) => row.map((each) => each === true));
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const isUp = ((right + 1) & 2) === 0;
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (fixed[y]?.[x] !== null) continue;
        const word = words[bit >> 3] ?? 0;
        const dark = ((word >> (7 - (bit & 7))) & 1) === 1;
        const row = modules[y];
        if (row) row[x] = dark !== isMasked(mask, x, y);
        bit += 1;
      }
    }
  }
  drawFormat(modules, mask);
  return modules;
}

/** @param {number} mask @param {number} x @param {number} y */
function isMasked(mask, x, y) {
  switch (mask) {
    case 0:
      return (x + y) % 2 === 0;
    case 1:
      return y % 2 === 0;
    case 2:
      return x % 3 === 0;
    case 3:
      return (x + y) % 3 === 0;
    case 4:
      return (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0;
    case 5:
      return ((x * y) % 2) + ((x * y) % 3) === 0;
    case 6:
      return (((x * y) % 2) + ((x * y) % 3)) % 2 === 0;
    default:
      return (((x + y) % 2) + ((x * y) % 3)) % 2 === 0;
  }
}

/** Correction M is 00 in the format bits. @param {boolean[][]} modules @param {number} mask */
function drawFormat(modules, mask) {
  const size = modules.length;
  let rest = mask;
  for (let at = 0; at < 10; at += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const set = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ bit) => {
    const row = modules[y];
    if (row) row[x] = ((bits >> bit) & 1) === 1;
  };
  for (let bit = 0; bit < 15; bit += 1) {
    const along = bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit;
    set(8, along, bit);
    const across = bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit;
    set(across, 8, bit);
  }
  const row = modules[size - 8];
  if (row) row[8] = true;
}

/** @param {boolean[][]} modules */
function penalty(modules) {
  const size = modules.length;
  let cost = 0;
  const lines = [...modules, ...modules.map((_, x) => modules.map((row) => row[x] === true))];
  for (const line of lines) {
    const text = line.map((dark) => (dark ? "1" : "0")).join("");
    for (const run of text.match(/1{5,}|0{5,}/g) ?? []) cost += run.length - 2;
    for (const pattern of ["10111010000", "00001011101"]) {
      for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) cost += 40;
    }
  }
  for (let y = 1; y < size; y += 1) {
    for (let x = 1; x < size; x += 1) {
      const dark = modules[y]?.[x];
      if (dark === modules[y]?.[x - 1] && dark === modules[y - 1]?.[x] && dark === modules[y - 1]?.[x - 1]) cost += 3;
    }
  }
  const share = modules.flat().filter(Boolean).length / (size * size);
  return cost + Math.floor(Math.abs(share - 0.5) * 20) * 10;
}

/** The code as an SVG. @param {string} text */
export function qrOf(text) {
  const modules = qrModules(text);
  if (!modules) return nothing;
  const side = modules.length + 2 * QUIET;
  const path = modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : []))).join("");
  return html`<svg viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges" aria-hidden="true">${svg`<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d=${path} />`}</svg>`;
}
