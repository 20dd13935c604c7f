/** What has been chosen by tap or key and waits for a target; every way of input goes through here to the same moves. */

export class Choice {
  /** @param {Table} table @param {(source: string, count: number) => string|null} best the target that one tap takes */
  constructor(table, best) {
    this.table = table;
    this.best = best;
    /** @type {string|null} */
    this.source = null;
    this.count = 0;
  }

  clear() {
    if (this.source === null) return;
    this.source = null;
    this.count = 0;
    this.table.mark(null, 0);
  }

  /** @param {string} source @param {number} count */
  choose(source, count) {
    this.source = source;
    this.count = count;
    this.table.mark(source, count);
    const depth = this.table.size(source) - count;
    this.table.game.say(this.table.game.chosenText(this.table.game.cardLabel(source, depth), this.table.game.targets(source, count)));
  }

  /** @param {string} source @param {number} count */
  toggle(source, count) {
    if (this.source === source && this.count === count) this.clear();
    else this.choose(source, count);
  }

  /**
   * Moves what is chosen to a pile; of the counts that can be lifted, the one that fits there is taken.
   * @param {string} target
   */
  goTo(target) {
    const { source, count, table } = this;
    if (source === null) return false;
    this.clear();
    const counts = [count, ...table.game.counts(source).reverse()];
    const fitting = counts.find((each) => table.game.targets(source, each).includes(target)) ?? count;
    table.game.play({ source, target, count: fitting });
    return true;
  }

  /** To a foundation, if the available card fits one. @param {string} source */
  goHome(source) {
    this.clear();
    const target = this.table.game.targets(source, 1).find((name) => name[0] === "f");
    if (target) this.table.game.play({ source, target, count: 1 });
    return target !== undefined;
  }

  /** To the best target, if there is one. @param {string} source @param {number} count */
  goBest(source, count) {
    const target = this.best(source, count);
    if (target === null) return false;
    this.clear();
    this.table.game.play({ source, target, count });
    return true;
  }
}
