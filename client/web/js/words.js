/**
 * The page's words: one catalogue a language, looked up by key. `{name}` is filled in; with `n` the form is picked by the
 * language's own rules for numbers. A key that a catalogue lacks falls back to English.
 */

import en from "./words/en/index.js";

/** @typedef {() => Promise<{default: Record<string, string>}>} Load */

/** @type {Record<string, {words: Load, games: Load}>} */
const CATALOGUES = {
  en: { words: () => import("./words/en/index.js"), games: () => import("./words/en/games.js") },
  de: { words: () => import("./words/de/index.js"), games: () => import("./words/de/games.js") },
};
const LOCALE = /^[a-z]{2}(-[A-Z]{2})?$/;
export const LANGUAGES = { en: "English", de: "Deutsch", "x-rtl": "‮Mirror‬" };

/** @type {Record<string, string>} */
let words = en;
let language = "en";
let hasGames = false;
let plural = new Intl.PluralRules("en");

/** The language in use. */
const currentLanguage = () => (language === "x-rtl" ? "en" : language);

/** The best of ours for what the browser asks for. @param {readonly string[]} wanted */
export function pickLanguage(wanted) {
  const known = wanted.map((each) => each.slice(0, 2).toLowerCase()).find((each) => each in CATALOGUES);
  return known ?? "en";
}

/** Takes a language into use; `x-rtl` is English set from right to left, to look at. @param {string} wanted */
export async function useLanguage(wanted) {
  const load = CATALOGUES[wanted]?.words;
  words = load ? { ...en, ...(await load()).default } : en;
  language = wanted in LANGUAGES ? wanted : "en";
  plural = new Intl.PluralRules(currentLanguage());
  document.documentElement.lang = currentLanguage();
  document.documentElement.dir = wanted === "x-rtl" ? "rtl" : "ltr";
  if (hasGames) await addGames();
}

/** Takes in what the guides say of single games. */
export async function addGames() {
  hasGames = true;
  const texts = [CATALOGUES["en"], CATALOGUES[currentLanguage()]].map(async (each) => (await each?.games())?.default);
  words = Object.assign({ ...words }, ...(await Promise.all(texts)));
}

/**
 * The words of a key.
 * @param {string} key
 * @param {Record<string, string|number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const { n } = values;
  const form = typeof n === "number" ? `${key}.${plural.select(n)}` : key;
  const text = words[form] ?? words[`${key}.other`] ?? words[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? formatNumber(value) : value;
  });
}

/** Whether a key has words. @param {string} key */
export const has = (key) => key in words;

/** @param {number} number */
export const formatNumber = (number) => new Intl.NumberFormat(currentLanguage()).format(number);

/** A part of a whole, to a tenth of a percent. @param {number} fraction */
export const formatPercent = (fraction) =>
  new Intl.NumberFormat(currentLanguage(), { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(fraction);

/** Noon of a day in UTC; NaN for one that no calendar has: of the thirtieth of February browsers make a day of March. @param {string} date */
function noonOf(date) {
  const ms = Date.parse(`${date}T12:00:00Z`);
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(date) ? NaN : ms;
}

/** Whether a calendar has this day. @param {string} date as `2026-11-30` */
export const isDay = (date) => !Number.isNaN(noonOf(date));

/** The language in use, in the browser's region where that is known, such as `en-GB`. */
const regional = () => navigator.languages.find((each) => LOCALE.test(each) && each.slice(0, 2) === currentLanguage()) ?? currentLanguage();

/** An instant on this device's calendar and clock. @param {number} ms @param {Intl.DateTimeFormatOptions} options */
export const formatDate = (ms, options) => new Intl.DateTimeFormat(regional(), options).format(ms);

/** A day of the dailies, which is UTC; what is no day, as it is. @param {string} date as `2026-11-30` @param {Intl.DateTimeFormatOptions} options */
export const formatDay = (date, options) => (isDay(date) ? formatDate(noonOf(date), { ...options, timeZone: "UTC" }) : date);

/** Minutes and seconds, hours where there are any; tenths for results. @param {number} ms @param {{tenths?: boolean}} [how] */
export function formatTime(ms, { tenths = false } = {}) {
  const whole = Math.max(0, tenths ? ms : Math.floor(ms / 1000) * 1000);
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor(whole / 60_000) % 60;
  const seconds = Math.floor(whole / 1000) % 60;
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const rest = tenths ? `.${Math.floor((whole % 1000) / 100)}` : "";
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds)}${rest}`;
}
