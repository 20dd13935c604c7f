"""The events of a race's life, as they are stored: one JSON text each, numbered by their place in the race's log."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from protocol.codes import End, Kind
from protocol.parts import PlayerRef, Standing


class StoredEvent(BaseModel):
    """An event as it is stored. Its `seq` is its place in the race's log, from 1."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Created(StoredEvent):
    """The race exists. For a daily, `start_ms` is the day's first instant and `closes_ms` its closing."""

    type: Literal["created"] = "created"
    kind: Kind
    variant: str
    host: str | None = None
    link: str | None = None
    limit_ms: int
    iron: bool = False
    seats: int
    start: Literal["host", "all_ready"] = "all_ready"
    chosen_deal: bool = False
    commitment: str | None = None
    committed_before: bool = True
    certified: bool = False
    grade: int | None = None
    created_ms: int
    start_ms: int | None = None
    closes_ms: int | None = None
    rematch_of: str | None = None
    practice_of: str | None = None
    """The daily whose deal this practice is on: its deal code is not opened here."""


class Entered(StoredEvent):
    """A player took a seat."""

    type: Literal["entered"] = "entered"
    player: PlayerRef


class Left(StoredEvent):
    """A player gave up a seat or was removed; `host` is who is host now."""

    type: Literal["left"] = "left"
    player: str
    kicked: bool = False
    host: str | None = None


class ReadyChanged(StoredEvent):
    """A player is ready or no longer."""

    type: Literal["ready"] = "ready"
    player: str
    ready: bool


class CountdownBegun(StoredEvent):
    """The absolute instant of the start."""

    type: Literal["countdown"] = "countdown"
    start_ms: int


class Started(StoredEvent):
    """Play has begun; it is over for all at `closes_ms`."""

    type: Literal["started"] = "started"
    start_ms: int
    closes_ms: int


class AttemptEnded(StoredEvent):
    """A player's attempt has ended: cards on the foundations at best and when first reached."""

    type: Literal["finished"] = "finished"
    player: str
    end: End
    end_ms: int
    cards: int
    at_ms: int


class ClosingBegun(StoredEvent):
    """From here on attempts are sealed."""

    type: Literal["closing"] = "closing"


class ResultsPublished(StoredEvent):
    """The race is closed: results, deal and nonce are open. Of a daily, `results` holds the first hundred."""

    type: Literal["closed"] = "closed"
    results: list[Standing]
    deal: str
    nonce: str | None = None
    closed_ms: int


class RematchMade(StoredEvent):
    """A new race like this one."""

    type: Literal["rematch"] = "rematch"
    new_race: str
    link: str


RaceEvent = (
    Created
    | Entered
    | Left
    | ReadyChanged
    | CountdownBegun
    | Started
    | AttemptEnded
    | ClosingBegun
    | ResultsPublished
    | RematchMade
)
_EVENT: TypeAdapter[RaceEvent] = TypeAdapter(Annotated[RaceEvent, Field(discriminator="type")])


def parse_event(text: str | bytes) -> RaceEvent:
    """A stored event from its JSON."""
    return _EVENT.validate_json(text)


def format_event(event: RaceEvent) -> str:
    """The JSON of an event, as stored."""
    return event.model_dump_json(exclude_none=True)
