/** English: the catalogue that every other language is measured by. Plural forms end in `.one` and `.other`. */

import guides from "./guides.js";
import lost from "./lost.js";
import pages from "./pages.js";
import people from "./people.js";
import play from "./play.js";
import race from "./race.js";
import settings from "./settings.js";
import site from "./site.js";

/** @type {Record<string, string>} */
export default { ...guides, ...lost, ...pages, ...people, ...play, ...race, ...settings, ...site };
