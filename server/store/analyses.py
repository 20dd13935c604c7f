"""Analyses: the bounded queue of records that wait for a worker, and what the workers have made of them.

A record stays in the queue until its analysis is kept. Who takes one holds it under a lease and renews that while
working: what a dead worker held waits again, and is counted as taken, so that a record which kills workers is found.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from server.store import keys
from server.store.errors import StoreUnavailable
from server.store.link import Link
from server.store.players import MARK_MS

KEPT_MS = 30 * 86_400_000
"""How long an analysis is kept; it can be made again."""
LEASE_MS = 20_000
MOST_WAITING = 500
MOST_OF_ONE = 3
"""So many of one player's may wait at a time."""
MOST_OF_ADDRESS = 10
"""So many of one address's may: guests are made in no time."""


class Asked(StrEnum):
    """What became of a wish for an analysis; the values are the answers of `analysis_ask`."""

    QUEUED = "queued"
    THERE = "there"
    MANY = "many"
    SHARE = "share"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Taken:
    """A record to analyse; `takes` counts how often it was taken, this time included."""

    attempt_id: str
    record: str
    takes: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: a worker is at it, or `ahead` others come first."""

    running: bool
    ahead: int


class AnalysisStore:
    """The queue of records and the analyses made, by attempt."""

    def __init__(self, link: Link, lease_ms: int = LEASE_MS) -> None:
        self._link = link
        self._lease_ms = lease_ms

    async def result(self, attempt_id: str) -> str | None:
        """The analysis as JSON, if it was made."""
        kept: str | None = await self._link.call("GET", keys.analysis(attempt_id))
        return kept

    async def ask(
        self,
        attempt_id: str,
        record: str,
        asker: str,
        address: str | None = None,
        *,
        most: int = MOST_WAITING,
        most_of_one: int = MOST_OF_ONE,
    ) -> Asked:
        """Queues the record of a closed attempt for a player, unless it is there or too many are.

        `address` is the salted hash of where they are; None for one that stands for many people.
        """
        share = () if address is None else (keys.analysis_share(address),)
        answer: str = await self._link.fcall(
            "analysis_ask",
            (*keys.ANALYSES, *share),
            attempt_id,
            record,
            asker,
            most,
            most_of_one,
            MOST_OF_ADDRESS,
            MARK_MS,
        )
        return Asked(answer)

    async def place(self, attempt_id: str) -> Place | None:
        """Where a record stands in the queue, None if it is not there."""
        place: Place | None = await self._link.fcall("analysis_place", keys.ANALYSES, attempt_id, parse=_place)
        return place

    async def take(self) -> Taken | None:
        """The record that has waited longest, under a lease; None when nothing waits."""
        taken: Taken | None = await self._link.fcall("analysis_take", keys.ANALYSES, self._lease_ms, parse=_taken)
        return taken

    @asynccontextmanager
    async def held(self, attempt_id: str) -> AsyncIterator[None]:
        """Renews the lease on what was taken while the block runs; a store that is away for a while is waited for."""
        renewing = asyncio.create_task(self._renew(attempt_id))
        try:
            yield
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)

    async def _renew(self, attempt_id: str) -> None:
        while True:
            await asyncio.sleep(self._lease_ms / 3000)
            try:
                await self._link.fcall("analysis_renew", keys.ANALYSES, attempt_id, self._lease_ms)
            except StoreUnavailable:
                continue

    async def keep(self, attempt_id: str, analysis: str, kept_ms: int = KEPT_MS) -> None:
        """Keeps an analysis for whoever asks, and only then takes its record out of the queue."""
        await self._link.call("SET", keys.analysis(attempt_id), analysis, "PX", kept_ms)
        await self._link.fcall("analysis_done", keys.ANALYSES, attempt_id)

    async def waiting(self) -> int:
        """How many records are in the queue, those that a worker is at included."""
        length: int = await self._link.call("ZCARD", keys.ANALYSES[0])
        return length


def _place(reply: Any) -> Place | None:
    return None if reply is None else Place(reply[0] == 1, reply[1])


def _taken(reply: Any) -> Taken | None:
    return None if reply is None else Taken(reply[0], reply[1], reply[2])
