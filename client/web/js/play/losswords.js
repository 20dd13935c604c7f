/** Where an attempt was lost, in sentences: each loss with its move and what mended it, par, the slowest cards. */

import { UNKNOWN, parseCard, parseMove, pileOf } from "../rules.js";
import { formatTime, has, t } from "../words.js";
import { shortCard } from "./cardwords.js";

const SLOWEST = 3;

/** One entry of a replay, as played on the position before it: `8♠ onto the 9♥`. @param {Position} before @param {string} what */
export function entryWords(before, what) {
  if (has(`entry.${what}`)) return t(`entry.${what}`);
  const move = parseMove(what);
  const source = pileOf(before, move.source);
  const target = pileOf(before, move.target);
  const card = shortCard(source[source.length - move.count] ?? UNKNOWN);
  if (move.target === "s") return t("entry.draw");
  if (move.target[0] === "f") return t("entry.up", { card });
  if (move.target[0] === "c") return t("entry.cell", { card });
  const under = target.at(-1);
  return under === undefined ? t("entry.space", { card }) : t("entry.onto", { card, under: shortCard(under) });
}

/** Short: how it stands with the attempt as a whole. @param {Analysis} analysis */
export function verdictWords(analysis) {
  const first = analysis.verdicts[0]?.verdict;
  const last = analysis.verdicts.at(-1)?.verdict;
  if (analysis.last_winnable === undefined) return t(first === "lost" ? "lost.never" : "lost.open");
  if (analysis.finished) {
    const { over_par: over = 0 } = analysis;
    return over > 0 ? t("lost.won.over", { n: over }) : t("lost.won.par");
  }
  if (analysis.losses.length === 0) return t(last === "winnable" ? "lost.not" : "lost.maybe", { step: analysis.last_winnable });
  return last === "winnable" ? t("lost.not") : "";
}

/** One loss. @param {Loss} loss @param {Step[]} steps */
export function lossWords(loss, steps) {
  const before = steps[loss.at - 1]?.position;
  const { mended } = loss;
  const by = mended && { by: t(has(`by.${mended.what}`) ? `by.${mended.what}` : "by.move"), time: formatTime(mended.at_ms) };
  if (loss.what !== undefined && before) {
    const values = { step: loss.at, move: entryWords(before, loss.what) };
    return by ? t("lost.move.mended", { ...values, ...by }) : t("lost.move", values);
  }
  const values = { after: loss.after, at: loss.at };
  return by ? t("lost.between.mended", { ...values, ...by }) : t("lost.between", values);
}

/** @param {Analysis} analysis */
export function parWords({ par, moves }) {
  if (!par) return "";
  return t(par.least >= par.moves ? "lost.par" : "lost.par.open", { moves, par: par.moves, least: par.least });
}

/** The cards that took longest, slowest first. @param {Analysis} analysis */
export const slowest = ({ cards }) => [...cards].sort((a, b) => b.took_ms - a.took_ms).slice(0, SLOWEST);

/** @param {Analysis} analysis */
export const slowestWords = (analysis) =>
  slowest(analysis).map(({ card, took_ms: ms }) => `${shortCard(parseCard(card))} ${formatTime(ms, { tenths: true })}`).join(" · ");

/** The strip for those who can't see it. @param {Analysis} analysis @param {Step[]} steps */
export function stripWords(analysis, steps) {
  return analysis.verdicts
    .map(({ first, last, verdict }) => t(`strip.${verdict}`, { from: formatTime(steps[first]?.atMs ?? 0), to: formatTime(steps[last]?.atMs ?? 0) }))
    .join(" ");
}
