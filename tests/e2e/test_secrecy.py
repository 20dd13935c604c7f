"""Nothing of a secret deal is said before its time: looked for in a recording of all that a real server said."""

import hashlib
import json
import re
from collections.abc import Iterable

import pytest

from rules.cards import UNKNOWN, format_card
from rules.deals import deal, parse_deal_code
from rules.moves import Move, legal_moves
from rules.positions import view
from tests.e2e.deals import seen_in, won
from tests.e2e.tape import HIDDEN_GAME, OPEN_GAME, OTHER_HIDDEN_GAME, Recorded, Said, Tape, record
from tests.web.site import Attempt, Frame, Player, Site

CARD = re.compile(r'"([A2-9TJQK][CSHD])"')


@pytest.fixture(scope="module")
def tape(tmp_path_factory: pytest.TempPathFactory) -> Tape:
    return record(tmp_path_factory.mktemp("tape"))


def cards_in(said: Iterable[Said]) -> set[str]:
    return {card for one in said for card in CARD.findall(one.text)}


def own_frames(tape: Tape, race: Recorded, player: str) -> list[Frame]:
    """What a player was told of a race over the socket, in order."""
    return [one.frame for one in tape.of(race) if one.kind == "frame" and one.to == player]


def test_the_recording_has_private_and_quick_races_and_dailies_of_open_and_of_hidden_cards(tape: Tape) -> None:
    assert [race.variant for race in tape.races] == [OPEN_GAME, HIDDEN_GAME, OPEN_GAME, OTHER_HIDDEN_GAME]
    assert [bool(race.link) for race in tape.races] == [True, True, False, False]
    assert len(tape.dailies) == 36
    assert {race.variant for race in tape.dailies if race.players} == {OPEN_GAME, OTHER_HIDDEN_GAME}
    played = [positions for race in (*tape.races, *tape.dailies) for positions in race.positions.values()]
    assert len(played) == 10
    assert sum(len(positions) for positions in played) > 100
    assert all(race.secret.deal.startswith(f"{race.variant}:r1:") for race in (*tape.races, *tape.dailies))


def test_no_card_of_a_race_is_said_before_its_start(tape: Tape) -> None:
    for race in tape.races:
        early = tape.of(race, tape.until("started", race))
        assert sum(one.kind == "frame" for one in early) >= 6
        # A quick match starts by itself, whether or not much was asked by then.
        assert sum(one.kind == "answer" for one in early) >= (15 if race.link else 0)
        assert cards_in(early) == set()


def test_seed_and_nonce_are_said_to_nobody_before_the_close_and_then_they_are_what_was_committed_to(tape: Tape) -> None:
    for race in tape.races:
        for word in race.words:
            assert [one for one in tape.until("closed", race) if word in one.text] == []
        commitments = {one.frame["state"]["commitment"] for one in tape.of(race) if '"snapshot"' in one.text[:30]}
        opened = [one.frame for one in tape.of(race) if one.kind == "frame" and one.frame["type"] == "closed"]
        assert {(frame["deal"], frame["nonce"]) for frame in opened} == {(race.secret.deal, race.secret.nonce)}
        assert commitments == {hashlib.sha256(f"{race.secret.deal}\n{race.secret.nonce}".encode()).hexdigest()}


def test_nothing_of_any_daily_is_said_before_its_day_has_closed(tape: Tape) -> None:
    words = {word for race in tape.dailies for word in race.words}
    assert len(words) == 72
    assert [one.text for one in tape.said if any(word in one.text for word in words)] == []
    played = [race for race in tape.dailies if race.players]
    replays = [one.text for race in played for one in tape.of(race) if one.kind == "answer" and "replay" in one.about]
    assert len(replays) >= 4
    assert all("not_closed" in text or "not_found" in text for text in replays)


def test_the_cards_of_a_daily_are_said_to_those_who_opened_it_and_to_nobody_else(tape: Tape) -> None:
    asked_about = [race for race in tape.dailies if tape.of(race)]
    assert len(asked_about) == 4
    for race in asked_about:
        assert cards_in(one for one in tape.of(race) if one.to not in race.players) == set()
        for player in race.players:
            assert cards_in(one for one in tape.of(race) if one.to == player)


@pytest.mark.parametrize("variant", [HIDDEN_GAME, OTHER_HIDDEN_GAME])
def test_a_hidden_card_is_said_to_its_player_when_it_is_turned_and_not_before(tape: Tape, variant: str) -> None:
    races = [race for race in (*tape.races, *tape.dailies) if race.variant == variant and race.players]
    assert races
    for race in races:
        for player in race.players:
            rest = iter(race.positions[player])
            known = seen_in(next(rest))
            for frame in own_frames(tape, race, player):
                if frame["type"] == "closed":
                    break
                if frame["type"] == "accepted" and frame.get("end") is None:
                    known |= seen_in(next(rest))
                assert set(CARD.findall(json.dumps(frame))) <= known, frame
            assert next(rest, None) is None
            assert len(known) < 52


