/** What the browser's rules say, put beside what Python's say. Each check gives the differences, as texts. */

import * as rules from "/js/rules.js";

const records = (await (await fetch("/rules/variants.json")).json()).variants;
export const catalogue = new rules.Catalogue(records);

const text = (value) => JSON.stringify(value, (_, part) => (part && !Array.isArray(part) && typeof part === "object"
  ? Object.fromEntries(Object.entries(part).sort()) : part));

/** Encoded first positions by deal code. */
export function checkDeals(deals) {
  const differences = [];
  for (const [code, expected] of Object.entries(deals)) {
    const dealt = text(rules.encodePosition(rules.deal(catalogue, code)));
    if (dealt !== text(expected)) differences.push(`${code}: ${dealt} is not ${text(expected)}`);
  }
  return differences;
}

/** Decks of cards by `generator:seed:decks`. */
export function checkDecks(decks) {
  return Object.entries(decks).flatMap(([key, expected]) => {
    const [generator, seed, count] = key.split(":");
    const dealt = rules.deck(generator, seed, Number(count)).map(rules.formatCard).join(" ");
    return dealt === expected ? [] : [`${key}: ${dealt}`];
  });
}

/** Games: a deal code and plies, each with legal moves, refusals, the collects, whether blocked, the move played. */
export function checkGames(games) {
  const differences = [];
  for (const game of games) {
    let position = rules.deal(catalogue, game.deal);
    game.plies.forEach((ply, number) => {
      const differs = (what, got, expected) => {
        if (text(got) !== text(expected)) differences.push(`${game.deal} ${number} ${what}: ${text(got)} is not ${text(expected)}`);
      };
      differs("position", rules.encodePosition(position), ply.position);
      if (ply.view) differs("view", rules.encodePosition(rules.view(position)), ply.view);
      differs("legal", rules.legalMoves(position).map(rules.formatMove).sort(), ply.legal);
      differs("blocked", rules.isBlocked(position), ply.blocked);
      for (const [move, code] of Object.entries(ply.refusals)) {
        differs(`refusal of ${move}`, rules.refusal(position, rules.parseMove(move)), code);
      }
      differs("safe collect", rules.safeCollect(position).map(rules.formatMove), ply.safe);
      differs("full collect", rules.fullCollect(position).map(rules.formatMove), ply.full);
      const after = rules.play(position, rules.parseMove(ply.move));
      if (ply.turned) {
        differs("turned", rules.turned(position, after), ply.turned);
        const revealed = rules.reveal(rules.play(rules.view(position), rules.parseMove(ply.move)), ply.turned);
        differs("revealed", rules.encodePosition(revealed), rules.encodePosition(rules.view(after)));
      }
      position = after;
    });
  }
  return differences;
}

/** Whether any further card can get to a foundation, for positions as a player sees them. */
export const reaches = (positions) => positions.map(({ variant, position, most }) => {
  const search = rules.searchReach(rules.decodePosition(catalogue.find(variant), position), most ?? undefined);
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
  }
});
