/**
 * The rules of a variant as sentences, made from its data alone; most come with an example move and its opposite,
 * which the engine itself judges.
 */

import { parseCard } from "../rules.js";
import { rankWords } from "../play/cardwords.js";
import { t } from "../words.js";

/** @param {Variant} variant @returns {Sentence[]} */
export function ruleSentences(variant) {
  return [goal(variant), deal(variant), build(variant), lift(variant), space(variant), ...places(variant), foundations(variant), worryBack(variant)].filter(
    (each) => each !== null,
  );
}

/** Cards on piles by name, all others empty. @param {Variant} variant @param {Record<string, string>} piles @returns {Position} */
export function layOut(variant, piles) {
  return {
    variant,
    piles: variant.names.map((name) => (piles[name] ?? "").split(" ").filter(Boolean).map(parseCard)),
    down: Array(variant.tableauEnd).fill(0),
    passes: 0,
    redeals: 0,
    base: variant.foundations[0]?.base === "dealt" ? 1 : 0,
  };
}

/** @param {string} source @param {string} target @param {number} [count] */
const move = (source, target, count = 1) => ({ source, target, count });

/** @param {string} key @param {Record<string, string|number>} [values] @param {Example|null} [example] @returns {Sentence} */
const say = (key, values = {}, example = null) => ({ key, text: t(`rule.${key}`, values), example });

/** @param {Variant} variant */
function goal(variant) {
  return say(variant.decks === 1 ? "goal" : "goal.decks", { n: variant.cards });
}

/** @param {Variant} variant */
function deal(variant) {
  const { steps, set_aside: aside } = variant.record.deal;
  const sizes = steps.filter((/** @type {any} */ step) => step.to === "tableau");
  const total = Array.from({ length: variant.tableauEnd }, (_, pile) => sizes.reduce((/** @type {number} */ sum, /** @type {any} */ step) => sum + step.sizes[pile], 0));
  const same = total.every((size) => size === total[0]);
  const list = same ? t("rule.each", { n: total[0] ?? 0 }) : total.join(", ");
  const first = aside ? `${t("rule.aside", { rank: rankWords("A23456789TJQK".indexOf(aside) + 1) })} ` : "";
  return { key: "deal", text: first + t("rule.deal", { n: variant.tableauEnd, list }), example: null };
}

/** A card two ranks under a nine, one that fits and one that does not, for this variant's building. @param {Variant} variant @returns {Sentence} */
function build(variant) {
  const { build: way, match } = variant.tableau;
  if (way === "none") return say("build.none");
  const good = { any: "C", suit: "S", alt: "H", color: "C", other: "H" }[match];
  const bad = { any: "", suit: "H", alt: "C", color: "H", other: "S" }[match];
  const rank = way === "up" ? "T" : "8";
  const away = way === "up" ? "8" : way === "both" ? "6" : "T";
  const position = layOut(variant, { t0: "9S", t1: `${rank}${good}`, t2: bad ? `${rank}${bad}` : `${away}C` });
  const example = { position, yes: move("t1", "t0"), no: move("t2", "t0") };
  const wrap = variant.tableau.wrap ? ` ${t("rule.wrap")}` : "";
  return { key: "build", text: `${t(`rule.build.${way}`)}${t(`match.${match}`)}.${wrap}`, example };
}

/** @param {Variant} variant @returns {Sentence} */
function lift(variant) {
  const { liftsRuns, boundedBySpaces, liftMatch, match, build: way } = variant.tableau;
  const other = { any: "C", suit: "S", alt: "H", color: "C", other: "H" };
  const under = other[liftMatch === "any" ? match : liftMatch];
  const low = way === "up" ? "T" : "8";
  const high = way === "up" ? "8" : "T";
  const top = { any: "S", suit: "S", alt: "H", color: "S", other: "H" }[match];
  const run = `9S ${low}${under}`;
  const position = layOut(variant, { t0: `${high}${top}`, t1: run });
  if (!liftsRuns) return say("lift.one", {}, way === "none" ? null : { position, yes: null, no: move("t1", "t0", 2) });
  const broken = { any: "", suit: "H", alt: "C", color: "H", other: "S" }[liftMatch === "any" ? match : liftMatch];
  const piles = { t0: `${high}${top}`, t1: run, ...(broken ? { t2: `9S ${low}${broken}` } : {}) };
  const key = boundedBySpaces ? "lift.bounded" : liftMatch === "suit" && match !== "suit" ? "lift.suit" : "lift.run";
  return say(key, {}, { position: layOut(variant, piles), yes: move("t1", "t0", 2), no: broken ? move("t2", "t0", 2) : null });
}

