"""Deadlines: taken under a lease by one process at a time, and found again after a crash."""

import asyncio

from server.store import Store, open_store


async def test_the_earliest_time_wins(store: Store) -> None:
    await store.due.schedule("x", 200)
    await store.due.schedule("x", 100)
    await store.due.schedule("x", 300)
    assert await store.due.at("x") == 100


async def test_only_what_is_due_is_taken_earliest_first(store: Store) -> None:
    for name, at_ms in (("late", 300), ("second", 200), ("first", 100)):
        await store.due.schedule(name, at_ms)
    assert await store.due.take(99, "me", 50, 10) == []
    assert await store.due.take(200, "me", 50, 1) == ["first"]
    assert await store.due.take(200, "me", 50, 10) == ["second"]


async def test_what_is_taken_is_due_again_after_the_lease(store: Store) -> None:
    await store.due.schedule("x", 100)
    assert await store.due.take(100, "crashed", 50, 10) == ["x"]
    assert await store.due.take(149, "other", 50, 10) == []
    assert await store.due.take(150, "other", 50, 10) == ["x"]


async def test_a_lease_gives_way_to_a_later_time(store: Store) -> None:
    await store.due.schedule("x", 100)
    await store.due.take(100, "me", 50, 10)
    await store.due.schedule("x", 5_000)
    assert await store.due.at("x") == 5_000


async def test_after_a_lease_was_given_up_the_earliest_wins_again(store: Store) -> None:
    await store.due.schedule("x", 100)
    await store.due.take(100, "me", 50, 10)
    await store.due.schedule("x", 120)
    await store.due.schedule("x", 5_000)
    assert await store.due.at("x") == 120


async def test_what_is_done_is_due_no_more(store: Store) -> None:
    await store.due.schedule("x", 100)
    await store.due.take(100, "me", 50, 10)
    await store.due.done("x")
    assert await store.due.take(10_000, "me", 50, 10) == []
    assert await store.link.call("DBSIZE") == 0


async def test_two_processes_never_take_the_same(store: Store, redis_url: str) -> None:
    other = await open_store(redis_url)
    try:
        for number in range(200):
            await store.due.schedule(f"x{number}", number)
        taken = await asyncio.gather(*(one.due.take(1_000, "me", 5_000, 7) for one in (store, other) * 20))
        names = [name for names in taken for name in names]
        assert sorted(names) == sorted(f"x{number}" for number in range(200))
    finally:
        await other.close()


async def test_what_a_crashed_process_held_is_due_though_the_clock_has_stepped_back_since(store: Store) -> None:
    await store.due.schedule("held", 5_000)
    await store.due.schedule("later", 9_000)
    assert await store.due.take(5_000, "crashed", 50, 10) == ["held"]
    assert await store.due.take(4_960, "a little behind", 50, 10) == []
    assert await store.due.take(1_000, "after the step", 50, 10) == ["held"]
    assert await store.due.at("later") == 9_000
