from __future__ import annotations

import json
import random

import pytest

from rules.cards import UNKNOWN
from rules.deals import deal, parse_deal_code
from rules.errors import MalformedText
from rules.moves import DRAW, legal_moves, parse_move, play, play_unchecked
from rules.position_texts import format_position, parse_position
from rules.positions import Position, decode_position, encode_position, reveal, turned, view
from rules.variants import variants
from tests.rules.builders import board, patched

NAMES = [name for v in variants() for name in (v.id, *(f"{v.id}+{option}" for option in v.options))]
HIDING = ["four-seasons", "four-seasons+czarina", "four-seasons+florentine", "klondike-draw1", "klondike-draw3"]


def playout(name: str, seed: int, length: int = 60) -> list[Position]:
    """A random line of play, cards to the foundations preferred."""
    chance = random.Random(seed)
    line = [deal(parse_deal_code(f"{name}:ms:{seed}"))]
    for _ in range(length):
        moves = legal_moves(line[-1])
        if not moves:
            break
        up = [move for move in moves if move.target[0] == "f"]
        line.append(play(line[-1], chance.choice(up if up and chance.random() < 0.5 else moves)))
    return line


@pytest.mark.parametrize("name", NAMES)
def test_positions_read_back_from_json_and_from_boards(name: str) -> None:
    for position in playout(name, 11)[::4]:
        for shown in (position, view(position)):
            assert decode_position(shown.variant, json.loads(json.dumps(encode_position(shown)))) == shown
            assert parse_position(shown.variant, format_position(shown)) == shown


@pytest.mark.parametrize("name", NAMES)
def test_progress_counts_what_is_on_the_foundations(name: str) -> None:
    for position in playout(name, 5)[::9]:
        assert position.progress == sum(len(pile) for pile in position.foundations)
        assert position.progress + position.cards_left == position.variant.cards


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_view_follows_the_play_by_what_was_turned(name: str, seed: int) -> None:
    """A player who knows the view only and is told the turned cards always knows the next view."""
    chance = random.Random(seed)
    position = deal(parse_deal_code(f"{name}:ms:{seed}"))
    known, news = view(position), 0
    for _ in range(150):
        moves = legal_moves(position)
        if not moves:
            break
        assert legal_moves(known) == moves
        move = chance.choice(moves)
        after = play(position, move)
        told = turned(position, after)
        known = reveal(play_unchecked(known, move), told)
        assert known == view(after)
        news += len(told)
        position = after
    assert news > 0


@pytest.mark.parametrize("name", HIDING)
def test_a_view_holds_no_face_down_card(name: str) -> None:
    hidden = 0
    for position in playout(name, 3):
        shown = view(position)
        for pile, down in zip(shown.tableau, position.down, strict=True):
            assert set(pile[:down]) <= {UNKNOWN}
            assert UNKNOWN not in pile[down:]
        if not position.passes:
            assert set(shown.stock) <= {UNKNOWN}
        hidden += sum(position.down) + len(position.stock)
        assert view(shown) == shown
    assert hidden > 0


def test_an_open_game_is_its_own_view() -> None:
    position = deal(parse_deal_code("klondike-draw1+thoughtful:ms:1"))
    assert view(position) is position
    assert turned(position, play(position, DRAW)) == ()


def test_a_stock_that_was_gone_through_is_known() -> None:
    position = board("klondike-draw1", "Talon: 2C", "Waste: 3C 4C", "5H")
    assert view(position).stock == (UNKNOWN,)
    position = play(position, DRAW)
    assert view(play(position, DRAW)) == play(position, DRAW)
    assert turned(position, play(position, DRAW)) == ()


def test_an_uncovered_card_is_turned_up() -> None:
    position = board("klondike-draw1", "<9C> <2S> 5H", "6S")
    after = play(position, parse_move("t0-t1"))
    assert after.down[0] == 1
    assert turned(position, after) == (("t0", board("klondike-draw1", "2S").tableau[0]),)


def test_the_cells_say_which_are_empty() -> None:
    assert board("freecell", "Freecells: - 5H - -").cells == (None, 30, None, None)
    assert board("freecell", "Freecells: -").cells == (None,) * 4


@pytest.mark.parametrize(
    "spoiled",
    [
        {"tableau": []},
        {"tableau": [["1C"]] + [[]] * 6},
        {"tableau": "AC"},
        {"foundations": [["AC"], ["AC"], [], []]},
        {"down": [1] + [0] * 6, "tableau": [["AC"]] + [[]] * 6},
        {"down": [-1] + [0] * 6},
        {"down": [0]},
        {"passes": "1"},
        {"passes": True},
        {"stock": None},
        {"waste": [1]},
        {"cells": ["AC"]},
        {"cells": "AC"},
        {"base": "1"},
        {"base": 5},
        {"more": 1},
    ],
)
def test_what_is_no_position_is_malformed(spoiled: dict[str, object]) -> None:
    position = board("klondike-draw1", "5H")
    encoded = encode_position(position)
    assert decode_position(position.variant, encoded) == position
    with pytest.raises(MalformedText):
        decode_position(position.variant, encoded | spoiled)


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        ("freecell", "\n" * 9),
        ("freecell", "Freecells: - -"),
        ("freecell", "Freecells: 5H 5H - -"),
        ("freecell", "Talon: 5H"),
        ("freecell", "Freecells: -\nFreecells: -"),
        ("freecell", "Foundations: X-A"),
        ("freecell", "Foundations: H-A H-2"),
        ("freecell", "Foundations: HA"),
        ("freecell", "5X"),
        ("klondike-draw1", "<5H>"),
        ("klondike-draw1", "<5H 6C"),
        ("klondike-draw1", "Passes: one"),
        ("flower-garden", "Reserve: 5H"),
        ("castle-of-indolence", "Reserve-5: 5H"),
    ],
)
def test_what_is_no_board_is_malformed(variant: str, text: str) -> None:
    with pytest.raises(MalformedText):
        board(variant, *text.split("\n"))


def test_a_board_shows_what_the_common_format_can_not() -> None:
    position = board(
        patched("klondike-draw1", {"stock": {"passes": 3}}), "Talon: 5H", "Waste: 2C 3C", "Passes: 2", "<??> 7D"
    )
    assert (position.passes, position.down[0], position.tableau[0][0]) == (2, 1, UNKNOWN)
    assert format_position(position).startswith("Talon: 5H\nWaste: 2C 3C\nPasses: 2\n<??> 7D\n")
    each = board("selective-castle", "Foundation-2: 5S 6S")
    assert format_position(each).startswith("Foundation-2: 5S 6S\n")
    assert [len(pile) for pile in each.foundations] == [0, 2, 0, 0]


def test_the_base_is_the_first_rank_played_where_it_is_chosen() -> None:
    assert board("chessboard", "5H").common_base == 0
    assert board("chessboard", "Base: 5", "Foundations: H-7").common_base == 5
    assert board("selective-castle", "Foundation-2: 5S 6S").common_base == 0
