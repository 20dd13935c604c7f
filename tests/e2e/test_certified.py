"""A day raced on deals that a real worker has certified beforehand, from the empty pool to the opened deal."""

import asyncio
import hashlib
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable
from pathlib import Path

import httpx2

from server.race.daily import Daily, day_of, format_day, grade_of_day
from server.store import Store
from server.store.pool import GRADES
from solver.verdicts import solve
from tests.e2e.deals import committed
from tests.e2e.racing import play_line
from tests.e2e.times import forward_to, now_ms
from tests.processes import working
from tests.web.site import PATIENCE_S, Attempt, Frame, Player, serving

VARIANT = "fortress"
GRACE_MS = 500
PART = 100
RACED_BEFORE = "a-deal-that-was-raced-after-the-backup"


async def solved(code: str) -> tuple[int | None, str]:
    """Exit code and words of `ramparts solve`."""
    command = (sys.executable, "-c", "from cli.main import main; main()", "solve", code)
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE)
    told, _ = await process.communicate()
    return process.returncode, told.decode()


async def test_tomorrows_daily_is_certified_graded_raced_and_proved_winnable_when_it_is_opened(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    await store.pool.add(VARIANT, 1, RACED_BEFORE)
    async with working(redis_url, tmp_path, "--empty-pool", "--until-full", "--variant", VARIANT) as worker:
        assert await asyncio.wait_for(worker.wait(), 90) == 0
    assert await store.pool.sizes(VARIANT, GRADES) == [1] * 5
    taken = await store.pool.take(VARIANT, (1,))
    assert taken is not None
    assert taken[0] != RACED_BEFORE
    async with serving(redis_url, tmp_path, pooled=True, commands_per_second=100_000) as site:
        await committed(site)
        tomorrow = Daily(day_of(now_ms(site)) + 1, VARIANT)

        async def get(path: str) -> Frame:
            async with httpx2.AsyncClient(base_url=f"{site.http}/api/v1") as http:
                told: Frame = (await http.get(path)).json()
                return told

        async def until(path: str, holds: Callable[[Frame], bool]) -> None:
            async with asyncio.timeout(PATIENCE_S):
                while not holds(await get(path)):
                    await asyncio.sleep(0.02)

        announced = await get(f"/daily/{format_day(tomorrow.day)}/{VARIANT}")
        assert (announced["certified"], announced["committed_before"]) == (True, True)
        assert abs(announced["grade"] - grade_of_day(tomorrow.day)) <= 1
        assert sum(await store.pool.sizes(VARIANT, GRADES)) == 2
        forward_to(site, tomorrow.opens_ms + 1_000)
        player = await Player.join(site, bot=True)
        await player.say("enter", race=tomorrow.race_id)
        attempt = Attempt(player, await player.hear("snapshot", re=tomorrow.race_id))
        assert (attempt.state["certified"], attempt.state["grade"]) == (True, announced["grade"])
        assert attempt.position is not None
        line = solve(attempt.position).line
        assert line is not None
        # A first solution may have thousands of moves: each part of it has the time of an answer.
        played = [await play_line(attempt, part) for part in (line[at : at + PART] for at in range(0, len(line), PART))]
        assert played[-1]["end"] == "finished"
        standings = f"/races/{tomorrow.race_id}/standings"
        await until(standings, lambda told: told["standings"][0].get("end") == "finished")
        forward_to(site, tomorrow.closes_ms + GRACE_MS)
        closed = await player.hear("closed")
        assert hashlib.sha256(f"{closed['deal']}\n{closed['nonce']}".encode()).hexdigest() == announced["commitment"]
        code, told = await solved(closed["deal"])
        assert (code, "winnable" in told) == (0, True)
        board = f"/boards/best:{VARIANT}:{announced['grade']}:bots"
        await until(board, lambda told: [row["player"]["id"] for row in told["rows"]] == [player.id])
