"""Stopping the server: everyone is told when to come back, nothing stored is lost, nothing hangs."""

import asyncio
import time
from pathlib import Path

import httpx2
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.web.site import Player, Site, serving


async def test_a_stop_tells_every_client_when_to_come_back_and_closes_with_1012(redis_url: str, tmp_path: Path) -> None:
    async with serving(redis_url, tmp_path, retry_after_ms=1_234) as site:
        players = [await Player.join(site) for _ in range(3)]
    for player in players:
        assert await player.hear_close() == 1012
        assert player.seen[-1] == {
            "type": "notice",
            "code": "restart",
            "message": player.seen[-1]["message"],
            "retry_after_ms": 1_234,
        }


async def test_moves_sent_right_before_the_stop_are_answered_before_the_notice(redis_url: str, tmp_path: Path) -> None:
    async with serving(redis_url, tmp_path) as site:
        player = await Player.join(site)
        attempt = await player.practise()
        for version in range(10):
            await attempt.send("restart", version=version)
        await player.hear("accepted", id=1)
    await player.hear_close()
    accepted = [frame["id"] for frame in player.seen if frame["type"] == "accepted"]
    async with serving(redis_url, tmp_path) as again:
        back = await Player.join(again, player.token)
        state = await (await back.enter(attempt.race)).stored()
    assert accepted == list(range(1, len(accepted) + 1))
    assert state["version"] >= len(accepted)


async def test_a_client_that_does_not_read_does_not_hold_up_the_stop(redis_url: str, tmp_path: Path) -> None:
    async with serving(redis_url, tmp_path, stop_within_s=2) as site:
        player = await Player.join(site)
        player.socket.transport.pause_reading()
        begun = time.monotonic()
    assert time.monotonic() - begun < 6
    player.socket.transport.abort()


async def test_a_stopping_server_is_not_ready(site: Site) -> None:
    async with httpx2.AsyncClient() as client:
        assert (await client.get(f"{site.http}/readyz")).status_code == 200
        site.app.state.stopping = True
        assert (await client.get(f"{site.http}/readyz")).status_code == 503


async def test_a_stopping_server_takes_no_new_conversations(site: Site) -> None:
    site.app.state.running.socket.is_stopping = True
    player = Player(await site.open_socket())
    assert await player.hear_close() == 1013


async def test_stopping_leaves_no_task_behind(redis_url: str, tmp_path: Path) -> None:
    before = asyncio.all_tasks()
    async with serving(redis_url, tmp_path) as site:
        player = await Player.join(site)
        await player.practise()
        await player.leave()
    await asyncio.sleep(0.05)
    left = {task.get_name() for task in asyncio.all_tasks() - before}
    assert not {name for name in left if "ramparts" in name or name in ("clock", "sweeper")}
    assert len(asyncio.all_tasks()) <= len(before) + 1


async def test_a_socket_elsewhere_than_at_its_address_is_refused(site: Site) -> None:
    with pytest.raises(InvalidStatus):
        await connect(site.url.replace("/ws", "/other"), compression=None)
