/** Which page stands at which address; each is loaded when it is first opened. */

/** @typedef {{load: () => Promise<{default: any}>, params: Record<string, string>}} Route */

/** @type {[string, () => Promise<{default: any}>][]} */
const ROUTES = [
  ["/", () => import("./pages/home.js")],
  ["/race/:race", () => import("./pages/race.js")],
  ["/r/:race", () => import("./pages/race.js")],
  ["/daily", () => import("./pages/daily.js")],
  ["/daily/:date", () => import("./pages/daily.js")],
  ["/practice", () => import("./pages/practice.js")],
  ["/practice/:deal", () => import("./pages/practice.js")],
  ["/replay/:race", () => import("./pages/replay.js")],
  ["/boards", () => import("./pages/boards.js")],
  ["/boards/:board", () => import("./pages/boards.js")],
  ["/archive", () => import("./pages/archive.js")],
  ["/archive/:variant", () => import("./pages/archive.js")],
  ["/archive/:variant/:month", () => import("./pages/archive.js")],
  ["/player/:name", () => import("./pages/player.js")],
  ["/me", () => import("./pages/player.js")],
  ["/games", () => import("./pages/games.js")],
  ["/games/:variant", () => import("./pages/guide.js")],
  ["/settings", () => import("./pages/settings.js")],
  ["/about", () => import("./pages/about.js")],
];

/** The page of a path, with what its address names. @param {string} path @returns {Route|null} */
export function findRoute(path) {
  const steps = path.replace(/\/+$/, "").split("/");
  for (const [pattern, load] of ROUTES) {
    const wanted = pattern.replace(/\/$/, "").split("/");
    if (wanted.length !== steps.length) continue;
    /** @type {Record<string, string>} */
    const params = {};
    const fits = wanted.every((part, number) => {
      const step = steps[number] ?? "";
      if (!part.startsWith(":")) return part === step;
      params[part.slice(1)] = decode(step);
      return step !== "";
    });
    if (fits) return { load, params };
  }
  return null;
}

/** @param {string} step */
function decode(step) {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
