"""Players: tokens, names claimed once and for all even when interrupted, what is live, what was made."""

import asyncio

import pytest

from server.store import Store, keys
from server.store.players import GUEST_MS, MARK_MS, MARKED_MAX, Claim, PlayerRow

ANN = PlayerRow("ann", "Brisk Otter 412", bot=False, created_ms=1_000)
BOB = PlayerRow("bob", "Calm Heron 17", bot=True, created_ms=2_000)


@pytest.fixture
async def players(store: Store) -> Store:
    await store.players.create(ANN, "token-ann")
    await store.players.create(BOB, "token-bob")
    return store


async def test_a_player_is_found_by_id_and_by_token(players: Store) -> None:
    assert await players.players.get("ann") == ANN
    assert await players.players.by_token("token-bob") == BOB
    assert await players.players.by_token("token-eve") is None
    assert await players.players.get_many(["bob", "eve", "bob"]) == {"bob": BOB, "eve": None}


async def test_all_tokens_but_one_can_be_dropped(players: Store) -> None:
    await players.players.add_token("ann", "token-new")
    await players.players.drop_tokens("ann", but="token-new")
    assert await players.players.by_token("token-ann") is None
    assert await players.players.by_token("token-new") == ANN


async def test_a_claimed_name_is_the_players_for_good(players: Store) -> None:
    assert await players.players.claim_name("ann", "ann key", "Ann", 5_000) is Claim.DONE
    row = await players.players.by_name("ann key")
    assert row is not None
    assert (row.id, row.name, row.name_key, row.claimed_ms, row.guest) == ("ann", "Ann", "ann key", 5_000, False)
    assert await players.players.claim_name("ann", "other", "Other", 6_000) is Claim.CLAIMED_ALREADY
    assert await players.players.claim_name("ann", "ann key", "Ann", 6_000) is Claim.DONE
    assert await players.players.by_name("other") is None


async def test_a_name_can_be_claimed_by_one_player_only(players: Store) -> None:
    await players.players.claim_name("ann", "key", "Ann", 5_000)
    assert await players.players.claim_name("bob", "key", "Ann", 5_000) is Claim.TAKEN
    row = await players.players.get("bob")
    assert row == BOB
    assert await players.players.claim_name("bob", "key2", "Bob", 5_000) is Claim.DONE


async def test_of_many_claims_at_once_one_is_done(store: Store) -> None:
    names = [f"p{number}" for number in range(20)]
    for name in names:
        await store.players.create(PlayerRow(name, name, bot=False, created_ms=0), f"token-{name}")
    claims = await asyncio.gather(*(store.players.claim_name(name, "key", "Same", 0) for name in names))
    assert sorted(claim.value for claim in claims) == ["done"] + ["taken"] * 19
    winner = names[claims.index(Claim.DONE)]
    row = await store.players.by_name("key")
    assert row is not None
    assert row.id == winner


async def test_an_unknown_player_claims_nothing(store: Store) -> None:
    assert await store.players.claim_name("eve", "key", "Eve", 0) is Claim.UNKNOWN_PLAYER
    assert await store.link.call("DBSIZE") == 0


async def test_a_claim_interrupted_before_the_row_is_completed_by_the_same_claim(players: Store) -> None:
    await players.link.fcall("player_claim", (keys.player("ann"),), "key")
    await players.link.fcall("swap", (keys.name("key"),), "", "ann")
    assert await players.players.by_name("key") is None
    assert await players.players.claim_name("ann", "key", "Ann", 0) is Claim.DONE


async def test_a_name_left_by_an_interrupted_claim_is_freed_by_the_next_one(players: Store) -> None:
    await players.link.fcall("player_claim", (keys.player("ann"),), "left")
    await players.link.fcall("swap", (keys.name("left"),), "", "ann")
    assert await players.players.claim_name("ann", "key", "Ann", 0) is Claim.DONE
    assert await players.players.claim_name("bob", "left", "Bob", 0) is Claim.DONE


async def test_recovery_and_hiding_are_kept_in_the_row(players: Store) -> None:
    await players.players.set_recovery("ann", "hash")
    await players.players.set_hidden("ann", hidden=True)
    row = await players.players.get("ann")
    assert row is not None
    assert (row.recovery, row.hidden) == ("hash", True)


async def test_the_first_day_with_a_closed_attempt_stays(players: Store) -> None:
    for day in (20_000, 19_999, 20_001):
        await players.players.attempt_closed("ann", day)
    row = await players.players.get("ann")
    assert row is not None
    assert row.first_day == 19_999


async def test_a_closed_attempt_makes_no_player(store: Store) -> None:
    await store.players.attempt_closed("gone", 1)
    assert await store.players.get("gone") is None
    assert await store.link.call("DBSIZE") == 0


async def test_a_client_made_key_gives_the_same_thing_each_time(players: Store) -> None:
    assert await players.players.created_key("ann", "key", "race-1") == "race-1"
    assert await players.players.created_key("ann", "key", "race-2") == "race-1"
    assert await players.players.created_key("bob", "key", "race-3") == "race-3"
    ttl_ms = await players.link.call("PTTL", keys.player("ann", "key:key"))
    assert 0 < ttl_ms <= 2 * 86_400_000


