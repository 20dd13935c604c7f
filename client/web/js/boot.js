// Before the first paint: the theme, the text's direction and language that were chosen on this device.
(() => {
  /** @type {{theme?: string, motion?: string}} */
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem("ramparts.settings") ?? "{}") ?? {};
  } catch {
    // A device that keeps nothing gets the defaults.
  }
  const root = document.documentElement;
  if (chosen.theme === "dark" || chosen.theme === "light" || chosen.theme === "contrast") root.dataset.theme = chosen.theme;
  if (chosen.motion === "off") root.dataset.motion = "off";
})();
