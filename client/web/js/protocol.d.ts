// Made by `python -m cli.generate` from the models of the wire. Not to be edited.

/** One's own attempt, whole. `position` is what the player may know, hidden cards as `??`. */
export interface AttemptState {
  epoch: number;
  version: number;
  last_id: number;
  previous?: string;
  at_ms: number;
  last_at_ms: number;
  position: Record<string, any>;
  cards: number;
  best_cards: number;
  best_ms: number;
  moves: number;
  undos: number;
  redos: number;
  restarts: number;
  hints?: number;
  can_undo: boolean;
  can_redo: boolean;
  blocked: boolean;
  end?: End;
  end_ms?: number;
}

/** How an attempt ended. */
export type End = "finished" | "resigned" | "expired";

/** A player in a race: `cards` on the foundations at best, when first reached, and how it ended if it has. */
export interface Entrant {
  player: PlayerRef;
  ready: boolean;
  here: boolean;
  cards: number;
  at_ms: number;
  end?: End;
  end_ms?: number;
}

/** Why a command was not carried out. `MESSAGES` says what to do about each. */
export type ErrorCode = "malformed" | "unknown_type" | "bad_field" | "binary" | "hello_first" | "hello_twice" | "token_unknown" | "race_unknown" | "not_entered" | "not_host" | "not_started" | "already_started" | "closed" | "ended" | "too_late" | "full" | "kicked" | "not_enough_players" | "busy" | "deal_live" | "day_over" | "day_not_open" | "unknown_variant" | "bad_deal" | "hidden_needs_secret" | "not_queued" | "not_closed" | "not_found" | "not_asked" | "not_analysed" | "written_out" | "no_solver" | "many_waiting" | "queue_full" | "unauthorized" | "name_refused" | "name_taken" | "name_claimed_already" | "recovery_refused" | "key_reused" | "log_full" | "nothing_to_collect" | "too_many_hints" | "stale" | "superseded" | "taken_over" | "too_many_messages" | "too_big" | "retry" | "internal";

/** What sort of race it is: which rules of entering, starting and ranking hold. */
export type Kind = "private" | "quick" | "daily" | "practice";

/** What this server allows one connection. */
export interface Limits {
  message_bytes: number;
  commands_per_second: number;
  entries_per_attempt: number;
}

/** Where a race stands. Dailies and practices are `running` from opening to closing. */
export type Phase = "open" | "countdown" | "running" | "closing" | "closed";

/** A player as others see them. */
export interface PlayerRef {
  id: string;
  name: string;
  guest: boolean;
  bot: boolean;
}

/** A race as its players and watchers may know it. */
export interface RaceState {
  id: string;
  kind: Kind;
  variant: string;
  phase: Phase;
  host?: string;
  link?: string;
  limit_ms: number;
  iron: boolean;
  seats: number;
  start: "host" | "all_ready";
  chosen_deal: boolean;
  certified: boolean;
  grade?: number;
  commitment?: string;
  committed_before: boolean;
  deal?: string;
  nonce?: string;
  created_ms: number;
  start_ms?: number;
  closes_ms?: number;
  rematch?: string;
  entrants: (Entrant)[];
  results?: (Standing)[];
}

/** A place now, or in the result. `place` is shared by equals; none for who has built nothing. */
export interface Standing {
  place?: number;
  player: PlayerRef;
  cards: number;
  at_ms: number;
  end?: End;
  end_ms?: number;
  moves?: number;
  undos?: number;
  redos?: number;
  restarts?: number;
  hints?: number;
  digest?: string;
}

/** Cards that a move turned up: the pile they lie on now, and the cards, the last one on top. */
export interface Turned {
  pile: string;
  cards: (string)[];
}

/** The first frame. Without a token the server makes a guest; `bot` marks the player as a bot for ever. */
export interface HelloCommand {
  type: "hello";
  protocol: number;
  token?: string | null;
  bot?: boolean;
  device?: string | null;
}

/** Asks for the server's time; answered at once by `pong`. */
export interface PingCommand {
  type: "ping";
  id?: number;
}

/** Makes a private race (`kind: private`) or opens a practice on a deal code (`kind: practice`) and enters it.
Either takes a `variant` for a fresh secret deal or a `deal` code for a chosen one: one of the two, never both. */
export interface CreateCommand {
  key: string;
  kind: "private" | "practice";
  variant?: string | null;
  deal?: string | null;
  limit_ms?: number;
  iron?: boolean;
  seats?: number;
  start?: "host" | "all_ready";
  type: "create";
}

