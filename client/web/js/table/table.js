/**
 * The card table: one permanent element a card, moved by `transform` to where the layout says. It knows no
 * rules: what is legal it asks its game.
 */

import { UNKNOWN } from "../rules/cards.js";
import { CardElement, measureTen, suitSign } from "./faces.js";
import { placeCard } from "./draft.js";
import { computeLayout } from "./geometry.js";

const FLY_MS = 150;
const APART_MS = 40;
const LIFTED = 5000;

export class Table {
  /** @param {HTMLElement} root @param {Game} game */
  constructor(root, game) {
    this.root = root;
    this.game = game;
    /** @type {CardElement[]} */
    this.cards = [];
    /** @type {Record<string, HTMLElement>} */
    this.piles = {};
    /** @type {Position|null} */
    this.position = null;
    /** @type {Layout|null} */
    this.layout = null;
    /** @type {Wishes} */
    this.wishes = { form: "auto", isMirrored: false, isLarge: false, deck: "" };
    /** Cards in the hand, which lie where the pointer is. @type {Set<CardElement>} */
    this.held = new Set();
    this.variantId = "";
    this.ten = 0;
    this.settle = 0;
    this.surface = document.createElement("div");
    this.surface.className = "felt";
    this.root.append(this.surface);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(root);
  }

  /** Lets go of the page. */
  close() {
    this.observer.disconnect();
    clearTimeout(this.settle);
    this.surface.remove();
  }

  /** @param {Partial<Wishes>} wishes */
  wish(wishes) {
    this.wishes = { ...this.wishes, ...wishes };
    if (this.position) this.render(this.position, true);
  }

  resize() {
    if (this.position) this.render(this.position, true);
  }

  /** Shows a position; cards fly there unless told to be there at once. @param {Position} position @param {boolean} [atOnce] */
  show(position, atOnce = false) {
    if (position === this.position) return;
    const isNew = position.variant.id !== this.variantId || this.cards.length !== position.variant.cards;
    if (isNew) this.make(position);
    this.render(position, atOnce || isNew);
  }

  /** Elements for all cards and piles of a variant. @param {Position} position */
  make(position) {
    const { variant } = position;
    this.variantId = variant.id;
    this.cards = Array.from({ length: variant.cards }, () => new CardElement());
    this.piles = Object.fromEntries(variant.names.map((name, number) => [name, this.makePile(position, name, number)]));
    this.surface.replaceChildren(...Object.values(this.piles), ...this.cards.map((card) => card.root));
    const [first] = this.cards;
    if (first) this.ten = measureTen(first);
  }

  /** @param {Position} position @param {string} name @param {number} number */
  makePile({ variant }, name, number) {
    const pile = document.createElement("button");
    pile.type = "button";
    pile.className = `pile pile-${variant.kinds[number]}`;
    pile.dataset["pile"] = name;
    pile.tabIndex = -1;
    const suit = name[0] === "f" ? (variant.foundations[number - variant.tableauEnd]?.suit ?? -1) : -1;
    if (suit >= 0) pile.append(suitSign(suit));
    return pile;
  }

  /** @param {Position} position @param {boolean} atOnce */
  render(position, atOnce) {
    const width = this.root.clientWidth;
    const height = this.root.clientHeight;
    this.position = position;
    if (!width || !height) return;
    const counts = { cards: position.piles.map((pile) => pile.length), down: position.down };
    this.layout = computeLayout(position.variant, counts, { width, height }, { ...this.wishes, ten: this.ten });
    const { w, h, form } = this.layout;
    this.surface.classList.toggle("is-still", atOnce);
    this.surface.dataset["form"] = form;
    this.surface.classList.toggle("is-small", w < 60);
    this.surface.style.setProperty("--w", `${w}px`);
    this.surface.style.setProperty("--h", `${h}px`);
    this.surface.style.height = this.layout.height > height ? `${this.layout.height}px` : "100%";
    this.assign(position);
    this.place(position, this.layout);
    this.placePiles(position, this.layout);
  }

