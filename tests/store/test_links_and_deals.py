"""Link codes and held deals."""

from protocol.fields import LIMIT_MS_MAX
from server.race.daily import DAY_MS
from server.race.race import COUNTDOWN_MS, GRACE_MS, LOBBY_MS
from server.service.settling import KEPT_MS
from server.store import Store, keys
from server.store.links import LINK_MS


async def test_a_code_belongs_to_one_race(store: Store) -> None:
    assert await store.links.put("CODE", "race-1")
    assert await store.links.put("CODE", "race-1")
    assert not await store.links.put("CODE", "race-2")
    assert await store.links.get("CODE") == "race-1"
    assert await store.links.get("OTHER") is None


async def test_a_code_outlives_the_longest_race_and_its_keeping_but_not_for_ever(store: Store) -> None:
    await store.links.put("CODE", "race-1")
    longest_ms = LOBBY_MS + COUNTDOWN_MS + LIMIT_MS_MAX + GRACE_MS + max(KEPT_MS.values())
    assert longest_ms + DAY_MS < await store.link.call("PTTL", keys.link("CODE")) <= LINK_MS


async def test_a_deal_is_live_until_the_last_race_on_it_lets_go(store: Store) -> None:
    await store.deals.hold(["deck", "layout"], "race-1")
    await store.deals.hold(["deck", "layout"], "race-2")
    await store.deals.hold(["deck", "layout"], "race-2")
    await store.deals.release(["deck", "layout"], "race-1")
    assert await store.deals.is_live(["other", "layout"])
    await store.deals.release(["deck", "layout"], "race-2")
    assert not await store.deals.is_live(["other", "layout"])
