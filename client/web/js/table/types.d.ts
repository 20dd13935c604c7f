/* What the table's modules hand to each other and to the game, known to all of them by name. For the type check alone. */

type CardElement = import("./faces.js").CardElement;
type Choice = import("./choice.js").Choice;
type Draft = import("./draft.js").Draft;
type Table = import("./table.js").Table;

type Form = "columns" | "side" | "wings";

/** One pile: card `n` lies at `x + n * dx`, `y + n * dy`. */
interface Spot {
  x: number;
  y: number;
  dx: number;
  dy: number;
  /** the step of face-down cards, in the direction of the others */
  downStep: number;
  /** how many cards at its end are fanned; 0 for all */
  shown: number;
  /** of its indices */
  font: number;
  /** how the indices of its cards stand: in a line, or upright at one edge */
  index: "inline" | "left" | "right";
}

interface Layout {
  form: Form;
  w: number;
  h: number;
  gap: number;
  /** what the layout takes */
  height: number;
  width: number;
  spots: Record<string, Spot>;
}

interface Counts {
  /** in each pile, in the order of `variant.names` */
  cards: readonly number[];
  /** face down in each tableau pile */
  down: readonly number[];
}

/** What there must be room for. */
interface Plan extends Counts {
  /** of the piles as the game is played */
  longest: number;
  /** indices as large as they can be */
  isLarge: boolean;
  /** the width of the widest rank in its own size */
  ten: number;
}

/** What the table asks and tells. */
interface Game {
  /** where these cards may go now */
  targets(source: string, count: number): string[];
  /** how many cards may be lifted from this pile, fewest first */
  counts(source: string): number[];
  play(move: Move): void;
  draw(): void;
  refuseLift(source: string, depth: number): void;
  /** the pile in words */
  pileLabel(name: string, cards: readonly number[], hidden: number): string;
  /** one of its cards in words */
  cardLabel(name: string, depth: number): string;
  chosenText(card: string, targets: string[]): string;
  refuseHome(source: string): void;
  /** to who listens */
  say(text: string): void;
}

interface Wishes {
  form: "auto" | "columns" | "wings";
  isMirrored: boolean;
  isLarge: boolean;
  deck: string;
}

/** What the pointer has hold of. */
interface Grip {
  pointer: number;
  pile: string;
  depth: number;
  /** cards that can be lifted from there, 0 if none */
  count: number;
  /** where it went down */
  x: number;
  y: number;
  isDragging: boolean;
  cards: CardElement[];
  /** where they lay */
  places: { x: number; y: number }[];
}
