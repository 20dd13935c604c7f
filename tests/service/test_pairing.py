"""Quick matches: two who wait are paired once, whatever is interrupted, and who leaves is gone."""

import asyncio

import pytest

from protocol.codes import ErrorCode, Kind, Phase
from server.service.errors import ContestError
from server.store.queues import SILENT_MS
from tests.service.world import Time, World, make_world

VARIANT = "fortress"


async def test_two_who_wait_are_paired_into_a_race_that_counts_down(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    assert await world.contest.queue(ann.id, VARIANT) is None
    race_id = await world.contest.queue(bob.id, VARIANT)
    assert race_id is not None
    race = await world.contest.races.load(race_id)
    assert (race.kind, race.phase) == (Kind.QUICK, Phase.COUNTDOWN)
    assert {seat.player.id for seat in race.seats} == {ann.id, bob.id}
    assert await world.contest.seats.live(ann.id) == race_id


async def test_who_asks_twice_is_not_paired_with_themselves(world: World) -> None:
    ann = await world.guest()
    assert await world.contest.queue(ann.id, VARIANT) is None
    assert await world.contest.queue(ann.id, VARIANT) is None


async def test_cancelling_works_and_the_next_one_waits(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    await world.contest.queue(ann.id, VARIANT)
    assert await world.contest.unqueue(ann.id, VARIANT) is None
    assert await world.contest.queue(bob.id, VARIANT) is None


async def test_cancelling_too_late_gives_the_race(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    await world.contest.queue(ann.id, VARIANT)
    pair = await world.store.queues.join(VARIANT, bob.id, world.contest.clock.now_ms(), "the-race")
    assert pair is not None
    assert await world.contest.unqueue(ann.id, VARIANT) == "the-race"
    assert (await world.contest.races.load("the-race")).phase is Phase.COUNTDOWN


async def test_who_has_left_without_a_word_is_not_paired(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    await world.contest.queue(ann.id, VARIANT)
    world.time.pass_ms(SILENT_MS + 1)
    assert await world.contest.queue(bob.id, VARIANT) is None


async def test_a_pair_whose_race_was_never_made_gets_it_by_the_sweep(world: World, time: Time) -> None:
    ann, bob = await world.guest(), await world.guest()
    now = world.contest.clock.now_ms()
    assert await world.store.queues.join(VARIANT, ann.id, now, "unused") is None
    assert await world.store.queues.join(VARIANT, bob.id, now, "made-by-sweep") is not None
    others = [await make_world(world.store, time, [], name) for name in ("two", "three")]
    await asyncio.gather(*(other.contest.pairing.sweep() for other in others))
    race = await world.contest.races.load("made-by-sweep")
    assert len(race.seats) == 2
    assert await world.store.queues.pairs(VARIANT) == []


async def test_both_hear_of_their_race(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    heard: dict[str, asyncio.Future[str]] = {}
    for player in (ann, bob):
        heard[player.id] = asyncio.get_running_loop().create_future()
        await world.store.feed.subscribe(f"p:{player.id}", heard[player.id].set_result)
    await world.contest.queue(ann.id, VARIANT)
    race_id = await world.contest.queue(bob.id, VARIANT)
    assert race_id is not None
    for payload in await asyncio.wait_for(asyncio.gather(*heard.values()), 5):
        assert race_id in payload


async def test_who_is_in_a_race_cannot_wait_for_another(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    await world.started(ann, bob)
    with pytest.raises(ContestError) as refused:
        await world.contest.queue(ann.id, VARIANT)
    assert refused.value.code is ErrorCode.BUSY


async def test_there_is_no_queue_for_what_is_not_a_ranked_variant(world: World) -> None:
    ann = await world.guest()
    for variant in ("no-such-game", "citadel+worry-back"):
        with pytest.raises(ContestError) as refused:
            await world.contest.queue(ann.id, variant)
        assert refused.value.code is ErrorCode.UNKNOWN_VARIANT


async def test_who_is_racing_by_the_time_of_the_match_is_passed_over_and_the_other_waits_on(world: World) -> None:
    ann, bob, cat, dan = [await world.guest() for _ in range(4)]
    await world.contest.queue(ann.id, VARIANT)
    elsewhere = await world.started(ann, cat)
    assert await world.contest.queue(bob.id, VARIANT) is None
    assert await world.contest.seats.live(ann.id) == elsewhere.id
    assert await world.store.players.live(bob.id) is None
    assert await world.store.queues.pairs(VARIANT) == []
    race_id = await world.contest.queue(dan.id, VARIANT)
    assert race_id is not None
    race = await world.contest.races.load(race_id)
    assert {seat.player.id for seat in race.seats} == {bob.id, dan.id}
