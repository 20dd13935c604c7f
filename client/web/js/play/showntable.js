/** A table that only shows: nothing on it can be lifted. */

import { UNKNOWN } from "../rules.js";
import { deckOf } from "../settings.js";
import { Table } from "../table/table.js";
import { cardWords, pileLabel } from "./cardwords.js";

/** @param {Settings} settings @returns {Table} */
export function shownTable(settings) {
  const root = document.createElement("div");
  root.className = "table is-shown";
  const nothingDone = () => undefined;
  const table = new Table(root, {
    targets: () => [],
    counts: () => [],
    play: nothingDone,
    draw: nothingDone,
    refuseLift: nothingDone,
    refuseHome: nothingDone,
    pileLabel: (name, cards, hidden) => (table.position ? pileLabel(table.position.variant, name, cards, hidden) : ""),
    cardLabel: (name, depth) => cardWords(table.position?.piles[table.position.variant.index[name] ?? -1]?.[depth] ?? UNKNOWN),
    chosenText: () => "",
    say: nothingDone,
  });
  table.wish({ form: settings.form, isMirrored: settings.leftHanded, deck: deckOf(settings) });
  return table;
}
