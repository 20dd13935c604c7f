/** Asking where an attempt was lost: not asked yet, waiting in the queue, being worked at, answered or refused. */

import { ApiError } from "../http.js";

const AGAIN_MS = 3000;
const PASSING = ["offline", "retry", "internal"];
const FOR_NOW = [...PASSING, "no_solver", "many_waiting", "queue_full", "too_many_messages"];

export class Inquiry {
  /** @param {import("../http.js").Http} http @param {string} attempt @param {() => void} changed */
  constructor(http, attempt, changed) {
    this.http = http;
    this.path = `attempts/${encodeURIComponent(attempt)}/analysis`;
    this.changed = changed;
    /** @type {"unasked"|"asking"|"queued"|"running"|"ready"|"refused"} */
    this.state = "unasked";
    this.ahead = 0;
    /** @type {Analysis|null} */
    this.value = null;
    /** @type {ApiError|null} */
    this.error = null;
    this.timer = 0;
  }

  /** Asks for it; what was asked for already, or is there, is only read. */
  ask() {
    if (this.state !== "unasked" && this.state !== "refused") return;
    void this.call("POST");
  }

  /** It was refused for now only: the same question may be answered soon. */
  get mayAskAgain() {
    return this.error !== null && FOR_NOW.includes(this.error.code);
  }

  /** Reads what is known to be there. */
  look() {
    if (this.state === "unasked") void this.call("GET");
  }

  /** Nobody looks any more. */
  close() {
    clearTimeout(this.timer);
    this.changed = () => undefined;
  }

  /** @param {"GET"|"POST"} method */
  async call(method) {
    if (this.state === "unasked" || this.state === "refused") this.state = "asking";
    this.changed();
    try {
      this.take(await this.http.call(method, this.path));
    } catch (error) {
      this.refuse(error instanceof ApiError ? error : new ApiError("internal", String(error), 0), method);
    }
    this.changed();
  }

  /** @param {any} answer */
  take(answer) {
    this.state = answer.state;
    this.error = null;
    if (answer.state === "ready") this.value = answer;
    else {
      this.ahead = answer.ahead;
      this.again(answer.retry_after_ms);
    }
  }

  /** What passes by itself while one waits is waited for. @param {ApiError} error @param {"GET"|"POST"} method */
  refuse(error, method) {
    if (method === "GET" && PASSING.includes(error.code)) {
      this.again(AGAIN_MS);
      return;
    }
    this.state = "refused";
    this.error = error;
  }

  /** @param {number} waitMs */
  again(waitMs) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.call("GET"), waitMs);
  }
}
