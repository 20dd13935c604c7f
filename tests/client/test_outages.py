"""The client through what servers do: answers that never come, a planned restart, a kill."""

import asyncio
from pathlib import Path

from client.connection import REPEAT_AFTER_MS, connect
from rules.deals import deal, parse_deal_code
from rules.moves import Move, play
from tests.client.conftest import Wire
from tests.processes import ServerProcess

DEAL = "beleaguered-castle:ms:11982"
FIRST, SECOND = Move("t0", "t7"), Move("t1", "t4")


async def test_an_answer_that_never_came_is_asked_for_again_and_the_move_played_once(wire: Wire) -> None:
    async with connect(wire.url) as connection:
        race = await connection.create("practice", deal=DEAL)
        wire.is_deaf = True
        waiting = asyncio.create_task(race.play(FIRST))
        await asyncio.sleep(0.5)
        wire.is_deaf = False
        accepted = await asyncio.wait_for(waiting, 3 * REPEAT_AFTER_MS / 1000)
        assert (accepted.version, wire.made) == (1, 1)
        assert (await asyncio.wait_for(race.play(SECOND), 20)).version == 2


async def test_an_attempt_goes_on_through_a_restart_and_a_kill_of_the_server(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, RAMPARTS_RETRY_AFTER_MS="100")
    await server.start()
    try:
        async with connect(server.url) as connection:
            player = connection.player
            race = await connection.create("practice", deal=DEAL)
            await asyncio.wait_for(race.play(FIRST), 20)
            await server.stop()
            await server.start()
            assert (await asyncio.wait_for(race.play(SECOND), 60)).version == 2
            await server.kill()
            waiting = asyncio.create_task(race.undo())
            await server.start()
            assert (await asyncio.wait_for(waiting, 60)).version == 3
            assert race.position == play(deal(parse_deal_code(DEAL)), FIRST)
            assert connection.player == player
    finally:
        await server.stop()
