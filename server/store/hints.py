"""Hints: which attempts wait for the solver, how often a player may ask, and what the solver said last.

A question is nothing but an attempt: what is asked stands in its log, whose last entry must be the hint.
"""

import json
from dataclasses import asdict, dataclass
from typing import Literal

from server.store import keys
from server.store.link import Link

MOST_WAITING = 32
"""Questions of all players; each costs a worker a second at most."""
HINTS_PER_MINUTE = 30
FORGOTTEN_MS = 30_000
"""A question that no worker has taken for so long is dropped."""
KEPT_MS = 60 * 60_000

Verdict = Literal["winnable", "lost", "unknown"]


@dataclass(frozen=True, slots=True)
class KeptHint:
    """What the solver said of an attempt at a version; `line` wins from there. `wire.Hint` says what the rest means."""

    version: int
    verdict: Verdict
    line: tuple[str, ...] = ()
    back: int | None = None
    deal: Verdict | None = None


class HintStore:
    """One queue for all, and the latest answer of each attempt."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def admit(self, player: str, now_ms: int) -> bool:
        """May this player ask now? Counts as asking. No with one that waits, in haste, or when too many wait."""
        admitted: int = await self._link.fcall(
            "hint_admit",
            (keys.HINTS, keys.hint_pace(player)),
            player,
            now_ms - FORGOTTEN_MS,
            MOST_WAITING,
            HINTS_PER_MINUTE,
        )
        return admitted == 1

    async def ask(self, attempt_id: str, now_ms: int) -> None:
        """Puts an attempt to those that wait; again changes nothing."""
        await self._link.call("ZADD", keys.HINTS, "NX", now_ms, attempt_id)

    async def take(self) -> str | None:
        """The attempt that has waited longest; None when none waits."""
        popped: list[str] = await self._link.call("ZPOPMIN", keys.HINTS)
        return popped[0] if popped else None

    async def waiting(self) -> int:
        """How many attempts wait."""
        count: int = await self._link.call("ZCARD", keys.HINTS)
        return count

    async def keep(self, attempt_id: str, hint: KeptHint) -> None:
        """Keeps an answer in place of an earlier one, then says on the race's channel that it is there."""
        text = json.dumps(asdict(hint))
        await self._link.call("SET", keys.hint(attempt_id), text, "PX", KEPT_MS)
        race, _, player = attempt_id.rpartition(".")
        told = json.dumps({"hinted": {"player": player, "version": hint.version}})
        await self._link.call("PUBLISH", keys.race_channel(race), told)

    async def answer(self, attempt_id: str) -> KeptHint | None:
        """The latest answer; the attempt may have gone on since."""
        text: str | None = await self._link.call("GET", keys.hint(attempt_id))
        if text is None:
            return None
        fields = json.loads(text)
        return KeptHint(**(fields | {"line": tuple(fields["line"])}))
