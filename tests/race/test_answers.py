"""What a player is told of the own attempt, above all what not: no face of a card that was not turned."""

import json
import random
import re

import pytest

from protocol.codec import encode
from rules.cards import UNKNOWN, format_card
from rules.moves import legal_moves
from rules.positions import decode_position, encode_position, reveal, view
from rules.variants import find_variant, variants
from server.race.answers import accepted, attempt_state
from server.race.attempt import AttemptRefused, Played, begin, decide, evolve
from tests.race.builders import LIMIT_MS, RACE, act, dealt, fresh, move, nearly_won

HIDDEN = [variant.id for variant in variants() if variant.has_hidden_cards]


def known_cards(position: object) -> set[str]:
    return set(re.findall(r'"([A2-9TJQK][CSHD])"', json.dumps(position)))


@pytest.mark.parametrize("variant", HIDDEN)
def test_no_answer_shows_a_card_before_it_is_turned(variant: str) -> None:
    chance = random.Random(variant)
    attempt = begin(dealt(f"{variant}:ms:7"), iron=True, epoch=1, limit_ms=LIMIT_MS)
    known = known_cards(encode_position(view(attempt.position)))
    for number in range(1, 120):
        moves = legal_moves(attempt.position)
        if not moves:
            break
        chosen = chance.choice(moves)
        [played] = decide(attempt, move(number, attempt.version, chosen), number)
        before, attempt = attempt, evolve(attempt, played)
        event = accepted(RACE, before, attempt, played)
        turned = {card for part in event.turned or [] for card in part.cards}
        known |= turned
        seen_now = known_cards(encode_position(view(attempt.position)))
        assert seen_now <= known
        assert known_cards(json.loads(encode(event))) <= known
        state = attempt_state(attempt, number)
        assert known_cards(state.position) <= known
        down = sum(card == UNKNOWN for pile in view(attempt.position).piles for card in pile)
        assert json.dumps(state.position).count("??") == down


@pytest.mark.parametrize("variant", HIDDEN)
def test_a_client_that_knows_only_its_view_keeps_up_with_the_turned_cards(variant: str) -> None:
    from rules.cards import parse_card
    from rules.moves import play

    chance = random.Random(f"{variant}2")
    attempt = begin(dealt(f"{variant}:ms:9"), iron=True, epoch=1, limit_ms=LIMIT_MS)
    seen = decode_position(attempt.position.variant, encode_position(view(attempt.position)))
    for number in range(1, 80):
        moves = legal_moves(attempt.position)
        if not moves:
            break
        chosen = chance.choice(moves)
        [played] = decide(attempt, move(number, attempt.version, chosen), number)
        before, attempt = attempt, evolve(attempt, played)
        event = accepted(RACE, before, attempt, played)
        news = tuple((part.pile, tuple(map(parse_card, part.cards))) for part in event.turned or [])
        seen = reveal(play(seen, chosen), news)
        assert seen == view(attempt.position)


def test_a_collect_that_turned_cards_shows_the_position_as_well() -> None:
    found = None
    for seed in range(1, 400):
        attempt = begin(dealt(f"klondike-draw1:ms:{seed}"), iron=True, epoch=1, limit_ms=LIMIT_MS)
        try:
            [played] = decide(attempt, act("collect", 1, 0, scope="all"), 5)
        except AttemptRefused:
            continue
        event = accepted(RACE, attempt, evolve(attempt, played), played)
        if len(event.turned or []) > 1:
            found = event
            break
    assert found is not None
    assert found.position is not None


def test_blocked_is_said_when_it_is_so_and_left_out_otherwise() -> None:
    tops = ["KC", "KS", "KH", "KD", "5C", "5S", "5H", "5D"]
    rest = [f"{rank}{suit}" for rank in "23467TJQ89" for suit in "CSHD"]
    tableau = [[*rest[number::8], top] for number, top in enumerate(tops)]
    tableau[0].append("AC")
    foundations = [[], ["AS"], ["AH"], ["AD"]]
    stuck = decode_position(find_variant("beleaguered-castle"), {"tableau": tableau, "foundations": foundations})
    start = fresh(stuck)
    [last] = decide(start, move(1, 0, "t0-f0"), 5)
    after = evolve(start, last)
    assert accepted(RACE, start, after, last).blocked is True
    [undo] = decide(after, act("undo", 2, 1), 6)
    assert accepted(RACE, after, evolve(after, undo), undo).blocked is None


def test_a_single_move_is_not_repeated_in_its_answer() -> None:
    start = fresh(nearly_won(2))
    [played] = decide(start, move(1, 0, "t1-f1"), 5)
    event = accepted(RACE, start, evolve(start, played), played)
    assert (event.moves, event.position, event.turned) == (None, None, None)


def test_a_resign_says_how_it_ended_and_no_position() -> None:
    start = fresh()
    [played] = decide(start, act("resign", 1, 0), 77)
    assert isinstance(played, Played)
    event = accepted(RACE, start, evolve(start, played), played)
    assert (event.end, event.end_ms, event.position) == ("resigned", 77, None)


def test_before_the_start_an_attempts_clock_shows_nothing_below_zero() -> None:
    assert attempt_state(fresh(), -500).at_ms == 0


def test_a_card_text_reads_as_this_test_expects() -> None:
    assert known_cards({"tableau": [[format_card(dealt().tableau[0][0])]]}) != set()
