/** The one way to the vendored lit-html. */

export { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
export { repeat } from "../vendor/lit-html/directives/repeat.js";
