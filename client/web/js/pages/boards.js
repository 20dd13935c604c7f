/** Boards: a day, a week, a month, all time, by variant; pages, and my own row. */

import { html, nothing } from "../lit.js";
import { Fetched } from "../http.js";
import { formatDate, formatDay, t } from "../words.js";
import { GRADES } from "../play/deallabel.js";
import { Paged } from "./paged.js";
import { boardRows, rowsTable } from "./rows.js";

const SPANS = ["day", "week", "month", "best"];
const KINDS = ["ranked", "open", "bots"];
const UNGRADED = "ungraded";
/** Quick matches and midweek dailies are of this difficulty: most times are there. */
const USUAL_GRADE = "3";

/** `2026-W48` of a day. @param {Date} date */
export function weekOf(date) {
  const day = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()));
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7));
  const first = Date.UTC(day.getUTCFullYear(), 0, 1);
  return `${day.getUTCFullYear()}-W${String(Math.ceil(((day.getTime() - first) / 86_400_000 + 1) / 7)).padStart(2, "0")}`;
}

/** Whom a span has boards for: those who are not ranked are on a day's only. @param {string} span */
const kindsOf = (span) => (span === "day" ? KINDS : KINDS.filter((kind) => kind !== "open"));

/** The name of a board. @param {string} span @param {string} variant @param {string} kind @param {Date} now @param {string} [grade] */
export function boardName(span, variant, kind, now, grade = UNGRADED) {
  const date = now.toISOString();
  const suffix = kind === "ranked" || !kindsOf(span).includes(kind) ? "" : `:${kind}`;
  switch (span) {
    case "week":
      return `week:${weekOf(now)}:${variant}${suffix}`;
    case "month":
      return `month:${date.slice(0, 7)}:${variant}${suffix}`;
    case "best":
      return `best:${variant}:${grade}${suffix}`;
    default:
      return `day:${date.slice(0, 10)}:${variant}${suffix}`;
  }
}

export default class BoardsPage {
  /** @param {App} app @param {{board?: string}} params */
  constructor(app, { board = "" }) {
    this.app = app;
    const parts = board.split(":");
    this.span = SPANS.includes(parts[0] ?? "") ? (parts[0] ?? "day") : "day";
    this.variant = (this.span === "best" ? parts[1] : parts[2]) ?? app.catalogue.featured;
    this.grade = (this.span === "best" ? parts[2] : "") || USUAL_GRADE;
    this.kind = KINDS.includes(parts[3] ?? "") ? (parts[3] ?? "open") : board ? "ranked" : "open";
    this.board = board || boardName(this.span, this.variant, this.kind, new Date());
    const path = `boards/${encodeURIComponent(this.board)}`;
    this.list = new Paged(app, `${path}?limit=50`);
    // Who comes to this server for the first time has no row, and no token to ask for it with.
    this.mine = app.token.read() ? new Fetched(app.http.get(`${path}?around=me`), () => app.refresh()) : null;
  }

  title() {
    return t("nav.boards");
  }

  /** @param {{span?: string, variant?: string, kind?: string, grade?: string}} change */
  pick(change) {
    Object.assign(this, change);
    if (!kindsOf(this.span).includes(this.kind)) this.kind = "ranked";
    this.app.go(`/boards/${boardName(this.span, this.variant, this.kind, new Date(), this.grade)}`, { replace: true });
  }

  /** @param {string} name @param {string[]} values @param {string} value @param {(value: string) => void} pick @param {boolean} isNamed */
  tabs(name, values, value, pick, isNamed = false) {
    return html`<fieldset class="tabs"><legend class=${isNamed ? "" : "unseen"}>${t(`boards.${name}`)}</legend>${values.map(
      (each) => html`<label class="tab ${each === value ? "is-on" : ""}"><input class="unseen" type="radio" name=${name} .checked=${each === value} @change=${() => pick(each)} />${t(`boards.${name}.${each}`)}</label>`,
    )}</fieldset>`;
  }

  /** The day, week or month that the board is of. */
  period() {
    const [, text = ""] = this.board.split(":");
    const [year = "", week = ""] = text.split("-W");
    if (this.span === "day" && /^\d{4}-\d\d-\d\d$/.test(text)) return formatDay(text, { dateStyle: "full" });
    if (this.span === "week") return t("boards.week", { week: String(Number(week)), year });
    if (this.span === "month" && /^\d{4}-\d\d$/.test(text)) return formatDay(`${text}-01`, { month: "long", year: "numeric" });
    return t(`boards.span.${this.span}`);
  }

  /** What its rows are ordered by. */
  rule() {
    if (this.span === "day") return t("about.ranks.text");
    return t(this.span === "best" ? "boards.rule.best" : "boards.rule.points");
  }

  render() {
    const { app, list, mine } = this;
    const { value } = list;
    const me = mine?.value?.rows.find((/** @type {any} */ row) => row.player.id === app.state.player?.id);
    const rows = list.pages.flatMap((page) => page.rows);
    return html`<div class="stack"><h1>${t("nav.boards")}</h1>
      <div class="row wrap">${this.tabs("span", SPANS, this.span, (span) => this.pick({ span }))} ${this.tabs("kind", kindsOf(this.span), this.kind, (kind) => this.pick({ kind }))}</div>
      ${this.span === "best" ? this.tabs("grade", [...GRADES, UNGRADED], this.grade, (grade) => this.pick({ grade }), true) : nothing}
      <label for="board-variant" class="narrow">${t("home.game")}<select id="board-variant" @change=${(/** @type {any} */ event) => this.pick({ variant: event.target.value })}>
        ${app.catalogue.ranked().map((record) => html`<option value=${record["id"]} ?selected=${record["id"] === this.variant}>${record["name"]}</option>`)}</select></label>
      <section class="panel" aria-label=${t("boards.rows")}>
        <header><h2>${this.period()}</h2><p class="soft small">${t(`boards.kind.text.${this.kind}`)}</p></header>
        ${me ? html`<p class="my-row">${t("boards.mine", { place: me.place, total: value?.total ?? 0 })}</p>` : nothing}
        ${rows.length ? rowsTable(app, rows, me) : list.error ? nothing : boardRows(app, list, t("boards.empty"))}
        ${list.more("boards.more")}
        ${value ? html`<p class="soft small">${t("boards.as_of", { time: formatDate(value.as_of, { timeStyle: "medium" }) })} ${this.rule()}</p>` : nothing}
      </section></div>`;
  }
}
