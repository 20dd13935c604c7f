"""A connection that breaks with moves on their way: the snapshot says what was played, and nothing is played twice."""

import asyncio
from collections.abc import Sequence

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed

from rules.moves import Move
from rules.record import parse_record, verify
from tests.e2e.deals import won
from tests.e2e.racing import answer, play_line, send_line
from tests.web.site import Attempt, Frame, Player, Site

GAME = won("beleaguered-castle")
BURST = 30


async def come_back(site: Site, attempt: Attempt) -> tuple[Attempt, Frame]:
    """The attempt entered again from a new connection, and what the snapshot says of it."""
    player = await Player.join(site, attempt.player.token)
    await player.say("enter", race=attempt.race)
    snapshot = await player.hear("snapshot")
    return Attempt(player, snapshot), snapshot["attempt"]


def not_played(line: Sequence[Move], epoch: int, state: Frame) -> Sequence[Move]:
    """Of moves sent with ids from 1 in this epoch, those that the snapshot says were not played."""
    played_epoch, _, played_id = state.get("previous", "0.0").partition(".")
    return line[int(played_id) :] if int(played_epoch) == epoch else line


@pytest.mark.parametrize("heard", [0, 1, 7, 29])
async def test_after_a_drop_in_mid_flight_the_rest_is_sent_again_and_nothing_is_played_twice(
    site: Site, heard: int
) -> None:
    attempt = await (await Player.join(site)).practise(GAME.code)
    await send_line(attempt, GAME.line[:BURST])
    for command_id in range(1, heard + 1):
        await attempt.player.hear("accepted", id=command_id)
    attempt.player.socket.transport.abort()
    back, state = await come_back(site, attempt)
    assert (state["epoch"], state["last_id"]) == (2, 0)
    assert heard <= state["version"] <= BURST
    rest = tuple(not_played(GAME.line, 1, state))
    assert len(GAME.line) - len(rest) == state["version"]
    assert (await play_line(back, rest))["end"] == "finished"
    await back.player.hear("closed")
    assert await moves_of_record(site, back) == list(GAME.line)


async def moves_of_record(site: Site, attempt: Attempt) -> list[object]:
    """What was played, by the record, which verifies."""
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {attempt.player.token}"}) as http:
        path = f"{site.http}/api/v1/attempts/{attempt.race}.{attempt.player.id}/replay?format=record"
        record = parse_record((await http.get(path)).text)
    verify(record)
    return [entry.what for entry in record.entries]


async def test_through_drop_after_drop_a_game_goes_on_at_the_same_clock(site: Site) -> None:
    attempt = await (await Player.join(site)).practise(GAME.code)
    rest, at_ms = GAME.line, -1
    for epoch in range(1, 8):
        await send_line(attempt, rest[:12])
        if epoch % 2:
            await attempt.player.hear("accepted", id=epoch)
        attempt.player.socket.transport.abort()
        attempt, state = await come_back(site, attempt)
        rest = tuple(not_played(rest, epoch, state))
        assert (state["epoch"], state["version"]) == (epoch + 1, len(GAME.line) - len(rest))
        assert state["at_ms"] >= at_ms
        at_ms = state["at_ms"]
    assert len(rest) < len(GAME.line)
    await play_line(attempt, rest)
    await attempt.player.hear("closed")
    assert await moves_of_record(site, attempt) == list(GAME.line)


async def test_what_an_older_connection_had_on_its_way_is_refused_once_the_newer_has_entered(
    sites: tuple[Site, Site],
) -> None:
    here, there = sites
    attempt = await (await Player.join(here)).practise(GAME.code)
    await send_line(attempt, GAME.line[:10])
    entering = asyncio.create_task(come_back(there, attempt))
    await send_line(attempt, GAME.line[10:60])
    back, state = await entering
    accepted, refused = 0, set[str]()
    for command_id in range(1, 61):
        attempt.last_id = command_id
        said = await answer_or_close(attempt)
        if said is None:
            break
        accepted += said["type"] == "accepted"
        refused |= {said["code"]} if said["type"] == "rejected" else set()
    assert refused <= {"taken_over"}
    assert await attempt.player.hear_close() == 4001
    stored = (await back.stored())["version"]
    assert stored == state["version"]
    assert accepted <= stored
    assert (await play_line(back, GAME.line[stored:]))["end"] == "finished"


async def answer_or_close(attempt: Attempt) -> Frame | None:
    """The answer to the last command; None if the connection was closed before it."""
    try:
        return await answer(attempt)
    except ConnectionClosed:
        return None
