"""What a session wants done, and what it is told of an append: the words between it and whoever carries it out."""

from dataclasses import dataclass
from enum import Enum

from protocol.events import Accepted, ErrorEvent, Rejected
from server.race.attempt import Attempt


class Outcome(Enum):
    """What the store said to an append."""

    STORED = "stored"
    AGAIN = "again"
    STALE = "stale"
    SUPERSEDED = "superseded"
    CLOSED = "closed"
    TOO_LATE = "too_late"
    FULL = "full"
    FENCED = "fenced"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class Append:
    """Store this; the outcome goes to `resolve`, in the order of the appends.

    `left` is the fewest cards left so far if this command brought it down, `end` is `finished <at_ms>` or
    `resigned <at_ms>` if it ended the attempt.
    """

    epoch: int
    version: int
    id: int
    at_ms: int
    limit_ms: int
    left: int | None
    end: str | None
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tell:
    """Send this to the client."""

    event: Accepted | Rejected | ErrorEvent


@dataclass(frozen=True, slots=True)
class TellSnapshot:
    """Send a snapshot; the attempt in it is `state()` at the moment of sending."""


@dataclass(frozen=True, slots=True)
class Load:
    """Load the attempt, however long it takes, and hand it to `loaded`. There is one on its way at most."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The stored attempt shows others something new; `rose` when its best progress did."""

    attempt: Attempt
    rose: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """The stored attempt has ended."""


@dataclass(frozen=True, slots=True)
class Fenced:
    """The attempt goes on elsewhere: this connection is over."""


Effect = Append | Tell | TellSnapshot | Load | Moved | Ended | Fenced
