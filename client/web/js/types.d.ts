/*
 * What the modules hand to each other, known to all of them by name; what the table's do stands in `table/types.d.ts`. For the type check alone: it is not served.
 * Classes and the messages of the wire are named here; what is plain data is described.
 */

type App = import("./app.js").App;
type ApiError = import("./http.js").ApiError;
type Catalogue = import("./rules/variants.js").Catalogue;

type AnyEvent = import("./protocol.js").AnyEvent;
type Entrant = import("./protocol.js").Entrant;
type HintEvent = import("./protocol.js").HintEvent;
type RaceState = import("./protocol.js").RaceState;

// --- the rules

type Match = "any" | "suit" | "alt" | "color" | "other";
type VariantRecord = Record<string, any>;

/** One foundation pile. */
interface Foundation {
  base: "rank" | "dealt" | "chosen-rank" | "chosen-each";
  /** 0 unless `base` is `rank` */
  baseRank: number;
  /** the one suit it takes, -1 where any may start it */
  suit: number;
  up: boolean;
  match: Match;
  wrap: boolean;
  size: number;
  worryBack: boolean;
  completeRun: boolean;
}

interface Tableau {
  piles: number;
  build: "down" | "up" | "both" | "none";
  match: Match;
  wrap: boolean;
  liftsRuns: boolean;
  liftMatch: Match;
  boundedBySpaces: boolean;
  /** `any`, `none`, `rank`, `base-1`, `auto-stock`, `auto-waste` */
  space: string;
  spaceRank: number;
  oneCardToSpace: boolean;
  cap: number;
}

interface Variant {
  id: string;
  baseId: string;
  name: string;
  /** the patched record */
  record: VariantRecord;
  decks: number;
  cards: number;
  /** the piles in the order of `Position.piles` */
  names: string[];
  index: Record<string, number>;
  /** one letter of `tfcrsw` a pile */
  kinds: string;
  tableauEnd: number;
  foundationEnd: number;
  cellEnd: number;
  reserveEnd: number;
  /** the number of the stock, -1 without one; the waste is the next */
  stock: number;
  foundations: Foundation[];
  tableau: Tableau;
  stockRules: { turn: number; passes: number | null } | null;
  redeal: { times: number | null; packet: number; topFirst: boolean; onlyWhenBlocked: boolean } | null;
  hasHiddenCards: boolean;
}

/** Bottom card first; the last is the available one. */
type Pile = readonly number[];

interface Position {
  variant: Variant;
  /** in the order of `variant.names` */
  piles: readonly Pile[];
  /** how many cards of each tableau pile, from the bottom, lie face down */
  down: readonly number[];
  /** how often the waste was turned over */
  passes: number;
  redeals: number;
  /** the rank of a base that was dealt; 0 where bases are not dealt */
  base: number;
}

/** Cards at the end of a pile that a move turned up. */
type Turned = { pile: string; cards: string[] };

type Move = { source: string; target: string; count: number };

// --- an attempt

type MoveAction = { type: "move" } & Move;
type Action =
  | MoveAction
  | { type: "draw" }
  | { type: "redeal" }
  | { type: "undo" }
  | { type: "redo" }
  | { type: "restart" }
  | { type: "resign" }
  | { type: "hint" }
  | { type: "collect"; scope: "safe" | "all" };

interface Line {
  position: Position;
  start: Position | null;
  undo: readonly Position[];
  redo: readonly Position[];
  /** how many undos lead further back than is known; at most 1 is told by the server */
  unknownUndo: number;
  unknownRedo: number;
  iron: boolean;
  /** the position is not known until the server answers */
  isBlind: boolean;
}

/** A command on its way. */
interface Pending {
  id: number;
  /** the one it was made on */
  version: number;
  action: Action;
  /** counts up when the server asks for it again */
  tries: number;
}

interface Attempt {
  /** 0 while it is not known */
  epoch: number;
  /** the connection on which it was opened */
  session: number;
  /** the confirmed one */
  version: number;
  lastId: number;
  confirmed: Line;
  pending: readonly Pending[];
  /** confirmed, and what is on its way played on it */
  shown: Line;
  shownVersion: number;
  /** when its clock began, by the server's clock */
  startMs: number;
  bestCards: number;
  bestMs: number;
  counts: { moves: number; undos: number; redos: number; restarts: number; hints: number };
  /** the last that the solver said, of the version that stands in it */
  hint: HintEvent | null;
  /** the version after the last hint that was asked for here, -1 for none */
  hintVersion: number;
  end: string | null;
  endMs: number | null;
  /** the last refusal */
  refused: { serial: number; code: string; message: string; action: Action | null } | null;
}

/** An attempt without a server. */
interface Alone {
  /** all cards known */
  truth: Line;
  /** what the player may see */
  attempt: Attempt;
}