/** Takes a seat, opens a daily, or comes back to one's attempt from here (the other connection is fenced). */
export interface EnterCommand {
  race: string;
  type: "enter";
}

/** Gives up one's seat before the start. */
export interface LeaveCommand {
  race: string;
  type: "leave";
}

/** The host removes a player before the start. */
export interface KickCommand {
  race: string;
  type: "kick";
  player: string;
}

/** Says whether one is ready. */
export interface ReadyCommand {
  race: string;
  type: "ready";
  ready: boolean;
}

/** The host starts the countdown. */
export interface StartCommand {
  race: string;
  type: "start";
}

/** Moves `count` cards from one pile to another. */
export interface MoveCommand {
  race: string;
  id: number;
  version: number;
  type: "move";
  source: string;
  target: string;
  count?: number;
}

/** Turns cards from the stock to the waste; with an empty stock turns the waste over. */
export interface DrawCommand {
  race: string;
  id: number;
  version: number;
  type: "draw";
}

/** Gathers the tableau and deals it again, where the variant allows it. */
export interface RedealCommand {
  race: string;
  id: number;
  version: number;
  type: "redeal";
}

/** Takes the last move (or collect) back. */
export interface UndoCommand {
  race: string;
  id: number;
  version: number;
  type: "undo";
}

/** Plays again what was taken back last. */
export interface RedoCommand {
  race: string;
  id: number;
  version: number;
  type: "redo";
}

/** Goes back to the deal; the clock runs on. */
export interface RestartCommand {
  race: string;
  id: number;
  version: number;
  type: "restart";
}

/** Moves to the foundations all that is safe, or all that fits, as one group. */
export interface CollectCommand {
  race: string;
  id: number;
  version: number;
  type: "collect";
  scope?: "safe" | "all";
}

/** Ends one's attempt; its best progress counts. */
export interface ResignCommand {
  race: string;
  id: number;
  version: number;
  type: "resign";
}

/** In practice: asks the solver whether it can still be won, and how; answered by `accepted`, then by `hint`. */
export interface HintCommand {
  race: string;
  id: number;
  version: number;
  type: "hint";
}

/** Follows a race without taking part. */
export interface WatchCommand {
  race: string;
  type: "watch";
}

/** Stops following a race; answered by `unwatched`. An attempt in it goes on, and `enter` comes back to it. */
export interface UnwatchCommand {
  race: string;
  type: "unwatch";
}

/** Waits for an opponent; answered by `queued`, later by `matched`. Asking again changes nothing. */
export interface QueueCommand {
  type: "queue";
  variant: string;
}

/** Stops waiting. Answered by `queued` with `waiting` false, or by `matched` if a pair was made before. */
export interface UnqueueCommand {
  type: "unqueue";
  variant: string;
}

/** Asks for a new race like this one with the same players; whoever asks first creates it. */
export interface RematchCommand {
  race: string;
  type: "rematch";
}

/** Asks for a fresh `snapshot`, after a gap in `seq` or when in doubt. */
export interface ResyncCommand {
  race: string;
  type: "resync";
}

/** The answer to `hello`. `token` comes once, with a new guest: keep it. */
export interface WelcomeEvent {
  type: "welcome";
  protocol: number;
  player: PlayerRef;
  token?: string;
  now_ms: number;
  limits: Limits;
  live?: string;
  seat?: string;
}

/** The answer to `ping`. */
export interface PongEvent {
  type: "pong";
  id: number;
  now_ms: number;
}

/** The race is not followed any more on this connection. */
export interface UnwatchedEvent {
  type: "unwatched";
  race: string;
}

/** Whether one waits for an opponent now. */
export interface QueuedEvent {
  type: "queued";
  variant: string;
  waiting: boolean;
}

/** An opponent was found; the race has been entered and its countdown follows. */
export interface MatchedEvent {
  type: "matched";
  variant: string;
  race: string;
}

/** All there is to know of a race now; `seq` is the number of the last life-cycle event it contains. */
export interface SnapshotEvent {
  type: "snapshot";
  race: string;
  seq: number;
  now_ms: number;
  re?: string;
  state: RaceState;
  attempt?: AttemptState;
}

/** A player took a seat. To the one who entered it comes as the answer, followed by a `snapshot`. */
export interface EnteredEvent {
  race: string;
  seq: number;
  now_ms: number;
  type: "entered";
  player: PlayerRef;
}