  /** Which element shows which card: those that lie right stay, then equal faces, then whatever is left. @param {Position} position */
  assign(position) {
    /** @type {Map<string, CardElement>} */
    const lying = new Map(this.cards.map((card) => [`${card.pile} ${card.depth}`, card]));
    /** @type {{name: string, depth: number, card: number}[]} */
    const open = [];
    const free = new Set(this.cards);
    const take = (/** @type {CardElement} */ element, /** @type {string} */ name, /** @type {number} */ depth, /** @type {number} */ card) => {
      free.delete(element);
      element.pile = name;
      element.depth = depth;
      element.next = card;
    };
    position.variant.names.forEach((name, number) => {
      position.piles[number]?.forEach((card, depth) => {
        const here = lying.get(`${name} ${depth}`);
        if (here && (here.card === card || here.card === UNKNOWN || card === UNKNOWN)) take(here, name, depth, card);
        else open.push({ name, depth, card });
      });
    });
    for (const slot of open) {
      const twin = slot.card === UNKNOWN ? null : [...free].find((each) => each.card === slot.card);
      const other = twin ?? [...free].find((each) => each.card === UNKNOWN) ?? null;
      if (other) take(other, slot.name, slot.depth, slot.card);
      else slot.depth = -1 - slot.depth;
    }
    for (const slot of open.filter(({ depth }) => depth < 0)) {
      const [rest] = free;
      if (rest) take(rest, slot.name, -1 - slot.depth, slot.card);
    }
  }

  /** @param {Position} position @param {Layout} layout */
  place(position, layout) {
    const { index } = position.variant;
    /** @type {CardElement[]} */
    const flying = [];
    for (const card of this.cards) {
      const number = index[card.pile] ?? 0;
      const spot = layout.spots[card.pile];
      const count = position.piles[number]?.length ?? 0;
      const down = position.down[number] ?? 0;
      if (!spot) continue;
      const isUp = card.pile[0] !== "s" && card.depth >= down;
      card.show(card.next ?? UNKNOWN, isUp, this.wishes.deck);
      card.root.dataset["pile"] = card.pile;
      card.root.dataset["index"] = spot.index;
      card.size(spot.font);
      card.root.classList.toggle("is-top", card.depth === count - 1);
      // Only the last few of a squared pile are drawn: those below can't be seen.
      const isBuried = !spot.dx && !spot.dy && card.depth < count - 3;
      card.root.classList.toggle("is-buried", isBuried);
      if (this.held.has(card)) continue;
      const at = placeCard(spot, card.depth, count, down);
      const moves = at.x !== card.x || at.y !== card.y;
      const z = number * 60 + card.depth + 1;
      if (moves && !this.surface.classList.contains("is-still")) flying.push(card);
      card.root.style.transitionDelay = "0ms";
      card.move(at.x, at.y, z);
    }
    this.raise(flying);
  }

  /** Cards in flight are above all others until they have landed; a collect flies one after the other. @param {CardElement[]} flying */
  raise(flying) {
    if (flying.length === 0) return;
    const homeward = flying.filter((card) => card.pile[0] === "f").sort((a, b) => a.depth - b.depth);
    const apart = homeward.length > 1 && homeward.length === flying.length ? Math.min(APART_MS, 600 / homeward.length) : 0;
    flying.sort((a, b) => a.depth - b.depth);
    flying.forEach((card, number) => {
      card.root.style.zIndex = String(LIFTED + number);
      if (apart) card.root.style.transitionDelay = `${Math.round(homeward.indexOf(card) * apart)}ms`;
    });
    clearTimeout(this.settle);
    this.settle = setTimeout(() => this.land(), FLY_MS + apart * flying.length + 30);
  }

  /** Every card back at its own height. */
  land() {
    const { position } = this;
    if (!position) return;
    for (const card of this.cards) {
      card.root.style.transitionDelay = "0ms";
      if (this.held.has(card)) continue;
      card.root.style.zIndex = String((position.variant.index[card.pile] ?? 0) * 60 + card.depth + 1);
    }
  }

  /** The piles' own elements: outline, target of drops, and what a screen reader reads. @param {Position} position @param {Layout} layout */
  placePiles(position, layout) {
    position.variant.names.forEach((name, number) => {
      const element = this.piles[name];
      const spot = layout.spots[name];
      if (!element || !spot) return;
      const box = this.pileBox(name);
      element.style.transform = `translate(${box.x}px, ${box.y}px)`;
      element.style.width = `${box.width}px`;
      element.style.height = `${box.height}px`;
      element.classList.toggle("is-empty", position.piles[number]?.length === 0);
      element.setAttribute("aria-label", this.describe(name));
    });
  }

