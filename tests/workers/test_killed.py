"""A real worker process that is killed over a record: the next one takes it up."""

import asyncio
import json
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from server.store import Store, keys
from server.store.analyses import Asked
from tests.processes import working
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