/** A player left or was removed; the host's seat passes to who came next. */
export interface LeftEvent {
  race: string;
  seq: number;
  now_ms: number;
  type: "left";
  player: string;
  kicked: boolean;
  host?: string;
}

/** A player is ready, or no longer. */
export interface ReadyEvent {
  race: string;
  seq: number;
  now_ms: number;
  type: "ready";
  player: string;
  ready: boolean;
}

/** The race will start at `start_ms`, an absolute instant of the server's clock. */
export interface CountdownEvent {
  race: string;
  seq: number;
  now_ms: number;
  type: "countdown";
  start_ms: number;
}

/** The race has started; `position` is the deal, and play counts from `start_ms`. */
export interface StartedEvent {
  race: string;
  seq: number;
  now_ms: number;
  type: "started";
  start_ms: number;
  closes_ms: number;
  position?: Record<string, any>;
}

/** A player's attempt has ended. */
export interface FinishedEvent {
  race: string;
  seq: number;
  now_ms: number;
  type: "finished";
  player: string;
  end: End;
  end_ms: number;
  cards: number;
  at_ms: number;
}

/** No more moves count; the results are being computed and follow with `closed`. */
export interface ClosingEvent {
  race: string;
  seq: number;
  now_ms: number;
  type: "closing";
}

/** The race is closed: its results, and the deal and nonce that the commitment was made from. */
export interface ClosedEvent {
  race: string;
  seq: number;
  now_ms: number;
  type: "closed";
  results: (Standing)[];
  deal: string;
  nonce?: string;
}

/** Somebody asked for a rematch: the new race, which everyone of the old may enter by its id. */
export interface RematchEvent {
  race: string;
  seq: number;
  now_ms: number;
  type: "rematch";
  new_race: string;
}

/** A command was stored. `moves` are those it played, in order, for a collect; `turned` what it turned up. */
export interface AcceptedEvent {
  type: "accepted";
  race: string;
  id: number;
  version: number;
  at_ms: number;
  cards: number;
  best_cards: number;
  best_ms: number;
  moves?: (string)[];
  turned?: (Turned)[];
  position?: Record<string, any>;
  blocked?: boolean;
  hints?: number;
  end?: End;
  end_ms?: number;
}

/** A command was not played and changed nothing: `code` is a refusal of the rules or an error code. */
export interface RejectedEvent {
  type: "rejected";
  race: string;
  id: number;
  version: number;
  code: string;
  message: string;
}

/** What the solver says of one's own practice as it stood at `version`. It is told again after entering again. */
export interface HintEvent {
  type: "hint";
  race: string;
  version: number;
  verdict: "winnable" | "lost" | "unknown";
  move?: string;
  left?: number;
  back?: number;
  deal?: "winnable" | "lost" | "unknown";
}

/** The latest of one player: cards now and at best. An older one than already seen is ignored. */
export interface ProgressEvent {
  type: "progress";
  race: string;
  player: string;
  version: number;
  cards: number;
  best_cards: number;
  best_ms: number;
  undos: number;
  tops: (number)[];
}

/** Whether a player is connected. */
export interface PresenceEvent {
  type: "presence";
  race: string;
  player: string;
  here: boolean;
  now_ms: number;
}

/** The server says something to everyone, such as that it will restart. */
export interface NoticeEvent {
  type: "notice";
  code: string;
  message: string;
  retry_after_ms?: number;
}

/** A command was not carried out; the connection stays. `field` names what was wrong, `re` the command. */
export interface ErrorEvent {
  type: "error";
  code: ErrorCode;
  message: string;
  re?: string;
  race?: string;
  key?: string;
  id?: number;
  field?: string;
}

export type AnyCommand = HelloCommand | PingCommand | CreateCommand | EnterCommand | LeaveCommand | KickCommand | ReadyCommand | StartCommand | MoveCommand | DrawCommand | RedealCommand | UndoCommand | RedoCommand | RestartCommand | CollectCommand | ResignCommand | HintCommand | WatchCommand | UnwatchCommand | QueueCommand | UnqueueCommand | RematchCommand | ResyncCommand;

export type AnyEvent = WelcomeEvent | PongEvent | UnwatchedEvent | QueuedEvent | MatchedEvent | SnapshotEvent | EnteredEvent | LeftEvent | ReadyEvent | CountdownEvent | StartedEvent | FinishedEvent | ClosingEvent | ClosedEvent | RematchEvent | AcceptedEvent | RejectedEvent | HintEvent | ProgressEvent | PresenceEvent | NoticeEvent | ErrorEvent;
