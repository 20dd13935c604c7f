"""The small search that tests use to find wins: what it finds is a line of legal moves to a win."""

from __future__ import annotations

import pytest

from rules.deals import deal, parse_deal_code
from rules.moves import is_won, play
from tests.rules.search import find_win, line_entry


@pytest.mark.parametrize(
    "code",
    ["cruel:ms:1", "bakers-game:ms:2", "eight-off:ms:2", "bisley:ms:2", "wildflower:ms:2", "klondike-draw1:ms:1"],
)
def test_a_line_that_is_found_wins_by_legal_moves(code: str) -> None:
    position = deal(parse_deal_code(code))
    line = find_win(position, states=20_000)
    assert line is not None
    for move in line:
        position = play(position, move)
    assert is_won(position)


def test_a_search_gives_up_after_so_many_positions() -> None:
    assert find_win(deal(parse_deal_code("fortress:ms:1")), states=50) is None
    assert line_entry("beleaguered-fortress", range(1, 2)) is None
