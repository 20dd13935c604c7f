/** Holds the state, hands each event to the reducer, and tells listeners once for all events of one task. */

/** @template State, Event */
export class Store {
  /** @param {(state: State, event: Event) => State} reduce @param {State} state */
  constructor(reduce, state) {
    this.reduce = reduce;
    this.state = state;
    /** @type {Set<(state: State) => void>} */
    this.listeners = new Set();
    this.isTelling = false;
  }

  /** @param {Event} event */
  dispatch(event) {
    const after = this.reduce(this.state, event);
    if (after === this.state) return;
    this.state = after;
    if (this.isTelling) return;
    this.isTelling = true;
    queueMicrotask(() => {
      this.isTelling = false;
      for (const listener of [...this.listeners]) listener(this.state);
    });
  }

  /** Calls back after changes, until the function it gives is called. @param {(state: State) => void} listener */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
