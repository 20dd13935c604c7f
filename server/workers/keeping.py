"""The worker's loops: keep the pool full, answer who asks for an analysis, and say that it runs."""

import asyncio
import contextlib
import multiprocessing
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, TypeVar, TypeVarTuple

import structlog

from rules.variants import featured_variant
from server.race.daily import Daily, day_of, grade_of_day
from server.shield import shielded
from server.store import Store, StoreError
from server.store.pool import GRADES, UNGRADED
from server.store.workers import BEAT_MS
from server.workers.analysing import answer_one
from server.workers.labour import Minted, mint_fresh, settle_down

WAIT_S: Final = 1.0
"""Between looks at a queue or a pool that needs nothing, and after a lost store."""

log = structlog.get_logger()
_Given = TypeVarTuple("_Given")
_Made = TypeVar("_Made")


@contextlib.asynccontextmanager
async def labourers(jobs: int) -> AsyncIterator[Executor]:
    """So many niced processes; what they are at when it ends is thrown away."""
    executor = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=settle_down)
    before = set(multiprocessing.active_children())
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        # Otherwise the interpreter would wait at its end for what they are at.
        for labourer in set(multiprocessing.active_children()) - before:
            labourer.kill()


async def again(name: str, step: Callable[[], Awaitable[bool]], wait_s: float = WAIT_S) -> None:
    """Does a step again and again, with a pause after one that had nothing to do; ends with BrokenProcessPool.

    What fails in a way that nobody foresaw is logged: the questions of the others are answered all the same.
    """
    is_away = False
    while True:
        worked = False
        try:
            with shielded("worker.step_failed", StoreError, BrokenProcessPool, step=name):
                worked = await step()
                is_away = False
        except StoreError as error:
            # Told once: a full disk may be what it is away for.
            if not is_away:
                log.warning("worker.store_away", step=name, why=str(error))
            is_away = True
            await asyncio.sleep(WAIT_S)
            continue
        except BrokenProcessPool:
            log.error("worker.labourer_died", step=name)  # noqa: TRY400 - nothing to trace
            raise
        if not worked:
            await asyncio.sleep(wait_s)


class Keeper:
    """Keeps `wanted` deals of every grade of these variants in the pool, `jobs` at a time, and answers analyses."""

    def __init__(self, store: Store, executor: Executor, variants: Sequence[str], wanted: int, jobs: int = 1) -> None:
        self._store, self._pool = store, store.pool
        self._executor, self._variants, self._wanted, self._jobs = executor, variants, wanted, jobs
        self._turns: dict[str, float] = dict.fromkeys(variants, 0.0)
        self._turn = 0.0

    async def run(self) -> None:
        """Until cancelled. A store that is away is waited for; a labourer that died ends it with BrokenProcessPool."""
        async with asyncio.TaskGroup() as group:
            group.create_task(again("analyse", self.answer_one))
            for _ in range(self._jobs):
                group.create_task(again("mint", self.mint_one))
            group.create_task(again("beat", self._beat, BEAT_MS / 3000))

    async def fill(self) -> None:
        """Mints until all have enough."""

        async def mint() -> None:
            while await self.mint_one():
                pass

        await asyncio.gather(*(mint() for _ in range(self._jobs)))

    async def _beat(self) -> bool:
        await self._store.workers.beat()
        return False

    async def answer_one(self) -> bool:
        """Analyses the record that has waited longest; False when none waits."""
        return await answer_one(self._store.analyses, self._in_process)

    async def mint_one(self) -> bool:
        """Tries one fresh deal of the variant whose turn it is; False when all have enough.

        Today's dailies that have no deal go first: the one that somebody waits for, the featured game's, the others'.
        Otherwise each gets time in proportion to what it lacks (stride scheduling), however its tries end, so that one
        whose deals can seldom be won does not hold up the others.
        """
        missing = await self._missing_by_variant()
        first = await self._without_a_daily(missing)
        featured = [variant for variant in first if variant == featured_variant().id]
        candidates = await self._pool.hurried(first) or featured or first or missing
        variant = min(candidates, key=self._turns.__getitem__, default=None)
        if variant is None:
            return False
        # What was full for a while does not make up for it now.
        self._turn = self._turns[variant] = max(self._turn, self._turns[variant])
        began = asyncio.get_running_loop().time()
        minted: Minted | None = await self._in_process(mint_fresh, variant, secrets.token_bytes(16))
        self._turns[variant] += (asyncio.get_running_loop().time() - began) / missing[variant]
        # A grade that has enough takes no more: its deals would only grow old.
        if minted is not None and await self._pool.size(variant, minted.grade) < self._wanted:
            await self._pool.add(variant, minted.grade, minted.seed)
        return True

    async def _missing_by_variant(self) -> dict[str, int]:
        """How many deals each variant lacks that lacks any."""
        sizes = await asyncio.gather(*map(self._missing, self._variants))
        return {variant: size for variant, size in zip(self._variants, sizes, strict=True) if size}

    async def _missing(self, variant: str) -> int:
        """How many deals a variant lacks, counted up to what is wanted of each grade."""
        sizes = await self._pool.sizes(variant, (UNGRADED, *GRADES))
        if sizes[UNGRADED] >= self._wanted:
            return 0
        have = sum(min(size, self._wanted) for size in sizes[1:])
        return max(0, len(GRADES) * self._wanted - have - sizes[UNGRADED])

    async def _without_a_daily(self, variants: Collection[str]) -> list[str]:
        """Those whose daily of today is not chosen yet and finds no deal of its difficulty."""
        today = day_of(await self._store.time_us() // 1000)
        dailies = {variant: Daily(today, variant).race_id for variant in variants}
        chosen = await self._store.races.existing(list(dailies.values()))
        left = [variant for variant, race_id in dailies.items() if race_id not in chosen]
        fitting = await asyncio.gather(
            *(self._pool.sizes(variant, (grade_of_day(today), UNGRADED)) for variant in left)
        )
        return [variant for variant, sizes in zip(left, fitting, strict=True) if not any(sizes)]

    async def _in_process(self, work: Callable[[*_Given], _Made], *given: *_Given) -> _Made:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work, *given)
