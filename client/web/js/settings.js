/** What the player chose, kept on this device only. */

const KEY = "ramparts.settings";

/** @type {Settings} */
export const DEFAULTS = {
  theme: "auto",
  felt: "green",
  faces: "classic",
  colours: "two",
  index: "normal",
  form: "auto",
  leftHanded: false,
  motion: "on",
  sounds: false,
  timer: true,
  autoplay: false,
  oneTap: true,
  language: "",
};

/** What this device keeps; nothing where it keeps nothing. @param {string} key @returns {any} */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
export function keep(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A device that keeps nothing: it holds for this visit.
  }
}

/** @returns {Settings} */
export const loadSettings = () => ({ ...DEFAULTS, ...recall(KEY) });

/** @param {Settings} settings */
export const saveSettings = (settings) => keep(KEY, settings);

/** Puts the look of the settings on the page. @param {Settings} settings */
export function applySettings(settings) {
  const { dataset } = document.documentElement;
  /** @type {[string, string, string][]} */
  const marks = [
    ["theme", settings.theme, "auto"],
    ["felt", settings.felt, "green"],
    ["colours", settings.colours, "two"],
    ["motion", settings.motion, "on"],
    ["hand", settings.leftHanded ? "left" : "", ""],
  ];
  for (const [name, value, usual] of marks) {
    if (value === usual) delete dataset[name];
    else dataset[name] = value;
  }
}

/** The folder of card art for the settings; empty for plain faces. @param {Settings} settings */
export const deckOf = (settings) => (settings.faces === "plain" ? "" : settings.colours === "four" ? "4color" : "2color");
