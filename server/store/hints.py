"""Hints: which attempts wait for the solver, how often a player may ask, and what the solver said last.

A question is nothing but an attempt: what is asked stands in its log, whose last entry must be the hint. It has its
place before it is asked, and keeps it until it is done: what dies on the way, server or worker, loses none.
"""

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

from protocol.fields import MAX_SAFE
from server.store import keys
from server.store.link import Link
from server.store.players import MARK_MS

MOST_WAITING = 32
"""Questions of all players; each costs a worker a second at most."""
HINTS_PER_MINUTE = 30
MOST_OF_ADDRESS = 4
"""So many questions of one address may wait: guests are made in no time."""
RESERVED_MS = 2_000
"""A question whose hint is stored by then was perhaps not asked, because the server died: its turn comes."""
LEASE_MS = 5_000
"""What a worker has not answered by then, another takes."""
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


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks about which attempt. `address` is the salted hash of where; None for one that stands for many people."""

    attempt_id: str
    player: str
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """An attempt that a worker has taken; `takes` counts how often one did, this time included."""

    attempt_id: str
    takes: int


class HintStore:
    """One queue for all, and the latest answer of each attempt."""

    def __init__(self, link: Link, lease_ms: int = LEASE_MS, reserved_ms: int = RESERVED_MS) -> None:
        self._link = link
        self._lease_ms = lease_ms
        self._reserved_ms = reserved_ms

    async def admit(self, asker: Asker) -> bool:
        """May this player ask now? Counts as asking and keeps a place for it.

        No with one that waits, in haste, with as many waiting of one address as may, or too many of all.
        """
        return await self._call("hint_admit", asker, self._reserved_ms)

    async def ask(self, asker: Asker, version: int) -> bool:
        """Puts what an attempt asks at a version to those that wait. False if it had no place and was not admitted."""
        return await self._call("hint_ask", asker, version)

    async def _call(self, function: str, asker: Asker, last: int) -> bool:
        share = () if asker.address is None else (keys.hint_share(asker.address),)
        answer: int = await self._link.fcall(
            function,
            (*keys.HINTS, keys.hint_pace(asker.player), *share),
            asker.attempt_id,
            asker.player,
            MOST_WAITING,
            HINTS_PER_MINUTE,
            MOST_OF_ADDRESS,
            MARK_MS,
            last,
        )
        return answer == 1

    async def take(self) -> Question | None:
        """The attempt that has waited longest, under a lease; None when none waits."""
        taken: Question | None = await self._link.fcall("hint_take", keys.HINTS, self._lease_ms, parse=_question)
        return taken

    async def waiting(self) -> int:
        """How many attempts have a place, those that a worker is at included."""
        count: int = await self._link.call("ZCARD", keys.HINTS[0])
        return count

    async def keep(self, attempt_id: str, hint: KeptHint) -> None:
        """Keeps an answer in place of an earlier one, then ends the question and tells the race's channel."""
        text = json.dumps(asdict(hint))
        await self._link.call("SET", keys.hint(attempt_id), text, "PX", KEPT_MS)
        player = attempt_id.rpartition(".")[2]
        told = json.dumps({"hinted": {"player": player, "version": hint.version}})
        await self._done(attempt_id, hint.version, told)

    async def drop(self, attempt_id: str, version: int | None) -> None:
        """Ends a question that the attempt, at this version, does not ask; None: there is no such attempt any more."""
        await self._done(attempt_id, MAX_SAFE if version is None else version, "")

    async def _done(self, attempt_id: str, version: int, told: str) -> None:
        channel = keys.race_channel(attempt_id.rpartition(".")[0])
        await self._link.fcall("hint_done", keys.HINTS, attempt_id, version, channel, told)

    async def answer(self, attempt_id: str) -> KeptHint | None:
        """The latest answer; the attempt may have gone on since."""
        text: str | None = await self._link.call("GET", keys.hint(attempt_id))
        if text is None:
            return None
        fields = json.loads(text)
        return KeptHint(**(fields | {"line": tuple(fields["line"])}))


def _question(reply: Any) -> Question | None:
    return None if reply is None else Question(reply[0], reply[1])
