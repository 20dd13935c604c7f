"""Each policy of the schema on a tiny layout, with the exact list of moves."""

from __future__ import annotations

from typing import Any

import pytest

from rules.cards import format_cards
from rules.deals import deal, parse_deal_code
from rules.errors import IllegalMove, MalformedText
from rules.moves import (
    DRAW,
    KINDS,
    PROSE,
    REDEAL,
    Move,
    Refusal,
    format_move,
    format_pile,
    is_won,
    parse_move,
    parse_pile,
    play,
    refusal,
)
from rules.position_texts import format_position
from rules.variants import variants
from tests.rules.builders import board, moves, patched, refused

CASTLE = "beleaguered-castle"
FULL = "Foundations: H-K C-K D-K S-K"


def narrow(base: str, patch: dict[str, Any] | None = None) -> Any:
    """The base variant under a patch of its tableau."""
    return patched(base, {"tableau": patch or {}})


@pytest.mark.parametrize(
    "text", ["t3-f0", "t0-t12*4", "w-t1", "c0-t9", "r15-f7", "f3-t0", "draw", "redeal", "t1-f2*13"]
)
def test_a_move_reads_back(text: str) -> None:
    assert format_move(parse_move(text)) == str(parse_move(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "t3",
        "t3-",
        "t3f0",
        "t03-f0",
        "t3-f0*1",
        "t3-f0*0",
        "t3-f0*04",
        "x3-f0",
        "s-w",
        "s-t0",
        "Draw",
        "t3-t٣",
        "t3-f0 ",
        "t1000-f0",
        "redeal-redeal",
    ],
)
def test_what_is_no_move_is_malformed(text: str) -> None:
    with pytest.raises(MalformedText):
        parse_move(text)


@pytest.mark.parametrize("kind", KINDS)
def test_a_pile_reads_back(kind: Any) -> None:
    assert parse_pile(format_pile(kind, 7)) == (kind, 0 if kind in "sw" else 7)


@pytest.mark.parametrize("text", ["", "t", "s0", "t01", "7", "T1"])
def test_what_is_no_pile_is_malformed(text: str) -> None:
    with pytest.raises(MalformedText):
        parse_pile(text)


def test_every_refusal_has_its_words() -> None:
    assert set(PROSE) == set(Refusal)
    assert all(words.endswith(".") for words in PROSE.values())


def test_any_suit_builds_down_without_wrap() -> None:
    position = board(narrow(CASTLE, {"space": "none"}), "5H", "4C", "6H", "KD", "AC")
    assert moves(position) == ["t0-t2", "t1-t0", "t4-f0"]
    assert refused(position, "t3-t4") is Refusal.RANK


def test_a_wrap_puts_a_king_on_an_ace_but_only_in_the_tableau() -> None:
    position = board(narrow(CASTLE, {"wrap": True, "space": "none"}), "Foundations: C-K", "KD", "AH")
    assert moves(position) == ["t0-t1", "t1-f2"]


def test_building_both_ways_has_no_memory() -> None:
    variant = narrow("castle-of-indolence", {"build": "both", "match": "suit", "space": "none"})
    position = board(variant, "5H 6H", "5H", "7H")
    assert [move for move in moves(position) if move.endswith("t0")] == ["t1-t0", "t2-t0"]


@pytest.mark.parametrize(
    ("match", "fitting"),
    [
        ("any", ["4C", "4D", "4H", "4S"]),
        ("suit", ["4H"]),
        ("alt", ["4C", "4S"]),
        ("color", ["4D", "4H"]),
        ("other", ["4C", "4D", "4S"]),
    ],
)
def test_a_match_says_which_suits_lie_on_the_five_of_hearts(match: str, fitting: list[str]) -> None:
    variant = narrow(CASTLE, {"match": match, "space": "none"})
    taken = [card for card in ("4C", "4D", "4H", "4S") if moves(board(variant, "5H", card)) == ["t1-t0"]]
    assert taken == fitting


def test_building_up_and_not_at_all() -> None:
    assert moves(board(narrow(CASTLE, {"build": "up", "space": "none"}), "5H", "6C")) == ["t1-t0"]
    assert moves(board(narrow(CASTLE, {"build": "none", "space": "none"}), "5H", "6C")) == []


def test_one_card_is_all_that_moves_where_runs_do_not_lift() -> None:
    position = board(CASTLE, "6H 5C", "7D")
    assert refused(position, "t0-t1*2") is Refusal.TOO_MANY


