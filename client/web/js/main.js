/** Starts the page: reads the records of the variants, makes the app, and keeps an offline copy where that is possible. */

import { App } from "./app.js";
import { Catalogue } from "./rules.js";

const answer = await fetch(new URL("../variants.json", import.meta.url));
const { variants, featured } = await answer.json();
const app = new App(new Catalogue(variants, featured));
await app.start();

const AFTER_MS = 2500;

/** Once the page has what it needs itself: the copy for later takes its time. */
function keepCopy() {
  /** @type {any} */
  const { trustedTypes } = /** @type {any} */ (window);
  const policy = trustedTypes?.createPolicy("ramparts", { createScriptURL: (/** @type {string} */ url) => (url === "/sw.js" ? url : "") });
  navigator.serviceWorker.register(policy ? policy.createScriptURL("/sw.js") : "/sw.js").catch(() => undefined);
}

if ("serviceWorker" in navigator) setTimeout(keepCopy, AFTER_MS);

export { app };
