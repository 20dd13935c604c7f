"""Results of players, what their statistics come to, days in a row, and how many attempts were finished."""

import json

from protocol.codes import End, Kind
from protocol.parts import PlayerRef
from server.race.daily import DAY_MS, LIMIT_MS, Daily
from server.service.finish_rates import FinishRate
from server.service.results import Result
from tests.service.played import GAME, TODAY, close, commit, daily, finish, give_up, quick
from tests.service.world import NOON, World

MIDNIGHT = (TODAY + 1) * DAY_MS


async def results(world: World, player: PlayerRef) -> list[Result]:
    return list((await world.contest.results.page(player.id, None, 50)).rows)


async def streak(world: World, player: PlayerRef) -> tuple[int, int]:
    found = await world.contest.results.streak(player.id)
    return found.current, found.longest


async def test_a_quick_match_is_a_result_of_both(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await quick(world, ann, bob)
    await finish(world, ann, race, 90_000)
    await world.resign(race, bob)
    await world.contest.settling.advance(race.id)
    (mine,) = await results(world, ann)
    assert (mine.race, mine.kind, mine.variant, mine.grade) == (race.id, Kind.QUICK, GAME, "ungraded")
    assert (mine.end, mine.end_ms, mine.cards, mine.place, mine.of) == (End.FINISHED, 90_000, 52, 1, 2)
    (other,) = await results(world, bob)
    assert (other.end, other.place) == (End.RESIGNED, None)
    told = await world.contest.results.statistics(ann.id)
    assert (told.attempts, told.finished, told.streak.current) == (1, 1, 0)
    whole = next(one for one in told.variants if one.grade is None)
    assert (whole.best_ms, whole.median_ms, whole.best_race, whole.placed) == (90_000, 90_000, race.id, 0)


async def test_a_private_race_and_a_practice_are_no_results(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    await world.resign(race, ann)
    await world.resign(race, bob)
    await world.resign(await world.practice(ann, f"{GAME}:ms:5"), ann)
    assert await results(world, ann) == []
    assert await world.contest.finish_rates.of("citadel") == {}


async def test_a_daily_is_a_result_at_once_and_gets_its_place_when_the_day_closes(world: World) -> None:
    await commit(world)
    ann, bob = await world.guest(), await world.guest()
    race = await daily(world)
    await finish(world, bob, race, 50_000)
    await finish(world, ann, race, 60_000)
    (before,) = await results(world, ann)
    assert (before.kind, before.end, before.cards, before.place) == (Kind.DAILY, End.FINISHED, 52, None)
    await close(world)
    (after,) = await results(world, ann)
    assert (after.place, after.of, after.ended_ms) == (2, 2, NOON + 110_000)
    whole = (await world.contest.results.statistics(ann.id)).variants[0]
    assert (whole.attempts, whole.finished, whole.placed, whole.average_place) == (1, 1, 1, 2.0)


async def test_days_in_a_row_count_and_a_day_without_breaks_them(world: World) -> None:
    ann = await world.guest()
    for day in (TODAY, TODAY + 1, TODAY + 3):
        world.time.ms = max(world.time.ms, day * DAY_MS + 1_000)
        await commit(world)
        await world.resign(await daily(world, day), ann)
    assert await streak(world, ann) == (1, 2)
    world.time.ms = (TODAY + 5) * DAY_MS + LIMIT_MS - 1
    assert await streak(world, ann) == (1, 2)
    world.time.ms += 1
    assert await streak(world, ann) == (0, 2)


async def test_two_dailies_of_one_day_are_one_day(world: World) -> None:
    await commit(world)
    ann = await world.guest()
    for variant in (GAME, "citadel"):
        await world.resign(await world.contest.races.load(Daily(TODAY, variant).race_id), ann)
    assert await streak(world, ann) == (1, 1)


async def test_an_attempt_that_ends_after_midnight_counts_for_the_day_it_was_begun_on(world: World) -> None:
    await commit(world)
    ann = await world.guest()
    await world.resign(await daily(world), ann)
    world.time.ms = MIDNIGHT + DAY_MS - 1_000
    await commit(world)
    await world.contest.open(ann.id, Daily(TODAY + 1, GAME).race_id)
    world.time.ms = MIDNIGHT + DAY_MS + 30 * 60_000
    assert await streak(world, ann) == (1, 1)
    await world.resign(await daily(world, TODAY + 1), ann)
    assert await streak(world, ann) == (2, 2)
    assert (await world.contest.results.streak(ann.id)).last_day == "2027-01-16"
    world.time.ms = MIDNIGHT + DAY_MS + LIMIT_MS
    assert await streak(world, ann) == (2, 2)


async def test_an_attempt_that_was_left_running_counts_when_it_expires(world: World) -> None:
    await commit(world)
    ann = await world.guest()
    await world.contest.open(ann.id, Daily(TODAY, GAME).race_id)
    assert await streak(world, ann) == (0, 0)
    await close(world)
    assert await streak(world, ann) == (1, 1)
    assert [(one.end, one.cards, one.place) for one in await results(world, ann)] == [(End.EXPIRED, 0, None)]


async def test_finishes_of_people_are_counted_and_neither_bots_nor_hidden_players(world: World) -> None:
    await commit(world)
    ann, bob, bad, bot = await world.guest(), await world.guest(), await world.guest(), await world.guest(bot=True)
    race = await daily(world)
    for player in (ann, bad, bot):
        await finish(world, player, race)
    await give_up(world, bob, race)
    await world.contest.players.hide(bad.id)
    assert await world.contest.finish_rates.of(GAME) == {}
    await close(world)
    await world.contest.settling.advance(race.id)
    assert await world.contest.finish_rates.of(GAME) == {"ungraded": FinishRate(2, 1)}
    match = await quick(world, ann, bob)
    await finish(world, ann, match)
    await give_up(world, bob, match)
    assert await world.contest.finish_rates.of(GAME) == {"ungraded": FinishRate(4, 2)}
    await world.contest.players.unhide(bad.id)
    assert await world.contest.finish_rates.rebuild(GAME) == 2
    assert await world.contest.finish_rates.of(GAME) == {"ungraded": FinishRate(5, 3)}


async def test_who_never_played_a_move_is_no_attempt_that_was_not_finished(world: World) -> None:
    await commit(world)
    ann, bob, eve = await world.guest(), await world.guest(), await world.guest()
    race = await daily(world)
    await finish(world, ann, race)
    await world.resign(race, bob)
    await world.contest.open(eve.id, race.id)
    await close(world)
    match = await quick(world, ann, bob)
    await finish(world, ann, match)
    world.time.pass_ms(match.created.limit_ms + 60_000)
    await world.contest.settling.advance(match.id)
    assert (await world.contest.races.load(match.id)).closed is not None
    assert await world.contest.finish_rates.of(GAME) == {"ungraded": FinishRate(2, 2)}


async def test_a_rebuild_makes_the_results_that_are_missing_and_drops_those_of_nothing(world: World) -> None:
    await commit(world)
    ann, bob = await world.guest(), await world.guest()
    await finish(world, ann, await daily(world), 5_000)
    match = await quick(world, ann, bob)
    await finish(world, ann, match, 7_000)
    await world.resign(match, bob)
    await close(world)
    true, told = await results(world, ann), await world.contest.results.statistics(ann.id)
    assert len(true) == 2
    await world.store.results.forget(ann.id)
    wrong = {"variant": GAME, "grade": "ungraded", "end": "finished", "at_ms": 1, "ended_ms": 5}
    invented = Daily(TODAY, "citadel").race_id
    await world.store.results.note(
        ann.id,
        invented,
        5,
        Result.model_validate({**wrong, "race": invented, "kind": "daily", "end_ms": 1, "cards": 52}).model_dump_json(
            exclude_none=True
        ),
    )
    assert await world.contest.results.rebuild(ann.id) == 2
    assert await results(world, ann) == true
    assert await world.contest.results.statistics(ann.id) == told


async def test_a_rebuild_keeps_the_results_of_races_that_are_forgotten(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    match = await quick(world, ann, bob)
    await finish(world, ann, match)
    await world.resign(match, bob)
    true = await results(world, ann)
    await world.store.races.expire(match.id, 0)
    assert await world.contest.results.rebuild(ann.id) == 1
    assert await results(world, ann) == true


async def test_an_export_has_the_results_and_who_is_deleted_has_none_even_later(world: World) -> None:
    await commit(world)
    ann = await world.guest()
    race = await daily(world)
    await finish(world, ann, race)
    (row,) = (await world.contest.players.export(ann.id)).results
    told = json.loads(row)
    assert (told["race"], told["end"]) == (race.id, "finished")
    await world.contest.players.delete(ann.id)
    assert await results(world, ann) == []
    await close(world)
    assert await results(world, ann) == []
    assert await streak(world, ann) == (0, 0)
