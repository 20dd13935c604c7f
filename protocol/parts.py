"""What several events are made of: players, standings, the states of a race and of an attempt."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from protocol.codes import End, Kind, Phase
from protocol.fields import Grade, PlayerId, RaceId, VariantId


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