/** @param {Variant} variant @returns {Sentence} */
function space(variant) {
  const { space: rule, spaceRank } = variant.tableau;
  const position = layOut(variant, { t0: "9S 5D", t1: "KH" });
  const free = move("t0", "t2");
  switch (rule) {
    case "none":
      return say("space.none", {}, { position, yes: null, no: free });
    case "rank":
      return say("space.rank", { rank: rankWords(spaceRank) }, spaceRank === 13 ? { position, yes: move("t1", "t2"), no: free } : null);
    case "base-1":
      return say("space.base");
    case "auto-stock":
    case "auto-waste":
      return say("space.auto");
    default:
      return say("space.any", {}, { position, yes: free, no: null });
  }
}

/** Cells, reserve, stock and redeal. @param {Variant} variant @returns {Sentence[]} */
function places(variant) {
  const { record } = variant;
  const cells = variant.cellEnd - variant.foundationEnd;
  /** @type {Sentence[]} */
  const sentences = [];
  if (cells) sentences.push(say("cells", { n: cells }, { position: layOut(variant, { t0: "9S", t1: "4D", c0: "KH" }), yes: cells > 1 ? move("t0", "c1") : move("c0", "t2"), no: move("t0", "c0") }));
  const sizes = record.reserve ?? [];
  if (sizes.length) {
    const isSpread = sizes.every((/** @type {number} */ size) => size === 1);
    const total = sizes.reduce((/** @type {number} */ sum, /** @type {number} */ size) => sum + size, 0);
    const { build: way, match } = variant.tableau;
    const fitting = `${way === "up" ? "T" : "8"}${match === "alt" || match === "other" ? "H" : "S"}`;
    const position = layOut(variant, { t0: "9S", r0: fitting });
    const key = isSpread ? "reserve.spread" : sizes.length === 1 ? "reserve.fan" : "reserve.piles";
    sentences.push(say(key, { n: total }, { position, yes: move("r0", "t0"), no: move("t0", "r0") }));
  }
  if (variant.stockRules) {
    const { turn, passes } = variant.stockRules;
    sentences.push(say("stock", { n: turn }), passes === null ? say("passes.any") : say("passes", { n: passes }));
  }
  if (variant.redeal) {
    sentences.push(say(variant.redeal.topFirst ? "redeal.top" : "redeal.bottom", { n: variant.redeal.packet }));
    if (variant.redeal.times !== null) sentences.push(say("redeal.times", { n: variant.redeal.times }));
    if (variant.redeal.onlyWhenBlocked) sentences.push(say("redeal.blocked"));
  }
  return sentences;
}

/** @param {Variant} variant @returns {Sentence} */
function foundations(variant) {
  const [first] = variant.foundations;
  if (!first) return say("goal");
  const base = first.base === "rank" ? t("rule.base.rank", { rank: rankWords(first.baseRank) }) : t(`rule.base.${first.base}`);
  const way = t(first.up ? "rule.foundation.up" : "rule.foundation.down");
  const suit = t(first.match === "suit" ? "rule.foundation.suit" : "rule.foundation.any");
  const wrap = first.wrap ? ` ${t("rule.foundation.wrap")}` : "";
  const others = variant.foundations.filter((each) => each.up !== first.up).length;
  const also = others ? ` ${t("rule.foundation.both", { n: others })}` : "";
  return { key: "foundation", text: `${base} ${way} ${suit}${wrap}${also}`, example: foundationExample(variant) };
}

/** What a foundation takes next, or what may start one where the base is for the player to choose. @param {Variant} variant @returns {Example|null} */
function foundationExample(variant) {
  const [first] = variant.foundations;
  if (!first?.up) return null;
  if (first.base === "chosen-rank") return { position: layOut(variant, { f0: "7C", t0: "7H", t1: "8H" }), yes: move("t0", "f2"), no: move("t1", "f2") };
  if (first.base === "chosen-each") return { position: layOut(variant, { f0: "7C", t0: "QH", t1: "9C" }), yes: move("t0", "f2"), no: move("t1", "f0") };
  if (first.base === "rank" && first.baseRank !== 1) return null;
  const next = first.match === "any" ? "2H" : "2C";
  return { position: layOut(variant, { f0: "AC", t0: next, t1: "3C" }), yes: move("t0", "f0"), no: move("t1", "f0") };
}

/** @param {Variant} variant @returns {Sentence} */
function worryBack(variant) {
  const { build: way, match } = variant.tableau;
  const may = variant.foundations.some((each) => each.worryBack);
  const suit = match === "suit" ? "C" : match === "any" ? "S" : "H";
  const fits = way !== "up" && way !== "none" && variant.foundations[0]?.up && variant.foundations[0]?.suit === 0;
  const position = layOut(variant, { f0: "AC 2C", t0: `3${suit}` });
  if (!may) return say("worry.no", {}, fits ? { position, yes: null, no: move("f0", "t0") } : null);
  return say("worry.yes", {}, fits ? { position, yes: move("f0", "t0"), no: null } : null);
}
