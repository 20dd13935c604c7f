"""What a verdict promises: budgets, stops, lines that replay, and what is out of reach."""

from dataclasses import replace

import pytest

from rules.deals import DealCode, deal, parse_deal_code
from rules.moves import DRAW, is_won, legal_moves, play, play_unchecked
from rules.positions import view
from solver import native
from solver.errors import OutsideReach, Refuted
from solver.verdicts import Verdict, checked_line, solve

WON = deal(parse_deal_code("citadel:ms:3"))


def test_a_budget_is_kept_and_leaves_it_open() -> None:
    answer = solve(deal(parse_deal_code("streets-and-alleys:ms:4")), 100)
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.line is None
    assert answer.states <= 200


def test_a_stop_leaves_it_open() -> None:
    assert solve(deal(parse_deal_code("streets-and-alleys:ms:4")), stop=lambda: True).verdict is Verdict.UNKNOWN


def test_a_won_position_needs_no_move() -> None:
    position = WON
    for move in solve(position).line or ():
        position = play(position, move)
    assert is_won(position)
    assert solve(position).line == ()


def test_a_line_that_does_not_replay_is_never_an_answer() -> None:
    line = solve(WON).line
    assert line is not None
    with pytest.raises(Refuted):
        checked_line(WON, line[:-1])
    with pytest.raises(Refuted):
        checked_line(WON, (line[-1], *line))


@pytest.mark.parametrize("name", ["klondike-draw3", "four-seasons"])
def test_hidden_cards_are_out_of_reach(name: str) -> None:
    with pytest.raises(OutsideReach):
        solve(view(deal(DealCode(name, "ms", "1"))))


def test_piles_that_fill_themselves_are_out_of_reach() -> None:
    with pytest.raises(OutsideReach):
        solve(deal(DealCode("four-seasons+czarina", "ms", "1")))


def test_a_line_through_the_stock_counts_every_draw() -> None:
    for number in range(1, 30):
        line = solve(deal(DealCode("klondike-draw1", "ms", str(number))), 50_000).line
        if line is not None:
            assert line.count(DRAW) >= 24
            return
    pytest.fail("no win among thirty deals")


def test_verdicts_do_not_depend_on_the_names_of_piles() -> None:
    position = deal(DealCode("beleaguered-castle", "ms", "1"))
    turned = replace(position, piles=(*reversed(position.tableau), *position.piles[len(position.tableau) :]))
    assert solve(turned).verdict is solve(position).verdict is Verdict.LOST


def test_python_answers_as_the_kernel_does(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = [DealCode(name, "ms", str(number)) for name in ("citadel", "fortress", "cruel") for number in (1, 2, 3)]
    fast = [solve(deal(code), 3_000) for code in codes]
    monkeypatch.setattr(native, "is_built", lambda: False)
    assert [solve(deal(code), 3_000) for code in codes] == fast


def test_a_lost_verdict_stays_lost_after_every_move() -> None:
    position = deal(DealCode("fortress", "ms", "19"))
    assert solve(position).verdict is Verdict.LOST
    for move in legal_moves(position):
        assert solve(play_unchecked(position, move)).verdict is Verdict.LOST
