"""The messages of wire version 1: commands that clients send and events that the server sends.

Commands are strict: an unknown field or a value of another type is refused. Events are open: a client must ignore
fields it does not know, so that new ones can be added. `docs/protocol.md` explains how they play together.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, model_validator

from protocol.codes import End, ErrorCode, Kind, Phase

MAX_SAFE = 2**53 - 1
MAX_ID = 10**9 - 1

RaceId = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[A-Za-z0-9._+-]+$")]
"""A race's public id, or the secret code of its link: `enter` takes either."""
PlayerId = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9]+$")]
VariantId = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[a-z0-9+-]+$")]
DealText = Annotated[str, Field(min_length=1, max_length=300)]
Key = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
"""A key the client makes for each thing it creates: the same key again gets the same thing."""
PileName = Annotated[str, Field(min_length=1, max_length=4, pattern=r"^(?:[tfcr](?:0|[1-9][0-9]?)|s|w)$")]
CommandId = Annotated[int, Field(ge=1, le=MAX_ID)]
Count = Annotated[int, Field(ge=0, le=MAX_SAFE)]
Grade = Annotated[int, Field(ge=1, le=5)]
LIMIT_MS_MIN, LIMIT_MS_MAX = 10_000, 24 * 3_600_000


class Command(BaseModel):
    """What a client asks for."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


class RaceCommand(Command):
    """A command about one race."""

    race: RaceId


class AttemptCommand(RaceCommand):
    """A command on one's own attempt: `id` counts up within an epoch, `version` is the one it was made on."""

    id: CommandId
    version: Count


class Hello(Command):
    """The first frame. Without a token the server makes a guest; `bot` marks the player as a bot for ever."""

    type: Literal["hello"]
    protocol: int
    token: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    bot: bool = False
    device: Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")] | None = None
    """A random id that the client keeps beside its token; kept by the server for a day, as a salted hash only."""


class Ping(Command):
    """Asks for the server's time; answered at once by `pong`."""

    type: Literal["ping"]
    id: Count = 0


_ONE_OF_VARIANT_AND_DEAL: list[JsonValue] = [
    {"required": ["variant"], "properties": {"variant": {"type": "string"}, "deal": {"type": "null"}}},
    {"required": ["deal"], "properties": {"deal": {"type": "string"}, "variant": {"type": "null"}}},
]


class RaceWish(Command):
    """A private race or a practice as it is asked for, over the socket or HTTP.

    Either takes a `variant` for a fresh secret deal or a `deal` code for a chosen one: one of the two, never both.
    """

    model_config = ConfigDict(json_schema_extra={"oneOf": _ONE_OF_VARIANT_AND_DEAL})

    key: Key
    kind: Literal["private", "practice"]
    variant: VariantId | None = None
    deal: DealText | None = None
    limit_ms: Annotated[int, Field(ge=LIMIT_MS_MIN, le=LIMIT_MS_MAX)] = 30 * 60_000
    iron: bool = False
    seats: Annotated[int, Field(ge=2, le=100)] = 2
    start: Literal["host", "all_ready"] = "all_ready"

    @model_validator(mode="after")
    def _takes_a_variant_or_a_deal(self) -> Self:
        if (self.variant is None) == (self.deal is None):
            raise ValueError("give a variant or a deal, one of the two")
        return self


class Create(RaceWish):
    """Makes a private race (`kind: private`) or opens a practice on a deal code (`kind: practice`) and enters it.

    Either takes a `variant` for a fresh secret deal or a `deal` code for a chosen one: one of the two, never both.
    """

    type: Literal["create"]


class Enter(RaceCommand):
    """Takes a seat, opens a daily, or comes back to one's attempt from here (the other connection is fenced)."""

    type: Literal["enter"]


class Leave(RaceCommand):
    """Gives up one's seat before the start."""

    type: Literal["leave"]


class Kick(RaceCommand):
    """The host removes a player before the start."""

    type: Literal["kick"]
    player: PlayerId


class Ready(RaceCommand):
    """Says whether one is ready."""

    type: Literal["ready"]
    ready: bool


class Start(RaceCommand):
    """The host starts the countdown."""

    type: Literal["start"]


