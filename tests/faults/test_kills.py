"""kill -9 in mid-race, of the server and of its store: nothing acknowledged is lost or doubled, every race closes."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest

from tests.faults.players import Racer, check_kept, is_closed, races_of_two
from tests.processes import ServerProcess

RACES = 50
KILLS = 20
PACE_S = 0.4
MOVES_BETWEEN = 30
"""So many at least are acknowledged between two kills, however long the players take to come back."""
STEP_S = 60.0


async def kill_the_server(server: ServerProcess) -> None:
    await server.kill()
    await server.start()


async def kill_the_store(server: ServerProcess) -> None:
    before = server.valkey_pid
    os.kill(before, signal.SIGKILL)
    async with asyncio.timeout(30):
        while server.valkey_pid in (0, before):
            await asyncio.sleep(0.02)


async def until_moved(racers: list[Racer], count: int) -> None:
    """Waits until so many more moves have been acknowledged."""
    enough = count + sum(len(racer.accepted) for racer in racers)
    async with asyncio.timeout(STEP_S):
        while sum(len(racer.accepted) for racer in racers) < enough:
            await asyncio.sleep(0.02)


# Every step has a limit of its own; this is for what hangs all the same.
@pytest.mark.timeout(240)
@pytest.mark.parametrize("kill", [kill_the_server, kill_the_store])
async def test_kills_in_mid_race_lose_no_acknowledged_move_and_every_race_closes(
    tmp_path: Path, kill: Callable[[ServerProcess], Awaitable[None]]
) -> None:
    server = ServerProcess(tmp_path)
    await server.start()
    chance = Random(7)
    try:
        async with races_of_two(server.url, RACES) as pairs:
            racers = [racer for pair in pairs for racer in pair]
            over = asyncio.Event()
            async with asyncio.TaskGroup() as playing:
                for number, racer in enumerate(racers):
                    playing.create_task(racer.play(Random(number), over.is_set, PACE_S))
                for _ in range(KILLS):
                    await until_moved(racers, MOVES_BETWEEN)
                    await asyncio.sleep(chance.uniform(0, PACE_S))
                    await kill(server)
                await until_moved(racers, MOVES_BETWEEN)
                over.set()
            await asyncio.gather(*(racer.resign() for racer in racers))
            await asyncio.gather(*(racer.race.wait_until(is_closed) for racer in racers))
            records = await asyncio.gather(*(check_kept(server.url, racer) for racer in racers))
    finally:
        await server.stop()
    assert sum(len(record.entries) for record in records) > 2 * len(racers)
    assert len({entry.epoch for record in records for entry in record.entries}) > 1 or kill is kill_the_store
    assert "Traceback" not in server.log.read_text()


async def test_a_server_whose_store_can_not_come_back_ends_and_says_so_and_nothing_is_lost(tmp_path: Path) -> None:
    """With the supervisor killed, nothing would start the store again; the data is there for the next start."""
    server = ServerProcess(tmp_path)
    await server.start()
    try:
        async with races_of_two(server.url, 1) as ((one, other),):
            await one.play_some(Random(1), 10, 0.0)
            os.kill(server.supervisor_pid, signal.SIGKILL)
            assert await server.ended(within_s=30) == 1
            assert "supervisor" in server.log.read_text()
            await server.start()
            await asyncio.gather(one.resign(), other.resign())
            await one.race.wait_until(is_closed)
            assert len((await check_kept(server.url, one)).entries) > 10
    finally:
        await server.stop()
    assert "Traceback" not in server.log.read_text()
