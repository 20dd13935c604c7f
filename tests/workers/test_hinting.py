"""Who practises asks the solver and is told, over a socket and with a real worker's step; nobody else ever is."""

import asyncio
import contextlib
import multiprocessing
import random
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from httpx2 import AsyncClient

from rules.cards import format_cards
from rules.deals import deal, parse_deal_code
from rules.moves import format_move, is_won, legal_moves, parse_move, play
from rules.record import parse_record, verify
from rules.shuffles import deck
from server.race import race as racing
from server.race.daily import Daily, day_of
from server.service import pairing
from server.store import Store, keys
from server.store.hints import MOST_OF_ADDRESS, Asker, HintStore
from server.workers.hinting import Adviser, advise_attempt
from server.workers.keeping import labourers
from solver.verdicts import Verdict, solve
from tests.web.site import Attempt, Frame, Player, Site, race_of_two, serving
from tests.workers.beside import beside
from tests.workers.questions import lose_question

WINNABLE = "citadel:ms:3"
LOST = "beleaguered-castle:ms:1"


@pytest.fixture(autouse=True)
def short_countdown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(racing, "COUNTDOWN_MS", 250)
    monkeypatch.setattr(pairing, "COUNTDOWN_MS", 250)


@pytest.fixture
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as threads:
        yield threads


@pytest.fixture
async def site(redis_url: str, tmp_path: Path) -> AsyncIterator[Site]:
    async with serving(redis_url, tmp_path) as running:
        yield running


@pytest.fixture
async def adviser(store: Store, executor: Executor) -> AsyncIterator[Adviser]:
    """A worker that answers hints all the while."""
    await store.workers.beat()
    adviser = Adviser(store, executor)
    async with beside(adviser.run()):
        yield adviser


async def ask(attempt: Attempt) -> Frame:
    """Asks for a hint that is accepted; what the solver says."""
    command_id = await attempt.send("hint")
    attempt.version = (await attempt.player.hear("accepted", id=command_id))["version"]
    return await attempt.player.hear("hint", version=attempt.version)


async def test_a_hint_that_was_accepted_and_can_not_be_answered_is_refused_to_who_waits(
    site: Site, store: Store
) -> None:
    await store.workers.beat()
    attempt = await (await Player.join(site)).practise(WINNABLE)
    player = attempt.player
    command_id = await attempt.send("hint")
    await player.hear("accepted", id=command_id)
    await lose_question(store, attempt.race, player.id)
    await attempt.send("hint", id_=command_id, version=0)
    await player.hear("accepted", id=command_id)
    refused = await player.hear("error", code="too_many_hints")
    assert (refused["re"], refused["race"], "id" in refused) == ("hint", attempt.race, False)


async def start_of(site: Site, kind: str) -> Attempt:
    """An attempt of this kind, begun."""
    player = await Player.join(site)
    if kind == "daily":
        return await player.enter(await todays(site))
    other = await Player.join(site)
    if kind == "quick":
        await player.say("queue", variant="fortress")
        await player.hear("queued")
        await other.say("queue", variant="fortress")
        race = (await player.hear("matched"))["race"]
        attempt = Attempt(player, await player.hear("snapshot", race=race))
        attempt.take((await player.hear("started"))["position"])
        return attempt
    first, second = await race_of_two(player, other)
    if kind == "private":
        return first
    for attempt in (first, second):
        await attempt.send("resign")
    await player.hear("closed")
    await player.say("rematch", race=first.race)
    new_race = (await player.hear("rematch"))["new_race"]
    again = await player.enter(new_race)
    await other.enter(new_race)
    for each in (player, other):
        await each.say("ready", race=new_race, ready=True)
    again.take((await player.hear("started", race=new_race))["position"])
    return again


async def todays(site: Site) -> str:
    """Today's daily of Beleaguered Castle."""
    contest = site.app.state.contest
    await contest.dailies.commit()
    return Daily(day_of(contest.clock.now_ms()), "beleaguered-castle").race_id