def test_runs_lift_whole_or_in_part() -> None:
    position = board("klondike-draw1", "KC", "QH JS TD", "QD", "JC")
    assert moves(position) == [
        "t0-t4",
        "t0-t5",
        "t0-t6",
        "t1-t0*3",
        "t1-t2*2",
        "t1-t3",
        "t2-t0",
        "t3-t2",
    ]
    assert refused(position, "t1-t0*2") is Refusal.RANK
    assert refused(position, "t1-t0*4") is Refusal.COUNT


def test_a_face_down_card_does_not_lift() -> None:
    position = board("klondike-draw1", "<QH> JS TD", "KC")
    assert refused(position, "t0-t1*3") is Refusal.NOT_AVAILABLE


def test_what_is_not_built_is_no_run() -> None:
    position = board("klondike-draw1", "QH TS 9D", "KC", "JH")
    assert refused(position, "t0-t1*3") is Refusal.NOT_A_RUN
    assert refused(position, "t0-t2*2") is None


def test_a_run_may_need_one_suit_though_the_tableau_does_not() -> None:
    suited, mixed = board("wildflower", "6H 5H", "7C"), board("wildflower", "6H 5C", "7C")
    assert refused(suited, "t0-t1*2") is None
    assert refused(mixed, "t0-t1*2") is Refusal.NOT_A_RUN
    assert refused(board("wildflower+any-run", "6H 5C", "7C"), "t0-t1*2") is None


def test_a_run_that_is_built_both_ways_goes_one_way() -> None:
    variant = narrow("castle-of-indolence", {"build": "both", "match": "suit", "lift": "run"})
    assert refused(board(variant, "5H 6H 7H"), "t0-t1*3") is None
    assert refused(board(variant, "7H 6H 5H"), "t0-t1*3") is None
    assert refused(board(variant, "5H 6H 5H"), "t0-t1*3") is Refusal.NOT_A_RUN
    assert refused(board(variant, "5H 6H 5H"), "t0-t1*2") is None


@pytest.mark.parametrize(
    ("space", "cells", "empty", "most"),
    [
        ("any", "2C 3C 4C 5C", 0, 1),
        ("any", "2C 3C 4C 5C", 1, 2),
        ("any", "2C 3C 4C -", 0, 2),
        ("any", "2C 3C 4C -", 1, 4),
        ("K", "2C 3C 4C -", 2, 2),
    ],
)
def test_cells_and_spaces_bound_a_run(space: str, cells: str, empty: int, most: int) -> None:
    """Each part of the run has a card it fits on."""
    piles = ["9H 8S 7H 6S", "TC", "9D", "8C", "7D", *["KC", "KS", "KH"][: 3 - empty]]
    position = board(narrow("freecell", {"space": space}), f"Freecells: {cells}", *piles)
    targets = {4: "t1", 3: "t2", 2: "t3", 1: "t4"}
    allowed = [count for count in (1, 2, 3, 4) if refused(position, str(Move("t0", targets[count], count))) is None]
    assert allowed == list(range(1, most + 1))


def test_the_target_space_does_not_help_to_carry() -> None:
    position = board("freecell", "Freecells: 2C 3C 4C -", "9H 8S 7H 6S", "TC", "9D", "8C", "7D", "KC", "KS")
    assert refused(position, "t0-t7*2") is None
    assert refused(position, "t0-t7*3") is Refusal.TOO_MANY


def test_a_run_of_no_cards_is_a_wrong_count() -> None:
    position = board("freecell", "9H 8S", "TC")
    assert refusal(position, Move("t0", "t1", 0)) is Refusal.COUNT
    assert refusal(position, Move("t0", "t1", -1)) is Refusal.COUNT
    assert refusal(position, Move("t0", "c0", 2)) is Refusal.COUNT
    assert refusal(position, Move("t0", "f0", 2)) is Refusal.COUNT


@pytest.mark.parametrize(
    ("space", "fillers"), [("any", ["4C", "5H", "KD"]), ("none", []), ("K", ["KD"]), ("5", ["5H"])], ids=str
)
def test_a_space_takes_what_the_record_says(space: str, fillers: list[str]) -> None:
    variant = narrow(CASTLE, {"space": space, "build": "none"})
    takes = [card for card in ("4C", "5H", "KD") if refused(board(variant, f"2D {card}"), "t0-t1") is None]
    assert takes == fillers


def test_a_space_may_take_the_rank_under_the_base() -> None:
    variant = narrow("four-seasons", {"space": "base-1"})
    position = board(variant, "Base: A", "Foundations: H-A", "2C KD", "3C QD", "4C")
    assert [refused(position, f"t{pile}-t3") for pile in (0, 1)] == [None, Refusal.SPACE]


