"""Waiting for opponents from one connection: queues are entered, kept alive by a beat, and left with the connection."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from protocol.codes import ErrorCode, Kind
from protocol.commands import Enter
from protocol.events import Matched, Queued
from server.service.errors import ContestError
from server.web.hub import Listener
from server.web.line import Line

BEAT_S = 4.0
"""The store drops who has not been heard of for 15 s."""


class Waiting:
    """The queues that this connection waits in. Another connection of the same player may wait too, or not."""

    def __init__(self, line: Line, listener: Listener, open_race: Callable[[str], Awaitable[None]]) -> None:
        """`listener` hears the player's channel while there is a queue; `open_race` opens the attempt of a match."""
        self._line = line
        self._contest = line.services.contest
        self._hub = line.services.hub
        self._listener = listener
        self._open_race = open_race
        self._beats: dict[str, asyncio.TimerHandle] = {}
        self._matched: set[str] = set()

    async def queue(self, variant: str) -> None:
        """Waits for an opponent; raises `ContestError` and `StoreError`."""
        await self._hub.join("p", self._line.player_id, self._listener)
        try:
            race = await self._contest.queue(self._line.player_id, variant)
            if race is None:
                self._line.tell(Queued(variant=variant, waiting=True))
                self._beat_soon(variant)
            else:
                self._be_matched(variant, race)
        finally:
            self._leave_channel()

    async def unqueue(self, variant: str) -> None:
        """Stops waiting, unless a match was made before."""
        race = await self._contest.unqueue(self._line.player_id, variant)
        if race is not None:
            self._be_matched(variant, race)
            return
        self._stop(variant)
        self._line.tell(Queued(variant=variant, waiting=False))

    async def hear_match(self, variant: str, race: str) -> None:
        """The player's channel tells of a match: it is this connection's only if it waits for the variant."""
        if variant in self._beats:
            self._be_matched(variant, race)

    def _be_matched(self, variant: str, race: str) -> None:
        """Told once, however often it is heard: by the answer to `queue` and by the player's channel."""
        self._stop(variant)
        if race in self._matched:
            return
        self._matched.add(race)
        self._line.tell(Matched(variant=variant, race=race))
        self._line.queue_patiently(partial(self._enter, race))

    async def _enter(self, race: str) -> None:
        """Enters the race of a match for the player; what stands against it is told as if they had asked."""
        try:
            await self._open_race(race)
        except ContestError as error:
            if error.code is ErrorCode.RETRY:
                raise
            self._line.refuse(error.code, Enter(type="enter", race=race), error)

    async def look_again(self) -> None:
        """A match may have been missed while the store's messages were; asking again tells."""
        for variant in list(self._beats):
            await self._queue_again(variant)

    async def _queue_again(self, variant: str) -> None:
        if variant not in self._beats:
            return
        try:
            race = await self._contest.queue(self._line.player_id, variant)
        except ContestError as error:
            if error.code is not ErrorCode.BUSY:
                raise
            race = await self._contest.seats.live(self._line.player_id)
            if race is not None and not await self._is_match(variant, race):
                self._stop(variant)
                self._line.tell(Queued(variant=variant, waiting=False))
                return
        if race is not None:
            self._be_matched(variant, race)

    async def _is_match(self, variant: str, race: str) -> bool:
        """Is what keeps the player busy the match that was waited for?"""
        created = (await self._contest.races.load(race)).created
        return created.kind is Kind.QUICK and created.variant == variant

    def _beat_soon(self, variant: str) -> None:
        before = self._beats.get(variant)
        if before is not None:
            before.cancel()
        beat = partial(self._line.arrive, partial(self._beat, variant))
        self._beats[variant] = asyncio.get_running_loop().call_later(BEAT_S, beat)

    def _beat(self, variant: str) -> None:
        if variant in self._beats and not self._line.ended.is_set():
            self._line.services.errands.send(self._say_here(variant))
            self._beat_soon(variant)

    async def _say_here(self, variant: str) -> None:
        """Who is not in the queue any more (another connection left it, or the store forgot) waits again."""
        if not await self._contest.beat(self._line.player_id, variant):
            again = partial(self._queue_again, variant)
            self._line.arrive(partial(self._line.queue_patiently, again))

    def _stop(self, variant: str) -> None:
        beat = self._beats.pop(variant, None)
        if beat is not None:
            beat.cancel()
        self._leave_channel()

    def _leave_channel(self) -> None:
        """Who waits for nothing has nothing to hear on the player's channel."""
        if not self._beats:
            self._hub.leave("p", self._line.player_id, self._listener)

    async def finish(self) -> None:
        """After the connection: leaves every queue."""
        for variant in list(self._beats):
            self._stop(variant)
            await self._contest.unqueue(self._line.player_id, variant)
