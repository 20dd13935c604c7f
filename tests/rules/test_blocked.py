from __future__ import annotations

import pytest

from rules.deals import deal, parse_deal_code
from rules.moves import DRAW, is_blocked, play
from rules.positions import view
from rules.variants import Variant, variants
from tests.rules.builders import board, moves, patched

ACES = "Foundations: H-A C-A D-A S-A"


@pytest.mark.parametrize("variant", variants(), ids=lambda variant: variant.id)
def test_some_deal_is_open(variant: Variant) -> None:
    position = deal(parse_deal_code(f"{variant.id}:ms:3"))
    assert moves(position)
    assert not is_blocked(position)


def test_no_move_at_all_is_blocked() -> None:
    kings = ["2C KC", "2D KD", "2H KH", "2S KS"]
    assert not is_blocked(board("beleaguered-castle", ACES, *kings, "3C QC", "3D JD", "3H JH", "3S JS"))
    assert is_blocked(board("beleaguered-castle", ACES, *kings, "3C JC", "3D JD", "3H JH", "3S JS"))


def test_a_won_position_is_not_blocked() -> None:
    assert not is_blocked(board("beleaguered-castle", "Foundations: H-K C-K D-K S-K"))


def test_a_lone_card_that_goes_from_space_to_space_does_not_save() -> None:
    position = board("king-albert+no-worry-back", "9C", "KD", "7H", "KS", "5C", "KC", "KH", "2C")
    assert moves(position)
    assert is_blocked(position)


def test_a_card_that_goes_from_cell_to_cell_does_not_save() -> None:
    piles = ["2C KC", "2D KD", "2H KH", "2S KS", "3C JC", "3D JD", "3H JH", "3S JS"]
    assert not is_blocked(board("freecell", "Freecells: 5C 7C 9C -", *piles))
    variant = patched("freecell", {"cells": 2, "tableau": {"space": "K"}})
    position = board(variant, "Freecells: 5C -")
    assert moves(position) == ["c0-c1"]
    assert is_blocked(position)


def test_part_of_a_pile_into_a_space_is_a_change() -> None:
    assert not is_blocked(board("king-albert", "9C 8C", "KD", "7H", "KS", "5C", "KC", "KH", "2C"))


def test_a_whole_run_into_a_space_is_none() -> None:
    assert is_blocked(board("klondike-draw1", "KC QH", "9C"))
    assert not is_blocked(board("klondike-draw1", "<2H> KC QH", "9C"))


def test_a_move_after_a_redeal_saves() -> None:
    """Nothing moves now; after the redeal the 5H lies open beside the 6H."""
    piles = [ACES, "6H", "9C KC", "5H KD"]
    assert moves(board("cruel", *piles)) == ["redeal"]
    assert not is_blocked(board("cruel", *piles))
    assert not is_blocked(board("cruel+only-when-blocked", *piles))
    assert is_blocked(board(patched("cruel", {"redeal": {"times": 1}}), "Redeals: 1", *piles))


def test_a_redeal_that_frees_nothing_does_not_save() -> None:
    position = board("cruel", ACES, "6H KC 9C 5D", "9H KD 7C 3S")
    assert moves(position) == ["redeal"]
    assert is_blocked(position)


def test_a_card_of_the_stock_saves_at_whatever_depth() -> None:
    position = board("klondike-draw1", "Talon: 5H 9C 8C 2S", "3H")
    assert not is_blocked(position)
    assert is_blocked(board("klondike-draw1", "Talon: 5H 9C 8C 7S", "3H"))


def test_turning_three_skips_cards_but_the_next_pass_may_not() -> None:
    assert not is_blocked(board("klondike-draw3", "Talon: 5H 9C 2S", "3H"))
    assert is_blocked(board("klondike-draw3", "Talon: 5H 2S 9C", "3H"))
    shifted = board("klondike-draw3", "Talon: 2S 9C 8C", "Waste: 5H 7C", "3H")
    assert not is_blocked(shifted)
    assert is_blocked(board("klondike-draw3+one-pass", "Talon: 9C 8C 7D", "Waste: 2S 7C", "3H"))


def test_passes_that_are_used_up_do_not_save() -> None:
    assert not is_blocked(board("klondike-draw1", "Waste: 2S 9C", "3H"))
    assert is_blocked(board("klondike-draw1+one-pass", "Waste: 2S 9C", "3H"))


def test_a_view_is_not_called_blocked_while_unknown_cards_come() -> None:
    position = board("klondike-draw1", "Talon: 5H 9C 8C 7S", "3H")
    assert is_blocked(position)
    assert not is_blocked(view(position))
    for _ in range(4):
        position = play(position, DRAW)
    assert is_blocked(view(position))


def test_worrying_back_is_a_change() -> None:
    assert not is_blocked(board("klondike-draw1", "Foundations: H-2", "3C"))
