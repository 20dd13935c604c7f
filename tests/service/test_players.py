import asyncio
import json

import pytest

from protocol.codes import ErrorCode
from protocol.parts import Entrant, PlayerRef, Standing
from server.race.daily import DAY_MS, day_of
from server.service.errors import ContestError
from server.service.names import parse_name
from server.service.players import REMOVED, Players
from server.service.tokens import hash_recovery_code, hash_token, new_recovery_code, new_token
from server.store import Store, keys
from server.store.players import GUEST_MS, PlayerRow
from tests.service.world import Time, World, make_world

RACE = "daily.2027-01-15.citadel"


@pytest.fixture
def players(world: World) -> Players:
    return world.contest.players


async def guest(players: Players, address: str = "192.0.2.1", device: str | None = None) -> tuple[PlayerRef, str]:
    greeting = await players.hello(None, False, address, device)
    assert greeting.token is not None
    return greeting.player, greeting.token


async def opening(players: Players, store: Store, player: PlayerRef) -> bool:
    """Opens the daily as far as a review is concerned: is the attempt under review?"""
    await store.races.add_entrant(RACE, player.id, 1)
    return await players.note_opening(player.id, RACE)


async def refused(call: object) -> ErrorCode:
    with pytest.raises(ContestError) as error:
        await call  # type: ignore[misc]  # any awaitable will do
    return error.value.code


async def everything(store: Store) -> str:
    """All that is in Redis, as text."""
    found = []
    for key in await store.link.call("KEYS", "*"):
        match await store.link.call("TYPE", key):
            case "hash":
                value = await store.link.call("HGETALL", key)
            case "set":
                value = await store.link.call("SMEMBERS", key)
            case "zset":
                value = await store.link.call("ZRANGE", key, 0, -1)
            case "list":
                value = await store.link.call("LRANGE", key, 0, -1)
            case _:
                value = await store.link.call("GET", key)
        found.append(f"{key} {value}")
    return "\n".join(map(str, found))


async def test_a_guest_is_a_player_at_once(players: Players) -> None:
    player, token = await guest(players)
    assert player.guest
    assert not player.bot
    assert len(player.name.split()) == 3
    again = await players.hello(token, False, "192.0.2.1")
    assert again.player == player
    assert again.token is None


async def test_tokens_have_at_least_128_bits_and_are_all_different(players: Players) -> None:
    tokens = {new_token() for _ in range(200)}
    assert len(tokens) == 200
    assert min(map(len, tokens)) * 6 >= 128
    assert (await guest(players))[1] != (await guest(players))[1]


async def test_no_token_recovery_code_device_or_address_is_stored_as_it_is(players: Players, store: Store) -> None:
    player, token = await guest(players, "198.51.100.77", "device-0123456789")
    code = await players.claim(player.id, "Anna")
    kept = await everything(store)
    assert hash_token(token) in kept
    assert hash_recovery_code(code) in kept
    for secret in (token, code, code.replace("-", ""), "198.51.100.77", "device-0123456789"):
        assert secret not in kept


async def test_device_and_address_marks_are_forgotten_after_a_day(players: Players, store: Store) -> None:
    await guest(players, "198.51.100.77", "device-0123456789")
    marks = await store.link.call("KEYS", "mark:*")
    assert len(marks) == 2
    for mark in marks:
        assert 0 < await store.link.call("PTTL", mark) <= DAY_MS


async def test_an_unknown_token_is_refused(players: Players) -> None:
    assert await refused(players.hello(new_token(), False, "")) is ErrorCode.TOKEN_UNKNOWN
    assert await refused(players.hello("\ud800", False, "")) is ErrorCode.TOKEN_UNKNOWN


async def test_a_bot_stays_a_bot(players: Players) -> None:
    greeting = await players.hello(None, True, "")
    assert greeting.player.bot
    again = await players.hello(greeting.token, False, "")
    assert again.player.bot


async def test_a_player_who_says_hello_as_a_bot_is_one_from_then_on(players: Players) -> None:
    player, token = await guest(players)
    assert (await players.hello(token, True, "")).player.bot
    assert (await players.ref(player.id)).bot
    assert (await players.ref(player.id)).name == player.name


