/**
 * Variants are records; options are merge patches over them. Here a record becomes what the engine reads while
 * playing.
 */

import { RANKS } from "./cards.js";

/**
 * A JSON merge patch (RFC 7396) applied to a copy.
 * @param {any} target
 * @param {any} patch
 * @returns {any}
 */
export function mergePatch(target, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  /** @type {Record<string, any>} */
  const merged = target !== null && typeof target === "object" && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

/** The records that this page knows, by id. */
export class Catalogue {
  /** @param {VariantRecord[]} records @param {string} [featured] the one that is shown first */
  constructor(records, featured = records[0]?.id ?? "") {
    this.featured = featured;
    /** @type {Map<string, VariantRecord>} */
    this.records = new Map(records.map((record) => [record.id, record]));
    /** @type {Map<string, Variant>} */
    this.made = new Map();
  }

  /** Those that have a daily, quick matches and boards. */
  ranked() {
    return [...this.records.values()].filter((record) => record.ranked === true);
  }

  /**
   * The variant of an id with options, such as `cruel+bottom-first`. Throws RangeError for what is not known.
   * @param {string} id
   * @returns {Variant}
   */
  find(id) {
    const [base = "", ...options] = id.split("+");
    options.sort();
    const canonical = [base, ...options].join("+");
    let variant = this.made.get(canonical);
    if (!variant) {
      const record = this.records.get(base);
      if (!record) throw new RangeError(`no variant: ${id}`);
      variant = makeVariant(record, options);
      this.made.set(canonical, variant);
    }
    return variant;
  }

  /** Whether `find` would give a variant. @param {string} id */
  has(id) {
    const [base = "", ...options] = id.split("+");
    const record = this.records.get(base);
    return record !== undefined && options.every((option) => option in (record.options ?? {}));
  }
}

/**
 * The variant of a raw record with some of its options.
 * @param {VariantRecord} record
 * @param {string[]} [options]
 * @returns {Variant}
 */
export function makeVariant(record, options = []) {
  let patched = record;
  for (const option of options) {
    const patch = record.options?.[option];
    if (!patch) throw new RangeError(`${record.id} has no option ${option}`);
    patched = mergePatch(patched, patch);
  }
  const foundations = readFoundations(patched.foundations);
  const cells = patched.cells ?? 0;
  const reserve = (patched.reserve ?? []).length;
  const names = [
    ...numbered("t", patched.tableau.piles),
    ...numbered("f", foundations.length),
    ...numbered("c", cells),
    ...numbered("r", reserve),
    ...(patched.stock ? ["s", "w"] : []),
  ];
  const tableauEnd = patched.tableau.piles;
  const foundationEnd = tableauEnd + foundations.length;
  const reserveEnd = foundationEnd + cells + reserve;
  return {
    id: [patched.id, ...[...options].sort()].join("+"),
    baseId: patched.id,
    name: patched.name,
    record: patched,
    decks: patched.decks,
    cards: 52 * patched.decks,
    names,
    index: Object.fromEntries(names.map((name, number) => [name, number])),
    kinds: names.map((name) => name[0]).join(""),
    tableauEnd,
    foundationEnd,
    cellEnd: foundationEnd + cells,
    reserveEnd,
    stock: patched.stock ? reserveEnd : -1,
    foundations,
    tableau: readTableau(patched.tableau),
    stockRules: patched.stock ? { turn: patched.stock.turn, passes: patched.stock.passes ?? null } : null,
    redeal: patched.redeal ? readRedeal(patched.redeal) : null,
    hasHiddenCards: patched.visible !== "all" && patched.deal.steps.some((/** @type {any} */ s) => s.face === "down"),
  };
}

/** @param {string} letter @param {number} count */
function numbered(letter, count) {
  return Array.from({ length: count }, (_, number) => `${letter}${number}`);
}

/** A rank letter as its number, 0 for none. @param {string|null|undefined} letter */
export const readRank = (letter) => (letter ? RANKS.indexOf(letter) + 1 : 0);

/** @param {any} raw @returns {Foundation[]} */
function readFoundations(raw) {
  const groups = Array.isArray(raw) ? raw : [raw];
  return groups.flatMap((group) => {
    const named = ["dealt", "chosen-rank", "chosen-each"].includes(group.base);
    const hasFixedSuits = group.match === "suit" && group.count === 4;
    return Array.from({ length: group.count }, (_, number) => ({
      base: named ? group.base : "rank",
      baseRank: named ? 0 : readRank(group.base),
      suit: hasFixedSuits ? number : -1,
      up: (group.dir ?? "up") === "up",
      match: group.match,
      wrap: group.wrap ?? false,
      size: group.size ?? 13,
      worryBack: group.worry_back ?? false,
      completeRun: group.unit === "complete-run",
    }));
  });
}

/** @param {any} raw @returns {Tableau} */
function readTableau(raw) {
  const named = ["any", "none", "base-1", "auto-stock", "auto-waste"].includes(raw.space);
  return {
    piles: raw.piles,
    build: raw.build,
    match: raw.match,
    wrap: raw.wrap ?? false,
    liftsRuns: raw.lift === "run",
    liftMatch: raw.lift_match ?? raw.match,
    boundedBySpaces: raw.lift_bound === "spaces",
    space: named ? raw.space : "rank",
    spaceRank: named ? 0 : readRank(raw.space),
    oneCardToSpace: raw.space_lift === "one",
    cap: raw.cap ?? Infinity,
  };
}

/** @param {any} raw */
function readRedeal(raw) {
  return {
    times: raw.times ?? null,
    packet: raw.packet,
    topFirst: raw.gather === "top-first",
    onlyWhenBlocked: raw.when === "blocked",
  };
}

/** How many cards the deal itself puts on the foundations, whatever the deal. @param {Variant} variant @returns {number} */
export function builtFromTheStart(variant) {
  const { steps, set_aside: aside } = variant.record["deal"];
  const dealt = steps.filter((/** @type {any} */ step) => step.to === "foundation").flatMap((/** @type {any} */ step) => step.sizes);
  return (aside ? 4 * variant.decks : 0) + dealt.reduce((/** @type {number} */ sum, /** @type {number} */ size) => sum + size, 0);
}
