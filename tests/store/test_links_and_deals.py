"""Link codes and held deals."""

from server.store import Store


async def test_a_code_belongs_to_one_race(store: Store) -> None:
    assert await store.links.put("CODE", "race-1")
    assert await store.links.put("CODE", "race-1")
    assert not await store.links.put("CODE", "race-2")
    assert await store.links.get("CODE") == "race-1"
    assert await store.links.get("OTHER") is None


async def test_a_deal_is_live_until_the_last_race_on_it_lets_go(store: Store) -> None:
    await store.deals.hold(["deck", "layout"], "race-1")
    await store.deals.hold(["deck", "layout"], "race-2")
    await store.deals.hold(["deck", "layout"], "race-2")
    await store.deals.release(["deck", "layout"], "race-1")
    assert await store.deals.is_live(["other", "layout"])
    await store.deals.release(["deck", "layout"], "race-2")
    assert not await store.deals.is_live(["other", "layout"])