async def test_a_name_claimed_while_the_player_is_marked_as_a_bot_stays(
    players: Players, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, token = await guest(players)
    by_token = store.players.by_token

    async def claim_in_between(token_hash: str) -> PlayerRow | None:
        row = await by_token(token_hash)
        await players.claim(player.id, "McAnna")
        return row

    monkeypatch.setattr(store.players, "by_token", claim_in_between)
    await players.hello(token, True, "")
    assert await players.ref(player.id) == PlayerRef(id=player.id, name="McAnna", guest=False, bot=True)


async def test_hello_renews_a_guest_for_as_long_as_a_new_one_lives(players: Players, store: Store) -> None:
    player, token = await guest(players)
    await store.link.call("PEXPIRE", keys.player(player.id), 5_000)
    await players.hello(token, False, "")
    assert await store.link.call("PTTL", keys.player(player.id)) > GUEST_MS - 5_000


async def test_who_becomes_a_bot_is_hidden_on_boards_for_people_and_shown_on_those_of_bots(
    players: Players, store: Store
) -> None:
    player, token = await guest(players)
    people, bots = "best:citadel:ungraded", "best:citadel:ungraded:bots"
    for board in (people, bots):
        await store.boards.post_best(board, player.id, 5000, "{}")
    await players.hello(token, True, "")
    for _ in range(2):
        assert (await store.boards.page(people, None, 10)).total == 0
        assert (await store.boards.page(bots, None, 10)).total == 1
        await players.hide(player.id)
        assert (await store.boards.page(bots, None, 10)).total == 0
        await players.unhide(player.id)


async def test_a_name_that_todays_rules_refuse_is_no_fault_of_who_looks_it_up(players: Players, store: Store) -> None:
    player, _ = await guest(players)
    await store.players.claim_name(player.id, parse_name("Anna").key, "Anna ", 0)
    assert await players.by_name("anna") is None
    other, _ = await guest(players)
    await store.players.claim_name(other.id, parse_name("bert").key, "<Bert>", 0)
    assert await players.by_name("bert") is None


async def test_a_hidden_player_is_found_by_name_by_whoever_runs_the_server(players: Players) -> None:
    player, _ = await guest(players)
    await players.claim(player.id, "Paul")
    await players.hide(player.id)
    assert await players.by_name("paul") is None
    found = await players.by_name_or_hidden("PAUL")
    assert found is not None
    assert found.id == player.id
    assert await players.by_name_or_hidden("pau1") is None


async def test_claiming_a_name_keeps_player_token_and_results(players: Players) -> None:
    player, token = await guest(players)
    await players.note_closed(player.id, 20_000)
    await players.claim(player.id, "McAnna")
    claimed = (await players.hello(token, False, "")).player
    assert claimed == PlayerRef(id=player.id, name="McAnna", guest=False, bot=False)
    assert (await players.get(player.id)).first_day == 20_000


@pytest.mark.parametrize("second", ["Paul", "paul", "PAUL", "pau1", "p-a-u-l"])
async def test_a_name_or_its_look_alike_is_claimed_once(players: Players, second: str) -> None:
    first, other = (await guest(players))[0], (await guest(players))[0]
    await players.claim(first.id, "paul")
    assert await refused(players.claim(other.id, second)) is ErrorCode.NAME_TAKEN
    assert (await players.ref(other.id)).guest


async def test_a_whole_name_in_look_alike_letters_of_another_script_is_taken_too(players: Players) -> None:
    first, other = (await guest(players))[0], (await guest(players))[0]
    await players.claim(first.id, "cope")
    assert await refused(players.claim(other.id, "соре")) is ErrorCode.NAME_TAKEN


async def test_of_many_claims_at_the_same_moment_one_wins(players: Players) -> None:
    guests = [(await guest(players))[0] for _ in range(20)]
    outcomes = await asyncio.gather(*(players.claim(one.id, "Zora") for one in guests), return_exceptions=True)
    assert sum(isinstance(outcome, str) for outcome in outcomes) == 1
    losers = [outcome for outcome in outcomes if isinstance(outcome, ContestError)]
    assert {loser.code for loser in losers} == {ErrorCode.NAME_TAKEN}
    assert len(losers) == 19


async def test_a_refused_name_says_what_is_wrong_with_it(players: Players) -> None:
    player, _ = await guest(players)
    with pytest.raises(ContestError) as error:
        await players.claim(player.id, "аnna")
    assert error.value.code is ErrorCode.NAME_REFUSED
    assert error.value.field == "name"
    assert "scripts" in error.value.message


async def test_a_second_name_is_refused_and_the_same_again_renews_the_code(players: Players) -> None:
    player, _ = await guest(players)
    first = await players.claim(player.id, "Anna")
    assert await refused(players.claim(player.id, "Bella")) is ErrorCode.NAME_CLAIMED_ALREADY
    second = await players.claim(player.id, "Anna")
    assert await refused(players.recover("Anna", first)) is ErrorCode.RECOVERY_REFUSED
    assert (await players.recover("Anna", second))[0].id == player.id


async def test_recovering_gives_a_new_token_and_voids_the_old_ones(players: Players) -> None:
    player, old = await guest(players)
    code = await players.claim(player.id, "Anna")
    recovered, new = await players.recover("ANNA", code.upper().replace("-", " "))
    assert recovered.id == player.id
    assert await players.by_token(old) is None
    found = await players.by_token(new)
    assert found is not None
    assert found.id == player.id


async def test_a_recovery_code_reads_as_it_may_be_written_down() -> None:
    assert hash_recovery_code("0123O-il1lo") == hash_recovery_code("01230 11110")
    assert len(new_recovery_code().replace("-", "")) * 5 >= 80


@pytest.mark.parametrize(("name", "code"), [("Anna", "wrong"), ("Nobody", "x"), ("<b>", "x"), ("Anna", "")])
async def test_a_wrong_recovery_is_refused_the_same_way_whatever_is_wrong(
    players: Players, name: str, code: str
) -> None:
    player, token = await guest(players)
    await players.claim(player.id, "Anna")
    assert await refused(players.recover(name, code)) is ErrorCode.RECOVERY_REFUSED
    assert await players.by_token(token) is not None


async def test_a_guest_can_not_be_recovered(players: Players) -> None:
    player, _ = await guest(players)
    assert await refused(players.recover(player.name, "")) is ErrorCode.RECOVERY_REFUSED


async def test_a_player_is_found_by_name_in_any_case_but_not_by_a_look_alike(players: Players) -> None:
    player, _ = await guest(players)
    await players.claim(player.id, "Paul")
    found = await players.by_name("PAUL")
    assert found is not None
    assert found.id == player.id
    assert await players.by_name("pau1") is None
    assert await players.by_name("<script>") is None


async def test_a_deleted_player_is_gone_but_the_name_stays_reserved(players: Players) -> None:
    player, token = await guest(players)
    code = await players.claim(player.id, "Anna")
    await players.delete(player.id)
    assert await players.by_token(token) is None
    assert await refused(players.recover("Anna", code)) is ErrorCode.RECOVERY_REFUSED
    assert await players.by_name("Anna") is None
    assert await refused(players.unhide(player.id)) is ErrorCode.NOT_FOUND
    assert (await players.ref(player.id)).name == REMOVED
    other, _ = await guest(players)
    assert await refused(players.claim(other.id, "Anna")) is ErrorCode.NAME_TAKEN


async def test_entrants_and_standings_told_again_show_their_players_as_they_are_now(players: Players) -> None:
    (gone, _), (there, _) = await guest(players), await guest(players)
    entrants = [Entrant(player=gone, cards=3), Entrant(player=there)]
    standings = [Standing(place=1, player=gone, cards=3, at_ms=7), Standing(player=there, cards=0, at_ms=0)]
    await players.delete(gone.id)
    assert [entrant.player.name for entrant in await players.refresh(entrants)] == [REMOVED, there.name]
    refreshed = await players.refresh(standings)
    assert [standing.player.name for standing in refreshed] == [REMOVED, there.name]
    assert (refreshed[0].place, refreshed[0].cards, refreshed[0].at_ms) == (1, 3, 7)


async def test_deleting_hides_rows_now_and_later_and_only_ones_own(players: Players, store: Store) -> None:
    (player, _), (other, _) = await guest(players), await guest(players)
    for one in (player, other):
        await store.boards.post_best("best:citadel:ungraded", one.id, 5000, "{}")
    await players.delete(player.id)
    await store.boards.post_best("best:citadel:ungraded", player.id, 4000, "{}")
    page = await store.boards.page("best:citadel:ungraded", None, 10)
    assert [row.member for row in page.rows] == [other.id]


async def test_an_export_tells_all_there_is_but_no_secret(players: Players, store: Store) -> None:
    player, token = await guest(players)
    code = await players.claim(player.id, "Anna")
    await store.players.add_attempt(player.id, f"race1.{player.id}", 1)
    await store.boards.post_best("best:citadel:ungraded", player.id, 5000, "{}")
    export = (await players.export(player.id)).model_dump_json()
    told = json.loads(export)
    assert told["player"]["name"] == "Anna"
    assert told["attempts"] == [f"race1.{player.id}"]
    assert [(row["board"], row["score"]) for row in told["boards"]] == [("best:citadel:ungraded", 5000)]
    for secret in (token, code, hash_token(token), hash_recovery_code(code)):
        assert secret not in export


async def test_ranked_is_who_has_a_name_and_a_closed_attempt_on_an_earlier_day(players: Players, time: Time) -> None:
    player, _ = await guest(players)
    now, today = int(time.ms), day_of(int(time.ms))

    async def is_ranked(at_ms: int = now) -> bool:
        return players.is_ranked(await players.get(player.id), at_ms)

    assert not await is_ranked()
    await players.claim(player.id, "Anna")
    assert not await is_ranked()
    await players.note_closed(player.id, today)
    assert not await is_ranked()
    assert await is_ranked(now + DAY_MS)
    await players.note_closed(player.id, today - 1)
    assert await is_ranked()
    assert not await is_ranked(now - 1), "the name was not claimed then"


async def test_a_bot_is_never_ranked(players: Players, time: Time) -> None:
    greeting = await players.hello(None, True, "")
    await players.claim(greeting.player.id, "Clank")
    await players.note_closed(greeting.player.id, 1)
    assert not players.is_ranked(await players.get(greeting.player.id), int(time.ms))


@pytest.mark.parametrize(
    ("address", "device", "expected"),
    [
        ("198.51.100.1", "other-device", True),
        ("203.0.113.9", "device-0001", True),
        ("203.0.113.9", "other-device", False),
        ("203.0.113.9", None, False),
    ],
)
async def test_a_daily_opened_before_from_the_same_device_or_address_is_under_review(
    players: Players, store: Store, address: str, device: str | None, expected: bool
) -> None:
    rehearsing, _ = await guest(players, "198.51.100.1", "device-0001")
    assert not await opening(players, store, rehearsing)
    ranked, _ = await guest(players, address, device)
    assert await opening(players, store, ranked) is expected
    assert await players.is_under_review(ranked.id, RACE) is expected
    assert not await players.is_under_review(rehearsing.id, RACE)


async def test_guests_thrown_away_in_between_do_not_hide_a_rehearsal(players: Players, store: Store) -> None:
    rehearsing, _ = await guest(players)
    await opening(players, store, rehearsing)
    for _ in range(60):
        await guest(players)
    ranked, _ = await guest(players)
    assert await opening(players, store, ranked)


async def test_of_two_identities_that_open_a_daily_together_at_least_one_is_under_review(
    players: Players, store: Store
) -> None:
    (one, _), (other, _) = await guest(players), await guest(players)
    both = await asyncio.gather(opening(players, store, one), opening(players, store, other))
    assert any(both)


async def test_somebody_at_the_same_address_who_has_not_opened_it_puts_nobody_under_review(players: Players) -> None:
    await guest(players)
    player, _ = await guest(players)
    assert not await players.note_opening(player.id, RACE)


async def test_devices_are_recognised_by_other_processes_with_the_same_salt(store: Store, time: Time) -> None:
    one, other = await make_world(store, time, [], "one"), await make_world(store, time, [], "other")
    first, _ = await guest(one.contest.players, "", "device-0001")
    await opening(one.contest.players, store, first)
    second, _ = await guest(other.contest.players, "", "device-0001")
    assert await opening(other.contest.players, store, second)


async def test_a_report_is_kept_for_who_runs_the_server(players: Players) -> None:
    (by, _), (about, _) = await guest(players), await guest(players)
    report = await players.report(by.id, "name", about.id, None, "rude")
    (kept,) = [json.loads(text) for text in await players.reports(10)]
    assert kept["id"] == report
    assert (kept["by"], kept["player"], kept["reason"], kept["text"]) == (by.id, about.id, "name", "rude")
    assert await refused(players.report(by.id, "name", "nobody", None, "")) is ErrorCode.NOT_FOUND
