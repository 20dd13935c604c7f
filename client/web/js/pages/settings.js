/** Who one is: a name to claim, a way back, one's data; and the settings, kept on this device. */

import { html, nothing } from "../lit.js";
import { confirmOnce } from "../confirm.js";
import { download } from "../download.js";
import { isSignedOut } from "../frame.js";
import { keep } from "../settings.js";
import { LANGUAGES, t } from "../words.js";
import { ApiError } from "../http.js";
import { problemWords } from "./rows.js";

/** @type {[keyof Settings, string[]][]} */
const CHOICES = [
  ["theme", ["auto", "dark", "light", "contrast"]],
  ["felt", ["green", "blue", "slate", "wine"]],
  ["faces", ["classic", "plain"]],
  ["colours", ["two", "four"]],
  ["index", ["normal", "large"]],
  ["form", ["auto", "columns", "wings"]],
  ["motion", ["on", "off"]],
];
/** @type {(keyof Settings)[]} */
const SWITCHES = ["oneTap", "autoplay", "timer", "sounds", "leftHanded"];
/** The most characters that the server takes. */
const NAME_MOST = 20;

export default class SettingsPage {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.problem = "";
    this.code = "";
  }

  title() {
    return t("nav.settings");
  }

  /** @param {() => Promise<void>} run */
  async try(run) {
    this.problem = "";
    try {
      await run();
    } catch (error) {
      this.problem = error instanceof ApiError ? problemWords(error) : t("error.internal");
    }
    this.app.refresh();
  }

  /** What was wrong is being corrected. */
  correct() {
    this.problem = "";
    this.app.refresh();
  }

  /** @param {SubmitEvent} event */
  claim(event) {
    event.preventDefault();
    const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name")).trim();
    return this.try(async () => {
      if ([...name.normalize()].length > NAME_MOST) throw new ApiError("name_too_long", "", 0);
      this.code = (await this.app.http.post("players/me/claim", { name })).recovery_code;
      this.app.connection.restart();
    });
  }

  /** @param {SubmitEvent} event */
  recover(event) {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    return this.try(async () => {
      const { token } = await this.app.http.post("players/recover", { name: form.get("name"), code: form.get("code") });
      this.app.token.write(token);
      this.app.connection.restart();
    });
  }

  async exported() {
    const data = await this.app.http.get("players/me/export");
    download("ramparts.json", JSON.stringify(data, null, 2), "application/json");
  }

  remove() {
    confirmOnce({
      title: t("me.delete.title"),
      text: t("me.delete.text"),
      yes: t("me.delete"),
      no: t("cancel"),
      then: () =>
        void this.try(async () => {
          await this.app.http.call("DELETE", "players/me");
          keep("ramparts.token", null);
          this.app.connection.restart();
        }),
    });
  }

  render() {
    const { settings, state } = this.app;
    const isOut = isSignedOut(this.app);
    return html`<div class="stack"><h1>${t("nav.settings")}</h1>
      <div class="grid two">
        <section class="panel" @input=${() => this.correct()}><h2>${t("me.title")}</h2>
          ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
          ${isOut ? nothing : state.player ? html`<p>${t(state.player.guest ? "me.guest" : "me.named", { name: state.player.name })} <a href="/me">${t("mine.title")}</a></p>` : html`<p class="soft">${t("me.offline")}</p>`}
          ${this.code ? html`<div class="code-box" role="status"><p>${t("me.code")}</p><p class="hash">${this.code}</p></div>` : nothing}
          ${!isOut && state.player?.guest
            ? html`<form class="stack-s" @submit=${(/** @type {SubmitEvent} */ event) => this.claim(event)}><label for="name">${t("me.name")}<input id="name" name="name" minlength="2" required autocomplete="nickname" /></label><button class="button is-main" type="submit">${t("me.claim")}</button></form>`
            : nothing}
          ${isOut || state.player?.guest
            ? html`<details ?open=${isOut}><summary>${t("me.recover")}</summary><form class="stack-s" @submit=${(/** @type {SubmitEvent} */ event) => this.recover(event)}>
                  <label for="r-name">${t("me.name")}<input id="r-name" name="name" required autocomplete="username" /></label><label for="r-code">${t("me.recovery_code")}<input id="r-code" name="code" required autocomplete="off" /></label>
                  <p class="soft small">${t("me.recover.text")}</p>
                  <button class="button" type="submit">${t("me.recover.do")}</button></form></details>`
            : nothing}
          ${isOut
            ? nothing
            : html`<div class="row wrap"><button class="button" type="button" @click=${() => this.try(() => this.exported())}>${t("me.export")}</button>
                <button class="button" type="button" @click=${() => this.remove()}>${t("me.delete")}</button></div>`}</section>
        <section class="panel"><h2>${t("settings.table")}</h2>
          ${CHOICES.map(([name, values]) => html`<fieldset class="tabs"><legend>${t(`settings.${name}`)}</legend>${values.map(
            (value) => html`<label class="tab ${settings[name] === value ? "is-on" : ""}"><input class="unseen" type="radio" name=${name} .checked=${settings[name] === value} @change=${() => this.app.choose({ [name]: value })} />${t(`settings.${name}.${value}`)}</label>`,
          )}</fieldset>`)}
          ${SWITCHES.map((name) => html`<label class="check"><input type="checkbox" .checked=${settings[name] === true} @change=${(/** @type {any} */ event) => this.app.choose({ [name]: event.target.checked })} /><span>${t(`settings.${name}`)}<span class="soft small block">${t(`settings.${name}.text`)}</span></span></label>`)}
          <label for="language">${t("settings.language")}<select id="language" @change=${(/** @type {any} */ event) => this.app.choose({ language: event.target.value })}>
            <option value="" ?selected=${settings.language === ""}>${t("settings.language.auto")}</option>
            ${Object.entries(LANGUAGES).filter(([code]) => code !== "x-rtl").map(([code, name]) => html`<option value=${code} ?selected=${settings.language === code}>${name}</option>`)}</select></label>
        </section>
      </div></div>`;
  }
}
