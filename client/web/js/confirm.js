/** Asks once before something that can't be taken back. Escape and the second button keep things as they are. */

import { html, render } from "../vendor/lit-html/lit-html.js";

/** @param {{title: string, text: string, yes: string, no: string, then: () => void}} question */
export function confirmOnce({ title, text, yes, no, then }) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-labelledby", "confirm-title");
  dialog.addEventListener("close", () => {
    const isYes = dialog.returnValue === "yes";
    dialog.remove();
    if (isYes) then();
  });
  render(
    html`<form method="dialog"><h2 id="confirm-title">${title}</h2><p>${text}</p>
      <div class="row end"><button class="button" value="no" autofocus>${no}</button><button class="button is-main" value="yes">${yes}</button></div></form>`,
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
}
