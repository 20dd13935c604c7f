"""The Python client asks where an attempt was lost, waits for a worker's answer, and says why there is none."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from client.analyses import fetch_analysis
from client.connection import connect
from client.race import is_over
from rules.moves import Move
from server.store import open_store
from server.workers.keeping import Keeper
from tests.e2e.deals import numbered

GAME = numbered()


async def test_an_analysis_is_asked_for_and_waited_for(url: str, redis_url: str) -> None:
    store = await open_store(redis_url)
    async with connect(url) as connection:
        race = await connection.create("practice", deal=GAME.code)
        for move in (*GAME.line[:6], Move("t0", "t5")):
            await race.play(move)
        player, token = connection.player_id, connection.token or ""
        with pytest.raises(httpx2.HTTPStatusError) as refused:
            await fetch_analysis(url, race.id, player, token)
        assert refused.value.response.json()["code"] == "not_closed"
        await race.resign()
        await race.wait_until(is_over)
        with pytest.raises(httpx2.HTTPStatusError) as refused:
            await fetch_analysis(url, race.id, player, token)
        assert refused.value.response.json()["code"] == "no_solver"
        with ThreadPoolExecutor(1) as threads:
            keeping = asyncio.create_task(Keeper(store, threads, [], 0).run())
            while not await store.workers.is_running():
                await asyncio.sleep(0.01)
            told = await fetch_analysis(url, race.id, player, token)
            keeping.cancel()
    assert [loss["at"] for loss in told["losses"]] == [7]
    await store.close()
