/** Cards, piles and refusals in words, for those who listen and for those whose move was refused. */

import { RANKS, UNKNOWN, commonBase, pileOf, rankOf, suitOf } from "../rules.js";
import { has, t } from "../words.js";

const SIGNS = "♣♠♥♦";

/** `9♠`. @param {number} card */
export function shortCard(card) {
  if (card === UNKNOWN) return "?";
  const letter = RANKS[rankOf(card) - 1] ?? "";
  return `${letter === "T" ? "10" : letter}${SIGNS[suitOf(card)]}`;
}

/** Nine of spades. @param {number} card */
export function cardWords(card) {
  if (card === UNKNOWN) return t("card.hidden");
  return t("card.name", { rank: t(`rank.${rankOf(card)}`), suit: t(`suit.${suitOf(card)}`) });
}

/** @param {number} rank */
export const rankWords = (rank) => t(`rank.${rank}`);

/** `Pile 3`. @param {Position["variant"]} variant @param {string} name */
export function pileWords(variant, name) {
  const number = Number(name.slice(1)) + 1;
  const kind = name[0] ?? "";
  if (kind === "f") {
    const suit = variant.foundations[number - 1]?.suit ?? -1;
    return suit >= 0 ? t("pile.f.suit", { suit: t(`suit.${suit}`) }) : t("pile.f", { number });
  }
  const isOnly = variant.names.filter((each) => each[0] === kind).length === 1;
  return isOnly && has(`pile.${kind}.only`) ? t(`pile.${kind}.only`) : t(`pile.${kind}`, { number });
}

/** The pile with what lies on it, the available card first. @param {Position["variant"]} variant @param {string} name @param {readonly number[]} cards @param {number} hidden */
export function pileLabel(variant, name, cards, hidden) {
  const place = pileWords(variant, name);
  if (cards.length === 0) return t("pile.empty", { place });
  if (name === "s") return t("pile.closed", { place, n: cards.length });
  const top = cardWords(cards[cards.length - 1] ?? UNKNOWN);
  if (name[0] !== "t") return t("pile.top", { place, card: top, n: cards.length });
  const under = cards.slice(hidden, -1).reverse().map(cardWords).join(", ");
  const closed = hidden ? t("pile.hidden", { n: hidden }) : "";
  return [t("pile.top", { place, card: top, n: cards.length }), under && t("pile.under", { cards: under }), closed].filter(Boolean).join(". ");
}

/** What a tableau pile takes, as the variant has it: `one rank lower`, `one rank lower, of the same suit`. @param {Position["variant"]} variant */
function buildWords({ tableau }) {
  if (tableau.build === "none") return t("build.none");
  return `${t(`build.${tableau.build}`)}${tableau.match === "any" ? "" : t(`match.${tableau.match}`)}`;
}

/**
 * Why a move was refused, short and kind, with what would fit.
 * @param {Position} position
 * @param {string} code
 * @param {Move|null} move
 * @param {string} told the server's own words, where it has some
 */
export function refusalWords(position, code, move, told = "") {
  const { variant } = position;
  const target = move ? pileOf(position, move.target) : [];
  const top = target[target.length - 1];
  const fits = ["rank", "suit", "colour"].includes(code);
  if (move && fits && move.target[0] === "t" && top !== undefined) {
    return t("refusal.build", { build: buildWords(variant), card: shortCard(top) });
  }
  if (move && move.target[0] === "f") return foundationWords(position, code, move, top);
  if (move && code === "space") {
    const { space, spaceRank } = variant.tableau;
    if (space === "rank") return t("refusal.space.rank", { rank: rankWords(spaceRank) });
    if (space === "base-1" && commonBase(position)) return t("refusal.space.rank", { rank: rankWords(((commonBase(position) + 11) % 13) + 1) });
    return t("refusal.space");
  }
  const key = `refusal.${code}`;
  return has(key) ? t(key) : told || t("refusal.other");
}

/** @param {Position} position @param {string} code @param {Move} move @param {number|undefined} top */
function foundationWords(position, code, move, top) {
  const number = position.variant.index[move.target] ?? 0;
  const foundation = position.variant.foundations[number - position.variant.tableauEnd];
  const base = foundation?.baseRank || commonBase(position);
  if (top === undefined) {
    if (code === "base" && base) return t("refusal.base", { rank: rankWords(base) });
    if (code === "suit" && foundation) return t("refusal.foundation.suit", { suit: t(`suit.${foundation.suit}`) });
  } else if (code === "rank" || code === "suit" || code === "colour") {
    const next = ((rankOf(top) - 1 + (foundation?.up ? 1 : 12)) % 13) + 1;
    if (foundation?.match === "suit") return t("refusal.foundation.next", { card: shortCard(suitOf(top) * 13 + next - 1) });
    return t("refusal.foundation.rank", { rank: rankWords(next) });
  }
  const key = `refusal.${code}`;
  return has(key) ? t(key) : t("refusal.other");
}