class MoveCommand(AttemptCommand):
    """Moves `count` cards from one pile to another."""

    type: Literal["move"]
    source: PileName
    target: PileName
    count: Annotated[int, Field(ge=1, le=104)] = 1


class DrawCommand(AttemptCommand):
    """Turns cards from the stock to the waste; with an empty stock turns the waste over."""

    type: Literal["draw"]


class RedealCommand(AttemptCommand):
    """Gathers the tableau and deals it again, where the variant allows it."""

    type: Literal["redeal"]


class UndoCommand(AttemptCommand):
    """Takes the last move (or collect) back."""

    type: Literal["undo"]


class RedoCommand(AttemptCommand):
    """Plays again what was taken back last."""

    type: Literal["redo"]


class RestartCommand(AttemptCommand):
    """Goes back to the deal; the clock runs on."""

    type: Literal["restart"]


class Collect(AttemptCommand):
    """Moves to the foundations all that is safe, or all that fits, as one group."""

    type: Literal["collect"]
    scope: Literal["safe", "all"] = "safe"


class Resign(AttemptCommand):
    """Ends one's attempt; its best progress counts."""

    type: Literal["resign"]


class HintCommand(AttemptCommand):
    """In practice: asks the solver whether it can still be won, and how; answered by `accepted`, then by `hint`."""

    type: Literal["hint"]


class Watch(RaceCommand):
    """Follows a race without taking part."""

    type: Literal["watch"]


class Unwatch(RaceCommand):
    """Stops following a race; answered by `unwatched`. An attempt in it goes on, and `enter` comes back to it."""

    type: Literal["unwatch"]


class QueueCommand(Command):
    """Waits for an opponent; answered by `queued`, later by `matched`. Asking again changes nothing."""

    type: Literal["queue"]
    variant: VariantId


class Unqueue(Command):
    """Stops waiting. Answered by `queued` with `waiting` false, or by `matched` if a pair was made before."""

    type: Literal["unqueue"]
    variant: VariantId


class Rematch(RaceCommand):
    """Asks for a new race like this one with the same players; whoever asks first creates it."""

    type: Literal["rematch"]


class Resync(RaceCommand):
    """Asks for a fresh `snapshot`, after a gap in `seq` or when in doubt."""

    type: Literal["resync"]


AnyAttemptCommand = (
    MoveCommand
    | DrawCommand
    | RedealCommand
    | UndoCommand
    | RedoCommand
    | RestartCommand
    | Collect
    | Resign
    | HintCommand
)
AnyCommand = (
    Hello
    | Ping
    | Create
    | Enter
    | Leave
    | Kick
    | Ready
    | Start
    | AnyAttemptCommand
    | Watch
    | Unwatch
    | QueueCommand
    | Unqueue
    | Rematch
    | Resync
)


class Event(BaseModel):
    """What has happened."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True)


class Part(BaseModel):
    """A part of an event; open to new fields like events."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True)


class PlayerRef(Part):
    """A player as others see them."""

    id: PlayerId
    name: str
    guest: bool
    bot: bool


class Limits(Part):
    """What this server allows one connection."""

    message_bytes: int
    commands_per_second: int
    entries_per_attempt: int


class Entrant(Part):
    """A player in a race: `cards` on the foundations at best, when first reached, and how it ended if it has."""

    player: PlayerRef
    ready: bool = False
    here: bool = True
    cards: int = 0
    at_ms: int = 0
    end: End | None = None
    end_ms: int | None = None


class Standing(Part):
    """A place now, or in the result. `place` is shared by equals; none for who has built nothing."""

    place: int | None = None
    player: PlayerRef
    cards: int
    at_ms: int
    end: End | None = None
    end_ms: int | None = None
    moves: int | None = None
    undos: int | None = None
    redos: int | None = None
    restarts: int | None = None
    hints: int | None = None
    """How many hints were asked for, in practice; left out when none was."""
    digest: str | None = None
    """SHA-256 of the record, in results only: `ramparts verify` compares it."""


class Turned(Part):
    """Cards that a move turned up: the pile they lie on now, and the cards, the last one on top."""

    pile: str
    cards: list[str]


