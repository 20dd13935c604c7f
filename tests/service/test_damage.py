"""What lies damaged in the store harms nobody but whom it is about."""

from protocol.codes import End, Phase
from rules.variants import variants
from server.race.daily import DAY_MS, Daily
from server.race.race import GRACE_MS
from server.service.finish_rates import FinishRate
from server.service.races import attempt_id
from server.store import keys
from tests.service.played import GAME, TODAY, close, commit, daily, finish, give_up, quick
from tests.service.world import World, make_world


async def damage(world: World, race: str, player: str, line: int, text: str = "never written") -> None:
    await world.store.link.call("LSET", keys.attempt(attempt_id(race, player))[1], line, text)


async def test_a_damaged_attempt_counts_as_far_as_it_can_be_played_and_the_others_have_their_result(
    world: World,
) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob, limit_ms=60_000)
    opened = await world.contest.open(bob.id, race.id)
    await world.append(opened, bob, await world.first_move(race))
    await world.append(opened, bob, "undo", version=1, id=2)
    await damage(world, race.id, bob.id, 1)
    await world.resign(race, ann)
    world.time.pass_ms(60_000 + GRACE_MS)
    await world.contest.settling.advance(race.id)
    closed = (await world.contest.races.load(race.id)).closed
    assert closed is not None
    assert {line.player.id: (line.end, line.moves, line.undos) for line in closed.results} == {
        ann.id: (End.RESIGNED, 0, 0),
        bob.id: (End.EXPIRED, 1, 0),
    }


async def test_a_day_closes_for_everyone_though_the_logs_of_two_are_damaged(world: World) -> None:
    await commit(world)
    ann, bob, eve = await world.guest(), await world.guest(), await world.guest()
    race = await daily(world)
    await finish(world, ann, race, 90_000)
    await finish(world, bob, race)
    await damage(world, race.id, bob.id, 3)
    await give_up(world, eve, race)
    await damage(world, race.id, eve.id, 0)
    await close(world)
    closed = await world.contest.races.load(race.id)
    assert closed.phase is Phase.CLOSED
    assert closed.closed is not None and {line.player.id for line in closed.closed.results} == {ann.id, bob.id, eve.id}
    assert (await world.contest.finish_rates.of(GAME))["ungraded"] == FinishRate(3, 2)
    (told,) = (await world.contest.results.page(ann.id, None, 9)).rows
    assert told.place == 2


async def test_a_damaged_race_shuts_nobody_out_and_the_others_are_listed(world: World) -> None:
    ann, bob, eve, fay = [await world.guest() for _ in range(4)]
    bad, sound = await quick(world, ann, bob), await quick(world, eve, fay)
    await world.store.link.call("LSET", keys.race_log(bad.id), 1, '{"type": "entered"}')
    other = await make_world(world.store, world.time, [], "other")
    assert [race.race for race in await other.contest.lives.newest()] == [sound.id]
    assert await other.store.lives.newest(9) == [sound.id]
    assert await other.contest.seats.live(ann.id) is None
    assert await other.contest.seats.live(eve.id) == sound.id


async def test_a_damaged_daily_keeps_no_other_from_being_committed(world: World) -> None:
    await world.contest.dailies.commit()
    ranked = [variant.id for variant in variants() if variant.ranked_by_default]
    await world.store.link.call("LSET", keys.race_log(Daily(TODAY + 1, ranked[0]).race_id), 0, "never written")
    world.time.pass_ms(DAY_MS)
    await (await make_world(world.store, world.time, [], "other")).contest.dailies.commit()
    tomorrow = [Daily(TODAY + 2, variant).race_id for variant in ranked]
    assert sorted(await world.store.races.existing(tomorrow)) == sorted(tomorrow)


async def test_what_was_noted_of_a_damaged_race_stays_and_that_of_the_others_is_made_anew(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    races = []
    for _ in range(2):
        races.append(await quick(world, ann, bob))
        await finish(world, ann, races[-1])
        await give_up(world, bob, races[-1])
    await world.store.link.call("LSET", keys.race_log(races[0].id), 1, "never written")
    other = (await make_world(world.store, world.time, [], "other")).contest
    assert await other.results.rebuild(ann.id) == 2
    assert await other.finish_rates.rebuild(GAME) == 1
    assert await other.finish_rates.of(GAME) == {"ungraded": FinishRate(4, 2)}
