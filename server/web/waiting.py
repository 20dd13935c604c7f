"""Waiting for opponents from one connection: queues are entered, kept alive by a beat, and left with the connection."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from protocol.codes import ErrorCode
from protocol.messages import Matched, Queued
from server.service.errors import ContestError
from server.web.line import Line

BEAT_S = 4.0
"""The store drops who has not been heard of for 15 s."""


class Waiting:
    """The queues that this connection's player waits in."""

    def __init__(self, line: Line, open_race: Callable[[str], Awaitable[None]]) -> None:
        """`open_race` opens the player's attempt in the race of a match."""
        self._line = line
        self._contest = line.services.contest
        self._open_race = open_race
        self._beats: dict[str, asyncio.TimerHandle] = {}
        self._matched: set[str] = set()

    @property
    def _me(self) -> str:
        player = self._line.player
        return "" if player is None else player.id

    async def queue(self, variant: str) -> None:
        """Waits for an opponent; raises `ContestError` and `StoreError`."""
        race = await self._contest.queue(self._me, variant)
        if race is not None:
            await self.be_matched(variant, race)
            return
        self._line.tell(Queued(variant=variant, waiting=True))
        self._beat_soon(variant)

    async def unqueue(self, variant: str) -> None:
        """Stops waiting, unless a match was made before."""
        race = await self._contest.unqueue(self._me, variant)
        if race is not None:
            await self.be_matched(variant, race)
            return
        self._stop(variant)
        self._line.tell(Queued(variant=variant, waiting=False))

    async def be_matched(self, variant: str, race: str) -> None:
        """Told once, however often it is heard: by the answer to `queue` and by the player's channel."""
        self._stop(variant)
        if race in self._matched:
            return
        self._matched.add(race)
        self._line.tell(Matched(variant=variant, race=race))
        await self._open_race(race)

    async def look_again(self) -> None:
        """A match may have been missed while the store's messages were; asking again tells."""
        for variant in list(self._beats):
            try:
                race = await self._contest.queue(self._me, variant)
            except ContestError as error:
                if error.code is not ErrorCode.BUSY:
                    raise
                race = await self._contest.seats.live(self._me)
            if race is not None:
                await self.be_matched(variant, race)

    def _beat_soon(self, variant: str) -> None:
        self._stop(variant)
        beat = partial(self._line.arrive, partial(self._beat, variant))
        self._beats[variant] = asyncio.get_running_loop().call_later(BEAT_S, beat)

    def _beat(self, variant: str) -> None:
        if variant in self._beats and not self._line.ended.is_set():
            self._line.services.errands.send(self._contest.beat(self._me, variant))
            self._beat_soon(variant)

    def _stop(self, variant: str) -> None:
        beat = self._beats.pop(variant, None)
        if beat is not None:
            beat.cancel()

    async def finish(self) -> None:
        """After the connection: leaves every queue."""
        for variant in list(self._beats):
            self._stop(variant)
            await self._contest.unqueue(self._me, variant)
