"""Dailies and quick matches that are really played and won, for whoever tests what follows from them."""

from protocol.parts import PlayerRef
from rules.notation import format_move
from rules.variants import variants
from server.race.daily import Daily, day_of
from server.race.race import Race
from server.store.attempts import Appended
from tests.e2e.deals import won
from tests.service.world import NOON, World

GAME = "fortress"
TODAY = day_of(NOON)


async def commit(world: World) -> None:
    """Commits the dailies of today and tomorrow, on deals that the tests can win."""
    ranked = [variant.id for variant in variants() if variant.ranked_by_default]
    days = 2 if not world.deals.taken else 1
    world.deals.codes = [won(variant).code for variant in ranked for _ in range(days)]
    await world.contest.dailies.commit()


async def daily(world: World, day: int = TODAY) -> Race:
    return await world.contest.races.load(Daily(day, GAME).race_id)


async def quick(world: World, ann: PlayerRef, bob: PlayerRef) -> Race:
    """A quick match that has just started."""
    world.deals.codes = [won(GAME).code]
    await world.contest.queue(ann.id, GAME)
    race_id = await world.contest.queue(bob.id, GAME)
    assert race_id is not None
    world.time.ms = (await world.contest.races.load(race_id)).start_ms or 0
    await world.contest.settling.advance(race_id)
    return await world.contest.races.load(race_id)


async def finish(world: World, player: PlayerRef, race: Race, took_ms: int = 0) -> None:
    """Wins the race, all moves in one moment."""
    opened = await world.contest.open(player.id, race.id)
    world.time.pass_ms(took_ms)
    at_ms = world.contest.clock.now_ms() - (opened.start_ms or 0)
    line = won(GAME).line
    for number, move in enumerate(line):
        fields = {"version": number, "id": number + 1, "left": won(GAME).positions[number + 1].cards_left}
        last = {"end": f"finished {at_ms}"} if number == len(line) - 1 else {}
        stored = await world.append(opened, player, format_move(move), **fields, **last)
        assert isinstance(stored, Appended), stored
    await world.contest.ended(race.id, player.id)


async def give_up(world: World, player: PlayerRef, race: Race) -> None:
    """Plays a move and resigns."""
    opened = await world.contest.open(player.id, race.id)
    await world.append(opened, player, format_move(won(GAME).line[0]))
    await world.append(opened, player, "resign", version=1, id=2)
    await world.contest.ended(race.id, player.id)


async def close(world: World, day: int = TODAY) -> None:
    world.time.ms = max(world.time.ms, Daily(day, GAME).closes_ms + 1_000)
    assert await world.contest.settling.advance(Daily(day, GAME).race_id) is None
