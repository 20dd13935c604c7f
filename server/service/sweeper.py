"""What happens by itself: due races are advanced, interrupted pairs made, days committed. Any process sweeps."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from server.clock import Clock
from server.service.dailies import Dailies
from server.service.errors import ContestError
from server.service.pairing import Pairing
from server.service.races import Races
from server.service.settling import Settling
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
        owner: str,
    ) -> None:
        self._store = store
        self._clock = clock
        self._settling = settling
        self._pairing = pairing
        self._dailies = dailies
        self._owner = owner
        self._prompt: asyncio.Queue[str] = asyncio.Queue()
        races.wake = self._wake

    async def run(self) -> None:
        """Sweeps until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._repeat(self._sweep, SWEEP_S))
            tasks.create_task(self._repeat(self._pairing.sweep, PAIRS_S))
            tasks.create_task(self._repeat(self._dailies.commit, DAYS_S))
            tasks.create_task(self._run_prompt())

    def _wake(self, race_id: str, at_ms: int) -> None:
        wait_ms = at_ms - self._clock.now_ms()
        if wait_ms <= SOON_MS:
            asyncio.get_running_loop().call_later(max(0, wait_ms) / 1000, self._prompt.put_nowait, race_id)

    async def _repeat(self, step: Callable[[], Awaitable[None]], pause_s: float) -> None:
        while True:
            try:
                await step()
            except StoreUnavailable:
                log.warning("sweep.store_unavailable")
            await asyncio.sleep(pause_s)

    async def _run_prompt(self) -> None:
        while True:
            await self._advance(await self._prompt.get())

    async def _sweep(self) -> None:
        for name in await self._store.due.take(self._clock.now_ms(), self._owner, LEASE_MS, TAKE):
            await self._advance(name)

    async def _advance(self, name: str) -> None:
        """One race or one attempt of a daily (`a:` before its id); what fails is found again by the next sweep."""
        try:
            if name.startswith("a:"):
                await self._settling.expire(name.removeprefix("a:"))
                await self._store.due.done(name)
                return
            again = await self._settling.advance(name)
            if again is None:
                await self._store.due.done(name)
            elif again <= self._clock.now_ms():
                self._wake(name, self._clock.now_ms() + 1)
            else:
                await self._store.due.schedule(name, again)
        except StoreUnavailable:
            log.warning("sweep.store_unavailable", due=name)
        except ContestError as error:
            log.warning("sweep.refused", due=name, code=error.code)
            await self._store.due.done(name)
        except Exception:
            log.exception("sweep.failed", due=name)
