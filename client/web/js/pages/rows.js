/** Rows of a board as a table, with what stands there while it loads, when it is empty and when it can't be had. */

import { html, nothing } from "../lit.js";
import { formatNumber, formatTime, has, t } from "../words.js";

/** @param {App} app @param {{value: any, error: ApiError|null}} board @param {string} empty */
export function boardRows(app, board, empty) {
  if (board.error) return html`<p class="soft">${problemWords(board.error)}</p>`;
  if (!board.value) return html`<p class="soft" role="status">${t("loading")}</p>`;
  if (board.value.rows.length === 0) return html`<p class="soft">${empty}</p>`;
  return rowsTable(app, board.value.rows);
}

/**
 * The rows, and mine below them where it is not among them.
 * @param {App} app @param {any[]} rows @param {any} [mine]
 */
export function rowsTable(app, rows, mine = null) {
  const isApart = mine && !rows.some((row) => row.player.id === mine.player.id);
  const shown = isApart ? [...rows, mine] : rows;
  const me = app.state.player?.id;
  const hasPoints = rows.some((row) => row.points != null);
  return html`<div class="wide"><table class="list"><thead><tr><th scope="col">${t("col.place")}</th><th scope="col">${t("col.player")}</th>
      ${hasPoints ? html`<th scope="col">${t("col.points")}</th>` : html`<th scope="col">${t("col.cards")}</th><th scope="col">${t("col.time")}</th>`}</tr></thead>
    <tbody>${shown.map(
      (row) => html`<tr class="${row.player.id === me ? "is-me" : ""} ${isApart && row === mine ? "is-apart" : ""}"><td>${row.place}</td>
        <td class="cut"><div class="who"><span class="cut" title=${row.player.name}>${row.player.guest ? row.player.name : html`<a href="/player/${encodeURIComponent(row.player.name)}">${row.player.name}</a>`}</span>
          ${row.review ? html`<span class="tag">${t("boards.review")}</span>` : nothing}</div></td>
        ${hasPoints ? html`<td>${formatNumber(row.points ?? 0)}</td>` : html`<td>${row.cards ?? ""}</td><td>${row.at_ms == null ? "" : formatTime(row.at_ms, { tenths: true })}</td>`}</tr>`,
    )}</tbody></table></div>`;
}

/** Why something can't be had, and the way to ask for it again. @param {ApiError} error @param {() => void} again */
export const failed = (error, again) =>
  html`<p class="row" role="alert"><span class="soft">${problemWords(error)}</span><button class="button" type="button" @click=${again}>${t("again")}</button></p>`;

/** @param {ApiError} error */
export function problemWords(error) {
  const key = `error.${error.code}`;
  return has(key) ? t(key) : error.message || t("error.internal");
}
