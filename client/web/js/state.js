/**
 * All that the page knows, and how each event changes it. `reduce` is pure: time comes in with the events, and what
 * should be sent goes out as `requests`, which the connection takes from here.
 */

import { accept, act, askAgain, beginAttempt, hear, loadAttempt, refuse, reject } from "./attempt.js";
import { decodePosition } from "./rules.js";

/** @returns {State} */
export function initialState() {
  return {
    link: { phase: "closed", session: 0, code: 0, retryAtMs: null, notice: null },
    offsetMs: 0,
    player: null,
    live: null,
    races: {},
    wanted: [],
    queued: {},
    matched: null,
    created: {},
    aliases: {},
    error: null,
    requests: [],
    serial: 0,
  };
}

/** The race of an id or of a link code. @param {State} state @param {string} id @returns {Race|null} */
export const findRace = (state, id) => state.races[state.aliases[id] ?? id] ?? null;

/** The address that opens a race for whoever is given it. @param {Race} race */
export const pathOf = ({ id, link }) => (link ? `/r/${link}` : `/race/${id}`);

/** The race that I have a seat in and have not ended; one at a time. @param {State} state @param {string[]} phases @returns {Race|null} */
function seatIn(state, phases) {
  const me = state.player?.id;
  const isMine = (/** @type {Race} */ { attempt, state: life }) =>
    life.kind !== "daily" && life.kind !== "practice" && phases.includes(life.phase) && !attempt?.end && life.entrants.some((e) => e.player.id === me && !e.end);
  return Object.values(state.races).find(isMine) ?? null;
}

/** The race started together that runs, or will in a moment, with me in it, on whatever page I am. @param {State} state @returns {string|null} */
export function liveRace(state) {
  const { live } = state;
  return seatIn(state, ["countdown", "running"])?.id ?? (live && !state.races[live] ? live : null);
}

/** The race whose countdown runs with me in it. @param {State} state */
export const countingRace = (state) => seatIn(state, ["countdown"]);

/** The race that I have a seat in and that has not started. @param {State} state */
export const openRace = (state) => seatIn(state, ["open"])?.id ?? null;

/**
 * A reducer over the variants that this page knows.
 * @param {Catalogue} catalogue
 */
export function makeReduce(catalogue) {
  /** @type {(state: State, event: Happening) => State} */
  return function reduce(state, event) {
    switch (event.type) {
      case "connecting":
        return { ...state, link: { ...state.link, phase: "connecting", retryAtMs: null } };
      case "opened":
        return { ...state, link: { ...state.link, session: state.link.session + 1 } };
      case "offset":
        return { ...state, offsetMs: event.offsetMs };
      case "lost":
        return lost(state, event);
      case "ask":
        return ask(remember(state, event.command), event.command);
      case "sent":
        return { ...state, requests: state.requests.filter((each) => each.serial > event.serial) };
      case "act":
        return withRace(state, event.race, (race) => ({
          ...race,
          attempt: race.attempt && act(race.attempt, event.action),
        }));
      case "forget":
        return { ...state, wanted: state.wanted.filter((race) => race !== event.race && race !== state.aliases[event.race]) };
      case "seen":
        return { ...state, [event.what]: null };
      case "told":
        return told(catalogue, state, event.message);
    }
  };
}

/** @param {State} state @param {any} command @returns {State} */
function ask(state, command) {
  const serial = state.serial + 1;
  return { ...state, serial, requests: [...state.requests, { serial, command }] };
}

/** Which races one wants to be in, and what one waits for no more. @param {State} state @param {any} command @returns {State} */
function remember(state, command) {
  if (command.type === "enter" && !state.wanted.includes(command.race)) {
    return { ...state, wanted: [...state.wanted, command.race] };
  }
  if (command.type === "unqueue") return { ...state, queued: { ...state.queued, [command.variant]: false } };
  if (command.type === "leave") return { ...state, wanted: state.wanted.filter((race) => race !== command.race) };
  return state;
}

/** @param {State} state @param {{code: number, retryAtMs: number|null}} event @returns {State} */
function lost(state, { code, retryAtMs }) {
  const phase = retryAtMs === null ? "closed" : "waiting";
  // A create is safe to ask again, by its key; all else is asked again by whoever wants it.
  const requests = state.requests.filter(({ command }) => command.type === "create");
  return { ...state, requests, queued: phase === "closed" ? {} : state.queued, link: { ...state.link, phase, code, retryAtMs } };
}

/** @param {State} state @param {string} id @param {(race: Race) => Race} change @returns {State} */
function withRace(state, id, change) {
  const race = findRace(state, id);
  return race ? { ...state, races: { ...state.races, [race.id]: change(race) } } : state;
}

