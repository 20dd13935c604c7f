/** What this is, how it ranks, what it keeps, and who drew the cards. */

import { html } from "../lit.js";
import { version } from "../report.js";
import { t } from "../words.js";

export default class AboutPage {
  title() {
    return t("foot.about");
  }

  render() {
    return html`<article class="stack read"><h1>${t("foot.about")}</h1>
      ${["what", "fair", "ranks", "keeps", "art"].map((key) => html`<section class="panel"><h2>${t(`about.${key}`)}</h2><p>${t(`about.${key}.text`)}</p></section>`)}
      <p class="soft small">${t("about.version", { version: version() })}</p></article>`;
  }
}
