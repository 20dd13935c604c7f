/** The reducer and what is on its way, by small stories. Each gives the claims that do not hold. */

import { Catalogue, deal, encodePosition, legalMoves, play, view } from "/js/rules.js";
import { initialState, makeReduce } from "/js/state.js";
import { ClockSamples, pauseMs } from "/js/connection.js";
import { knownHint } from "/js/play/hints.js";
import { sparkline } from "/js/play/share.js";
import { boardName, weekOf } from "/js/pages/boards.js";
import { goesBy } from "/js/pages/games.js";

const records = (await (await fetch("/rules/variants.json")).json()).variants;
const catalogue = new Catalogue(records);
const reduce = makeReduce(catalogue);
const ME = { id: "me", name: "Me", guest: true, bot: false };
const RACE = "race1";

const tell = (state, message) => reduce(state, { type: "told", message });
const actOn = (state, action) => reduce(state, { type: "act", race: RACE, action });
const asAction = (move) => ({ type: "move", source: move.source, target: move.target, count: move.count });

function lifeOf(variant) {
  return { id: RACE, kind: "private", variant, phase: "running", limit_ms: 600000, iron: false, seats: 2, start: "all_ready",
    created_ms: 0, start_ms: 1000, entrants: [{ player: ME, ready: true, here: true, cards: 0, at_ms: 0 }] };
}

function attemptOf(position, more = {}) {
  return { epoch: 1, version: 0, last_id: 0, at_ms: 0, position: encodePosition(view(position)), cards: 4, best_cards: 4, best_ms: 0,
    moves: 0, undos: 0, redos: 0, restarts: 0, can_undo: false, can_redo: false, ...more };
}

function seated(variant = "beleaguered-castle") {
  const start = deal(catalogue, `${variant}:ms:11982`);
  let state = reduce(initialState(), { type: "opened" });
  state = tell(state, { type: "welcome", player: ME, now_ms: 1000, limits: {} });
  state = reduce(state, { type: "ask", command: { type: "enter", race: RACE } });
  state = tell(state, { type: "snapshot", race: RACE, seq: 5, now_ms: 1000, re: RACE, state: lifeOf(variant), attempt: attemptOf(start) });
  return { state, start };
}

const attempt = (state) => state.races[RACE].attempt;
const accepted = (id, version, more = {}) => ({ type: "accepted", race: RACE, id, version, at_ms: 10, cards: 4, best_cards: 4, best_ms: 0, ...more });

