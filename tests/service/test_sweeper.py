"""What happens by itself goes on whatever goes wrong with one race, and starts are on the dot."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from structlog.testing import capture_logs

from protocol.codes import Phase
from server.race.race import COUNTDOWN_MS, LOBBY_MS
from server.service.sweeper import LEASE_MS
from server.store import keys
from tests.service.world import World, make_world

WAIT_S = 10.0


@asynccontextmanager
async def sweeping(world: World) -> AsyncIterator[None]:
    task = asyncio.create_task(world.contest.sweeper.run())
    try:
        yield
        assert not task.done()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def reaches(world: World, race_id: str, phase: Phase) -> None:
    async with asyncio.timeout(WAIT_S):
        while (await world.contest.races.load(race_id)).phase is not phase:
            await asyncio.sleep(0.02)


async def is_taken(world: World, race_id: str) -> None:
    """Waits until a sweep has taken what is due for the race."""
    async with asyncio.timeout(WAIT_S):
        while await world.store.due.at(race_id) != world.time.ms + LEASE_MS:
            await asyncio.sleep(0.02)


@pytest.fixture(autouse=True)
async def tomorrow_is_committed(world: World) -> None:
    await world.contest.dailies.commit()


async def test_a_race_that_cannot_be_read_stops_no_other(world: World) -> None:
    good = await world.private(await world.guest())
    bad = await world.private(await world.guest())
    await world.store.link.call("RPUSH", keys.race_log(bad.id), '{"type":"from-the-future"}')
    world.time.pass_ms(LOBBY_MS)
    with capture_logs() as logged:
        async with sweeping(world):
            await reaches(world, good.id, Phase.CLOSED)
    assert {entry.get("due") for entry in logged if entry["event"] == "sweep.failed"} == {bad.id}


async def test_a_race_that_cannot_be_read_is_logged_once_however_often_it_is_due(world: World) -> None:
    bad = await world.private(await world.guest())
    await world.store.link.call("LSET", keys.race_log(bad.id), 0, "never written")
    other = await make_world(world.store, world.time, [], "other")
    with capture_logs() as logged:
        async with sweeping(other):
            for _ in range(4):
                world.time.pass_ms(LOBBY_MS)
                await is_taken(world, bad.id)
    assert [entry["event"] for entry in logged if bad.id in entry.values()] == ["race.damaged", "sweep.failed"]


async def test_a_race_that_could_not_be_read_goes_on_when_it_can_and_is_logged_when_it_is_damaged_again(
    world: World,
) -> None:
    race = await world.private(await world.guest())
    (*_, last) = await world.store.races.load(race.id)
    other = await make_world(world.store, world.time, [], "other")
    with capture_logs() as logged:
        for text in ("never written", last, "never written"):
            await world.store.link.call("LSET", keys.race_log(race.id), -1, text)
            found = await other.contest.races.find_readable(race.id)
            assert (found is not None) == (text == last)
    assert [entry["event"] for entry in logged] == ["race.damaged"] * 2


async def test_a_race_starts_by_itself_when_its_instant_has_come(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.private(ann)
    await world.contest.enter(bob.id, race.created.link or "")
    async with sweeping(world):
        await world.contest.ready(ann.id, race.id, ready=True)
        await world.contest.ready(bob.id, race.id, ready=True)
        await asyncio.sleep(0.3)
        assert (await world.contest.races.load(race.id)).phase is Phase.COUNTDOWN
        world.time.pass_ms(COUNTDOWN_MS)
        await reaches(world, race.id, Phase.RUNNING)


async def test_what_leads_to_no_race_is_not_due_for_ever(world: World) -> None:
    await world.store.due.schedule("never-made", int(world.time.ms))
    async with sweeping(world):
        async with asyncio.timeout(WAIT_S):
            while await world.store.due.at("never-made") is not None:
                await asyncio.sleep(0.02)
    assert await world.store.due.take(int(world.time.ms), "sweep", 1, 100) == []


async def test_a_countdown_is_due_at_its_start(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.private(ann)
    await world.contest.enter(bob.id, race.created.link or "")
    for player in (ann, bob):
        await world.contest.ready(player.id, race.id, ready=True)
    assert await world.store.due.at(race.id) == world.time.ms + COUNTDOWN_MS
