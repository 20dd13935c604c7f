/** A way to report something odd or an idea, from every page; stored with the race and the page's version. */

import { html, nothing, render } from "./lit.js";
import { openDialog } from "./dialog.js";
import { ApiError } from "./http.js";
import { problemWords } from "./pages/rows.js";
import { findRace } from "./state.js";
import { t } from "./words.js";

/** @param {App} app */
export function openReport(app) {
  const [, kind, name = ""] = location.pathname.split("/");
  const race = kind === "race" || kind === "r" ? findRace(app.state, decodeURIComponent(name))?.id : undefined;
  let isSent = false;
  let problem = "";
  const send = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const text = String(form.get("text") ?? "").trim();
    if (!text) return;
    problem = "";
    try {
      await app.http.post("reports", {
        reason: String(form.get("reason")),
        text: `${text}\n\n${location.pathname} · ${version()}`,
        ...(race ? { race } : {}),
      });
      isSent = true;
    } catch (error) {
      problem = error instanceof ApiError && error.code !== "offline" ? problemWords(error) : t("report.failed");
    }
    render(content(), dialog);
  };
  const content = () => html`<form @submit=${send}>
        <h2 id="report-title">${t("report.title")}</h2>
        ${isSent
          ? html`<p role="status">${t("report.thanks")}</p>`
          : html`<label>${t("report.kind")}
                <select name="reason">
                  <option value="fault">${t("report.bug")}</option>
                  <option value="other">${t("report.idea")}</option>
                  <option value="behaviour">${t("report.behaviour")}</option>
                </select></label>
              <label>${t("report.text")}<textarea name="text" rows="5" maxlength="900" required></textarea></label>
              ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}`}
        <div class="row end">
          <button class="button" type="button" @click=${() => dialog.close()}>${t(isSent ? "close" : "cancel")}</button>
          ${isSent ? nothing : html`<button class="button is-main" type="submit">${t("report.send")}</button>`}
        </div>
      </form>`;
  const dialog = openDialog("report-title", content());
}

/** The version of this page: the folder that its parts come from. */
export const version = () => /\/app\/([0-9a-f]+)\//.exec(import.meta.url)?.[1] ?? "dev";
