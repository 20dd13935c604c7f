"""The events of wire version 1, which the server sends.

They are open: a client must ignore fields it does not know, so that new ones can be added. `docs/protocol.md` explains
how they play together with commands.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from protocol.codes import End, ErrorCode
from protocol.fields import PlayerId, RaceId, VariantId
from protocol.parts import AttemptState, Limits, PlayerRef, RaceState, Standing, Turned


class Event(BaseModel):
    """What has happened."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True)


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
    seat: RaceId | None = None
    """A private race that has not begun in which this player has a seat."""


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

EVENTS: TypeAdapter[AnyEvent] = TypeAdapter(Annotated[AnyEvent, Field(discriminator="type")])
