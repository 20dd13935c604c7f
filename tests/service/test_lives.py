"""Races to watch: listed while they are played, and by what is stored of them alone."""

from server.race.race import COUNTDOWN_MS
from server.service.lives import FRESH_MS, LISTED_MAX, LiveRace
from tests.service.played import GAME, commit, daily, finish, quick
from tests.service.world import Time, World, make_world


async def listed(world: World) -> list[LiveRace]:
    world.time.pass_ms(FRESH_MS)
    return await world.contest.lives.newest()


async def test_a_quick_match_is_listed_from_its_start_to_its_close(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    assert await listed(world) == []
    race = await quick(world, ann, bob)
    (live,) = await listed(world)
    assert (live.race, live.variant, live.cards, live.start_ms) == (race.id, GAME, 52, race.start_ms)
    assert [entrant.player for entrant in live.entrants] == [ann, bob]
    await finish(world, ann, race)
    (live,) = await listed(world)
    assert [entrant.cards for entrant in live.entrants] == [52, 0]
    await world.resign(race, bob)
    assert await listed(world) == []


async def test_private_races_practices_and_dailies_are_not_listed(world: World) -> None:
    await commit(world)
    ann, bob = await world.guest(), await world.guest()
    await world.contest.open(ann.id, (await daily(world)).id)
    await world.practice(ann, f"{GAME}:ms:5")
    await world.contest.settling.advance((await daily(world)).id)
    await world.started(ann, bob)
    assert await listed(world) == []


async def test_a_countdown_is_not_listed(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    await world.contest.queue(ann.id, GAME)
    race_id = await world.contest.queue(bob.id, GAME)
    assert race_id is not None
    await world.contest.settling.advance(race_id)
    assert await listed(world) == []
    world.time.pass_ms(COUNTDOWN_MS)
    await world.contest.settling.advance(race_id)
    assert [live.race for live in await listed(world)] == [race_id]


async def test_what_a_crash_left_in_the_list_is_not_shown_and_goes(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await quick(world, ann, bob)
    await world.resign(race, ann)
    await world.resign(race, bob)
    await world.store.lives.add(race.id, race.start_ms or 0)
    await world.store.lives.add("forgotten", race.start_ms or 0)
    assert await listed(world) == []
    assert await world.store.lives.newest(10) == []


async def test_a_race_that_a_crash_kept_out_of_the_list_comes_in_at_the_next_look(world: World, time: Time) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await quick(world, ann, bob)
    await world.store.lives.remove(race.id)
    other = await make_world(world.store, time, [], "two")
    await other.contest.settling.advance(race.id)
    assert [live.race for live in await listed(world)] == [race.id]


async def test_the_newest_come_first_and_no_more_than_are_told(world: World) -> None:
    pairs = [(await world.guest(), await world.guest()) for _ in range(LISTED_MAX + 2)]
    started = [(await quick(world, *pair)).id for pair in pairs]
    assert [live.race for live in await listed(world)] == started[: -LISTED_MAX - 1 : -1]


async def test_a_hidden_player_is_listed_without_the_name(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    await quick(world, ann, bob)
    await world.contest.players.hide(ann.id)
    (live,) = await listed(world)
    assert [entrant.player.name for entrant in live.entrants] == ["removed player", bob.name]