class AttemptState(Part):
    """One's own attempt, whole. `position` is what the player may know, hidden cards as `??`."""

    epoch: int
    version: int
    last_id: int
    """The last accepted id of this epoch: 0 right after entering."""
    previous: str | None = None
    """`epoch.id` of the last command that was accepted before this epoch: what came before it need not be resent."""
    at_ms: int
    """Now, on the attempt's own clock."""
    last_at_ms: int = 0
    """When the last entry of its log was stored, on the same clock; 0 while there is none."""
    position: dict[str, Any]
    cards: int
    best_cards: int
    best_ms: int
    moves: int
    undos: int
    redos: int
    restarts: int
    hints: int | None = None
    """How many hints were asked for, in practice; left out when none was."""
    can_undo: bool
    can_redo: bool
    blocked: bool = False
    end: End | None = None
    end_ms: int | None = None


class RaceState(Part):
    """A race as its players and watchers may know it."""

    id: RaceId
    kind: Kind
    variant: VariantId
    phase: Phase
    host: PlayerId | None = None
    link: str | None = None
    """The secret code of its link, told only to those who are in it."""
    limit_ms: int
    iron: bool
    seats: int
    start: Literal["host", "all_ready"] = "all_ready"
    chosen_deal: bool = False
    certified: bool = False
    """A solver has won this deal before it was dealt. If not, nobody knows whether it can be won."""
    grade: Grade | None = None
    """How hard it is among the deals of its variant, 1 (easy) to 5; none for one that was not graded."""
    commitment: str | None = None
    """SHA-256 of the deal code, a line feed and the nonce in hex, published before the race."""
    committed_before: bool = True
    """For a daily: was it committed the day before? False on the first day after an install."""
    deal: str | None = None
    nonce: str | None = None
    created_ms: int
    start_ms: int | None = None
    closes_ms: int | None = None
    rematch: RaceId | None = None
    entrants: list[Entrant] = []
    results: list[Standing] | None = None


class Welcome(Event):
    """The answer to `hello`. `token` comes once, with a new guest: keep it."""

    type: Literal["welcome"] = "welcome"
    protocol: int
    player: PlayerRef
    token: str | None = None
    now_ms: int
    limits: Limits
    live: RaceId | None = None
    """A race started together in which this player has an attempt that has not ended."""


class Pong(Event):
    """The answer to `ping`."""

    type: Literal["pong"] = "pong"
    id: int
    now_ms: int


class Unwatched(Event):
    """The race is not followed any more on this connection."""

    type: Literal["unwatched"] = "unwatched"
    race: RaceId


class Queued(Event):
    """Whether one waits for an opponent now."""

    type: Literal["queued"] = "queued"
    variant: VariantId
    waiting: bool


class Matched(Event):
    """An opponent was found; the race has been entered and its countdown follows."""

    type: Literal["matched"] = "matched"
    variant: VariantId
    race: RaceId


class Snapshot(Event):
    """All there is to know of a race now; `seq` is the number of the last life-cycle event it contains."""

    type: Literal["snapshot"] = "snapshot"
    race: RaceId
    seq: int
    now_ms: int
    re: str | None = None
    """What it answers, if it answers a command: the key of `create`, or `race` as `enter` or `resync` spelt it."""
    state: RaceState
    attempt: AttemptState | None = None
    """One's own attempt, once it has been opened by `enter` on this connection."""


class RaceEvent(Event):
    """A stored event of a race's life: `seq` counts up by one; a gap means `resync`."""

    race: RaceId
    seq: int
    now_ms: int


class Entered(RaceEvent):
    """A player took a seat. To the one who entered it comes as the answer, followed by a `snapshot`."""

    type: Literal["entered"] = "entered"
    player: PlayerRef


class Left(RaceEvent):
    """A player left or was removed; the host's seat passes to who came next."""

    type: Literal["left"] = "left"
    player: PlayerId
    kicked: bool = False
    host: PlayerId | None = None


class ReadyEvent(RaceEvent):
    """A player is ready, or no longer."""

    type: Literal["ready"] = "ready"
    player: PlayerId
    ready: bool


class Countdown(RaceEvent):
    """The race will start at `start_ms`, an absolute instant of the server's clock."""

    type: Literal["countdown"] = "countdown"
    start_ms: int


