"""Which deals races get: certified ones of the wanted difficulty, each once, and fresh ones when there are none."""

import asyncio

import pytest

from protocol.codes import ErrorCode
from protocol.parts import PlayerRef
from rules.deals import r1_seed
from server.race.daily import DAY_MS, Daily, day_of, grade_of_day, parse_day
from server.race.race import Race
from server.service import dailies
from server.service.dealing import PRACTICE, QUICK, PoolDeals
from server.service.errors import ContestError
from server.store import Store, open_store
from tests.service.world import NOON, Time, World, make_world

VARIANT = "fortress"
TODAY = day_of(NOON)


async def pooled(store: Store, time: Time, *, expects_worker: bool = False) -> World:
    return await make_world(store, time, [], source=PoolDeals(store.pool), expects_worker=expects_worker)


async def fill(store: Store, *grades: int, variant: str = VARIANT) -> None:
    for number, grade in enumerate(grades):
        await store.pool.add(variant, grade, r1_seed(bytes([grade, number] * 8)))


async def daily(world: World, day: int = TODAY) -> Race:
    return await world.contest.races.load(Daily(day, VARIANT).race_id)


async def quick(world: World) -> Race:
    ann, bob = await world.guest(), await world.guest()
    await world.contest.queue(ann.id, VARIANT)
    race_id = await world.contest.queue(bob.id, VARIANT)
    assert race_id is not None
    return await world.contest.races.load(race_id)


async def practice(world: World, player: PlayerRef, number: int) -> Race:
    return await world.private(player, key=f"practice-{number}", kind="practice", variant=VARIANT)


def label(race: Race) -> tuple[bool, int | None]:
    return race.created.certified, race.created.grade


@pytest.mark.parametrize(
    ("date", "grade"),
    [("2027-01-11", 1), ("2027-01-12", 2), ("2027-01-14", 3), ("2027-01-16", 4), ("2027-01-17", 5), ("2027-01-18", 1)],
)
async def test_a_daily_s_difficulty_is_that_of_its_weekday(store: Store, time: Time, date: str, grade: int) -> None:
    day = parse_day(date)
    assert grade_of_day(day) == grade
    time.ms = day * DAY_MS + 1_000
    await fill(store, 5, 4, 3, 2, 1)
    world = await pooled(store, time)
    await world.contest.dailies.commit()
    assert label(await daily(world, day)) == (True, grade)


async def test_what_the_weekday_wants_is_replaced_by_the_nearest_then_by_what_has_no_grade(
    store: Store, time: Time
) -> None:
    time.ms = parse_day("2027-01-17") * DAY_MS + 1_000  # a Sunday
    await fill(store, 0, 1, 3)
    world = await pooled(store, time)
    got = [await world.contest.dailies.supply(Daily(day_of(int(time.ms)), VARIANT).race_id)]
    for _ in range(3):
        time.pass_ms(7 * DAY_MS)
        got.append(await world.contest.dailies.supply(Daily(day_of(int(time.ms)), VARIANT).race_id))
    assert all(got)
    days = [day_of(int(time.ms)) - 7 * week for week in (3, 2, 1, 0)]
    assert [label(await daily(world, day)) for day in days] == [(True, 3), (True, 1), (True, None), (False, None)]


async def test_without_any_certified_deal_races_are_dealt_fresh_and_say_so(store: Store, time: Time) -> None:
    world = await pooled(store, time)
    await world.contest.dailies.commit()
    races = [await daily(world), await quick(world), await practice(world, await world.guest(), 1)]
    assert [label(race) for race in races] == [(False, None)] * 3
    assert [(await world.contest.snapshot(race.id, None)).state.certified for race in races] == [False] * 3


async def test_a_quick_match_has_a_middle_deal_and_its_label_is_told_before_the_start(store: Store, time: Time) -> None:
    await fill(store, 1, 1, 2, 2, 5, 5)
    race = await quick(await pooled(store, time))
    assert label(race) == (True, 2)
    state = (await (await pooled(store, time)).contest.snapshot(race.id, None)).state
    assert (state.certified, state.grade, state.deal) == (True, 2, None)


async def test_private_races_and_rematches_are_certified_and_chosen_deals_are_not(store: Store, time: Time) -> None:
    await fill(store, *[3] * 7)
    world = await pooled(store, time)
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob, variant=VARIANT)
    for player in (ann, bob):
        await world.resign(race, player)
    again = await world.contest.races.load(await world.contest.rematch(ann.id, race.id))
    chosen = await world.private(await world.guest(), deal="fortress:ms:11982")
    assert [label(each) for each in (race, again, chosen)] == [(True, 3), (True, 3), (False, None)]
    assert (await world.contest.races.secret(race.id)).deal != (await world.contest.races.secret(again.id)).deal


async def test_variants_with_options_are_never_called_certified(store: Store, time: Time) -> None:
    await fill(store, *[3] * 7, variant="cruel")
    world = await pooled(store, time)
    race = await world.private(await world.guest(), variant="cruel+bottom-first")
    assert label(race) == (False, None)


