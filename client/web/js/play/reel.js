/** What is played through on one clock: several lanes of steps with their times, where one is, and how fast it goes. */

/** @typedef {{atMs: number}} Timed */

export class Reel {
  /** @param {() => readonly (readonly Timed[])[]} lanes the steps of each, the first at 0 @param {() => void} changed @param {number} speed */
  constructor(lanes, changed, speed) {
    this.lanes = lanes;
    this.changed = changed;
    this.speed = speed;
    this.atMs = 0;
    this.isPlaying = false;
    this.lastMs = 0;
  }

  endMs() {
    return Math.max(1, ...this.lanes().map((steps) => steps.at(-1)?.atMs ?? 0));
  }

  /** The step that a lane is at. @param {number} lane */
  stepAt(lane) {
    const steps = this.lanes()[lane] ?? [];
    let at = 0;
    while (at + 1 < steps.length && (steps[at + 1]?.atMs ?? 0) <= this.atMs) at += 1;
    return at;
  }

  /** @param {number} atMs */
  seek(atMs) {
    this.atMs = Math.max(0, Math.min(this.endMs(), atMs));
    if (this.atMs >= this.endMs()) this.isPlaying = false;
    this.changed();
  }

  /** To the next or the last step of any of the lanes. @param {1|-1} way */
  step(way) {
    const times = this.lanes().flatMap((steps) => steps.map((step) => step.atMs)).sort((a, b) => a - b);
    const next = way > 0 ? times.find((ms) => ms > this.atMs) : times.findLast((ms) => ms < this.atMs);
    this.isPlaying = false;
    if (next !== undefined) this.seek(next);
  }

  toggle() {
    if (this.isPlaying) this.stop();
    else this.start();
    this.changed();
  }

  start() {
    if (this.isPlaying) return;
    this.isPlaying = true;
    if (this.atMs >= this.endMs()) this.atMs = 0;
    this.lastMs = performance.now();
    requestAnimationFrame(() => this.run());
  }

  stop() {
    this.isPlaying = false;
  }

  run() {
    if (!this.isPlaying) return;
    const now = performance.now();
    this.seek(this.atMs + (now - this.lastMs) * this.speed);
    this.lastMs = now;
    requestAnimationFrame(() => this.run());
  }
}