/** @param {State} state @param {LifeEvent} message @param {(state: RaceState) => RaceState} change @returns {State} */
function withLife(state, message, change) {
  const race = state.races[message.race];
  if (!race || message.seq <= race.seq) return state;
  if (message.seq > race.seq + 1) {
    if (race.isLost) return state;
    const marked = withRace(state, race.id, (each) => ({ ...each, isLost: true }));
    return ask(marked, { type: "resync", race: race.id });
  }
  return withRace(state, race.id, (each) => ({ ...each, seq: message.seq, state: change(each.state) }));
}

/** @param {RaceState} life @param {string} player @param {(entrant: Entrant) => Entrant} change */
function withEntrant(life, player, change) {
  return { ...life, entrants: life.entrants.map((e) => (e.player.id === player ? change(e) : e)) };
}

/** @param {Catalogue} catalogue @param {State} state @param {AnyEvent} message @returns {State} */
function told(catalogue, state, message) {
  switch (message.type) {
    case "welcome":
      return welcome(state, message);
    case "notice":
      return { ...state, link: { ...state.link, notice: message.message } };
    case "queued":
      return { ...state, queued: { ...state.queued, [message.variant]: message.waiting } };
    case "matched":
      return matched(state, message);
    case "snapshot":
      return snapshot(catalogue, state, message);
    case "started":
      return started(catalogue, state, message);
    case "left":
      return left(state, message);
    case "entered":
    case "ready":
    case "countdown":
    case "finished":
    case "closing":
    case "closed":
    case "rematch":
      return withLife(state, message, (life) => lived(life, message));
    case "accepted":
      return withRace(state, message.race, (race) => ({ ...race, attempt: race.attempt && accept(race.attempt, message) }));
    case "rejected":
      return withRace(state, message.race, (race) => ({ ...race, attempt: race.attempt && reject(race.attempt, message) }));
    case "hint":
      return withRace(state, message.race, (race) => ({ ...race, attempt: race.attempt && hear(race.attempt, message) }));
    case "progress":
      return progressed(state, message);
    case "presence":
      return withRace(state, message.race, (race) => ({
        ...race,
        state: withEntrant(race.state, message.player, (entrant) =>
          (seenHere(entrant) > message.now_ms ? entrant : { ...entrant, here: message.here, hereMs: message.now_ms }),
        ),
      }));
    case "error":
      return failed(state, message);
    default:
      return state;
  }
}

/** When it was last heard whether this player is here. @param {Record<string, any>} entrant @returns {number} */
const seenHere = (entrant) => entrant["hereMs"] ?? 0;

/** @param {State} state @param {import("./protocol.js").WelcomeEvent} message @returns {State} */
function welcome(state, message) {
  /** @type {Link} */
  const link = { ...state.link, phase: "open", code: 0, notice: null };
  /** @type {State} */
  const opened = { ...state, link, player: message.player, live: message.live ?? null, queued: {} };
  const waits = Object.keys(state.queued).filter((variant) => state.queued[variant]);
  const entered = state.wanted.reduce((here, race) => ask(here, { type: "enter", race }), opened);
  // Followed without taking it over: another tab may be in it.
  const seated = message.seat && !state.wanted.includes(message.seat) ? ask(entered, { type: "watch", race: message.seat }) : entered;
  return waits.reduce((here, variant) => ask(here, { type: "queue", variant }), seated);
}

/** @param {State} state @param {import("./protocol.js").MatchedEvent} message @returns {State} */
function matched(state, message) {
  const wanted = state.wanted.includes(message.race) ? state.wanted : [...state.wanted, message.race];
  const queued = { ...state.queued, [message.variant]: false };
  return { ...state, matched: message.race, wanted, queued };
}

/** @param {Catalogue} catalogue @param {State} state @param {import("./protocol.js").SnapshotEvent} message @returns {State} */
function snapshot(catalogue, state, message) {
  const before = state.races[message.race] ?? null;
  if (before && message.seq < before.seq) return state;
  const life = message.state;
  const startMs = message.attempt && life.start_ms == null ? message.now_ms - message.attempt.at_ms : (life.start_ms ?? message.now_ms);
  const known = {
    variant: catalogue.find(life.variant),
    iron: life.iron,
    startMs: message.attempt ? message.now_ms - message.attempt.at_ms : startMs,
    session: state.link.session,
  };
  const attempt = message.attempt ? loadAttempt(before?.attempt ?? null, message.attempt, known) : (before?.attempt ?? null);
  const hasSeat = life.entrants.some((e) => e.player.id === state.player?.id);
  const re = message.re ?? null;
  const isCode = re !== null && re !== message.race;
  // Who only looks on is not told the link: it is what the race was asked for by.
  const link = life.link ?? before?.link ?? (isCode && life.kind === "private" ? re : null);
  /** @type {Race} */
  const race = {
    id: message.race,
    link,
    seq: message.seq,
    state: life,
    attempt,
    progress: before?.progress ?? {},
    isWatched: !hasSeat,
    isLost: false,
    isKicked: !hasSeat && before?.isKicked === true,
  };
  const created = isCode ? { ...state.created, [re]: message.race } : state.created;
  const aliases = { ...state.aliases, ...(isCode && { [re]: message.race }), ...(link && { [link]: message.race }) };
  const wanted = [...new Set(state.wanted.map((each) => aliases[each] ?? each))];
  if (isCode && hasSeat && !wanted.includes(message.race)) wanted.push(message.race);
  return { ...state, races: { ...state.races, [message.race]: race }, created, aliases, wanted };
}

