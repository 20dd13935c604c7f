"""Quick-match queues: pairs recorded at once, found again after a crash, nobody waiting who has left."""

import asyncio

from server.store import Store, open_store
from server.store.queues import SILENT_MS, Pair

V = "fortress"


async def test_the_second_to_come_is_paired_with_the_first(store: Store) -> None:
    assert await store.queues.join(V, "ann", 0, "race-1") is None
    assert await store.queues.join(V, "bob", 5, "race-2") == Pair("race-2", ("ann", "bob"))
    assert await store.queues.waiting(V) == 0
    assert await store.queues.pairs(V) == [Pair("race-2", ("ann", "bob"))]


async def test_queues_of_two_variants_do_not_mix(store: Store) -> None:
    await store.queues.join(V, "ann", 0, "race-1")
    assert await store.queues.join("citadel", "bob", 0, "race-2") is None


async def test_asking_again_changes_nothing(store: Store) -> None:
    await store.queues.join(V, "ann", 0, "race-1")
    assert await store.queues.join(V, "ann", 5, "race-2") is None
    assert await store.queues.waiting(V) == 1
    pair = await store.queues.join(V, "bob", 6, "race-3")
    assert await store.queues.join(V, "ann", 7, "race-4") == pair
    assert await store.queues.join(V, "bob", 7, "race-5") == pair
    assert await store.queues.pairs(V) == [pair]


async def test_who_leaves_is_not_paired(store: Store) -> None:
    await store.queues.join(V, "ann", 0, "race-1")
    assert await store.queues.leave(V, "ann") is None
    assert await store.queues.join(V, "bob", 0, "race-2") is None
    assert await store.queues.waiting(V) == 1


async def test_who_leaves_too_late_gets_the_pair(store: Store) -> None:
    await store.queues.join(V, "ann", 0, "race-1")
    pair = await store.queues.join(V, "bob", 0, "race-2")
    assert await store.queues.leave(V, "ann") == pair


async def test_who_has_gone_silent_is_dropped(store: Store) -> None:
    await store.queues.join(V, "ann", 0, "race-1")
    assert await store.queues.join(V, "bob", SILENT_MS + 1, "race-2") is None
    assert not await store.queues.beat(V, "ann", SILENT_MS + 2)
    assert await store.queues.waiting(V) == 1


async def test_who_beats_stays(store: Store) -> None:
    await store.queues.join(V, "ann", 0, "race-1")
    assert await store.queues.beat(V, "ann", 10_000)
    assert await store.queues.join(V, "bob", SILENT_MS + 1, "race-2") == Pair("race-2", ("ann", "bob"))


async def test_a_settled_pair_may_queue_again(store: Store) -> None:
    await store.queues.join(V, "ann", 0, "race-1")
    await store.queues.join(V, "bob", 0, "race-2")
    await store.queues.settle(V, "race-2")
    await store.queues.settle(V, "race-2")
    assert await store.queues.pairs(V) == []
    assert await store.queues.join(V, "ann", 1, "race-3") is None
    assert await store.queues.join(V, "bob", 1, "race-4") == Pair("race-4", ("ann", "bob"))
    await store.queues.settle(V, "race-2")
    assert await store.queues.pairs(V) == [Pair("race-4", ("ann", "bob"))]


async def test_many_at_once_are_all_paired_and_each_once(store: Store, redis_url: str) -> None:
    other = await open_store(redis_url)
    try:
        joins = [(store, other)[number % 2].queues.join(V, f"p{number}", 0, f"race-{number}") for number in range(100)]
        await asyncio.gather(*joins)
        pairs = await store.queues.pairs(V)
        assert sorted(player for pair in pairs for player in pair.players) == sorted(f"p{n}" for n in range(100))
        assert len({pair.race for pair in pairs}) == 50
    finally:
        await other.close()
