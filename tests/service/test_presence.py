"""Who is connected: said when it changes, and by leases that a killed process does not renew."""

from protocol.parts import PlayerRef
from server.race.race import Race
from server.service.presence import LEASE_MS
from server.store.keys import race_away, race_here
from tests.service.world import Time, World, make_world


async def here(world: World, race: Race) -> dict[str, bool]:
    state = (await world.contest.snapshot(race.id, None)).state
    return {entrant.player.id: entrant.here for entrant in state.entrants}


async def connected(world: World, *players: PlayerRef) -> Race:
    race = await world.started(*players)
    for player in players:
        await world.contest.presence.arrive(race.id, player.id, 1)
    return race


async def test_players_of_a_killed_process_are_away_when_its_leases_have_ended(world: World, time: Time) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    other = await make_world(world.store, time, [], "two")
    await world.contest.presence.arrive(race.id, ann.id, 1)
    await other.contest.presence.arrive(race.id, bob.id, 1)
    time.pass_ms(LEASE_MS - 1)
    assert await here(world, race) == {ann.id: True, bob.id: True}
    await world.contest.presence.renew()
    time.pass_ms(1)
    assert await here(world, race) == {ann.id: True, bob.id: False}
    assert await world.store.races.end_leases(race.id, world.contest.clock.now_ms()) == [bob.id]


async def test_the_end_of_a_lease_is_told_once_and_coming_back_is_told_too(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await connected(world, ann, bob)
    said: list[str] = []
    await world.store.feed.subscribe(f"r:{race.id}", said.append)
    world.time.pass_ms(LEASE_MS)
    await world.contest.settling.advance(race.id)
    await world.contest.settling.advance(race.id)
    assert await here(world, race) == {ann.id: False, bob.id: False}
    await world.contest.presence.renew()
    assert await here(world, race) == {ann.id: True, bob.id: True}
    await world.store.link.call("PING")
    told = [text for text in said if "presence" in text]
    assert len([text for text in told if '"here": false' in text]) == 2


async def test_who_looks_at_a_closed_race_again_leaves_nothing_for_ever(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await connected(world, ann, bob)
    for player in (ann, bob):
        await world.resign(race, player)
    await world.contest.presence.depart(race.id, ann.id, 1, tell=True)
    await world.contest.presence.arrive(race.id, bob.id, 2)
    for key in (race_away(race.id), race_here(race.id)):
        assert await world.store.link.call("PTTL", key) > 0


async def test_who_goes_on_in_another_connection_is_not_away(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await connected(world, ann, bob)
    await world.contest.presence.arrive(race.id, ann.id, 2)
    await world.contest.presence.depart(race.id, ann.id, 1, tell=True)
    assert (await here(world, race))[ann.id]
    await world.contest.presence.depart(race.id, ann.id, 2, tell=True)
    assert not (await here(world, race))[ann.id]
    world.time.pass_ms(1)
    await world.contest.presence.renew()
    assert not (await here(world, race))[ann.id]
