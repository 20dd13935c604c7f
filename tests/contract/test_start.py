"""The start: announced as an absolute instant, the same for all, and no card is seen a millisecond before it."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import httpx2
import pytest

from server.race import race as racing
from tests.e2e.listening import Listener
from tests.e2e.times import forward_to, now_ms
from tests.web.site import PATIENCE_S, Frame, Player, Site
from tests.workers.beside import beside

CARD = re.compile(r'"[A2-9TJQK][CSHD]"')
COUNTDOWN_MS = 400
HELD_MS = 30_000
"""A countdown that is over when the test says so (`end_countdown`), however slow the machine is."""
TOGETHER_MS = 150
"""Within this all must have been told, beyond what a round trip to the store takes this machine meanwhile."""
RACES = 5


@pytest.fixture(autouse=True)
def countdown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(racing, "COUNTDOWN_MS", COUNTDOWN_MS)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch, countdown: None) -> None:
    """Countdowns do not end by themselves while the test looks."""
    monkeypatch.setattr(racing, "COUNTDOWN_MS", HELD_MS)


def end_countdown(sites: tuple[Site, Site], start_ms: int) -> None:
    """Lets the time pass to shortly before the start."""
    for site in sites:
        forward_to(site, start_ms - 100)


async def join(site: Site) -> Listener:
    player = await Listener.join(site)
    player.clock = partial(now_ms, site)
    return player


@asynccontextmanager
async def round_trips(site: Site) -> AsyncIterator[list[float]]:
    """How long a question that is answered from the store takes meanwhile, again and again (milliseconds)."""
    player = await Player.join(site)
    attempt = await player.practise()
    took: list[float] = []

    async def ask() -> None:
        while True:
            began = time.monotonic()
            await asyncio.sleep(0.005)
            await attempt.stored()
            took.append((time.monotonic() - began) * 1000)

    async with beside(ask()):
        yield took


async def one_race(
    sites: tuple[Site, Site], key: str, counting: Callable[[int], None] = lambda _: None
) -> list[Listener]:
    """Two players and a watcher on two servers, in one race that has started; each has heard so.

    `counting` is called with the start's instant when all have heard of the countdown.
    """
    one, other, watcher = [await join(site) for site in (*sites, sites[1])]
    await one.say("create", key=key, kind="private", variant="beleaguered-castle")
    link = (await one.hear("snapshot"))["state"]["link"]
    await other.say("enter", race=link)
    race = (await other.hear("snapshot"))["race"]
    await watcher.say("watch", race=link)
    await watcher.hear("snapshot")
    for player in (one, other):
        await player.say("ready", race=race, ready=True)
    counted = [await player.hear("countdown") for player in (one, other, watcher)]
    counting(counted[0]["start_ms"])
    for player in (one, other, watcher):
        await player.hear("started")
    return [one, other, watcher]


def first(player: Listener, type_: str) -> Frame:
    return next(frame for frame in player.seen if frame["type"] == type_)


async def test_all_hear_of_the_start_together_and_nobody_before_its_instant(sites: tuple[Site, Site]) -> None:
    async with round_trips(sites[1]) as took:
        races = await asyncio.gather(*(one_race(sites, f"race-key-{number}") for number in range(RACES)))
    for players in races:
        started = [first(player, "started") for player in players]
        start_ms = started[0]["start_ms"]
        for frame in started[1:]:
            assert (frame["start_ms"], frame["position"]) == (start_ms, started[0]["position"])
        told = [player.when("started", started[0]["race"]) for player in players]
        assert min(told) >= start_ms
        assert min(frame["now_ms"] for frame in started) >= start_ms
        assert max(told) - min(told) < TOGETHER_MS + max(took)
        for player in players:
            early = [text for at, text in player.arrived if at < start_ms]
            assert early
            assert not CARD.search("".join(early))


@pytest.mark.usefixtures("held")
async def test_the_countdown_names_the_instant_at_which_the_race_then_starts(sites: tuple[Site, Site]) -> None:
    players = await one_race(sites, "race-key-1", partial(end_countdown, sites))
    countdowns = [first(player, "countdown") for player in players]
    start_ms = first(players[0], "started")["start_ms"]
    assert {frame["start_ms"] for frame in countdowns} == {start_ms}
    for player, frame in zip(players, countdowns, strict=True):
        assert start_ms - HELD_MS <= frame["now_ms"] <= start_ms
        assert player.when("countdown", frame["race"]) <= start_ms
    assert first(players[0], "started")["closes_ms"] == start_ms + 30 * 60_000


@pytest.mark.usefixtures("held")
async def test_a_move_sent_during_the_countdown_is_refused_and_one_at_the_start_is_stamped_from_it(
    sites: tuple[Site, Site],
) -> None:
    one, other, _ = players = [await join(site) for site in (*sites, sites[1])]
    await one.say("create", key="race-key-1", kind="private", variant="beleaguered-castle")
    snapshot = await one.hear("snapshot")
    await other.say("enter", race=snapshot["state"]["link"])
    await other.hear("snapshot")
    for player in players[:2]:
        await player.say("ready", race=snapshot["race"], ready=True)
    countdown = await one.hear("countdown")
    await one.say("restart", race=snapshot["race"], id=1, version=0)
    assert (await one.hear("error"))["code"] == "not_started"
    end_countdown(sites, countdown["start_ms"])
    started = await one.hear("started")
    await one.say("restart", race=snapshot["race"], id=1, version=0)
    accepted = await one.hear("accepted")
    assert 0 <= accepted["at_ms"] <= now_ms(sites[0]) - started["start_ms"]


@pytest.mark.usefixtures("held")
async def test_a_snapshot_asked_for_all_through_the_countdown_shows_no_card_before_the_start(
    sites: tuple[Site, Site],
) -> None:
    one, other = [await join(site) for site in sites]
    await one.say("create", key="race-key-1", kind="private", variant="klondike-draw1")
    snapshot = await one.hear("snapshot")
    race = snapshot["race"]
    await other.say("enter", race=snapshot["state"]["link"])
    await other.hear("snapshot")
    for player in (one, other):
        await player.say("ready", race=race, ready=True)
    start_ms = (await one.hear("countdown"))["start_ms"]
    asking = [asyncio.create_task(ask_on(player, race)) for player in (one, other)]
    async with asyncio.timeout(PATIENCE_S):
        while min(snapshots(player) for player in (one, other)) <= 10:
            await asyncio.sleep(0.01)
    end_countdown(sites, start_ms)
    await asyncio.gather(*asking)
    for player in (one, other):
        frames = [(at, json.loads(text)) for at, text in player.arrived]
        assert player.seen[-1]["state"]["start_ms"] == start_ms
        early = [frame for at, frame in frames if at < start_ms]
        assert sum(frame["type"] == "snapshot" for frame in early) > 10
        assert not CARD.search(json.dumps(early))
        assert all("deal" not in frame.get("state", {}) for _, frame in frames)
        assert all("attempt" not in frame for frame in early)


def snapshots(player: Listener) -> int:
    return sum(frame["type"] == "snapshot" for frame in player.seen)


async def ask_on(player: Listener, race: str) -> None:
    """Enters and resyncs again and again until the deal is shown."""
    while True:
        for command in ("resync", "enter"):
            await player.say(command, race=race)
            snapshot = await player.hear("snapshot")
            if "attempt" in snapshot:
                return
        await asyncio.sleep(0.005)


@pytest.mark.usefixtures("held")
async def test_a_chosen_deal_is_told_to_nobody_before_the_start_and_to_all_after_it(sites: tuple[Site, Site]) -> None:
    code = "beleaguered-castle:ms:11982"
    one, other = [await join(site) for site in sites]
    await one.say("create", key="race-key-1", kind="private", deal=code)
    snapshot = await one.hear("snapshot")
    race, link = snapshot["race"], snapshot["state"]["link"]
    await other.say("enter", race=link)
    await other.hear("snapshot")
    told = []
    async with httpx2.AsyncClient(base_url=f"{sites[1].http}/api/v1") as http:
        for player in (one, other):
            await player.say("ready", race=race, ready=True)
            told.append((await http.get(f"/races/{link}")).text)
        countdown = await other.hear("countdown")
        await other.say("resync", race=race)
        told.append((await http.get(f"/races/{link}")).text)
        end_countdown(sites, countdown["start_ms"])
        await one.hear("started")
        await other.hear("started")
        early = [text for player in (one, other) for _, text in player.arrived if '"started"' not in text]
        for text in (*told, *early):
            assert "11982" not in text
            assert not CARD.search(text)
        assert (await http.get(f"/races/{link}")).json()["deal"] == code
    await other.say("resync", race=race)
    assert (await other.hear("snapshot", re=race))["state"]["chosen_deal"] is True
    assert other.seen[-1]["state"]["deal"] == code
