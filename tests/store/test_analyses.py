"""The queue of analyses: bounded, each record once, and nothing that a worker took is lost with the worker."""

import asyncio

from server.store import Store, keys
from server.store.analyses import MOST_OF_ADDRESS, AnalysisStore, Asked, Place, Taken

SHORT_MS = 60
FOREVER_MS = 600_000


def queue(store: Store, lease_ms: int = FOREVER_MS) -> AnalysisStore:
    return AnalysisStore(store.link, lease_ms)


async def ask(analyses: AnalysisStore, *attempts: str, asker: str = "anna") -> None:
    """Queues these, one after the other."""
    for attempt in attempts:
        assert await analyses.ask(attempt, f"record of {attempt}", asker, most_of_one=100) is Asked.QUEUED


async def test_records_are_taken_in_the_order_in_which_they_were_asked_for(store: Store) -> None:
    analyses = queue(store)
    await ask(analyses, "r.b", "r.a")
    assert await analyses.take() == Taken("r.b", "record of r.b", 1)
    assert await analyses.take() == Taken("r.a", "record of r.a", 1)
    assert await analyses.take() is None


async def test_what_is_asked_for_twice_waits_once_even_while_a_worker_is_at_it(store: Store) -> None:
    analyses = queue(store)
    await ask(analyses, "r.a")
    assert await analyses.ask("r.a", "again", "berta") is Asked.THERE
    assert await analyses.take() is not None
    assert await analyses.ask("r.a", "again", "berta") is Asked.THERE
    assert await analyses.waiting() == 1


async def test_what_a_dead_worker_held_waits_again_and_is_counted(store: Store) -> None:
    analyses = queue(store, SHORT_MS)
    await ask(analyses, "r.a")
    assert await analyses.take() == Taken("r.a", "record of r.a", 1)
    assert await analyses.take() is None
    await asyncio.sleep(2 * SHORT_MS / 1000)
    assert await analyses.take() == Taken("r.a", "record of r.a", 2)


async def test_who_is_at_work_keeps_what_it_took_for_longer_than_a_lease(store: Store) -> None:
    analyses = queue(store, SHORT_MS)
    await ask(analyses, "r.a")
    assert await analyses.take() is not None
    async with analyses.held("r.a"):
        for _ in range(10):
            await asyncio.sleep(SHORT_MS / 2000)
            assert await analyses.take() is None
    await asyncio.sleep(2 * SHORT_MS / 1000)
    assert await analyses.take() is not None


async def test_what_is_kept_has_left_the_queue_and_a_late_renewal_does_not_bring_it_back(store: Store) -> None:
    analyses = queue(store, SHORT_MS)
    await ask(analyses, "r.a")
    await analyses.take()
    async with analyses.held("r.a"):
        await analyses.keep("r.a", "{}")
        await asyncio.sleep(SHORT_MS / 1000)
    assert await analyses.result("r.a") == "{}"
    assert await analyses.waiting() == 0
    assert await analyses.place("r.a") is None
    assert await store.link.call("KEYS", "{analysis}*") == []


async def test_a_place_counts_those_before_and_those_at_work(store: Store) -> None:
    analyses = queue(store)
    await ask(analyses, "r.a", "r.b", "r.c")
    assert await analyses.place("r.c") == Place(False, 2)
    await analyses.take()
    assert await analyses.place("r.a") == Place(True, 0)
    assert await analyses.place("r.b") == Place(False, 1)
    assert await analyses.place("r.c") == Place(False, 2)
    await analyses.keep("r.a", "{}")
    assert await analyses.place("r.c") == Place(False, 1)
    assert await analyses.place("r.other") is None


async def test_a_full_queue_and_a_greedy_player_are_refused_until_something_is_done(store: Store) -> None:
    analyses = queue(store)
    for attempt in ("r.a", "r.b"):
        assert await analyses.ask(attempt, "", "anna", most=3, most_of_one=2) is Asked.QUEUED
    assert await analyses.ask("r.c", "", "anna", most=3, most_of_one=2) is Asked.MANY
    assert await analyses.ask("r.c", "", "berta", most=3, most_of_one=2) is Asked.QUEUED
    assert await analyses.ask("r.d", "", "carla", most=3, most_of_one=2) is Asked.FULL
    await analyses.keep("r.a", "{}")
    assert await analyses.ask("r.d", "", "anna", most=3, most_of_one=2) is Asked.QUEUED


async def test_an_address_has_its_share_whoever_asks_and_gets_it_back_with_the_analyses(store: Store) -> None:
    analyses = queue(store)
    for number in range(MOST_OF_ADDRESS):
        assert await analyses.ask(f"r.{number}", "", f"guest {number}", "here") is Asked.QUEUED
    assert await analyses.ask("r.a", "", "anna", "here") is Asked.SHARE
    assert await analyses.ask("r.b", "", "berta", "there") is Asked.QUEUED
    assert await analyses.ask("r.c", "", "carla") is Asked.QUEUED
    await analyses.keep("r.0", "{}")
    assert await analyses.ask("r.a", "", "anna", "here") is Asked.QUEUED
    kept_ms = await store.link.call("PTTL", keys.analysis_share("here"))
    assert 0 < kept_ms <= 86_400_000


async def test_records_are_taken_though_the_clock_steps_back(store: Store) -> None:
    analyses = queue(store)
    await ask(analyses, "r.a", "r.b")
    assert await analyses.take() == Taken("r.a", "record of r.a", 1)
    # As it lies there when the clock has gone back by an hour since.
    await store.link.call("ZINCRBY", keys.ANALYSES[0], 3_600_000, "r.a")
    assert await analyses.take() == Taken("r.a", "record of r.a", 2)
    assert await analyses.take() == Taken("r.b", "record of r.b", 1)