// --- all that the page knows

interface Race {
  id: string;
  /** the code that opens it, of a private race */
  link: string | null;
  seq: number;
  /** kept up by the events of its life */
  state: RaceState;
  attempt: Attempt | null;
  /** the latest of each player */
  progress: Record<string, any>;
  isWatched: boolean;
  /** a gap was seen and a fresh snapshot asked for */
  isLost: boolean;
  /** the host has removed me */
  isKicked: boolean;
}

/** The connection. */
interface Link {
  phase: "connecting" | "open" | "waiting" | "closed";
  /** counts the connections */
  session: number;
  /** the last close code, 0 for none */
  code: number;
  /** by this device's clock, while waiting */
  retryAtMs: number | null;
  /** what the server said to everyone */
  notice: string | null;
}

type LifeEvent = Exclude<Extract<AnyEvent, { seq: number }>, { type: "snapshot" }>;

interface State {
  link: Link;
  /** the server's clock less this device's */
  offsetMs: number;
  player: any | null;
  /** the race started together that I was in the middle of when this connection was made */
  live: string | null;
  races: Record<string, Race>;
  /** races to be in: entered again after a lost connection */
  wanted: readonly string[];
  /** whether one waits for an opponent, by variant: waited again after a lost connection */
  queued: Record<string, boolean>;
  matched: string | null;
  /** races by the key of what created them */
  created: Record<string, string>;
  /** races by the link code that they were entered by */
  aliases: Record<string, string>;
  error: { serial: number; code: string; message: string; re: string | null; race: string | null; key: string | null } | null;
  requests: readonly { serial: number; command: any }[];
  serial: number;
}

type Happening =
  | { type: "connecting" }
  | { type: "opened" }
  | { type: "offset"; offsetMs: number }
  | { type: "lost"; code: number; retryAtMs: number | null }
  | { type: "told"; message: AnyEvent }
  | { type: "ask"; command: any }
  | { type: "sent"; serial: number }
  | { type: "act"; race: string; action: Action }
  | { type: "forget"; race: string }
  | { type: "seen"; what: "matched" | "error" };

/** What stands in the middle; made when its address is opened. */
interface Page {
  title(): string;
  render(): unknown;
  /** after each drawing */
  update?(): void;
  close?(): void;
  /** it takes the whole window */
  isTable?: boolean;
  /** cards are being played on it: there is no foot */
  isPlaying?: boolean;
  /** leaving it is to be asked for */
  isHeld?(): boolean;
  askToLeave?(then: () => void): void;
}

interface Settings {
  theme: "auto" | "dark" | "light" | "contrast";
  felt: "green" | "blue" | "slate" | "wine";
  faces: "classic" | "plain";
  colours: "two" | "four";
  index: "normal" | "large";
  form: "auto" | "columns" | "wings";
  leftHanded: boolean;
  motion: "on" | "off";
  sounds: boolean;
  timer: boolean;
  autoplay: boolean;
  oneTap: boolean;
  /** empty for the browser's own */
  language: string;
}

/** One of those in a race, and how far. */
interface Row {
  player: any;
  place: number | null;
  /** at best */
  cards: number;
  atMs: number;
  tops: number[];
  end: string | null;
  endMs: number | null;
  here: boolean;
  undoing: boolean;
  isMe: boolean;
  hue: number;
  /** cards there are */
  all: number;
}

// --- the guides

/** A layout in which one move is allowed and another is not; one of them may be missing. */
type Example = { position: Position; yes: Move | null; no: Move | null };
type Sentence = { key: string; text: string; example: Example | null };

// --- the replay

interface Step {
  atMs: number;
  position: Position;
  cards: number;
  what: string;
}

interface Played {
  replay: any;
  /** the deal first */
  steps: Step[];
}

type Stretch = { first: number; last: number; verdict: "winnable" | "lost" | "unknown" };
type Loss = { after: number; at: number; at_ms: number; what?: string; mended?: { at: number; at_ms: number; what: string } };

/** As `GET attempts/{id}/analysis` answers it. */
interface Analysis {
  verdicts: Stretch[];
  losses: Loss[];
  last_winnable?: number;
  line?: string[];
  par?: { moves: number; least: number };
  moves: number;
  finished: boolean;
  over_par?: number;
  cards: { card: string; at_ms: number; took_ms: number }[];
  hidden_cards: boolean;
}

/** One attempt of the replay. */
type Side = { inquiry: import("./play/inquiry.js").Inquiry; played: Played };

/** Where the buttons lead. */
interface Ways {
  toLoss(loss: Loss): void;
  /** the next loss after what is shown */
  toNext(): void;
  toLine(): void;
  /** has the record written into a file */
  save(): void;
}
