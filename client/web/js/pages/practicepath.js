/** Where to practise what a player has typed. */

/** Numbers below it are dealt alike by both numberings; ours is written `ms`. */
const PYSOL_FROM = 32_000;

/**
 * The address of practice on a number, a seed with its numbering, or a whole deal code; on a deal of the server's choice
 * if nothing was typed.
 * @param {string} variant the game, where what was typed does not name one
 * @param {string} typed
 */
export function practicePath(variant, typed) {
  const text = typed.trim();
  if (text === "") return `/practice/${variant}`;
  const number = text.replace(/^0+(?=\d)/, "");
  const seed = /^\d+$/.test(text) ? `${Number(number) < PYSOL_FROM ? "ms" : "pysol"}:${number}` : text;
  return `/practice/${encodeURIComponent(seed.split(":").length === 3 ? seed : `${variant}:${seed}`)}`;
}