class Started(RaceEvent):
    """The race has started; `position` is the deal, and play counts from `start_ms`."""

    type: Literal["started"] = "started"
    start_ms: int
    closes_ms: int
    position: dict[str, Any] | None = None


class Finished(RaceEvent):
    """A player's attempt has ended."""

    type: Literal["finished"] = "finished"
    player: PlayerId
    end: End
    end_ms: int
    cards: int
    at_ms: int


class Closing(RaceEvent):
    """No more moves count; the results are being computed and follow with `closed`."""

    type: Literal["closing"] = "closing"


class Closed(RaceEvent):
    """The race is closed: its results, and the deal and nonce that the commitment was made from."""

    type: Literal["closed"] = "closed"
    results: list[Standing]
    deal: str
    nonce: str | None = None


class RematchOffered(RaceEvent):
    """Somebody asked for a rematch: the new race, which everyone of the old may enter by its id."""

    type: Literal["rematch"] = "rematch"
    new_race: RaceId


class Accepted(Event):
    """A command was stored. `moves` are those it played, in order, for a collect; `turned` what it turned up."""

    type: Literal["accepted"] = "accepted"
    race: RaceId
    id: int
    version: int
    at_ms: int
    cards: int
    best_cards: int
    best_ms: int
    moves: list[str] | None = None
    turned: list[Turned] | None = None
    position: dict[str, Any] | None = None
    """After undo, redo and restart of an attempt; a client may take it instead of computing it."""
    blocked: bool | None = None
    hints: int | None = None
    """After a hint: how many have been asked for. What the solver says follows as `hint`."""
    end: End | None = None
    end_ms: int | None = None


class Hint(Event):
    """What the solver says of one's own practice as it stood at `version`. It is told again after entering again."""

    type: Literal["hint"] = "hint"
    race: RaceId
    version: int
    verdict: Literal["winnable", "lost", "unknown"]
    """`lost` is proved, `winnable` comes with a line; `unknown`: the search was stopped before it could tell."""
    move: str | None = None
    """The first move of a winning line, as text."""
    left: int | None = None
    """How many moves that line has, draws and redeals counted."""
    back: int | None = None
    """Of a lost position: after so many undos it can be won, as far as is known."""
    deal: Literal["winnable", "lost", "unknown"] | None = None
    """Of a lost position: the verdict on the deal itself."""


class Rejected(Event):
    """A command was not played and changed nothing: `code` is a refusal of the rules or an error code."""

    type: Literal["rejected"] = "rejected"
    race: RaceId
    id: int
    version: int
    code: str
    message: str


class Progress(Event):
    """The latest of one player: cards now and at best. An older one than already seen is ignored."""

    type: Literal["progress"] = "progress"
    race: RaceId
    player: PlayerId
    version: int
    cards: int
    best_cards: int
    best_ms: int
    undos: int
    tops: list[int] = []
    """Cards on each foundation."""


class Presence(Event):
    """Whether a player is connected."""

    type: Literal["presence"] = "presence"
    race: RaceId
    player: PlayerId
    here: bool
    now_ms: int = 0
    """When it became so: one older than the latest seen is ignored."""


class Notice(Event):
    """The server says something to everyone, such as that it will restart."""

    type: Literal["notice"] = "notice"
    code: str
    message: str
    retry_after_ms: int | None = None


class ErrorEvent(Event):
    """A command was not carried out; the connection stays. `field` names what was wrong, `re` the command."""

    type: Literal["error"] = "error"
    code: ErrorCode
    message: str
    re: str | None = None
    race: str | None = None
    key: str | None = None
    id: int | None = None
    field: str | None = None


AnyEvent = (
    Welcome
    | Pong
    | Unwatched
    | Queued
    | Matched
    | Snapshot
    | Entered
    | Left
    | ReadyEvent
    | Countdown
    | Started
    | Finished
    | Closing
    | Closed
    | RematchOffered
    | Accepted
    | Rejected
    | Hint
    | Progress
    | Presence
    | Notice
    | ErrorEvent
)

COMMANDS: TypeAdapter[AnyCommand] = TypeAdapter(Annotated[AnyCommand, Field(discriminator="type")])
EVENTS: TypeAdapter[AnyEvent] = TypeAdapter(Annotated[AnyEvent, Field(discriminator="type")])
