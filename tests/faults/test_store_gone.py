"""The store dies, hangs or forgets while players play: nothing acknowledged is lost, nothing is played twice."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from rules.history import parse_entry
from server.store.embedded import Embedded, start_embedded
from tests.web.conftest import logged, no_errors, short_countdown
from tests.web.site import Attempt, Player, Site, race_of_two, serving

__all__ = ["logged", "no_errors", "short_countdown"]


@pytest.fixture
async def own_valkey(tmp_path: Path) -> AsyncIterator[Embedded]:
    """A Valkey that may be killed."""
    embedded = await asyncio.to_thread(start_embedded, tmp_path / "valkey")
    yield embedded
    await asyncio.to_thread(embedded.stop)


@pytest.fixture
async def site(own_valkey: Embedded, tmp_path: Path) -> AsyncIterator[Site]:
    async with serving(own_valkey.url, tmp_path, commands_per_second=100_000) as running:
        yield running


def kill(embedded: Embedded) -> None:
    os.kill(embedded.server_pid, signal.SIGKILL)


async def settle(attempt: Attempt, kind: str = "restart") -> int:
    """Sends one command again and again, as a client does, until it is accepted; how often it was sent."""
    player, times = attempt.player, 0
    command_id = attempt.last_id + 1
    async with asyncio.timeout(20):
        while True:
            times += 1
            await attempt.send(kind, id_=command_id)
            answer = await player.hear_any()
            while answer.get("id") != command_id:
                answer = await player.hear_any()
            if answer["type"] == "accepted":
                attempt.version = answer["version"]
                return times
            assert (answer["type"], answer["code"]) == ("error", "retry"), answer
            await asyncio.sleep(0.05)


async def log_of(site: Site, attempt: Attempt) -> list[tuple[int, int]]:
    """Epoch and id of each entry that is stored."""
    row = await site.app.state.contest.store.attempts.load(f"{attempt.race}.{attempt.player.id}")
    return [(entry.epoch, entry.id) for entry in map(parse_entry, row.entries)]


async def test_a_command_that_the_store_could_not_take_is_told_to_be_sent_again(
    site: Site, own_valkey: Embedded
) -> None:
    attempt = await (await Player.join(site)).practise()
    kill(own_valkey)
    await asyncio.sleep(0.05)
    assert await settle(attempt) > 1
    assert await log_of(site, attempt) == [(1, 1)]


async def test_no_acknowledged_move_is_lost_and_none_is_played_twice_when_the_store_is_killed(
    site: Site, own_valkey: Embedded
) -> None:
    attempt = await (await Player.join(site)).practise()
    for number in range(60):
        if number in (15, 30, 45):
            kill(own_valkey)
        await settle(attempt)
    assert await log_of(site, attempt) == [(1, number) for number in range(1, 61)]


async def test_pipelined_moves_are_each_answered_when_the_store_is_killed_under_them(
    site: Site, own_valkey: Embedded
) -> None:
    attempt = await (await Player.join(site)).practise()
    for version in range(40):
        if version == 20:
            await attempt.player.ping()
            kill(own_valkey)
        await attempt.send("restart", version=version)
    answers: dict[int, str] = {}
    async with asyncio.timeout(20):
        while len(answers) < 40:
            frame = await attempt.player.hear_any()
            if "id" in frame and frame["type"] != "pong":
                answers[frame["id"]] = frame["type"] if frame["type"] == "accepted" else frame["code"]
    accepted = [number for number, answer in answers.items() if answer == "accepted"]
    assert set(answers.values()) <= {"accepted", "retry", "stale"}
    await asyncio.sleep(1.5)
    stored = [number for _, number in await log_of(site, attempt)]
    assert stored[: len(accepted)] == accepted
    assert stored == list(range(1, len(stored) + 1))


async def test_after_the_store_came_back_both_go_on_racing(site: Site, own_valkey: Embedded) -> None:
    one, other = await Player.join(site), await Player.join(site)
    first, second = await race_of_two(one, other, deal="beleaguered-castle:ms:13")
    kill(own_valkey)
    await settle(first, "collect")
    assert (await other.hear("progress"))["player"] == one.id
    await settle(second, "resign")
    await settle(first, "resign")
    assert len((await other.hear("closed"))["results"]) == 2


async def test_commands_that_need_the_store_are_told_to_be_sent_again(site: Site, own_valkey: Embedded) -> None:
    player = await Player.join(site)
    kill(own_valkey)
    await asyncio.sleep(0.02)
    await player.say("create", key="during-death", kind="practice", deal="fortress:ms:4")
    answer = await player.hear_any()
    while answer["type"] == "error":
        assert (answer["code"], answer["re"], answer["key"]) == ("retry", "create", "during-death")
        await asyncio.sleep(0.05)
        await player.say("create", key="during-death", kind="practice", deal="fortress:ms:4")
        answer = await player.hear_any()
    assert answer["type"] == "entered"


async def test_a_store_that_hangs_keeps_nobody_from_being_answered(site: Site, own_valkey: Embedded) -> None:
    player = await Player.join(site)
    attempt = await player.practise()
    os.kill(own_valkey.server_pid, signal.SIGSTOP)
    try:
        await attempt.send("restart")
        assert (await player.ping())["type"] == "pong"
    finally:
        os.kill(own_valkey.server_pid, signal.SIGCONT)
    attempt.last_id = 0
    await settle(attempt)
    assert await log_of(site, attempt) == [(1, 1)]


async def test_what_was_published_while_the_store_was_gone_is_made_up_by_a_snapshot(
    site: Site, own_valkey: Embedded
) -> None:
    one, other = await Player.join(site), await Player.join(site)
    first, _ = await race_of_two(one, other)
    await asyncio.sleep(0.1)
    told = len(other.seen)
    kill(own_valkey)
    await settle(first)
    async with asyncio.timeout(10):
        await other.hear("snapshot")
    assert len(other.seen) > told