def test_no_card_is_under_a_base_that_is_not_chosen() -> None:
    variant = narrow("chessboard", {"space": "base-1"})
    assert refused(board(variant, "2C KD"), "t0-t1") is Refusal.SPACE
    assert refused(board(variant, "Base: A", "Foundations: H-2", "2C KD"), "t0-t1") is None


def test_only_single_cards_go_to_a_space_where_the_record_says_so() -> None:
    position = board(narrow("klondike-draw1", {"space": "any", "space_lift": "one"}), "9C 8D", "KC")
    assert refused(position, "t0-t2*2") is Refusal.TOO_MANY
    assert refused(position, "t0-t2") is None


def test_a_capped_pile_takes_no_more() -> None:
    variant = narrow("klondike-draw1", {"cap": 3, "space": "none"})
    position = board(variant, "9C 8D", "9H 8S", "7H", "7C 6D")
    assert refused(position, "t3-t0*2") is Refusal.CAPPED
    assert refused(position, "t2-t1") is None
    assert moves(position) == ["t2-t1"]
    assert refused(board(variant, "9C 8D 7S", "6H"), "t1-t0") is Refusal.CAPPED


def test_spaces_fill_from_the_stock_while_it_lasts() -> None:
    position = board(
        "four-seasons+czarina", "Talon: 4S 9S", "Base: 2", "Foundations: H-2", "3H", "JC", "KC", "7C", "5D"
    )
    position = play(position, parse_move("t0-f2"))
    assert (format_cards(position.tableau[0]), format_cards(position.stock)) == ("4S", "9S")
    position = play(position, parse_move("t0-t4"))
    assert (format_cards(position.tableau[0]), position.stock) == ("9S", ())


def test_a_space_takes_any_card_once_the_stock_is_out() -> None:
    position = board("four-seasons+czarina", "Waste: 4S 9S", "Base: 2", "Foundations: H-2", "", "JC 8C")
    assert refused(position, "w-t0") is None
    assert refused(position, "t1-t0") is None


def test_spaces_fill_from_the_waste_first() -> None:
    variant = narrow("four-seasons", {"space": "auto-waste"})
    position = board(
        variant, "Talon: 4S 9S", "Waste: TH 6C", "Base: 2", "Foundations: H-2", "3H", "4H", "5H", "8S", "KC"
    )
    for move, filled in (("t0-f2", "6C"), ("t1-f2", "TH"), ("t2-f2", "4S")):
        position = play(position, parse_move(move))
        assert format_cards(position.tableau[int(move[1])]) == filled


def test_four_foundations_in_suit_have_their_suits() -> None:
    position = board("freecell", "AH")
    assert [move for move in moves(position) if "-f" in move] == ["t0-f2"]
    assert refused(position, "t0-f0") is Refusal.SUIT


def test_equal_foundations_of_two_decks_are_all_listed() -> None:
    any_suit = board("castle-of-indolence", "Foundation-2: AC", "AH", "2D")
    assert [move for move in moves(any_suit) if move.startswith("t0-f")] == [f"t0-f{n}" for n in (0, 2, 3, 4, 5, 6, 7)]
    assert [move for move in moves(any_suit) if move.startswith("t1-f")] == ["t1-f1"]
    in_suit = board("castle-of-indolence+in-suit-foundations", "Foundation-2: AC", "2D", "2C")
    assert [move for move in moves(in_suit) if "-f" in move] == ["t1-f1"]


def test_foundations_may_alternate_colours() -> None:
    variant = patched("freecell", {"foundations": {"match": "alt"}})
    position = board(variant, "Foundation-1: AC", "2S", "2H")
    assert refused(position, "t0-f0") is Refusal.COLOUR
    assert refused(position, "t1-f0") is None


def test_the_first_card_up_fixes_the_base_of_all() -> None:
    position = board("chessboard", "5H", "5C", "6C", "4H")
    assert [move for move in moves(position) if "-f" in move] == ["t0-f2", "t1-f0", "t2-f0", "t3-f2"]
    position = play(position, parse_move("t0-f2"))
    assert [move for move in moves(position) if "-f" in move] == ["t1-f0"]
    assert refused(position, "t2-f0") is Refusal.BASE


def test_each_foundation_may_choose_its_own_base() -> None:
    position = play(board("selective-castle", "5H", "6C", "7C"), parse_move("t0-f2"))
    assert refused(position, "t1-f0") is None
    assert refused(play(position, parse_move("t1-f0")), "t2-f0") is None


def test_a_wrapped_foundation_goes_on_after_the_king_to_thirteen_cards() -> None:
    assert refused(board("chessboard", "Base: 5", "Foundations: C-K", "AC"), "t0-f0") is None
    variant = patched("castle-of-indolence", {"foundations": {"wrap": True}})
    whole = "Foundation-1: AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    assert refused(board(variant, whole, "AH"), "t0-f0") is Refusal.FULL