@pytest.mark.parametrize("kind", ["daily", "quick", "private", "rematch"])
async def test_no_race_has_hints(site: Site, store: Store, adviser: Adviser, kind: str) -> None:
    attempt = await start_of(site, kind)
    command_id = await attempt.send("hint")
    refused = await attempt.player.hear("rejected", id=command_id)
    assert refused["code"] == "no_hints"
    await attempt.send("hint", id_=command_id)
    assert (await attempt.player.hear("rejected", id=command_id))["code"] == "no_hints"
    assert (await attempt.stored())["version"] == 0
    assert await store.hints.waiting() == 0
    assert [frame for frame in attempt.player.seen if frame["type"] == "hint"] == []


async def test_what_is_in_no_log_is_not_answered_even_from_the_queue(
    site: Site, store: Store, executor: Executor
) -> None:
    attempt = await start_of(site, "private")
    await attempt.play(attempt.legal()[0])
    ident = f"{attempt.race}.{attempt.player.id}"
    await store.hints.ask(Asker(ident, attempt.player.id), 1)
    assert await Adviser(store, executor).answer_one()
    assert await store.hints.answer(ident) is None
    assert await store.hints.waiting() == 0


async def test_a_question_of_an_attempt_that_is_no_more_leaves_the_queue(store: Store, executor: Executor) -> None:
    assert await store.hints.ask(Asker("forgotten.ann", "ann"), 3)
    assert await Adviser(store, executor).answer_one()
    assert await store.hints.waiting() == 0


async def test_a_practice_is_told_the_next_move_of_a_win_and_how_long_that_is(site: Site, adviser: Adviser) -> None:
    attempt = await (await Player.join(site)).practise(WINNABLE)
    told = await ask(attempt)
    assert (told["verdict"], told["version"]) == ("winnable", 1)
    assert parse_move(told["move"]) in attempt.legal()
    assert 52 <= told["left"] <= 80
    assert (await attempt.stored())["hints"] == 1


async def test_a_hint_that_is_sent_again_is_answered_alike_and_counted_once(site: Site, adviser: Adviser) -> None:
    attempt = await (await Player.join(site)).practise(WINNABLE)
    told = await ask(attempt)
    await attempt.send("hint", id_=attempt.last_id, version=0)
    accepted = await attempt.player.hear("accepted", id=attempt.last_id)
    assert (accepted["version"], accepted["hints"]) == (1, 1)
    assert await attempt.player.hear("hint") == told
    assert (await attempt.stored())["hints"] == 1


async def test_who_comes_back_is_told_what_was_asked_before(site: Site, store: Store, executor: Executor) -> None:
    await store.workers.beat()
    player = await Player.join(site)
    attempt = await player.practise(WINNABLE)
    command_id = await attempt.send("hint")
    await player.hear("accepted", id=command_id)
    await player.leave()
    back = await Player.join(site, player.token)
    entered = await back.enter(attempt.race)
    while not await Adviser(store, executor).answer_one():
        await asyncio.sleep(0.01)
    told = await back.hear("hint")
    assert (told["version"], told["verdict"]) == (entered.version, "winnable")
    again = await Player.join(site, player.token)
    await again.enter(attempt.race)
    assert await again.hear("hint") == told


async def test_many_guests_of_one_address_keep_nobody_elsewhere_from_hints(
    redis_url: str, store: Store, tmp_path: Path
) -> None:
    async def answer(site: Site, host: str) -> Frame:
        player = Player(await site.open_socket(local_addr=(host, 0)))
        await player.say("hello", protocol=1)
        attempt = await player.practise(WINNABLE)
        command_id = await attempt.send("hint")
        while (frame := await player.hear_any()).get("id") != command_id:
            pass
        return frame

    await store.workers.beat()
    async with serving(redis_url, tmp_path, unlimited_addresses=()) as site:
        answers = [await answer(site, "127.0.0.1") for _ in range(MOST_OF_ADDRESS + 2)]
        assert [frame["type"] for frame in answers] == ["accepted"] * MOST_OF_ADDRESS + ["rejected"] * 2
        assert answers[-1]["code"] == "too_many_hints"
        assert (await answer(site, "127.0.0.2"))["type"] == "accepted"


