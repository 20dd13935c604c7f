"""Playing over a socket: answers in order, resends, what is refused and when."""

import json
from collections.abc import MutableMapping
from typing import Any

import pytest

from rules.moves import Move
from server.store import Store, keys
from tests.web.site import Attempt, Player, Site, lobby_of_two, race_of_two

ILLEGAL = Move("t0", "t0")


async def opened(site: Site, deal: str = "beleaguered-castle:ms:1") -> Attempt:
    player = await Player.join(site)
    return await player.practise(deal)


async def answers(attempt: Attempt, count: int) -> list[tuple[str, int, object]]:
    """The next so many answers on the attempt: type, id, and version or code."""
    said: list[tuple[str, int, object]] = []
    while len(said) < count:
        frame = await attempt.player.hear_any()
        if frame["type"] == "accepted":
            said.append(("accepted", frame["id"], frame["version"]))
        elif frame["type"] in ("rejected", "error"):
            said.append((frame["type"], frame["id"], frame["code"]))
        elif frame["type"] == "snapshot":
            said.append(("snapshot", 0, frame["attempt"]["version"]))
    return said


async def test_a_practice_is_opened_by_create_and_answered_by_entered_and_snapshot(site: Site) -> None:
    player = await Player.join(site)
    await player.say("create", key="practice-1", kind="practice", deal="beleaguered-castle:ms:1")
    entered, snapshot = await player.hear_any(), await player.hear_any()
    assert (entered["type"], entered["player"]["id"]) == ("entered", player.id)
    assert (snapshot["type"], snapshot["re"], snapshot["attempt"]["version"]) == ("snapshot", "practice-1", 0)


async def test_the_same_key_again_opens_the_same_practice(site: Site) -> None:
    attempt = await opened(site)
    again = await attempt.player.practise()
    assert again.race == attempt.race


async def test_pipelined_moves_are_answered_in_order(site: Site) -> None:
    attempt = await opened(site)
    for version in range(5):
        await attempt.send("restart", version=version)
    assert await answers(attempt, 5) == [("accepted", number, number) for number in range(1, 6)]


async def test_moves_pipelined_behind_a_refused_one_are_stale_with_one_snapshot(site: Site) -> None:
    attempt = await opened(site)
    await attempt.send_move(ILLEGAL)
    for version in (1, 2, 3):
        await attempt.send("restart", version=version)
    assert sorted(await answers(attempt, 5)) == sorted(
        [
            ("rejected", 1, "same_pile"),
            ("rejected", 2, "stale"),
            ("rejected", 3, "stale"),
            ("rejected", 4, "stale"),
            ("snapshot", 0, 0),
        ]
    )
    await attempt.play(attempt.legal()[0])


async def test_a_resent_move_is_answered_but_not_played_twice(site: Site) -> None:
    attempt = await opened(site)
    move = attempt.legal()[0]
    first = await attempt.play(move)
    await attempt.send_move(move, id_=1, version=0)
    assert await attempt.player.hear("accepted") == first
    assert (await attempt.stored())["version"] == 1


@pytest.mark.parametrize("kind", ["undo", "redo", "restart", "resign", "collect"])
async def test_a_resend_of_every_command_is_answered_alike_and_counts_once(site: Site, kind: str) -> None:
    attempt = await opened(site, "beleaguered-castle:ms:13")
    await attempt.play(attempt.legal()[0])
    await attempt.send("undo")
    await attempt.player.hear("accepted", id=2)
    if kind == "undo":
        attempt.version = 2
        await attempt.send("redo")
        await attempt.player.hear("accepted", id=3)
    version = (await attempt.stored())["version"]
    await attempt.send(kind, id_=9, version=version)
    first = await attempt.player.hear("accepted", id=9)
    await attempt.send(kind, id_=9, version=version)
    assert await attempt.player.hear("accepted", id=9) == first
    assert (await attempt.stored())["version"] == first["version"]


async def test_a_resend_of_a_draw_turns_no_second_card(site: Site) -> None:
    attempt = await opened(site, "klondike-draw1:ms:5")
    await attempt.send("draw")
    first = await attempt.player.hear("accepted")
    await attempt.send("draw", id_=1, version=0)
    assert await attempt.player.hear("accepted") == first
    assert len((await attempt.stored())["position"]["waste"]) == 1


