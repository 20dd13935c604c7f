/**
 * The socket: says hello, sends what the state wants sent, hands on what comes, measures the server's clock, and
 * connects again with growing pauses. It knows nothing of rules or pages.
 *
 * @typedef {import("./store.js").Store<State, Happening>} PageStore
 */

export const PROTOCOL = 1;
const PING_MS = 10_000;
const FIRST_PINGS_MS = [150, 300, 600, 1200];
const SILENCE_MS = 15_000;
/** With a move unanswered: pings need no store. */
const WAITING_SILENCE_MS = 6_000;
const BEAT_MS = 2_500;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
const RESEND_MS = 400;
const SAMPLES = 8;
/** The server's code for a voided token; here also for a hello that was refused with one. */
export const SIGNED_OUT = 4003;
/** After these the client does not come back by itself: policy, taken over, upgrade needed. */
const FINAL = new Set([1008, 1009, 4001, 4010]);

/** Fewest milliseconds of travel first: the best of the last few clock samples counts. */
export class ClockSamples {
  constructor() {
    /** @type {{tripMs: number, offsetMs: number}[]} */
    this.samples = [];
  }

  /** The server's clock less ours, after one more sample. @param {number} sentMs @param {number} serverMs @param {number} receivedMs */
  add(sentMs, serverMs, receivedMs) {
    const tripMs = receivedMs - sentMs;
    this.samples.push({ tripMs, offsetMs: serverMs - (sentMs + tripMs / 2) });
    if (this.samples.length > SAMPLES) this.samples.shift();
    return this.samples.reduce((best, sample) => (sample.tripMs < best.tripMs ? sample : best)).offsetMs;
  }
}

/** A growing pause with chance in it. @param {number} tries @param {number} chance from 0 to 1 */
export function pauseMs(tries, chance) {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * (0.5 + chance / 2);
}