async def test_a_question_that_was_stored_as_the_server_died_is_answered(
    site: Site, store: Store, executor: Executor
) -> None:
    hints = HintStore(store.link, reserved_ms=1)
    await store.workers.beat()
    attempt = await (await Player.join(site)).practise(WINNABLE)
    await attempt.player.hear("accepted", id=await attempt.send("hint"))
    ident = f"{attempt.race}.{attempt.player.id}"
    await store.hints.drop(ident, 1)
    assert await hints.admit(Asker(ident, attempt.player.id))
    await asyncio.sleep(0.01)
    assert await Adviser(store, executor).answer_one()
    kept = await store.hints.answer(ident)
    assert kept is not None and kept.verdict == "winnable"


async def test_a_log_that_says_nothing_is_given_up_and_others_are_answered(site: Site, store: Store) -> None:
    await store.workers.beat()
    broken, sound = [await (await Player.join(site)).practise(WINNABLE) for _ in range(2)]
    await broken.player.hear("accepted", id=await broken.send("hint"))
    ident = f"{broken.race}.{broken.player.id}"
    await store.link.call("LSET", keys.attempt(ident)[1], 0, "0 hint")
    await sound.player.hear("accepted", id=await sound.send("hint"))
    with ThreadPoolExecutor(1) as threads:
        adviser = Adviser(replace(store, hints=HintStore(store.link, lease_ms=20)), threads)
        async with beside(adviser.run()):
            assert (await sound.player.hear("hint"))["verdict"] == "winnable"
            assert (await broken.player.hear("hint"))["verdict"] == "unknown"
    assert await store.hints.waiting() == 0


async def test_commands_behind_a_hint_keep_their_order(site: Site, adviser: Adviser) -> None:
    attempt = await (await Player.join(site)).practise(WINNABLE)
    move = attempt.legal()[0]
    hint_id = await attempt.send("hint")
    await attempt.player.say("resync", race=attempt.race)
    move_id = await attempt.send_move(move, version=1)
    answers = [await attempt.player.hear("accepted") for _ in range(2)]
    assert [(each["id"], each["version"]) for each in answers] == [(hint_id, 1), (move_id, 2)]


async def test_the_process_for_hints_is_there_before_anyone_asks(store: Store) -> None:
    async with labourers(1) as quick:
        before = set(multiprocessing.active_children())
        async with beside(Adviser(store, quick).run()):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(30):
                    while set(multiprocessing.active_children()) == before:
                        await asyncio.sleep(0.01)
            assert len(set(multiprocessing.active_children()) - before) == 1


async def test_without_a_worker_a_hint_is_refused_and_not_marked(site: Site) -> None:
    attempt = await (await Player.join(site)).practise(WINNABLE)
    command_id = await attempt.send("hint")
    assert (await attempt.player.hear("rejected", id=command_id))["code"] == "no_solver"
    assert (await attempt.stored())["version"] == 0


async def test_hidden_cards_and_a_layout_written_out_have_no_hints(site: Site, adviser: Adviser) -> None:
    written = format_cards(deck("ms", "3", 1)).replace(" ", "")
    for number, code in enumerate(["klondike-draw1:ms:7", f"citadel:cards:{written}"]):
        attempt = await (await Player.join(site)).practise(code, key=f"practice-{number}")
        command_id = await attempt.send("hint")
        assert (await attempt.player.hear("rejected", id=command_id))["code"] == "no_hints"


async def test_a_deal_that_is_raced_has_no_hints_until_that_race_has_closed(site: Site, adviser: Adviser) -> None:
    practising = await (await Player.join(site)).practise(LOST)
    first, second = await race_of_two(await Player.join(site), await Player.join(site), deal=LOST)
    command_id = await practising.send("hint")
    assert (await practising.player.hear("rejected", id=command_id))["code"] == "deal_live"
    for attempt in (first, second):
        await attempt.send("resign")
    await first.player.hear("closed")
    for _ in range(200):
        command_id = await practising.send("hint")
        answer = await practising.player.hear_any()
        if answer["type"] == "accepted":
            break
        await asyncio.sleep(0.02)
    told = await practising.player.hear("hint")
    assert (told["verdict"], told["deal"]) == ("lost", "lost")