async def test_a_resend_of_a_refused_command_is_refused_alike(site: Site) -> None:
    attempt = await opened(site)
    await attempt.send_move(ILLEGAL)
    first = await attempt.player.hear("rejected")
    await attempt.send_move(ILLEGAL, id_=1)
    assert await attempt.player.hear("rejected") == first


async def test_a_resend_long_after_is_answered_from_the_log(site: Site) -> None:
    attempt = await opened(site)
    move = attempt.legal()[0]
    first = await attempt.play(move)
    for _ in range(40):
        await attempt.send("restart")
        attempt.version += 1
    await attempt.player.hear("accepted", id=41)
    await attempt.send_move(move, id_=1, version=0)
    assert await attempt.player.hear("accepted", id=1) == first


async def test_an_id_that_was_skipped_is_superseded(site: Site) -> None:
    attempt = await opened(site)
    await attempt.send("restart", id_=5)
    await attempt.player.hear("accepted")
    await attempt.send("restart", id_=4, version=1)
    assert (await attempt.player.hear("rejected"))["code"] == "superseded"


async def test_a_refusal_says_in_words_what_would_fit(site: Site) -> None:
    attempt = await opened(site)
    assert attempt.position is not None
    legal = {(move.source, move.target) for move in attempt.legal()}
    source, target = next(
        (f"t{a}", f"t{b}") for a in range(8) for b in range(8) if a != b and (f"t{a}", f"t{b}") not in legal
    )
    await attempt.send_move(Move(source, target))
    rejected = await attempt.player.hear("rejected")
    assert (rejected["code"], rejected["version"]) == ("rank", 0)
    assert "would fit" in rejected["message"]


async def test_a_race_one_is_not_in_can_not_be_played(site: Site) -> None:
    player, stranger = await Player.join(site), await Player.join(site)
    attempt = await player.practise()
    await stranger.say("move", race=attempt.race, id=1, version=0, source="t0", target="t1")
    error = await stranger.hear("error")
    assert (error["code"], error["race"], error["id"]) == ("not_entered", attempt.race, 1)
    assert (await attempt.stored())["version"] == 0


@pytest.mark.parametrize("command", ["leave", "start", "resync", "unwatch", "rematch"])
async def test_commands_on_a_race_that_does_not_exist_are_errors_not_closes(site: Site, command: str) -> None:
    player = await Player.join(site)
    await player.say(command, race="nowhere")
    error = await player.hear("error")
    assert error["code"] in ("race_unknown", "not_entered")
    assert error["race"] == "nowhere"
    await player.ping()


@pytest.mark.parametrize("command", ["enter", "watch"])
async def test_a_race_that_does_not_exist_can_not_be_entered_or_watched(site: Site, command: str) -> None:
    player = await Player.join(site)
    await player.say(command, race="nowhere")
    assert (await player.hear("error"))["code"] == "race_unknown"


async def test_before_the_start_a_move_is_an_error_and_shows_no_card(site: Site) -> None:
    first, _ = await lobby_of_two(await Player.join(site), await Player.join(site))
    await first.send_move(Move("t0", "t1"))
    error = await first.player.hear("error")
    assert (error["code"], error["id"]) == ("not_started", 1)


async def test_after_the_end_a_move_is_rejected(site: Site) -> None:
    attempt = await opened(site)
    await attempt.send("resign")
    await attempt.player.hear("accepted")
    await attempt.send("undo", version=1)
    assert (await attempt.player.hear("rejected"))["code"] in ("ended", "closed")


async def test_nothing_is_undone_in_an_iron_race(site: Site) -> None:
    first, _ = await race_of_two(await Player.join(site), await Player.join(site), iron=True)
    await first.play(first.legal()[0])
    await first.send("undo")
    assert (await first.player.hear("rejected"))["code"] == "iron"


