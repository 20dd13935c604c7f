/** Dialogs over the page. */

import { render } from "./lit.js";

/** Opens a dialog, gone once it is closed. @param {string} id of its heading @param {unknown} content @param {string} [className] */
export function openDialog(id, content, className = "") {
  const dialog = document.createElement("dialog");
  dialog.className = `dialog ${className}`;
  dialog.setAttribute("aria-labelledby", id);
  dialog.addEventListener("close", () => dialog.remove());
  render(content, dialog);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
