"""The feed: hears what is published, says when it may have missed something, survives being cut."""

import asyncio

import pytest
from structlog.testing import capture_logs

from server.store import Store, StoreUnavailable, connection, open_store


async def until(store: Store, channel: str) -> None:
    """Waits until all that was published before has been heard."""
    done = asyncio.Event()
    await store.feed.subscribe(channel, lambda _: done.set())
    await store.races.publish(channel, "now")
    await asyncio.wait_for(done.wait(), 5)
    store.feed.unsubscribe(channel)


async def cut_feeds(store: Store) -> None:
    await store.link.call("CLIENT", "KILL", "TYPE", "pubsub")


async def test_what_is_published_after_subscribing_is_heard_in_order(store: Store) -> None:
    heard: list[str] = []
    await store.feed.subscribe("r:x", heard.append)
    for number in range(500):
        store.races.publish("r:x", str(number))
    store.races.publish("r:y", "another channel")
    await until(store, "end")
    assert heard == [str(number) for number in range(500)]


async def test_nothing_is_heard_after_unsubscribing(store: Store) -> None:
    heard: list[str] = []
    await store.feed.subscribe("r:x", heard.append)
    store.feed.unsubscribe("r:x")
    await store.races.publish("r:x", "late")
    await until(store, "end")
    assert heard == []


async def test_subscribing_again_right_after_unsubscribing_hears(store: Store) -> None:
    first: list[str] = []
    second: list[str] = []
    subscribing = asyncio.create_task(store.feed.subscribe("r:x", first.append))
    await asyncio.sleep(0)
    store.feed.unsubscribe("r:x")
    await store.feed.subscribe("r:x", second.append)
    await subscribing
    await store.races.publish("r:x", "one")
    await until(store, "end")
    assert (first, second) == ([], ["one"])


async def test_a_later_hearer_takes_the_place_of_the_first(store: Store) -> None:
    first: list[str] = []
    second: list[str] = []
    await store.feed.subscribe("r:x", first.append)
    await store.feed.subscribe("r:x", second.append)
    await store.races.publish("r:x", "one")
    await until(store, "end")
    assert (first, second) == ([], ["one"])


async def test_after_a_gap_all_channels_are_heard_again_and_the_gap_is_told_once(store: Store) -> None:
    heard: list[str] = []
    gap = asyncio.Event()
    gaps: list[int] = []

    def on_gap() -> None:
        gaps.append(len(heard))
        gap.set()

    store.feed.on_gap = on_gap
    for number in range(50):
        await store.feed.subscribe(f"r:{number}", heard.append)
    await cut_feeds(store)
    await asyncio.wait_for(gap.wait(), 5)
    for number in range(50):
        store.races.publish(f"r:{number}", str(number))
    await until(store, "end")
    assert heard == [str(number) for number in range(50)]
    assert gaps == [0]


async def test_no_gap_is_told_at_the_first_connection(redis_url: str) -> None:
    store = await open_store(redis_url)
    gaps: list[None] = []
    store.feed.on_gap = lambda: gaps.append(None)
    await until(store, "end")
    assert gaps == []
    await store.close()


async def test_without_a_connection_subscribing_fails_and_does_not_hear(store: Store) -> None:
    heard: list[str] = []
    subscribing = asyncio.create_task(store.feed.subscribe("r:x", heard.append))
    await asyncio.sleep(0)
    store.feed._hang_up()
    with pytest.raises(StoreUnavailable):
        await subscribing
    with pytest.raises(StoreUnavailable):
        await store.feed.subscribe("r:y", heard.append)
    await store.races.publish("r:x", "one")
    assert heard == []


async def test_an_idle_feed_stays(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "SILENCE_S", 0.05)
    store = await open_store(redis_url)
    gaps: list[None] = []
    store.feed.on_gap = lambda: gaps.append(None)
    heard: list[str] = []
    await store.feed.subscribe("r:x", heard.append)
    await asyncio.sleep(0.4)
    await store.races.publish("r:x", "one")
    await until(store, "end")
    assert (heard, gaps) == (["one"], [])
    await store.close()


async def test_a_hearer_that_fails_misses_a_message_and_harms_no_other(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[str] = []
    gaps: list[str] = []

    def fail(text: str) -> None:
        raise KeyError(text)

    store.feed.on_gap = lambda: gaps.append("gap")
    await store.feed.subscribe("r:x", fail)
    await store.feed.subscribe("r:y", heard.append)
    with capture_logs() as logged:
        await store.races.publish("r:x", "of a later version")
        await store.races.publish("r:y", "one")
        await until(store, "end")
    assert (heard, gaps) == (["one"], ["gap"])
    assert [entry["event"] for entry in logged] == ["feed.not_taken_in"]
    assert store.feed.up