async def test_one_practising_a_daily_that_is_open_to_others_has_no_hints(site: Site, adviser: Adviser) -> None:
    daily = await start_of(site, "daily")
    ended = await daily.send("resign")
    await daily.player.hear("accepted", id=ended)
    practising = await daily.player.practise(daily.race)
    command_id = await practising.send("hint")
    assert (await daily.player.hear("rejected", id=command_id))["code"] == "deal_live"


async def test_hints_stand_in_the_record_of_the_practice(site: Site, adviser: Adviser) -> None:
    attempt = await (await Player.join(site)).practise(WINNABLE)
    await ask(attempt)
    await attempt.send("resign")
    closed = await attempt.player.hear("closed")
    assert closed["results"][0]["hints"] == 1
    async with AsyncClient(headers={"Authorization": f"Bearer {attempt.player.token}"}) as client:
        address = f"{site.http}/api/v1/attempts/{attempt.race}.{attempt.player.id}/replay"
        record = parse_record((await client.get(address, params={"format": "record"})).text)
    assert verify(record).hints == 1
    assert record.result.hints == 1


def entries_of(texts: list[str]) -> list[str]:
    return [f"{number} 1.{number} {text}" for number, text in enumerate(texts, 1)]


def test_who_follows_the_hints_wins_and_is_never_further_away_than_before() -> None:
    position, played, kept = deal(parse_deal_code(WINNABLE)), list[str](), None
    lengths = list[int]()
    while not is_won(position):
        played.append("hint")
        kept = advise_attempt(WINNABLE, entries_of(played), kept)
        assert kept.verdict == "winnable"
        lengths.append(len(kept.line))
        played.append(kept.line[0])
        position = play(position, parse_move(kept.line[0]))
    assert lengths == list(range(lengths[0], 0, -1))


def test_who_leaves_the_line_is_advised_from_where_they_are() -> None:
    first = advise_attempt(WINNABLE, entries_of(["hint"]), None)
    start = deal(parse_deal_code(WINNABLE))
    others = [move for move in legal_moves(start) if format_move(move) != first.line[0]]
    winnable = next(move for move in others if solve(play(start, move)).verdict is Verdict.WINNABLE)
    told = advise_attempt(WINNABLE, entries_of(["hint", format_move(winnable), "hint"]), first)
    position = play(start, winnable)
    for text in told.line:
        position = play(position, parse_move(text))
    assert is_won(position)


def lost_way(code: str) -> list[str]:
    """Winnable moves, then one that loses, then two more."""
    position, texts = deal(parse_deal_code(code)), list[str]()
    chance = random.Random(7)
    while True:
        move = chance.choice(legal_moves(position))
        position = play(position, move)
        texts.append(format_move(move))
        if solve(position).verdict is Verdict.LOST:
            break
    for _ in range(2):
        move = chance.choice(legal_moves(position))
        position = play(position, move)
        texts.append(format_move(move))
    return texts


def test_who_has_lost_is_told_how_many_undos_lead_back_to_a_win() -> None:
    texts = lost_way(WINNABLE)
    told = advise_attempt(WINNABLE, entries_of([*texts, "hint"]), None)
    assert (told.verdict, told.back, told.deal) == ("lost", 3, "winnable")
    undone = advise_attempt(WINNABLE, entries_of([*texts, "hint", *["undo"] * 3, "hint"]), told)
    assert undone.verdict == "winnable"


def test_undos_are_counted_down_to_a_restart_and_not_beyond() -> None:
    texts = lost_way(WINNABLE)
    told = advise_attempt(WINNABLE, entries_of([texts[0], "restart", *texts, "hint"]), None)
    assert (told.verdict, told.back) == ("lost", 3)


def test_a_deal_that_nobody_could_win_is_called_so() -> None:
    told = advise_attempt(LOST, entries_of(["hint"]), None)
    assert (told.verdict, told.deal, told.back) == ("lost", "lost", None)
