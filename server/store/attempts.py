"""Attempts: one player's play of one deal, whose log is the truth."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from server.race.attempt import MAX_ENTRIES
from server.store import keys
from server.store.library import function_name
from server.store.link import Link


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """An attempt as stored. `epoch` is 0 when it was sealed without ever having been opened.

    `best` is the standing key of its best progress, None as long as nothing was built; `end` is `finished <at_ms>`,
    `resigned <at_ms>` or `expired <limit_ms>`.
    """

    epoch: int
    start_ms: int
    entries: list[str]
    best: int | None
    end: str | None
    sealed: bool


@dataclass(frozen=True, slots=True)
class Appended:
    """Stored: the version after it, the time it got, and the best standing key now."""

    version: int
    at_ms: int
    best: int | None


@dataclass(frozen=True, slots=True)
class Again:
    """This id was stored before: the version after it, the time it got then, and how many lines it has."""

    version: int
    at_ms: int
    lines: int


@dataclass(frozen=True, slots=True)
class Superseded:
    """This id was never stored, and a later one was: `last_id`."""

    last_id: int


@dataclass(frozen=True, slots=True)
class Fenced:
    """The attempt was opened elsewhere: `epoch` is the one that holds (0: there is no such attempt)."""

    epoch: int


@dataclass(frozen=True, slots=True)
class Stale:
    """Made on another version than the stored one."""

    version: int


@dataclass(frozen=True, slots=True)
class Closed:
    """The attempt has ended (`end` says how) or is sealed."""

    end: str | None


@dataclass(frozen=True, slots=True)
class TooLate:
    """The limit has passed."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class Full:
    """The log has as many lines as it may have."""

    version: int


AppendOutcome = Appended | Again | Superseded | Fenced | Stale | Closed | TooLate | Full


class AttemptStore:
    """Reads and appends attempts."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._append_name = function_name("attempt_append")

    async def enter(self, attempt_id: str, player: str, race: str, now_ms: int) -> AttemptRow:
        """Opens an attempt from a new connection: creates it if need be (with `start_ms` now) and raises its epoch.

        Who held it before is fenced, and hears of it on the race's channel. A retry raises the epoch again, which
        fences nobody but the caller itself.
        """
        row: AttemptRow = await self._link.fcall(
            "attempt_enter",
            keys.attempt(attempt_id),
            player,
            race,
            now_ms,
            keys.race_channel(race),
            parse=_row,
        )
        return row

    async def load(self, attempt_id: str) -> AttemptRow | None:
        """An attempt as of one instant, None if there is none."""
        row: AttemptRow | None = await self._link.fcall("attempt_load", keys.attempt(attempt_id), parse=_row_or_none)
        return row

    def append(
        self,
        attempt_id: str,
        *,
        epoch: int,
        version: int,
        id: int,  # noqa: A002 - its name on the wire
        at_ms: int,
        limit_ms: int,
        left: int | None,
        end: str | None,
        lines: Sequence[str],
        max_entries: int = MAX_ENTRIES,
    ) -> "asyncio.Future[AppendOutcome]":
        """Appends one command's lines (`t3-f0`, `undo`; time and id are put before them here) if it may be.

        `left` is how many cards are left if that is the fewest so far, as far as the caller knows; `end` begins with
        `finished` or `resigned` if the command ends the attempt. `at_ms` never goes back: an earlier one is stored as
        the last one. A log takes no more than `max_entries` lines, but for the command that ends the attempt. Safe to
        send again with the same `id`.
        """
        # The one call that is made for every move: spelled out, it costs a fifth less than by `fcall`.
        return self._link.call(
            "FCALL",
            self._append_name,
            2,
            *keys.attempt(attempt_id),
            epoch,
            version,
            id,
            at_ms,
            limit_ms,
            max_entries,
            "" if left is None else left,
            end or "",
            *lines,
            parse=_outcome,
        )

    async def seal(self, attempt_id: str, limit_ms: int) -> AttemptRow:
        """Seals an attempt, so that nothing is appended any more; one without an end has expired at its limit."""
        race, _, player = attempt_id.rpartition(".")
        row: AttemptRow = await self._link.fcall(
            "attempt_seal", keys.attempt(attempt_id), player, race, limit_ms, parse=_row
        )
        return row

    async def expire(self, attempt_id: str, ttl_ms: int) -> None:
        """Forgets an attempt after a while."""
        await asyncio.gather(*(self._link.call("PEXPIRE", key, ttl_ms) for key in keys.attempt(attempt_id)))


def _row(reply: Any) -> AttemptRow:
    epoch, start_ms, best, end, sealed, entries = reply
    return AttemptRow(epoch, start_ms, entries, None if best == "" else best, end or None, sealed == 1)


def _row_or_none(reply: Any) -> AttemptRow | None:
    return None if reply is None else _row(reply)


def _outcome(reply: Any) -> AppendOutcome:
    if isinstance(reply, str):
        version, at_ms, *best = reply.split(" ")
        return Appended(int(version), int(at_ms), int(best[0]) if best else None)
    match reply:
        case ["again", version, at_ms, lines]:
            return Again(version, at_ms, lines)
        case ["superseded", last_id]:
            return Superseded(last_id)
        case ["fenced", epoch]:
            return Fenced(epoch)
        case ["closed", end]:
            return Closed(end or None)
        case ["stale", version]:
            return Stale(version)
        case ["too_late", at_ms]:
            return TooLate(at_ms)
        case ["full", version]:
            return Full(version)
    raise ValueError(reply)
