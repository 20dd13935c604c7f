"""Waiting for an opponent: whose match it is, what is done about a wait that was lost, and entering in spite of all."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from protocol.codes import ErrorCode
from server.service.errors import ContestError
from server.store import StoreUnavailable
from server.web import waiting
from tests.web.site import Player, Site, race_of_two


async def wait_for_an_opponent(player: Player, variant: str = "fortress") -> None:
    await player.say("queue", variant=variant)
    await player.hear("queued", waiting=True)


def types(player: Player) -> set[str]:
    return {frame["type"] for frame in player.seen}


async def test_a_tab_that_has_stopped_waiting_takes_no_match_from_the_one_that_waits(site: Site) -> None:
    stopped = await Player.join(site)
    waits, other = await Player.join(site, stopped.token), await Player.join(site)
    await wait_for_an_opponent(stopped, "citadel")
    await wait_for_an_opponent(stopped)
    await stopped.say("unqueue", variant="fortress")
    await stopped.hear("queued", waiting=False)
    await wait_for_an_opponent(waits)
    await other.say("queue", variant="fortress")
    race = (await waits.hear("matched"))["race"]
    await waits.hear("snapshot", race=race)
    await waits.hear("started", race=race)
    await stopped.ping()
    assert not {"matched", "entered", "snapshot"} & types(stopped)


async def test_who_waits_for_nothing_any_more_does_not_listen_for_matches(site: Site) -> None:
    player = await Player.join(site)
    channels = site.app.state.running.socket._services.hub._channels
    await wait_for_an_opponent(player, "citadel")
    await wait_for_an_opponent(player)
    await player.say("unqueue", variant="fortress")
    await player.hear("queued", waiting=False)
    assert f"p:{player.id}" in channels
    await player.say("unqueue", variant="citadel")
    await player.hear("queued", waiting=False)
    assert f"p:{player.id}" not in channels


async def test_a_place_in_the_queue_that_was_lost_is_taken_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "BEAT_S", 0.05)
    player, other = await Player.join(site), await Player.join(site)
    await wait_for_an_opponent(player)
    queues = site.app.state.contest.store.queues
    await queues.leave("fortress", player.id)
    async with asyncio.timeout(5):
        while not await queues.waiting("fortress"):
            await asyncio.sleep(0.02)
    await other.say("queue", variant="fortress")
    assert (await player.hear("matched"))["race"] == (await other.hear("matched"))["race"]


async def test_another_race_that_was_begun_meanwhile_ends_the_wait_and_is_not_taken_for_the_match(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits, other = await Player.join(site), await Player.join(site)
    plays = await Player.join(site, waits.token)
    await wait_for_an_opponent(waits)
    await race_of_two(plays, other)
    await site.app.state.contest.store.queues.leave("fortress", waits.id)
    monkeypatch.setattr(waiting, "BEAT_S", 0.05)
    await waits.say("queue", variant="citadel")
    await waits.hear("error", code="busy")
    site.app.state.contest.store.feed.on_gap()
    assert (await waits.hear("queued"))["waiting"] is False
    await plays.ping()
    assert "matched" not in types(waits)


def failing(times: int, error: Exception, then: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Fails some times, then does what it should."""
    left = [times]

    async def call(*arguments: Any, **named: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise error
        return await then(*arguments, **named)

    return call


async def test_after_matched_the_race_is_entered_however_often_the_store_fails(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = await Player.join(site), await Player.join(site)
    await wait_for_an_opponent(one)
    contest = site.app.state.contest
    monkeypatch.setattr(contest, "open", failing(3, StoreUnavailable("gone"), contest.open))
    await other.say("queue", variant="fortress")
    for player in (one, other):
        race = (await player.hear("matched"))["race"]
        await player.hear("snapshot", race=race)
        assert "error" not in types(player)


async def test_what_stands_against_entering_a_match_is_told_with_its_race(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = await Player.join(site), await Player.join(site)
    contest = site.app.state.contest
    monkeypatch.setattr(contest, "open", failing(2, ContestError(ErrorCode.CLOSED), contest.open))
    await wait_for_an_opponent(one)
    await other.say("queue", variant="fortress")
    for player in (one, other):
        race = (await player.hear("matched"))["race"]
        refused = await player.hear("error")
        assert (refused["code"], refused["re"], refused["race"]) == ("closed", "enter", race)


async def test_looking_for_a_missed_match_goes_on_until_the_store_answers(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = await Player.join(site)
    await wait_for_an_opponent(player)
    contest, asked = site.app.state.contest, asyncio.Event()

    async def found(*_: object) -> str | None:
        asked.set()
        return None

    monkeypatch.setattr(contest, "queue", failing(2, StoreUnavailable("gone"), found))
    contest.store.feed.on_gap()
    await asyncio.wait_for(asked.wait(), 5)
    await player.ping()
    assert "error" not in types(player)