export class Connection {
  /**
   * @param {object} parts
   * @param {string} parts.url
   * @param {PageStore} parts.store
   * @param {{read: () => string|null, write: (token: string) => void, clear: () => void}} parts.token
   * @param {(url: string) => WebSocket} [parts.open]
   */
  constructor({ url, store, token, open = (address) => new WebSocket(address) }) {
    this.url = url;
    this.store = store;
    this.token = token;
    this.open = open;
    /** @type {WebSocket|null} */
    this.socket = null;
    this.tries = 0;
    this.clock = new ClockSamples();
    /** @type {Map<number, number>} */
    this.pings = new Map();
    this.pingId = 0;
    this.pingedMs = 0;
    /** What was sent on this connection: `race epoch.id.tries`. @type {Set<string>} */
    this.sent = new Set();
    this.heardMs = 0;
    this.retryAfterMs = 0;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    this.isWanted = false;
    store.subscribe((state) => this.send(state));
    setInterval(() => this.keepAlive(), BEAT_MS);
    addEventListener("online", () => this.retryNow());
    addEventListener("offline", () => this.giveUp(1006));
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.keepAlive();
    });
  }

  /** Connects, and stays connected. */
  start() {
    this.isWanted = true;
    if (this.socket) return;
    clearTimeout(this.timer);
    this.store.dispatch({ type: "connecting" });
    const socket = this.open(this.url);
    this.socket = socket;
    this.sent.clear();
    this.pings.clear();
    this.heardMs = performance.now();
    socket.addEventListener("open", () => this.greet(socket));
    socket.addEventListener("message", (event) => this.hear(socket, event.data));
    socket.addEventListener("close", (event) => this.lose(socket, event.code));
  }

  /** Says hello anew, as whoever the kept token is of. */
  restart() {
    if (this.socket) this.giveUp(1000);
    else this.start();
  }

  /** Takes the connection for lost: on a dead line the browser itself tells of a close late or never. @param {number} code */
  giveUp(code) {
    const { socket } = this;
    if (!socket) return;
    this.lose(socket, code);
    socket.close();
  }

  /** Tries at once, as when the device is online again. */
  retryNow() {
    if (this.isWanted && !this.socket) this.start();
  }

  /** @param {WebSocket} socket */
  greet(socket) {
    if (socket !== this.socket) return;
    this.store.dispatch({ type: "opened" });
    const token = this.token.read();
    socket.send(JSON.stringify({ type: "hello", protocol: PROTOCOL, ...(token ? { token } : {}) }));
  }

  /** @param {WebSocket} socket @param {string} text */
  hear(socket, text) {
    if (socket !== this.socket) return;
    const now = performance.now();
    this.heardMs = now;
    const message = JSON.parse(text);
    if (message.type === "pong") {
      const sentMs = this.pings.get(message.id);
      this.pings.delete(message.id);
      if (sentMs !== undefined) this.setOffset(this.clock.add(sentMs, message.now_ms, now));
      return;
    }
    if (message.type === "welcome") this.welcome(message);
    if (message.type === "notice") this.retryAfterMs = message.retry_after_ms ?? 0;
    if (message.type === "error" && message.code === "token_unknown") {
      // The name was recovered elsewhere, or the player is gone: whether to begin as a new guest is asked first.
      this.isWanted = false;
      this.giveUp(SIGNED_OUT);
      return;
    }
    this.store.dispatch({ type: "told", message });
  }

  /** @param {any} message */
  welcome(message) {
    this.tries = 0;
    if (message.token) this.token.write(message.token);
    if (this.clock.samples.length === 0) this.setOffset(message.now_ms - performance.now());
    for (const afterMs of FIRST_PINGS_MS) setTimeout(() => this.ping(), afterMs);
  }

  /** @param {number} offsetMs */
  setOffset(offsetMs) {
    // Milliseconds of the page's own steady clock to those of the server: the wall clock may be set meanwhile.
    this.store.dispatch({ type: "offset", offsetMs });
  }

  /** @param {WebSocket} socket @param {number} code */
  lose(socket, code) {
    if (socket !== this.socket) return;
    this.socket = null;
    if (FINAL.has(code) || !this.isWanted) {
      this.isWanted = false;
      this.store.dispatch({ type: "lost", code, retryAtMs: null });
      return;
    }
    const pause = Math.max(this.retryAfterMs, 0) + pauseMs(this.tries, Math.random());
    this.tries += 1;
    this.retryAfterMs = 0;
    this.store.dispatch({ type: "lost", code, retryAtMs: performance.now() + pause });
    this.timer = setTimeout(() => this.start(), pause);
  }

  ping() {
    if (this.socket?.readyState !== WebSocket.OPEN || this.store.state.link.phase !== "open") return;
    this.pingId += 1;
    this.pingedMs = performance.now();
    this.pings.set(this.pingId, this.pingedMs);
    this.socket.send(JSON.stringify({ type: "ping", id: this.pingId }));
  }

  /** A connection that has fallen silent is given up; the browser itself may not notice for minutes. */
  keepAlive() {
    if (!this.socket) return;
    const now = performance.now();
    const isWaiting = Object.values(this.store.state.races).some(({ attempt }) => attempt?.pending.length);
    const [unansweredMs = Infinity] = this.pings.values();
    if (now - Math.max(unansweredMs, this.heardMs) > (isWaiting ? WAITING_SILENCE_MS : SILENCE_MS)) this.giveUp(1006);
    else if (isWaiting || now - this.pingedMs >= PING_MS) this.ping();
  }

  /** Sends what the state wants sent and was not sent yet on this connection. @param {State} state */
  send(state) {
    const { socket } = this;
    if (socket?.readyState !== WebSocket.OPEN || state.link.phase !== "open") return;
    for (const { serial, command } of state.requests) {
      socket.send(JSON.stringify(command));
      this.store.dispatch({ type: "sent", serial });
    }
    for (const race of Object.values(state.races)) {
      const { attempt } = race;
      if (!attempt || attempt.session !== state.link.session) continue;
      for (const { id, version, action, tries } of attempt.pending) {
        const key = `${race.id} ${attempt.epoch}.${id}.${tries}`;
        if (this.sent.has(key)) continue;
        this.sent.add(key);
        const text = JSON.stringify({ ...action, race: race.id, id, version });
        if (tries === 0) socket.send(text);
        else setTimeout(() => socket.readyState === WebSocket.OPEN && socket.send(text), RESEND_MS);
      }
    }
  }
}