def test_opponents_and_watchers_are_told_of_progress_and_never_of_a_card_on_another_s_board(tape: Tape) -> None:
    told = {one.to for one in tape.said if one.kind == "frame" and one.frame["type"] == "progress"}
    assert {race.watchers[0] for race in tape.races} <= told
    assert len(told) > 2
    for race in tape.races:
        for listener in (*race.players, *race.watchers):
            frames = own_frames(tape, race, listener)
            for frame in frames:
                named = set(CARD.findall(json.dumps(frame)))
                if frame["type"] == "started":
                    assert named <= seen_in(race.start)
                elif listener in race.watchers or frame["type"] not in ("accepted", "snapshot"):
                    assert named == set(), frame
            theirs = [frame for frame in frames if frame["type"] == "accepted"]
            assert len(theirs) == (len(race.positions[listener]) if listener in race.players else 0)


def test_http_says_no_card_of_any_race_before_it_has_closed(tape: Tape) -> None:
    for race in tape.races:
        answers = [one for one in tape.of(race, tape.until("closed", race)) if one.kind == "answer"]
        assert cards_in(answers) == set()


def test_a_token_is_said_once_and_only_to_its_player(tape: Tape) -> None:
    for token in tape.tokens.values():
        told = [one for one in tape.said if token in one.text]
        assert [(one.kind, one.frame["type"]) for one in told] == [("frame", "welcome")]
        assert told[0].frame["token"] == token


def test_the_link_of_a_private_race_is_said_to_those_in_it_only(tape: Tape) -> None:
    for race in tape.races:
        if race.link:
            told = [one for one in tape.said if f'"link":"{race.link}"' in one.text]
            assert {one.to for one in told} == set(race.players)
            assert {one.kind for one in told} == {"frame", "answer"}


def test_the_log_says_nothing_of_tokens_links_deals_or_cards(tape: Tape) -> None:
    lines = tape.log.splitlines()
    assert '"code": 4001' in tape.log
    assert '"code": 4029' in tape.log
    secret = [*tape.tokens.values(), tape.recovery, *(race.link for race in tape.races if race.link)]
    secret += [word for race in (*tape.races, *tape.dailies) for word in race.words]
    assert [word for word in secret if not word] == []
    assert [line for line in lines if any(word in line for word in secret)] == []
    assert CARD.search(tape.log) is None
    assert "Traceback" not in tape.log


def hidden_twin(code: str) -> str:
    """A deal that looks alike to who may not see the hidden cards, which lie in another order."""
    start = deal(parse_deal_code(code))
    seen = view(start)
    hidden = [
        format_card(card)
        for pile, known in zip(start.piles, seen.piles, strict=True)
        for card, shown in zip(pile, known, strict=True)
        if shown == UNKNOWN
    ]
    swapped = dict(zip(hidden, [*hidden[7:], *hidden[:7]], strict=True))
    variant, generator, cards = code.split(":")
    deck = [cards[at : at + 2] for at in range(0, len(cards), 2)]
    return f"{variant}:{generator}:{''.join(swapped.get(card, card) for card in deck)}"


@pytest.mark.parametrize("variant", ["klondike-draw1", "klondike-draw3", "four-seasons"])
async def test_what_is_answered_does_not_depend_on_cards_that_were_not_turned(site: Site, variant: str) -> None:
    code = won(variant).code
    twin = hidden_twin(code)
    start, other = deal(parse_deal_code(code)), deal(parse_deal_code(twin))
    assert start != other
    assert view(start) == view(other)
    told = []
    for number, each in enumerate((code, twin)):
        player = await Player.join(site)
        attempt = await player.practise(each, key=f"practice-{number}")
        before = len(player.seen)
        await try_everything_illegal(attempt)
        told.append([answer_alone(frame) for frame in player.seen[before:]])
    assert len(told[0]) > 150
    assert told[0] == told[1]


async def try_everything_illegal(attempt: Attempt) -> None:
    """Every move between two piles that is not legal, of one to four cards, and the other commands that are refused."""
    position = attempt.position
    assert position is not None
    names, legal = position.variant.tables.names, set(legal_moves(position))
    moves = [Move(source, target, count) for source in names for target in names for count in range(1, 5)]
    for move in moves:
        if move not in legal and move != Move("s", "w"):
            await attempt.player.hear("rejected", id=await attempt.send_move(move))
    for kind in ("redeal", "undo", "redo", "restart"):
        await attempt.player.hear("rejected", id=await attempt.send(kind))


def answer_alone(frame: Frame) -> Frame:
    return {name: value for name, value in frame.items() if name != "race"}