async def test_a_player_has_one_live_race(players: Store) -> None:
    assert await players.players.set_live("ann", "race-1")
    assert await players.players.set_live("ann", "race-1")
    assert not await players.players.set_live("ann", "race-2")
    assert await players.players.live("ann") == "race-1"
    assert await players.players.set_live("ann", "race-2", expected="race-1")
    await players.players.clear_live("ann", "race-1")
    assert await players.players.live("ann") == "race-2"
    await players.players.clear_live("ann", "race-2")
    assert await players.players.live("ann") is None


async def test_of_many_races_at_once_one_becomes_live(players: Store) -> None:
    done = await asyncio.gather(*(players.players.set_live("ann", f"race-{number}") for number in range(20)))
    assert sum(done) == 1
    assert await players.players.live("ann") == f"race-{done.index(True)}"


async def test_the_latest_attempts_come_first(players: Store) -> None:
    for number in (1, 3, 2):
        await players.players.add_attempt("ann", f"a{number}", number)
    await players.players.add_attempt("ann", "a1", 9)
    assert await players.players.attempts("ann") == ["a3", "a2", "a1"]


async def test_of_very_many_attempts_the_latest_are_listed(players: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.store.players.ATTEMPTS_KEPT", 3)
    for number in range(5):
        await players.players.add_attempt("ann", f"a{number}", number)
    assert await players.players.attempts("ann") == ["a4", "a3", "a2"]
    assert await players.link.call("ZCARD", keys.player("ann", "attempts")) == 3


def mortal(player: str) -> tuple[str, ...]:
    return keys.player(player), keys.player(player, "tokens"), keys.token(f"token-{player}")


async def lives_ms(players: Store, player: str) -> list[int]:
    return [await players.link.call("PTTL", key) for key in mortal(player)]


async def test_a_guest_who_does_nothing_is_forgotten_a_month_after_the_last_hello(players: Store) -> None:
    assert all(0 < left <= GUEST_MS for left in await lives_ms(players, "ann"))
    for key in mortal("ann"):
        await players.link.call("PEXPIRE", key, 5_000)
    await players.players.renew("ann", "token-ann")
    assert all(GUEST_MS - 5_000 < left <= GUEST_MS for left in await lives_ms(players, "ann"))
    for key in mortal("ann"):
        await players.link.call("PEXPIRE", key, 1)
    await asyncio.sleep(0.02)
    assert await players.players.by_token("token-ann") is None
    assert await players.link.call("KEYS", "*ann*") == []


async def test_who_has_an_attempt_or_a_name_is_remembered_for_good(players: Store) -> None:
    await players.players.add_attempt("ann", "a1", 1)
    await players.players.claim_name("bob", "key", "Bob", 0)
    for player in ("ann", "bob"):
        assert await lives_ms(players, player) == [-1, -1, -1]
        await players.players.renew(player, f"token-{player}")
        assert await lives_ms(players, player) == [-1, -1, -1]


async def test_keeping_a_player_that_was_interrupted_is_done_by_the_next_attempt(players: Store) -> None:
    await players.link.call("PERSIST", keys.player("ann", "tokens"))
    await players.players.add_attempt("ann", "a1", 1)
    assert await lives_ms(players, "ann") == [-1, -1, -1]


async def test_marking_as_a_bot_touches_nothing_else(players: Store) -> None:
    await players.players.claim_name("ann", "key", "Ann", 5_000)
    await players.players.set_bot("ann")
    row = await players.players.get("ann")
    assert row is not None
    assert (row.bot, row.name, row.claimed_ms) == (True, "Ann", 5_000)


async def test_a_mark_tells_who_was_seen_with_it_the_latest_first(store: Store) -> None:
    assert await store.players.marked("device", "d", 0) == []
    for at_ms, player in enumerate(("ann", "bob", "ann")):
        await store.players.note_mark("device", "d", player, at_ms)
    assert await store.players.marked("device", "d", 2) == ["ann", "bob"]
    assert await store.players.marked("address", "d", 2) == []


async def test_who_was_seen_a_day_ago_is_forgotten_however_busy_the_address_is(store: Store) -> None:
    await store.players.note_mark("address", "a", "ann", 0)
    for hour in range(1, 25):
        await store.players.note_mark("address", "a", "bob", hour * 3_600_000)
    assert await store.players.marked("address", "a", MARK_MS) == ["bob", "ann"]
    assert await store.players.marked("address", "a", MARK_MS + 1) == ["bob"]
    await store.players.note_mark("address", "a", "bob", MARK_MS + 1)
    assert await store.link.call("ZRANGE", keys.mark("address", "a"), 0, -1) == ["bob"]
    assert 0 < await store.link.call("PTTL", keys.mark("address", "a")) <= MARK_MS


async def test_a_mark_keeps_the_latest_of_very_many(store: Store) -> None:
    await asyncio.gather(*(store.players.note_mark("address", "a", f"p{at_ms}", at_ms) for at_ms in range(1_200)))
    seen = await store.players.marked("address", "a", 1_200)
    assert (seen[0], seen[-1], len(seen)) == ("p1199", "p200", MARKED_MAX)