async def test_no_flood_of_practice_takes_the_deals_of_others(store: Store, time: Time) -> None:
    await fill(store, *[2] * (PRACTICE.leave + 2))
    world = await pooled(store, time)
    ann = await world.guest()
    flood = [await practice(world, ann, number) for number in range(12)]
    assert [label(race) for race in flood].count((True, 2)) == 2
    assert await store.pool.size(VARIANT, 2) == PRACTICE.leave
    assert label(await quick(world)) == (True, 2)


async def test_no_number_of_quick_matches_takes_the_last_deal_from_the_daily(store: Store, time: Time) -> None:
    await fill(store, 3, 3, 3)
    world = await pooled(store, time)
    assert [label(await quick(world))[0] for _ in range(4)] == [True, True, False, False]
    assert await store.pool.size(VARIANT, 3) == QUICK.leave


async def test_two_processes_never_take_the_same_deal(store: Store, redis_url: str) -> None:
    await fill(store, *[1, 2, 3, 4, 5] * 2)
    other = await open_store(redis_url)
    try:
        asked = [one.pool.take(VARIANT, (3, 2, 4, 1, 5)) for one in (store, other) for _ in range(10)]
        taken = [deal for deal in await asyncio.gather(*asked) if deal is not None]
    finally:
        await other.close()
    assert len(taken) == len(set(taken)) == 10


async def test_many_who_open_a_daily_at_once_before_it_was_committed_use_one_deal(store: Store, time: Time) -> None:
    await fill(store, *[grade_of_day(TODAY)] * 5)
    world = await pooled(store, time, expects_worker=True)
    players = [await world.guest() for _ in range(5)]
    race_id = Daily(TODAY, VARIANT).race_id
    opened = await asyncio.gather(*(world.contest.open(player.id, race_id) for player in players))
    assert len({one.start for one in opened}) == 1
    assert label(await daily(world)) == (True, grade_of_day(TODAY))
    assert await store.pool.size(VARIANT, grade_of_day(TODAY)) == 4


async def test_on_the_first_day_a_daily_waits_for_the_worker_s_first_deal(store: Store, time: Time) -> None:
    world = await pooled(store, time, expects_worker=True)
    race_id = Daily(TODAY, VARIANT).race_id
    await world.contest.dailies.commit()
    assert await world.contest.races.find_stored(race_id) is None
    await store.workers.beat()
    time.pass_ms(60_000)
    await world.contest.dailies.commit()
    assert await world.contest.races.find_stored(race_id) is None
    await fill(store, grade_of_day(TODAY))
    await world.contest.dailies.commit()
    assert label(await daily(world)) == (True, grade_of_day(TODAY))


async def test_who_opens_a_daily_of_a_new_server_waits_for_a_deal_of_its_weekday(store: Store, time: Time) -> None:
    world = await pooled(store, time, expects_worker=True)
    await fill(store, 5)
    opening = asyncio.create_task(daily(world))
    async with asyncio.timeout(5):
        while not await store.pool.hurried([VARIANT]):
            await asyncio.sleep(0.01)
    await fill(store, grade_of_day(TODAY))
    assert label(await asyncio.wait_for(opening, 5)) == (True, grade_of_day(TODAY))


async def test_who_opens_it_gets_the_nearest_that_can_be_won_when_that_takes_too_long(
    store: Store, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dailies, "OPENER_WAITS_S", 0.1)
    await fill(store, 1, 5)
    world = await pooled(store, time, expects_worker=True)
    assert label(await asyncio.wait_for(daily(world), 5)) == (True, 1)


async def test_where_no_worker_runs_a_daily_is_opened_at_once(store: Store, time: Time) -> None:
    world = await pooled(store, time)
    assert label(await asyncio.wait_for(daily(world), 2)) == (False, None)


async def test_a_worker_that_brings_nothing_is_not_waited_for_for_ever(store: Store, time: Time) -> None:
    world = await pooled(store, time, expects_worker=True)
    await store.workers.beat()
    time.pass_ms(11 * 60_000)
    await world.contest.dailies.commit()
    assert label(await daily(world)) == (False, None)
    tomorrow = Daily(TODAY + 1, VARIANT)
    assert await world.contest.races.find_stored(tomorrow.race_id) is None
    time.ms = tomorrow.opens_ms - 59 * 60_000
    await store.workers.beat()
    await world.contest.dailies.commit()
    race = await daily(world, TODAY + 1)
    assert (race.created.certified, race.created.committed_before) == (False, True)


async def test_a_daily_of_another_day_is_not_made_by_asking_for_it(store: Store, time: Time) -> None:
    world = await pooled(store, time, expects_worker=True)
    for race_id in (Daily(TODAY + 1, VARIANT).race_id, Daily(TODAY - 1, VARIANT).race_id, "daily.2027-01-15.nothing"):
        with pytest.raises(ContestError) as refused:
            await world.contest.races.load(race_id)
        assert refused.value.code is ErrorCode.RACE_UNKNOWN


async def test_who_tries_a_daily_again_reads_the_same_label(store: Store, time: Time) -> None:
    await fill(store, grade_of_day(TODAY))
    world = await pooled(store, time)
    await world.contest.dailies.commit()
    ann = await world.guest()
    await world.resign(await daily(world), ann)
    again = await world.practice(ann, Daily(TODAY, VARIANT).race_id)
    assert label(again) == (True, grade_of_day(TODAY))