def test_two_groups_meet_from_both_ends() -> None:
    position = board("bisley", "Foundation-1: AC", "2C", "KC", "QC")
    assert moves(position) == ["t0-f0", "t1-f4", "t1-t2", "t2-t1"]
    position = play(position, parse_move("t1-f4"))
    assert [move for move in moves(position) if "-f" in move] == ["t0-f0", "t2-f4"]


def test_only_a_complete_run_goes_up_where_the_record_says_so() -> None:
    variant = patched(
        "klondike-draw1",
        {
            "foundations": {"unit": "complete-run", "worry_back": False},
            "tableau": {"match": "any", "lift_match": "suit"},
        },
    )
    run = "KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H AH"
    position = board(variant, f"2C {run}", "AC", "KS")
    assert [move for move in moves(position) if "-f" in move] == ["t0-f2*13"]
    after = play(position, parse_move("t0-f2*13"))
    assert format_cards(after.foundations[2]) == " ".join(reversed(run.split()))
    assert refused(position, "t1-f0") is Refusal.COUNT
    assert refused(position, "t0-f0*13") is Refusal.SUIT
    assert refused(position, "t0-f2*12") is Refusal.COUNT


def test_worrying_back_goes_to_the_tableau_only() -> None:
    position = board("freecell+worry-back", "Foundations: H-2", "3C")
    assert [move for move in moves(position) if move[0] == "f"] == ["f2-t0", *(f"f2-t{n}" for n in range(1, 8))]
    assert refused(position, "f2-c0") is Refusal.FROM_FOUNDATION
    assert refused(position, "f2-f0") is Refusal.FROM_FOUNDATION
    assert refused(board("freecell", "Foundations: H-2", "3C"), "f2-t0") is Refusal.FROM_FOUNDATION


def test_a_base_card_may_be_worried_back_too() -> None:
    position = board("beleaguered-castle+worry-back", "Foundations: H-A", "2C")
    assert refused(position, "f2-t0") is None


def test_a_cell_holds_one_card() -> None:
    position = board("siegecraft", "Freecells: 5H", "6C", "9C")
    assert refused(position, "t0-c0") is Refusal.FULL
    assert refused(position, "c0-t0") is None


def test_from_cell_to_cell_is_a_move() -> None:
    assert refused(board("freecell", "Freecells: 5H - - -"), "c0-c3") is None


def test_only_the_end_of_a_reserve_pile_is_available() -> None:
    position = board("brigade", "Reserve: 5H 4C", "6C", "5D")
    assert [move for move in moves(position) if move[0] == "r" and move[-1] in "01"] == ["r0-t1"]
    spread = board("brigade+open-reserve", "Reserve: 5H 4C - - - - - - - - - - -", "6C", "5D")
    assert [move for move in moves(spread) if move[0] == "r" and move[-1] in "01"] == ["r0-t0", "r1-t1"]


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("t0-r0", Refusal.TO_RESERVE),
        ("t9-t0", Refusal.NO_SUCH_PILE),
        ("t0-c0", Refusal.NO_SUCH_PILE),
        ("w-t0", Refusal.NO_SUCH_PILE),
        ("draw", Refusal.NO_SUCH_PILE),
        ("redeal", Refusal.NO_REDEALS),
        ("t0-t0", Refusal.SAME_PILE),
        ("t3-t0", Refusal.EMPTY_PILE),
        ("t1-t0", Refusal.RANK),
    ],
)
def test_a_refusal_says_why(move: str, expected: Refusal) -> None:
    assert refused(board("brigade", "Reserve: 5H 4C", "6C", "9D"), move) is expected


@pytest.mark.parametrize(
    ("move", "expected"),
    [("t0-s", Refusal.TO_STOCK), ("t0-w", Refusal.TO_WASTE), ("w-w", Refusal.TO_WASTE), ("w-t0", Refusal.EMPTY_PILE)],
)
def test_nothing_goes_to_stock_or_waste(move: str, expected: Refusal) -> None:
    assert refused(board("klondike-draw1", "Talon: 5H", "6C"), move) is expected


def test_the_stock_gives_nothing_but_to_the_waste() -> None:
    position = board("klondike-draw1", "Talon: 5H", "6C")
    assert refusal(position, Move("s", "t0")) is Refusal.NOT_AVAILABLE
    assert refusal(position, Move("s", "w", 2)) is Refusal.NOT_AVAILABLE


