"""The bot's choices: legal, forward, from what a player may know, and good enough to finish some deals."""

import pytest

from client.choosing import Chooser, is_unclear, position_key
from client.judging import judge
from rules.deals import deal, parse_deal_code
from rules.moves import Move, is_won, legal_moves, play, play_unchecked, refusal
from rules.positions import Position, decode_position, reveal, turned, view
from rules.variants import find_variant, variants

EASY = ("beleaguered-castle:ms:33", "citadel:ms:27", "cruel:ms:32")
ALL = [variant.id for variant in variants()]


def dealt(code: str) -> Position:
    return deal(parse_deal_code(code))


def play_out(true: Position, chooser: Chooser, most: int) -> list[Position]:
    """The true positions of an attempt in which the chooser sees only what a player may know."""
    known, line = view(true), [true]
    while not is_won(true) and len(line) <= most:
        move = chooser.choose(known)
        if move is None:
            break
        assert refusal(known, move) is None
        after = play(true, move)
        known = reveal(play_unchecked(known, move), turned(true, after))
        true = after
        line.append(true)
    return line


@pytest.mark.parametrize("code", EASY)
def test_an_easy_deal_is_finished(code: str) -> None:
    assert is_won(play_out(dealt(code), Chooser(), 150)[-1])


@pytest.mark.parametrize("variant", ALL)
def test_every_choice_is_legal_until_it_wins_or_gives_up(variant: str) -> None:
    line = play_out(dealt(f"{variant}:ms:3"), Chooser(looked_at=150), 2_000)
    assert 3 < len(line) < 2_000


@pytest.mark.parametrize("variant", ["klondike-draw1", "klondike-draw3", "four-seasons"])
def test_what_lies_hidden_makes_no_difference(variant: str) -> None:
    known = view(dealt(f"{variant}:ms:7"))
    assert Chooser().choose(known) == Chooser().choose(view(known))


def test_a_blocked_position_is_given_up() -> None:
    blocked = decode_position(
        find_variant("fortress"),
        {
            "tableau": [[card] for card in ("KC", "JC", "9C", "7C", "5C", "QH", "TD", "3S", "6S", "9S")],
            "foundations": [[], [], [], []],
        },
    )
    assert legal_moves(blocked) == []
    assert Chooser().choose(blocked) is None


def test_a_win_in_sight_is_taken() -> None:
    ranks = "A23456789TJQK"
    foundations = [[f"{rank}{suit}" for rank in ranks] for suit in "CSHD"]
    last = [foundations[3].pop(), foundations[3].pop()]
    position = decode_position(
        find_variant("beleaguered-castle"),
        {"tableau": [last[::-1], *([[]] * 7)], "foundations": foundations},
    )
    line = play_out(position, Chooser(), 10)
    assert is_won(line[-1])
    assert len(line) <= 4


def test_a_position_that_gets_no_better_is_given_up() -> None:
    chooser, position = Chooser(looked_at=150), dealt("streets-and-alleys:ms:1")
    moves = 0
    while chooser.choose(position) is not None:
        moves += 1
        assert moves < 50


def test_a_card_on_its_foundation_looks_better_than_before() -> None:
    position = dealt("beleaguered-castle:ms:11982")
    (move, *_) = (move for move in legal_moves(position) if move.target.startswith("f"))
    assert judge(play(position, move)) > judge(position)


def test_a_card_over_one_that_is_needed_looks_worse_than_beside_it() -> None:
    variant = find_variant("beleaguered-castle")
    foundations = [["AC"], ["AS"], ["AH"], ["AD"]]
    over = {"tableau": [["2C", "9H"], ["KD"], *([[]] * 6)], "foundations": foundations}
    beside = {"tableau": [["9H", "2C"], ["KD"], *([[]] * 6)], "foundations": foundations}
    assert judge(decode_position(variant, over)) < judge(decode_position(variant, beside))


def test_names_of_spaces_make_no_difference_unless_a_redeal_reads_them() -> None:
    castle, cruel = dealt("beleaguered-castle:ms:1"), dealt("cruel:ms:1")
    assert position_key(_swapped(castle)) == position_key(castle)
    assert position_key(_swapped(cruel)) != position_key(cruel)


def _swapped(position: Position) -> Position:
    first, second, *rest = position.piles
    return Position(position.variant, (second, first, *rest), position.down)


def test_what_only_the_server_can_tell_is_not_looked_behind() -> None:
    known = view(dealt("klondike-draw1:ms:1"))
    assert not is_unclear(known)
    assert is_unclear(play_unchecked(known, Move("s", "w")))
