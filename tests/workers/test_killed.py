"""A real worker process that is killed over a record or a question: the next one takes it up."""

import asyncio
import json
import os
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from server.service.races import attempt_id
from server.store import Store, keys
from server.store.analyses import Asked
from server.store.hints import Asker
from tests.processes import working
from tests.service.world import Time, make_world
from tests.workers.test_keeping import RECORD

LONG_S = 60.0
ATTEMPT = "race.anna"


async def until(holds: Callable[[], Coroutine[Any, Any, bool]]) -> None:
    async with asyncio.timeout(LONG_S):
        while not await holds():
            await asyncio.sleep(0.002)


async def test_a_record_whose_worker_was_killed_is_taken_up_by_the_next(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    analyses = store.analyses

    async def is_taken() -> bool:
        place = await analyses.place(ATTEMPT)
        return place is not None and place.running

    async def is_done() -> bool:
        return await analyses.waiting() == 0

    assert await analyses.ask(ATTEMPT, RECORD, "anna") is Asked.QUEUED
    async with working(redis_url, tmp_path) as first:
        await until(is_taken)
        first.send_signal(signal.SIGKILL)
        await first.wait()
    assert await analyses.result(ATTEMPT) is None
    # Its lease is over: brought forward, as nobody wants to wait for it here.
    await store.link.call("ZADD", keys.ANALYSES[0], "XX", 1, ATTEMPT)
    async with working(redis_url, tmp_path):
        await until(is_done)
    assert json.loads(await analyses.result(ATTEMPT) or "")["verdicts"][0]["verdict"] == "winnable"


async def test_a_question_whose_search_was_killed_is_answered_by_the_next_worker(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    world = await make_world(store, Time(), [])
    anna = await world.guest()
    race = await world.practice(anna, "citadel:ms:3")
    await world.append(await world.contest.open(anna.id, race.id), anna, "hint")
    asker = Asker(attempt_id(race.id, anna.id), anna.id)

    async def is_taken() -> bool:
        taken: int = await store.link.call("HEXISTS", keys.HINTS[1], asker.attempt_id)
        return taken == 1

    async def is_answered() -> bool:
        return await store.hints.answer(asker.attempt_id) is not None

    async with working(redis_url, tmp_path) as first:
        children = Path(f"/proc/{first.pid}/task/{first.pid}/children")

        async def has_labourers() -> bool:
            return len(labourers()) == 2

        def labourers() -> list[int]:
            spawned = [int(child) for child in children.read_text("ascii").split()]
            return [pid for pid in spawned if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

        await until(has_labourers)
        for pid in labourers():
            os.kill(pid, signal.SIGSTOP)
        assert await store.hints.ask(asker, 1)
        await until(is_taken)
        for pid in labourers():
            os.kill(pid, signal.SIGKILL)
        assert await asyncio.wait_for(first.wait(), LONG_S) != 0
    assert not await is_answered()
    async with working(redis_url, tmp_path):
        await until(is_answered)
    kept = await store.hints.answer(asker.attempt_id)
    assert kept is not None and kept.verdict == "winnable"
