/**
 * The whole game by keyboard. Piles have the focus one at a time: arrows walk between them, a digit jumps, Enter lifts
 * and drops. The help dialog lists `KEYS`.
 */

/** Keys and the action that each stands for; the digits are the tableau piles. @type {Record<string, string>} */
export const KEYS = {
  z: "undo",
  y: "redo",
  h: "hint",
  H: "verdict",
  c: "collect",
  C: "collect_all",
  r: "restart",
  d: "draw",
  x: "redeal",
};

export class KeyControl {
  /** @param {Table} table @param {{choice: Choice, act: (action: string) => void}} parts */
  constructor(table, { choice, act }) {
    this.table = table;
    this.choice = choice;
    this.act = act;
    this.focus = "t0";
    table.surface.addEventListener("focusin", (event) => {
      const name = /** @type {HTMLElement} */ (event.target).dataset["pile"];
      if (name) this.setFocus(name);
    });
  }

  /** Handles a key of the page; true if it was one of the table's. @param {KeyboardEvent} event */
  press(event) {
    if (event.altKey || event.isComposing) return false;
    if (event.ctrlKey || event.metaKey) return this.pressWithControl(event);
    const { key } = event;
    if (/^[0-9]$/.test(key)) return this.pile(`t${(Number(key) + 9) % 10}`);
    const action = KEYS[key];
    if (action) {
      this.act(action);
      return true;
    }
    switch (key) {
      case "f":
        return this.home();
      case "w":
        return this.pile("w");
      case "q":
        return this.next("c");
      case "e":
        return this.next("r");
      case "Escape":
        if (this.choice.source === null) return false;
        this.choice.clear();
        return true;
      case "ArrowLeft":
      case "ArrowRight":
      case "ArrowUp":
      case "ArrowDown":
        return this.arrow(key);
      case "Enter":
      case " ":
        return this.enter(event);
      default:
        return false;
    }
  }

  /** @param {KeyboardEvent} event */
  pressWithControl(event) {
    const key = event.key.toLowerCase();
    if (key === "z") this.act(event.shiftKey ? "redo" : "undo");
    else if (key === "y") this.act("redo");
    else return false;
    return true;
  }

  /** A pile by its key: lifts from it, or drops on it. @param {string} name */
  pile(name) {
    if (!this.table.piles[name]) return false;
    this.setFocus(name);
    this.table.piles[name]?.focus({ preventScroll: true });
    this.activate(name);
    return true;
  }

  /** The next pile of a kind that holds a card, or takes the lifted one. @param {string} kind */
  next(kind) {
    const names = Object.keys(this.table.piles).filter((name) => name[0] === kind);
    const isUseful = (/** @type {string} */ name) =>
      this.choice.source !== null && this.choice.source[0] !== kind ? this.table.size(name) === 0 : this.table.size(name) > 0;
    const start = names.indexOf(this.focus) + 1;
    const found = [...names.slice(start), ...names.slice(0, start)].find(isUseful);
    if (!found) return names.length > 0;
    if (this.choice.source !== null && this.choice.source[0] === kind) this.choice.clear();
    return this.pile(found);
  }

  home() {
    const source = this.choice.source ?? this.focus;
    if (!this.choice.goHome(source)) this.table.game.refuseHome(source);
    return true;
  }

  /** @param {string} name */
  activate(name) {
    const { choice, table } = this;
    if (name === "s") {
      choice.clear();
      table.game.draw();
    } else if (choice.source !== null && choice.source !== name) choice.goTo(name);
    else if (choice.source === name) choice.clear();
    else {
      const counts = table.game.counts(name);
      if (counts.length) choice.choose(name, counts[0] ?? 1);
      else if (table.size(name)) table.game.refuseLift(name, table.size(name) - 1);
      else table.game.say(table.describe(name));
    }
  }

  /** @param {KeyboardEvent} event */
  enter(event) {
    const name = /** @type {HTMLElement} */ (event.target).dataset?.["pile"];
    if (!name) return false;
    this.activate(name);
    return true;
  }

  /** Left and right walk; up and down take more or fewer cards of a lifted run, else walk. @param {string} key */
  arrow(key) {
    const { choice, table } = this;
    if (choice.source !== null && choice.source === this.focus && (key === "ArrowUp" || key === "ArrowDown")) {
      const counts = table.game.counts(choice.source);
      const at = counts.indexOf(choice.count) + (key === "ArrowUp" ? 1 : -1);
      const count = counts[at];
      if (count !== undefined) {
        choice.choose(choice.source, count);
        return true;
      }
    }
    const name = this.neighbour(key);
    if (!name) return true;
    this.setFocus(name);
    table.piles[name]?.focus({ preventScroll: true });
    return true;
  }

  /** The nearest pile in a direction. @param {string} key */
  neighbour(key) {
    const own = this.table.pileBox(this.focus);
    const spot = this.table.layout?.spots[this.focus];
    if (!spot) return Object.keys(this.table.piles)[0];
    const [sx, sy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1] }[key] ?? [0, 1];
    let best = { name: "", cost: Infinity };
    for (const name of Object.keys(this.table.piles)) {
      const other = this.table.layout?.spots[name];
      if (!other || name === this.focus) continue;
      const dx = other.x - spot.x;
      const dy = other.y - spot.y;
      const ahead = dx * (sx ?? 0) + dy * (sy ?? 0);
      const aside = Math.abs(dx * (sy ?? 0)) + Math.abs(dy * (sx ?? 0));
      if (ahead <= Math.min(own.width, own.height) * 0.2) continue;
      const cost = ahead + 3 * aside;
      if (cost < best.cost) best = { name, cost };
    }
    return best.name;
  }

  /** @param {string} name */
  setFocus(name) {
    const before = this.table.piles[this.focus];
    if (before) before.tabIndex = -1;
    this.focus = name;
    const pile = this.table.piles[name];
    if (pile) pile.tabIndex = 0;
  }
}
