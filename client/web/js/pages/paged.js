/** A list that comes by pages: those that came, why the next one did not, and the way to it. */

import { html, nothing } from "../lit.js";
import { Fetched } from "../http.js";
import { t } from "../words.js";
import { failed } from "./rows.js";

export class Paged {
  /** @param {App} app @param {string} path with a `limit`; a page names the `next` one by its cursor */
  constructor(app, path) {
    this.app = app;
    this.path = path;
    /** @type {any[]} */
    this.pages = [];
    this.isLoading = false;
    /** @type {ApiError|null} */
    this.error = null;
    this.load();
  }

  load() {
    if (this.isLoading) return;
    this.isLoading = true;
    const next = this.pages.at(-1)?.next;
    const page = new Fetched(this.app.http.get(this.path + (next ? `&cursor=${encodeURIComponent(next)}` : "")), () => {
      this.isLoading = false;
      this.error = page.error;
      if (page.value) this.pages.push(page.value);
      this.app.refresh();
    });
  }

  /** The first page, which tells of the list as a whole. */
  get value() {
    return this.pages[0] ?? null;
  }

  /** The button that brings the next page; after a failure, what was in its way. @param {string} words */
  more(words) {
    if (this.error) return failed(this.error, () => this.load());
    if (!this.pages.at(-1)?.next) return nothing;
    return html`<button class="button" type="button" ?disabled=${this.isLoading} @click=${() => this.load()}>${t(words)}</button>`;
  }
}