def test_three_are_turned_and_the_last_is_available() -> None:
    position = board("klondike-draw3", "Talon: 2C 3C 4C 5C", "9H")
    position = play(position, DRAW)
    assert (format_cards(position.waste), format_cards(position.stock)) == ("2C 3C 4C", "5C")
    position = play(position, DRAW)
    assert (format_cards(position.waste), position.stock) == ("2C 3C 4C 5C", ())


def test_turning_the_waste_over_turns_no_card() -> None:
    position = play(board("klondike-draw1", "Waste: 2C 3C 4C", "9H"), DRAW)
    assert (format_cards(position.stock), position.waste, position.passes) == ("4C 3C 2C", (), 1)
    assert format_cards(play(position, DRAW).waste) == "2C"


def test_passes_run_out() -> None:
    assert refused(board("klondike-draw1+one-pass", "Waste: 2C", "9H"), "draw") is Refusal.NO_PASSES
    assert refused(board("klondike-draw1+three-passes", "Waste: 2C", "Passes: 1", "9H"), "draw") is None
    assert refused(board("klondike-draw1+three-passes", "Waste: 2C", "Passes: 2", "9H"), "draw") is Refusal.NO_PASSES
    assert refused(board("klondike-draw1", "9H"), "draw") is Refusal.NO_STOCK


@pytest.mark.parametrize(
    ("variant", "piles"),
    [
        ("cruel", ["2C 3C 4C 5C", "TC 8C 6C 7C", "9C"]),
        ("cruel+bottom-first", ["2C 3C 4C 5C", "6C 7C 8C 9C", "TC"]),
    ],
)
def test_a_redeal_cuts_packets_of_four(variant: str, piles: list[str]) -> None:
    after = play(board(variant, "2C 3C 4C 5C", "6C 7C", "8C", "9C TC"), REDEAL)
    assert [format_cards(pile) for pile in after.tableau if pile] == piles
    assert after.redeals == 1


def test_a_second_redeal_at_once_changes_nothing() -> None:
    for variant in ("cruel", "cruel+bottom-first"):
        once = play(board(variant, "2C 3C 4C 5C", "6C 7C", "8C", "9C TC"), REDEAL)
        assert play(once, REDEAL).piles == once.piles


def test_too_many_cards_make_the_first_packets_longer() -> None:
    tableau = ["2C 3C 4C 5C 6C 7C", *[" ".join(f"{rank}{suit}" for rank in "6789") for suit in "SHD"]]
    tableau += [" ".join(f"{rank}{suit}" for rank in "TJQK") for suit in "CSHD"]
    tableau += ["2S 3S 4S 5S", "2H 3H 4H 5H", "2D 3D 4D 5D", "8C 9C AC"]
    after = play(board("cruel+worry-back", *tableau), REDEAL)
    assert [len(pile) for pile in after.tableau] == [5, *[4] * 11]


def test_redeals_run_out() -> None:
    variant = patched("cruel", {"redeal": {"times": 2}})
    assert refused(board(variant, "Redeals: 1", "2C"), "redeal") is None
    assert refused(board(variant, "Redeals: 2", "2C"), "redeal") is Refusal.NO_REDEALS
    assert refused(board("cruel", FULL), "redeal") is Refusal.NO_REDEALS


def test_a_redeal_may_have_to_wait_until_nothing_moves() -> None:
    assert refused(board("cruel+only-when-blocked", "2C 5H", "6H"), "redeal") is Refusal.NOT_BLOCKED
    assert refused(board("cruel+only-when-blocked", "2C 5H", "7H"), "redeal") is None


def test_an_illegal_move_is_not_played() -> None:
    with pytest.raises(IllegalMove, match="t0-t1 is refused here: rank") as caught:
        play(board(CASTLE, "5H", "9C"), parse_move("t0-t1"))
    assert (caught.value.code, caught.value.refusal) == ("illegal_move", "rank")


def test_the_last_card_up_wins() -> None:
    position = board(CASTLE, "Foundations: H-Q C-K D-K S-K", "KH")
    assert not is_won(position)
    assert is_won(play(position, parse_move("t0-f2")))


def test_playing_leaves_the_position_before_as_it_was() -> None:
    position = board(CASTLE, "5H", "4C")
    text = format_position(position)
    play(position, parse_move("t1-t0"))
    assert format_position(position) == text


@pytest.mark.parametrize("variant", variants(), ids=lambda variant: variant.id)
def test_the_opening_moves_are_listed_once_each(variant: Any) -> None:
    listed = moves(deal(parse_deal_code(f"{variant.id}:ms:3")))
    assert listed
    assert len(set(listed)) == len(listed)
