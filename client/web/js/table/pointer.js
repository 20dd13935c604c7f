/**
 * Mouse, pen and finger on the table: drag, tap, double tap, through one set of pointer events. A drop counts when the
 * cards overlap a pile.
 */

const SLOP_MOUSE = 5;
const SLOP_TOUCH = 9;
const DOUBLE_MS = 320;
/** After a tap has moved a card, one in the same spot so soon is the rest of a double click, not a new move. */
const ECHO_MS = 260;
const ECHO_PX = 12;

export class PointerControl {
  /**
   * @param {Table} table
   * @param {{choice: Choice, isOneTap: () => boolean}} parts
   */
  constructor(table, { choice, isOneTap }) {
    this.table = table;
    this.choice = choice;
    this.isOneTap = isOneTap;
    /** @type {Grip|null} */
    this.grip = null;
    this.lastTap = { pile: "", ms: -Infinity };
    this.echo = { untilMs: -Infinity, x: 0, y: 0 };
    const { surface } = table;
    const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) => surface.addEventListener(type, listener);
    on("pointerdown", (event) => this.press(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.lift(event));
    on("pointercancel", (event) => this.cancel(event));
    on("lostpointercapture", (event) => this.cancel(event));
    on("contextmenu", (/** @type {Event} */ event) => event.preventDefault());
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0 || this.grip || !event.isPrimary) return;
    const hit = this.hit(event);
    if (!hit) {
      this.choice.clear();
      return;
    }
    const { table } = this;
    const size = table.size(hit.pile);
    const wanted = size - hit.depth;
    const count = hit.depth >= 0 && table.game.counts(hit.pile).includes(wanted) ? wanted : 0;
    this.grip = { pointer: event.pointerId, ...hit, count, x: event.clientX, y: event.clientY, isDragging: false, cards: [], places: [] };
    table.surface.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  /** The pile and card under the pointer; depth -1 for an empty pile. @param {PointerEvent} event */
  hit(event) {
    const element = /** @type {HTMLElement} */ (event.target);
    const root = element.closest(".card");
    if (root) {
      const card = this.table.cards.find((each) => each.root === root);
      return card ? { pile: card.pile, depth: card.depth } : null;
    }
    const pile = /** @type {HTMLElement|null} */ (element.closest(".pile"))?.dataset["pile"];
    return pile ? { pile, depth: this.table.size(pile) - 1 } : null;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { grip, table } = this;
    if (!grip || event.pointerId !== grip.pointer) return;
    const dx = event.clientX - grip.x;
    const dy = event.clientY - grip.y;
    if (!grip.isDragging) {
      const slop = event.pointerType === "mouse" ? SLOP_MOUSE : SLOP_TOUCH;
      if (Math.hypot(dx, dy) < slop || grip.count === 0) return;
      grip.isDragging = true;
      grip.cards = table.from(grip.pile, grip.depth);
      grip.places = grip.cards.map(({ x, y }) => ({ x, y }));
      table.hold(grip.cards);
      this.choice.clear();
      table.mark(grip.pile, grip.count);
    }
    grip.cards.forEach((card, number) => {
      const place = grip.places[number];
      if (place) card.move(place.x + dx, place.y + dy, 6000 + number);
    });
  }

  /** @param {PointerEvent} event */
  lift(event) {
    const { grip } = this;
    if (!grip || event.pointerId !== grip.pointer) return;
    this.grip = null;
    if (grip.isDragging) this.drop(grip);
    else this.tap(grip, event.timeStamp);
  }

  /** @param {PointerEvent} event */
  cancel(event) {
    if (this.grip?.pointer !== event.pointerId) return;
    const { isDragging } = this.grip;
    this.grip = null;
    if (!isDragging) return;
    this.table.mark(null, 0);
    this.table.release();
  }

  /** @param {Grip} grip */
  drop(grip) {
    const { table } = this;
    table.mark(null, 0);
    const [first] = grip.cards;
    // The position may have changed under the drag: a card that lies elsewhere now is let go.
    if (!first || first.pile !== grip.pile || table.size(grip.pile) - first.depth !== grip.count) {
      table.release();
      return;
    }
    const legal = table.game.targets(grip.pile, grip.count);
    const under = this.overlapped(first, grip.pile);
    const target = under.find((name) => legal.includes(name)) ?? under[0];
    if (target) table.game.play({ source: grip.pile, target, count: grip.count });
    table.release();
  }

  /** The piles that a card overlaps, most first; its own is left out. @param {CardElement} card @param {string} own */
  overlapped(card, own) {
    const { w = 0, h = 0 } = this.table.layout ?? {};
    const shared = (/** @type {number} */ a, /** @type {number} */ al, /** @type {number} */ b, /** @type {number} */ bl) =>
      Math.max(0, Math.min(a + al, b + bl) - Math.max(a, b));
    return Object.keys(this.table.piles)
      .filter((name) => name !== own)
      .map((name) => {
        const box = this.table.pileBox(name);
        return { name, area: shared(card.x, w, box.x, box.width) * shared(card.y, h, box.y, box.height) };
      })
      .filter(({ area }) => area > w * h * 0.04)
      .sort((a, b) => b.area - a.area)
      .map(({ name }) => name);
  }

  /** @param {Grip} grip @param {number} ms */
  tap(grip, ms) {
    const { untilMs, x, y } = this.echo;
    if (ms < untilMs && Math.hypot(grip.x - x, grip.y - y) < ECHO_PX) return;
    const moved = () => {
      this.echo = { untilMs: ms + ECHO_MS, x: grip.x, y: grip.y };
    };
    const isDouble = this.lastTap.pile === grip.pile && ms - this.lastTap.ms < DOUBLE_MS;
    // Only a tap that chose a card can be the first half of a double one: a drop there is not.
    this.lastTap = { pile: "", ms };
    if (grip.pile === "s") {
      this.choice.clear();
      this.table.game.draw();
      return;
    }
    if (this.choice.source !== null && this.choice.source !== grip.pile) {
      this.choice.goTo(grip.pile);
      return;
    }
    if (grip.count === 0) {
      this.choice.clear();
      if (grip.depth >= 0) this.table.game.refuseLift(grip.pile, grip.depth);
      return;
    }
    if (isDouble && this.choice.goHome(grip.pile)) {
      moved();
      return;
    }
    if (this.isOneTap() && this.choice.goBest(grip.pile, grip.count)) {
      moved();
      return;
    }
    this.lastTap.pile = grip.pile;
    this.choice.toggle(grip.pile, grip.count);
  }
}