  /** The pile in words, its available card first. @param {string} name */
  describe(name) {
    const { position } = this;
    if (!position) return "";
    const pile = position.piles[position.variant.index[name] ?? -1] ?? [];
    const hidden = name === "s" ? pile.length : (position.down[position.variant.index[name] ?? -1] ?? 0);
    return this.game.pileLabel(name, pile, hidden);
  }

  /** The rectangle of a pile and all its cards. @param {string} name */
  pileBox(name) {
    const spot = this.layout?.spots[name];
    if (!this.layout || !this.position || !spot) return { x: 0, y: 0, width: 0, height: 0 };
    const { w, h } = this.layout;
    const number = this.position.variant.index[name] ?? 0;
    const count = this.position.piles[number]?.length ?? 0;
    const end = placeCard(spot, Math.max(0, count - 1), count, this.position.down[number] ?? 0);
    return {
      x: Math.min(spot.x, end.x),
      y: Math.min(spot.y, end.y),
      width: Math.abs(end.x - spot.x) + w,
      height: Math.abs(end.y - spot.y) + h,
    };
  }

  /** The card's element that lies there. @param {string} pile @param {number} depth */
  find(pile, depth) {
    return this.cards.find((card) => card.pile === pile && card.depth === depth) ?? null;
  }

  /** The cards of a pile from this depth on, lowest first. @param {string} pile @param {number} depth */
  from(pile, depth) {
    return this.cards.filter((card) => card.pile === pile && card.depth >= depth).sort((a, b) => a.depth - b.depth);
  }

  /** @param {string} name */
  size(name) {
    return this.position?.piles[this.position.variant.index[name] ?? -1]?.length ?? 0;
  }

  /** Marks where the lifted cards may go, and the cards themselves. @param {string|null} source @param {number} count */
  mark(source, count) {
    const targets = source ? this.game.targets(source, count) : [];
    for (const [name, pile] of Object.entries(this.piles)) {
      pile.classList.toggle("is-legal", targets.includes(name));
      pile.classList.toggle("is-chosen", name === source);
    }
    const first = source ? this.size(source) - count : 0;
    for (const card of this.cards) {
      card.root.classList.toggle("is-chosen", card.pile === source && card.depth >= first);
      card.root.classList.toggle("is-legal", targets.includes(card.pile) && card.depth === this.size(card.pile) - 1);
    }
  }

  /** Marks a move that is proposed: the cards, and where they would go. @param {Move|null} move */
  markHint(move) {
    const first = move ? this.size(move.source) - move.count : 0;
    const last = move ? this.size(move.target) - 1 : 0;
    const isPart = (/** @type {CardElement} */ card) =>
      move !== null && ((card.pile === move.source && card.depth >= first) || (card.pile === move.target && card.depth === last));
    for (const card of this.cards) card.root.classList.toggle("is-hinted", isPart(card));
    for (const [name, pile] of Object.entries(this.piles)) pile.classList.toggle("is-hinted", name === move?.source || name === move?.target);
  }

  /** Marks the cards that moved last. @param {string|null} pile @param {number} count */
  markLast(pile, count) {
    const first = pile ? this.size(pile) - count : 0;
    for (const card of this.cards) card.root.classList.toggle("is-last", pile !== null && card.pile === pile && card.depth >= first);
  }

  /** Cards go into the hand. @param {CardElement[]} cards */
  hold(cards) {
    this.held = new Set(cards);
    cards.forEach((card, number) => {
      card.root.classList.add("is-held");
      card.root.style.zIndex = String(LIFTED + 100 + number);
    });
  }

  /** Cards leave the hand and fly to where the position has them. */
  release() {
    const cards = [...this.held];
    this.held.clear();
    for (const card of cards) card.root.classList.remove("is-held");
    this.surface.classList.remove("is-still");
    if (this.position && this.layout) this.place(this.position, this.layout);
  }
}