async def test_a_collect_tells_its_moves_and_is_undone_as_one(site: Site) -> None:
    attempt = await opened(site, "beleaguered-castle:ms:13")
    await attempt.send("collect", scope="all")
    accepted = await attempt.player.hear("accepted")
    assert (accepted["moves"], accepted["version"]) == (["t5-f2", "t2-f2"], 2)
    await attempt.send("undo", version=2)
    undone = await attempt.player.hear("accepted")
    assert (undone["version"], undone["cards"]) == (3, 4)


async def test_with_nothing_to_collect_a_collect_is_rejected(site: Site) -> None:
    attempt = await opened(site, "beleaguered-castle:ms:13")
    await attempt.send("collect", scope="all")
    await attempt.player.hear("accepted")
    await attempt.send("collect", scope="all", version=2)
    assert (await attempt.player.hear("rejected"))["code"] == "nothing_to_collect"


async def test_after_a_drop_the_attempt_goes_on_at_the_same_clock(site: Site) -> None:
    attempt = await opened(site)
    accepted = await attempt.play(attempt.legal()[0])
    await attempt.player.leave()
    again = await Player.join(site, attempt.player.token)
    await again.say("enter", race=attempt.race)
    state = (await again.hear("snapshot"))["attempt"]
    assert (state["version"], state["last_id"], state["epoch"], state["previous"]) == (1, 0, 2, "1.1")
    assert state["at_ms"] >= accepted["at_ms"]


async def test_a_finish_ends_the_practice_with_the_time_of_its_last_move(site: Site) -> None:
    attempt = await opened(site)
    await attempt.send("resign")
    accepted = await attempt.player.hear("accepted")
    finished = await attempt.player.hear("finished")
    assert (finished["end"], finished["end_ms"]) == ("resigned", accepted["at_ms"])
    closed = await attempt.player.hear("closed")
    assert [line["player"]["id"] for line in closed["results"]] == [attempt.player.id]


async def test_hidden_cards_are_in_no_frame_before_they_are_turned(site: Site) -> None:
    attempt = await opened(site, "klondike-draw3:ms:8")
    player = attempt.player
    start = player.seen[-1]["attempt"]["position"]
    known = {card for pile in start["tableau"] for card in pile} | {"??"}
    assert set(start["stock"]) == {"??"}
    for number in range(1, 4):
        await attempt.send("draw", version=number - 1)
        accepted = await player.hear("accepted", id=number)
        known |= {card for part in accepted["turned"] for card in part["cards"]}
        stored = (await attempt.stored())["position"]
        assert {card for pile in (*stored["tableau"], stored["waste"], stored["stock"]) for card in pile} <= known
    sent = json.dumps(player.seen)
    unseen = {f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "CSHD"} - known
    assert not [card for card in unseen if f'"{card}"' in sent]


async def test_the_store_holds_to_the_one_limit_of_entries_that_welcome_tells_and_a_resign_fits(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt = await opened(site)
    limit = attempt.player.seen[0]["limits"]["entries_per_attempt"]
    asked: list[int] = []
    store = site.app.state.contest.store.attempts
    append = store.append

    def note(*arguments: Any, **named: Any) -> Any:
        asked.append(named["max_entries"])
        return append(*arguments, **named | {"max_entries": 1})

    monkeypatch.setattr(store, "append", note)
    await attempt.play(attempt.legal()[0])
    await attempt.send("undo")
    assert (await attempt.player.hear("rejected"))["code"] == "log_full"
    await attempt.send("resign")
    assert (await attempt.player.hear("accepted"))["end"] == "resigned"
    assert asked == [limit] * 3


async def test_an_attempt_whose_log_was_damaged_is_refused_and_the_connection_goes_on(
    site: Site, store: Store, logged: list[MutableMapping[str, Any]]
) -> None:
    player = await Player.join(site)
    attempt = await player.practise()
    await attempt.play(attempt.legal()[0])
    await store.link.call("LSET", keys.attempt(f"{attempt.race}.{player.id}")[1], 0, "never written")
    again = await Player.join(site, player.token)
    await again.say("enter", race=attempt.race)
    assert (await again.hear("error"))["code"] == "internal"
    other = await again.practise(key="another-practice")
    assert (await other.play(other.legal()[0]))["version"] == 1
    assert [entry["event"] for entry in logged if entry["log_level"] == "error"] == ["attempt.damaged"]
    logged.clear()
