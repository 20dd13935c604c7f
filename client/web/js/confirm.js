/** Asks once before something that can't be taken back. Escape and the second button keep things as they are. */

import { html } from "./lit.js";
import { openDialog } from "./dialog.js";

/** @param {{title: string, text: string, yes: string, no: string, then: () => void}} question */
export function confirmOnce({ title, text, yes, no, then }) {
  const dialog = openDialog(
    "confirm-title",
    html`<form method="dialog"><h2 id="confirm-title">${title}</h2><p>${text}</p>
      <div class="row end"><button class="button" value="no" autofocus>${no}</button><button class="button is-main" value="yes">${yes}</button></div></form>`,
  );
  dialog.addEventListener("close", () => dialog.returnValue === "yes" && then());
}
