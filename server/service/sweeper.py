"""What happens by itself: due races are advanced, interrupted pairs made, days committed. Any process sweeps."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from protocol.codes import ErrorCode
from server.clock import Clock
from server.service.dailies import Dailies
from server.service.errors import ContestError
from server.service.pairing import Pairing
from server.service.presence import RENEW_S, Presence
from server.service.races import Races
from server.service.settling import Settling
from server.shield import shielded
from server.store import Store, StoreUnavailable

SWEEP_S = 0.1
PAIRS_S = 3.0
DAYS_S = 20.0
LEASE_MS = 5_000
TAKE = 64
SOON_MS = 60_000
"""What is due within this time gets a timer of its own, so that a start is not late by a sweep."""

log = structlog.get_logger()


class Sweeper:
    """The one task group of a process that moves races on."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        races: Races,
        settling: Settling,
        pairing: Pairing,
        dailies: Dailies,
        presence: Presence,
        owner: str,
    ) -> None:
        self._store = store
        self._clock = clock
        self._settling = settling
        self._pairing = pairing
        self._dailies = dailies
        self._presence = presence
        self._owner = owner
        self._tasks: asyncio.TaskGroup | None = None
        self._working: set[str] = set()
        self._again: set[str] = set()
        self._is_down = False
        self._failing: set[tuple[str, ...]] = set()
        races.wake = self._wake

    async def run(self) -> None:
        """Sweeps until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            try:
                await asyncio.gather(
                    self._repeat("due", self._sweep, SWEEP_S),
                    self._repeat("pairs", self._pairing.sweep, PAIRS_S),
                    self._repeat("days", self._dailies.commit, DAYS_S),
                    self._repeat("presence", self._presence.renew, RENEW_S),
                )
            finally:
                # What wakes from now on finds the work over.
                self._tasks = None

    async def _repeat(self, name: str, step: Callable[[], Awaitable[None]], pause_s: float) -> None:
        while True:
            await self._shielded(step(), sweep=name)
            await asyncio.sleep(pause_s)

    async def _sweep(self) -> None:
        room = TAKE - len(self._working)
        if room > 0:
            for name in await self._store.due.take(self._clock.now_ms(), self._owner, LEASE_MS, room):
                self._begin(name)

    def _wake(self, race_id: str, at_ms: int) -> None:
        """Is there for a race on the dot, if it is due soon; a sweep finds the others."""
        wait_ms = at_ms - self._clock.now_ms()
        if wait_ms <= SOON_MS:
            asyncio.get_running_loop().call_later(max(0, wait_ms) / 1000, self._begin, race_id)

    def _begin(self, name: str) -> None:
        """Brings one race or attempt forward beside the others, and never the same one twice at once."""
        if name in self._working:
            self._again.add(name)
        elif self._tasks is not None:
            self._working.add(name)
            self._tasks.create_task(self._work(name))

    async def _work(self, name: str) -> None:
        try:
            await self._shielded(self._advance(name), due=name)
            while name in self._again:
                self._again.discard(name)
                await self._shielded(self._advance(name), due=name)
        finally:
            self._working.discard(name)
            self._again.discard(name)

    async def _advance(self, name: str) -> None:
        """One race, or one attempt of a daily (`a:` before its id). What fails stays due when its lease ends."""
        try:
            if name.startswith("a:"):
                await self._settling.expire(name.removeprefix("a:"))
                again = None
            else:
                again = await self._settling.advance(name)
        except ContestError as error:
            if error.code is not ErrorCode.RACE_UNKNOWN:
                raise
            again = None
        if again is None:
            await self._store.due.done(name)
        else:
            await self._store.due.schedule(name, again)
            if again <= self._clock.now_ms():
                self._again.add(name)

    async def _shielded(self, step: Awaitable[None], **what: str) -> None:
        """Awaits a step; what goes wrong is logged once, and one that fails does not stop the others."""
        try:
            with shielded("sweep.failed", StoreUnavailable, failing=self._failing, **what):
                await step
                if self._is_down:
                    self._is_down = False
                    log.info("sweep.store_is_back")
        except StoreUnavailable:
            if not self._is_down:
                self._is_down = True
                log.warning("sweep.store_unavailable", **what)