const STORIES = {
  "a move is shown at once and confirmed later": () => {
    const { state, start } = seated();
    const [move] = legalMoves(start);
    const after = actOn(state, asAction(move));
    const known = tell(after, accepted(1, 1));
    return JSON.stringify(attempt(after).shown.position.piles) === JSON.stringify(play(start, move).piles) && attempt(after).pending.length === 1
      && attempt(known).pending.length === 0 && attempt(known).version === 1 && attempt(known).shown.position === attempt(after).shown.position;
  },
  "moves are sent ahead with the versions to come": () => {
    const { state, start } = seated();
    let here = start;
    let now = state;
    for (let n = 0; n < 3; n += 1) {
      const move = legalMoves(here)[0];
      now = actOn(now, asAction(move));
      here = play(here, move);
    }
    return attempt(now).pending.map((each) => `${each.id}.${each.version}`).join(" ") === "1.0 2.1 3.2";
  },
  "an illegal move goes nowhere and says why": () => {
    const { state, start } = seated();
    const legal = new Set(legalMoves(start).map((move) => `${move.source}-${move.target}`));
    const target = ["t1", "t2", "t3", "t4", "t5", "t6", "t7"].find((name) => !legal.has(`t0-${name}`));
    const after = actOn(state, { type: "move", source: "t0", target, count: 1 });
    return attempt(after).pending.length === 0 && attempt(after).refused.code === "rank";
  },
  "what the server refuses is taken back with its reason": () => {
    const { state, start } = seated();
    const [move] = legalMoves(start);
    const after = tell(actOn(state, asAction(move)), { type: "rejected", race: RACE, id: 1, version: 0, code: "too_late", message: "The time limit has passed." });
    return JSON.stringify(attempt(after).shown.position.piles) === JSON.stringify(start.piles) && attempt(after).refused.code === "too_late";
  },
  "a hint moves nothing, is counted, keeps what can be undone, and holds for its version alone": () => {
    const { state, start } = seated();
    const [move] = legalMoves(start);
    const moved = tell(actOn(state, asAction(move)), accepted(1, 1));
    const asked = actOn(moved, { type: "hint" });
    const counted = tell(asked, accepted(2, 2, { hints: 1 }));
    const known = tell(counted, { type: "hint", race: RACE, version: 2, verdict: "winnable", move: "t0-t1", left: 9 });
    const undone = actOn(known, { type: "undo" });
    return attempt(asked).shownVersion === 2 && attempt(counted).shown.position === attempt(moved).shown.position && attempt(counted).counts.hints === 1
      && knownHint(attempt(counted)) === null && knownHint(attempt(known)).left === 9 && knownHint(attempt(undone)) === null
      && JSON.stringify(attempt(undone).shown.position.piles) === JSON.stringify(start.piles);
  },
  "an answer to what was asked before the last move is not shown": () => {
    const { state, start } = seated();
    let now = tell(actOn(state, { type: "hint" }), accepted(1, 1, { hints: 1 }));
    now = tell(actOn(now, asAction(legalMoves(start)[0])), accepted(2, 2));
    return attempt(tell(now, { type: "hint", race: RACE, version: 1, verdict: "lost" })).hint === null;
  },
  "a hint on its way when the line was lost is asked again": () => {
    const { state, start } = seated();
    const before = reduce(actOn(state, { type: "hint" }), { type: "lost", code: 1006, retryAtMs: 0 });
    const back = tell(reduce(before, { type: "opened" }), { type: "snapshot", race: RACE, seq: 5, now_ms: 2000, re: RACE,
      state: lifeOf("beleaguered-castle"), attempt: attemptOf(start, { epoch: 2 }) });
    const [pending] = attempt(back).pending;
    return pending.action.type === "hint" && pending.id === 1 && pending.version === 0;
  },
  "an id that was answered by a refusal is not used again in its epoch": () => {
    const { state, start } = seated();
    const [move] = legalMoves(start);
    let now = tell(actOn(state, asAction(move)), { type: "rejected", race: RACE, id: 1, version: 0, code: "too_late", message: "" });
    now = actOn(now, asAction(move));
    const second = attempt(now).pending[0].id;
    now = tell(now, { type: "rejected", race: RACE, id: 2, version: 0, code: "too_late", message: "" });
    now = tell(now, { type: "snapshot", race: RACE, seq: 5, now_ms: 2000, re: RACE, state: lifeOf("beleaguered-castle"),
      attempt: attemptOf(start, { epoch: 1, version: 0 }) });
    return second === 2 && attempt(actOn(now, asAction(move))).pending[0].id === 3;
  },
  "after a new epoch what was stored is dropped and the rest is sent again with new ids": () => {
    const { state, start } = seated();
    const first = legalMoves(start)[0];
    const middle = play(start, first);
    const second = legalMoves(middle).find((move) => move.source !== first.target);
    let now = actOn(actOn(state, asAction(first)), asAction(second));
    now = reduce(now, { type: "lost", code: 1006, retryAtMs: 5 });
    now = reduce(now, { type: "opened" });
    now = tell(now, { type: "welcome", player: ME, now_ms: 2000, limits: {} });
    const asked = now.requests.some(({ command }) => command.type === "enter" && command.race === RACE);
    now = tell(now, { type: "snapshot", race: RACE, seq: 5, now_ms: 2000, re: RACE, state: lifeOf("beleaguered-castle"),
      attempt: attemptOf(middle, { epoch: 2, version: 1, previous: "1.1", can_undo: true }) });
    const { pending } = attempt(now);
    return asked && pending.length === 1 && pending[0].id === 1 && pending[0].version === 1 && attempt(now).shown.position.piles.length === middle.piles.length
      && JSON.stringify(attempt(now).shown.position.piles) === JSON.stringify(play(middle, second).piles);
  },
  "undo to before this page was loaded waits for the server": () => {
    const { start } = seated();
    let { state } = seated();
    const middle = play(start, legalMoves(start)[0]);
    state = tell(state, { type: "snapshot", race: RACE, seq: 6, now_ms: 3000, state: lifeOf("beleaguered-castle"),
      attempt: attemptOf(middle, { epoch: 3, version: 1, can_undo: true }) });
    const waiting = actOn(state, { type: "undo" });
    const ignored = actOn(waiting, asAction(legalMoves(middle)[0]));
    const known = tell(waiting, accepted(1, 2, { position: encodePosition(start) }));
    return attempt(waiting).shown.isBlind && attempt(ignored).pending.length === 1 && !attempt(known).shown.isBlind
      && JSON.stringify(attempt(known).shown.position.piles) === JSON.stringify(start.piles);
  },
  "a gap in a race's life asks for a fresh snapshot once": () => {
    let { state } = seated();
    state = tell(state, { type: "ready", race: RACE, seq: 8, now_ms: 0, player: "me", ready: true });
    state = tell(state, { type: "ready", race: RACE, seq: 9, now_ms: 0, player: "me", ready: true });
    return state.requests.filter(({ command }) => command.type === "resync").length === 1 && state.races[RACE].seq === 5;
  },
  "an older progress is ignored": () => {
    let { state } = seated();
    const progress = { type: "progress", race: RACE, player: "you", cards: 9, best_cards: 9, best_ms: 5, undos: 0, tops: [] };
    state = tell(state, { ...progress, version: 7 });
    state = tell(state, { ...progress, version: 6, cards: 3 });
    return state.races[RACE].progress.you.cards === 9;
  },
  "retry sends the same id again": () => {
    const { state, start } = seated();
    let now = actOn(state, asAction(legalMoves(start)[0]));
    now = tell(now, { type: "error", code: "retry", message: "", race: RACE, id: 1 });
    return attempt(now).pending[0].id === 1 && attempt(now).pending[0].tries === 1;
  },
  "hidden cards stay unknown until the server turns them": () => {
    const { state, start } = seated("klondike-draw1");
    const drawn = actOn(state, { type: "draw" });
    const waste = start.variant.stock + 1;
    const known = tell(drawn, accepted(1, 1, { turned: [{ pile: "w", cards: ["7D"] }] }));
    return attempt(drawn).shown.position.piles[waste][0] === -1 && attempt(known).shown.position.piles[waste].length === 1
      && attempt(known).shown.position.piles[waste][0] !== -1 && attempt(state).shown.iron;
  },
  "the clock takes the quickest sample": () => {
    const clock = new ClockSamples();
    clock.add(0, 1100, 200);
    return clock.add(1000, 2012, 1020) === 1002 && clock.add(2000, 3500, 2800) === 1002;
  },
  "pauses grow and have an end": () => pauseMs(0, 1) === 250 && pauseMs(3, 1) === 2000 && pauseMs(50, 1) === 15000 && pauseMs(3, 0) === 1000,
  "a shared picture shows no card": () => sparkline([{ atMs: 0, cards: 4 }, { atMs: 50, cards: 30 }, { atMs: 100, cards: 52 }], 52, 100) === "▁▁▁▁▅▅▅▅▅█",
  "boards are named by their spans": () => {
    const day = new Date("2026-11-29T12:00:00Z");
    return weekOf(day) === "2026-W48" && boardName("day", "citadel", "open", day) === "day:2026-11-29:citadel:open"
      && boardName("best", "citadel", "ranked", day) === "best:citadel:ungraded"
      && boardName("best", "citadel", "bots", day, "3") === "best:citadel:3:bots" && boardName("week", "citadel", "open", day) === "week:2026-W48:citadel" && weekOf(new Date("2027-01-01T00:00:00Z")) === "2026-W53";
  },
  "a game is found by any of its names": () => {
    const castle = catalogue.records.get("beleaguered-castle");
    return goesBy(castle, "laying siege") && goesBy(castle, "SHAM-battle") && !goesBy(castle, "klondike");
  },
};

export const names = () => Object.keys(STORIES);
export const holds = (name) => STORIES[name]() === true;