/** @param {Catalogue} catalogue @param {State} state @param {import("./protocol.js").StartedEvent} message @returns {State} */
function started(catalogue, state, message) {
  const alive = withLife(state, message, (life) => lived(life, message));
  const race = alive.races[message.race];
  if (!race || race.attempt || !state.wanted.includes(race.id) || !message.position || race.seq !== message.seq) return alive;
  const position = decodePosition(catalogue.find(race.state.variant), message.position);
  const known = { iron: race.state.iron, startMs: message.start_ms, session: alive.link.session };
  return withRace(alive, race.id, (each) => ({ ...each, attempt: beginAttempt(position, known) }));
}

/** Somebody's seat is free again. Where it was mine, I am not brought back to it. @param {State} state @param {import("./protocol.js").LeftEvent} message @returns {State} */
function left(state, message) {
  const after = withLife(state, message, (life) => lived(life, message));
  if (message.player !== state.player?.id) return after;
  const wanted = after.wanted.filter((race) => race !== message.race);
  return withRace({ ...after, wanted }, message.race, (race) => ({ ...race, isWatched: true, isKicked: message.kicked === true }));
}

/** A race's life after one of its events. @param {RaceState} life @param {LifeEvent} message @returns {RaceState} */
function lived(life, message) {
  switch (message.type) {
    case "entered": {
      const others = life.entrants.filter((e) => e.player.id !== message.player.id);
      return { ...life, entrants: [...others, { player: message.player, ready: false, here: true, cards: 0, at_ms: 0 }] };
    }
    case "left": {
      const entrants = life.entrants.filter((e) => e.player.id !== message.player);
      return { ...life, entrants, host: message.host ?? life.host };
    }
    case "ready":
      return withEntrant(life, message.player, (entrant) => ({ ...entrant, ready: message.ready }));
    case "countdown":
      return { ...life, phase: "countdown", start_ms: message.start_ms };
    case "started":
      return { ...life, phase: "running", start_ms: message.start_ms, closes_ms: message.closes_ms };
    case "finished":
      return withEntrant(life, message.player, (entrant) => ({
        ...entrant,
        cards: message.cards,
        at_ms: message.at_ms,
        end: message.end,
        end_ms: message.end_ms,
      }));
    case "closing":
      return { ...life, phase: "closing" };
    case "closed":
      return { ...life, phase: "closed", results: message.results, deal: message.deal, nonce: message.nonce };
    case "rematch":
      return { ...life, rematch: message.new_race };
    default:
      return life;
  }
}

/** @param {State} state @param {import("./protocol.js").ProgressEvent} message @returns {State} */
function progressed(state, message) {
  return withRace(state, message.race, (race) => {
    const before = race.progress[message.player];
    if (before && before.version > message.version) return race;
    const seen = { ...message, undoing: before ? message.undos > before.undos : false };
    const life = withEntrant(race.state, message.player, (entrant) => ({
      ...entrant,
      cards: message.best_cards,
      at_ms: message.best_ms,
    }));
    return { ...race, state: life, progress: { ...race.progress, [message.player]: seen } };
  });
}

/** @param {State} state @param {import("./protocol.js").ErrorEvent} message @returns {State} */
function failed(state, message) {
  const race = message.race ? findRace(state, message.race) : null;
  const { id } = message;
  if (id && race?.attempt && (message.code === "retry" || message.code === "too_many_messages")) {
    return withRace(state, race.id, (each) => ({ ...each, attempt: each.attempt && askAgain(each.attempt, id) }));
  }
  if (race && message.re === "hint") {
    return withRace(state, race.id, (each) => ({ ...each, attempt: each.attempt && refuse(each.attempt, message.code, message.message, { type: "hint" }) }));
  }
  const error = {
    serial: state.serial + 1,
    code: message.code,
    message: message.message,
    re: message.re ?? null,
    race: message.race ?? null,
    key: message.key ?? null,
  };
  const isGone = message.re === "enter" || message.code === "race_unknown";
  const wanted = isGone ? state.wanted.filter((each) => each !== message.race) : state.wanted;
  return { ...state, serial: state.serial + 1, error, wanted };
}
