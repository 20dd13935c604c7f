"""Races: made once, appended by comparison, told on their channels; standings and results."""

import asyncio

from server.store import Store, open_store
from server.store.races import Secret
from server.store.rankings import Cursor, Row


async def hear(store: Store, channel: str) -> list[str]:
    heard: list[str] = []
    await store.feed.subscribe(channel, heard.append)
    return heard


async def settle(store: Store) -> None:
    """Waits until all that was published before has been heard."""
    done = asyncio.Event()
    await store.feed.subscribe("settle", lambda _: done.set())
    await store.races.publish("settle", "now")
    await asyncio.wait_for(done.wait(), 5)


async def test_the_first_to_make_a_race_says_what_it_is(store: Store) -> None:
    first = Secret("beleaguered-castle:r1:a", "00ff")
    assert await store.races.create("x", first, ['{"n":1}']) == ['{"n":1}']
    assert await store.races.create("x", Secret("fortress:r1:b", "11"), ['{"n":2}']) == ['{"n":1}']
    assert await store.races.secret("x") == first


async def test_a_race_may_have_no_secret(store: Store) -> None:
    await store.races.create("x", None, ['{"n":1}'])
    assert await store.races.secret("x") is None


async def test_a_secret_is_not_shown_by_its_repr() -> None:
    assert "fortress" not in repr(Secret("fortress:r1:b", "11"))


async def test_an_unknown_race_has_no_events(store: Store) -> None:
    assert await store.races.load("x") == []
    assert not await store.races.append("x", 1, ["{}"])
    assert await store.races.load("x") == []


async def test_events_are_appended_and_published_with_their_numbers(store: Store) -> None:
    await store.races.create("x", None, ['{"n":1}'])
    heard = await hear(store, "r:x")
    assert await store.races.append("x", 1, ['{"n":2}', '{"n":3}'])
    await settle(store)
    assert heard == ['{"seq":2,"event":{"n":2}}', '{"seq":3,"event":{"n":3}}']
    assert await store.races.load("x", after=1) == ['{"n":2}', '{"n":3}']


async def test_events_on_another_length_are_refused_and_not_published(store: Store) -> None:
    await store.races.create("x", None, ['{"n":1}'])
    heard = await hear(store, "r:x")
    assert not await store.races.append("x", 0, ['{"n":2}'])
    assert not await store.races.append("x", 2, ['{"n":2}'])
    await settle(store)
    assert heard == []
    assert await store.races.load("x") == ['{"n":1}']


async def test_events_sent_again_are_stored_and_published_once(store: Store) -> None:
    await store.races.create("x", None, ['{"n":1}'])
    heard = await hear(store, "r:x")
    assert await store.races.append("x", 1, ['{"n":2}'])
    await store.races.append("x", 2, ['{"n":3}'])
    assert await store.races.append("x", 1, ['{"n":2}'])
    assert not await store.races.append("x", 1, ['{"n":2}', '{"n":4}'])
    await settle(store)
    assert len(heard) == 2
    assert len(await store.races.load("x")) == 3


async def test_of_many_processes_at_one_length_one_appends(store: Store, redis_url: str) -> None:
    other = await open_store(redis_url)
    try:
        await store.races.create("x", None, ['{"n":0}'])
        for length in range(1, 30):
            done = await asyncio.gather(
                *(
                    one.races.append("x", length, [f'{{"by":{number}}}'])
                    for number, one in enumerate((store, other, store, other))
                )
            )
            assert sorted(done) == [False, False, False, True]
    finally:
        await other.close()


async def test_a_standing_only_gets_better(store: Store) -> None:
    await store.races.post("x", "p1", 50)
    await store.races.post("x", "p2", 40)
    await store.races.post("x", "p1", 30)
    await store.races.post("x", "p1", 60)
    assert await store.races.standings("x") == [("p1", 30), ("p2", 40)]


async def test_standing_keys_are_kept_exactly(store: Store) -> None:
    key = 103 << 40 | (1 << 40) - 1
    await store.races.post("x", "p1", key)
    assert await store.races.standings("x") == [("p1", key)]


async def test_equal_standings_share_their_place(store: Store) -> None:
    for player, key in (("p1", 10), ("p2", 20), ("p3", 20), ("p4", 30)):
        await store.races.post("x", player, key)
    page = await store.races.page("x", None, 10)
    assert [row.place for row in page.rows] == [1, 2, 2, 4]
    assert (page.total, page.next) == (4, None)


async def test_a_place_is_the_same_on_a_later_page_and_around_oneself(store: Store) -> None:
    for number in range(9):
        await store.races.post("x", f"p{number}", 100 + number // 3)
    page = await store.races.page("x", Cursor(101, "p3"), 3)
    assert page.rows == [Row(4, "p4", 101), Row(4, "p5", 101), Row(7, "p6", 102)]
    assert await store.races.around("x", "p5", 1) == page.rows[0:3]
    assert await store.races.around("x", "p0", 1) == [Row(1, "p0", 100), Row(1, "p1", 100)]
    assert await store.races.around("x", "nobody", 1) == []


async def test_entrants_keep_their_first_start(store: Store) -> None:
    await store.races.add_entrant("x", "p2", 200)
    await store.races.add_entrant("x", "p1", 300)
    await store.races.add_entrant("x", "p2", 900)
    assert await store.races.entrants("x") == [("p2", 200), ("p1", 300)]


async def test_who_has_built_nothing_is_unranked(store: Store) -> None:
    for number, player in enumerate(("ann", "bob", "cid")):
        await store.races.add_entrant("x", player, number)
    await store.races.post("x", "bob", 1)
    assert await store.races.unranked("x") == ["ann", "cid"]
    assert await store.races.entrant_count("x") == 3
    assert await store.races.entrants_among("x", ["cid", "eve", "ann"]) == ["cid", "ann"]
    assert await store.races.entrants_among("x", []) == []


async def test_a_race_is_forgotten_with_all_its_keys(store: Store) -> None:
    await store.races.create("x", Secret("d", "n"), ["{}"])
    await store.races.post("x", "p1", 1)
    await store.races.add_entrant("x", "p1", 1)
    await store.races.expire("x", 1)
    await asyncio.sleep(0.02)
    assert await store.link.call("KEYS", "*") == []
