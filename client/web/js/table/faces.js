/** The elements of cards: each is made once, shows any face or its back, and is only ever moved by `transform`. */

import { RANKS, UNKNOWN, colourOf, formatCard, rankOf, suitOf } from "../rules/cards.js";

const ART = new URL("../../art/", import.meta.url).href;
const SVG = "http://www.w3.org/2000/svg";

/** One path a suit in a box of 24, drawn for this project. */
const SUIT_PATHS = [
  "M12 2.2a4.6 4.6 0 0 0-3.9 7 4.7 4.7 0 1 0 2.7 7.5c-.2 2.2-1 3.8-2.6 5.1h7.6c-1.600-1.300-2.400-2.900-2.600-5.100a4.700 4.700 0 1 0 2.700-7.500 4.600 4.600 0 0 0-3.900-7z",
  "M12 1.800c-1.500 3.500-8.800 7.600-8.800 12.300a4.300 4.300 0 0 0 7.600 2.700c-.200 2-1 3.600-2.600 5h7.600c-1.600-1.400-2.400-3-2.600-5a4.300 4.300 0 0 0 7.600-2.700c0-4.700-7.300-8.800-8.800-12.300z",
  "M12 21.800C10.600 18.400 2.500 13.600 2.500 7.900a5.100 5.100 0 0 1 9.500-2.500 5.100 5.100 0 0 1 9.500 2.500c0 5.700-8.100 10.500-9.500 13.900z",
  "M12 1.600c2.200 3.900 4.700 7.200 7.800 10.400-3.100 3.200-5.600 6.500-7.800 10.400-2.200-3.900-4.700-7.200-7.800-10.400 3.100-3.200 5.600-6.500 7.800-10.400z",
];

/** The rank as it stands on a card. @param {number} card */
export function rankText(card) {
  const letter = RANKS[rankOf(card) - 1] ?? "";
  return letter === "T" ? "10" : letter;
}

/** A suit's sign; it takes the colour of the text round it. @param {number} suit @returns {SVGSVGElement} */
export function suitSign(suit) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "suit");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", SUIT_PATHS[suit] ?? "");
  svg.append(path);
  return svg;
}

/** @param {string} tag @param {string} className */
function part(tag, className) {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}

/** How wide the widest rank is, in its own size, in the font of these indices. @param {CardElement} card that is in the page */
export function measureTen(card) {
  const { fontFamily, fontWeight, fontSize, letterSpacing } = getComputedStyle(card.first);
  const context = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  return (context.measureText("10").width + 2 * parseFloat(letterSpacing)) / parseFloat(fontSize);
}

/** One card's element. */
export class CardElement {
  constructor() {
    this.root = part("div", "card is-down");
    this.root.setAttribute("aria-hidden", "true");
    this.first = part("span", "index index-first");
    this.last = part("span", "index index-last");
    this.art = part("div", "art");
    this.root.append(this.art, this.first, this.last);
    this.card = UNKNOWN;
    /** The card that it is to show after the next placing. @type {number|null} */
    this.next = null;
    this.deck = "";
    this.font = 0;
    this.isUp = false;
    /** Where it lies: the pile's name and its place in it. */
    this.pile = "";
    this.depth = -1;
    this.x = 0;
    this.y = 0;
  }

  /** @param {number} card @param {boolean} isUp @param {string} deck the folder of the art, empty for plain faces */
  show(card, isUp, deck) {
    const face = isUp && card !== UNKNOWN;
    if (card !== this.card || deck !== this.deck) this.draw(card, deck);
    if (face !== this.isUp) this.root.classList.toggle("is-down", !face);
    this.isUp = face;
  }

  /** @param {number} card @param {string} deck */
  draw(card, deck) {
    this.card = card;
    this.deck = deck;
    if (card === UNKNOWN) return;
    const suit = suitOf(card);
    this.root.dataset["suit"] = "CSHD"[suit];
    this.root.dataset["card"] = formatCard(card);
    this.root.classList.toggle("is-red", colourOf(card) === 1);
    for (const index of [this.first, this.last]) {
      const rank = part("span", "rank");
      rank.textContent = rankText(card);
      index.replaceChildren(rank, suitSign(suit));
    }
    const picture = deck ? `url("${ART}${deck}/${formatCard(card)}.svg#svgView(viewBox(-86,-142,172,284))")` : "none";
    this.art.style.backgroundImage = picture;
    this.art.replaceChildren(suitSign(suit));
    this.art.classList.toggle("is-plain", !deck);
  }

  /** The size of its indices. @param {number} font */
  size(font) {
    if (font === this.font) return;
    this.font = font;
    this.root.style.setProperty("--index", `${font}px`);
  }

  /** Pixels on the table, and how far above its neighbours. @param {number} x @param {number} y @param {number} z */
  move(x, y, z) {
    this.x = x;
    this.y = y;
    this.root.style.transform = `translate(${x}px, ${y}px)`;
    this.root.style.zIndex = String(z);
  }
}
