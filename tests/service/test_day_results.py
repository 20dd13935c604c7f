"""A daily's result: counted over every row, whatever their number, and the same as when it is reckoned row by row."""

import json
import random
from itertools import pairwise

from protocol.parts import PlayerRef
from server.race.daily import LIMIT_MS, Daily
from server.race.standing import standing_key
from server.service.board_names import Side, day_board
from server.service.day_results import BUCKETS_MAX, DayResult, bucket_edges
from tests.service.played import GAME, TODAY
from tests.service.world import World

DAILY = Daily(TODAY, GAME)


async def post(world: World, player: str, key: int, side: Side = Side.OPEN) -> None:
    end = "finished" if key < 1 << 40 else "resigned"
    row = json.dumps({"race": DAILY.race_id, "end": end, "end_ms": 1})
    await world.store.boards.post_best(day_board(DAILY, side), player, key, row)


async def result(world: World, player: PlayerRef | None = None) -> DayResult:
    return await world.contest.day_results.of(DAILY, None if player is None else player.id)


def test_edges_hold_both_times_in_few_round_buckets() -> None:
    chance = random.Random(3)
    for _ in range(500):
        least = chance.randrange(LIMIT_MS)
        most = chance.randrange(least, LIMIT_MS + 1)
        edges = bucket_edges(least, most)
        widths = {high - low for low, high in pairwise(edges)}
        assert edges[0] <= least
        assert edges[-1] > most
        assert len(edges) <= BUCKETS_MAX + 1
        assert len(widths) == 1
        assert edges[0] % widths.pop() == 0
    assert bucket_edges(61_000, 61_000) == [61_000, 62_000]
    assert len(bucket_edges(0, 10 * LIMIT_MS)) == BUCKETS_MAX + 1


async def test_all_rows_count_and_not_the_first_hundred(world: World) -> None:
    me = await world.guest()
    chance = random.Random(1)
    keys = [standing_key(chance.choice([0, 0, 7, 30]), chance.randrange(60_000, 3_000_000)) for _ in range(300)]
    for number, key in enumerate(keys):
        await post(world, f"p{number}", key, Side.RANKED if number % 3 else Side.OPEN)
    mine = standing_key(7, 1)
    await post(world, me.id, mine)
    told = await result(world, me)
    times = [key for key in keys if key < 1 << 40]
    assert (told.total, told.finished) == (301, len(times))
    for bucket in told.buckets:
        assert bucket.count == sum(bucket.from_ms <= time < bucket.to_ms for time in times)
    assert sum(bucket.count for bucket in told.buckets) == len(times)
    assert told.mine is not None
    assert told.mine.board == day_board(DAILY, Side.OPEN)
    assert told.mine.place == 1 + sum(key < mine for key in keys[::3])
    assert told.mine.of == len(keys[::3]) + 1
    assert told.mine.better_than == round(100 * sum(key > mine for key in keys) / len(keys), 1)


async def test_equals_are_not_behind_and_the_only_one_is_better_than_nobody(world: World) -> None:
    ann, bob, cat = [await world.guest() for _ in range(3)]
    await post(world, ann.id, standing_key(0, 5_000), Side.RANKED)
    alone = (await result(world, ann)).mine
    assert alone is not None
    assert (alone.place, alone.of, alone.better_than, alone.board) == (1, 1, None, day_board(DAILY))
    await post(world, bob.id, standing_key(0, 5_000))
    await post(world, cat.id, standing_key(1, 4_000))
    for player, better in ((ann, 50.0), (bob, 50.0), (cat, 0.0)):
        mine = (await result(world, player)).mine
        assert mine is not None
        assert mine.better_than == better


async def test_bots_and_hidden_players_are_not_among_the_people(world: World) -> None:
    ann, bad, bot = await world.guest(), await world.guest(), await world.guest(bot=True)
    await post(world, ann.id, standing_key(0, 5_000))
    await post(world, bad.id, standing_key(0, 1_000))
    await post(world, bot.id, standing_key(0, 900), Side.BOTS)
    await world.contest.players.hide(bad.id)
    told = await result(world, ann)
    assert (told.total, told.finished) == (1, 1)
    assert told.mine is not None
    assert told.mine.place == 1
    assert (await result(world, bad)).mine is None
    bots = (await result(world, bot)).mine
    assert bots is not None
    assert (bots.place, bots.of, bots.board) == (1, 1, day_board(DAILY, Side.BOTS))


async def test_the_times_reach_to_ones_own_also_where_it_is_not_counted(world: World) -> None:
    ann, bot = await world.guest(), await world.guest(bot=True)
    await post(world, ann.id, standing_key(0, 65_000))
    await post(world, bot.id, standing_key(0, 20_000), Side.BOTS)
    told = await result(world, bot)
    assert told.buckets[0].from_ms <= 20_000
    assert sum(bucket.count for bucket in told.buckets) == told.finished == 1


async def test_nobody_has_ended_yet(world: World) -> None:
    assert await result(world, await world.guest()) == DayResult(0, 0, (), None)
