"""Golden counts: how many lines of legal moves there are from a deal, by length."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules.deals import deal, parse_deal_code
from rules.moves import legal_moves, play_unchecked

LINES = json.loads((Path(__file__).parent / "data" / "positions-by-depth.json").read_text("utf-8"))["lines"]


@pytest.mark.parametrize("code", LINES)
def test_a_deal_has_as_many_lines_of_each_length_as_ever(code: str) -> None:
    level, counted = [deal(parse_deal_code(code))], [1]
    for _ in LINES[code][2:]:
        level = [play_unchecked(position, move) for position in level for move in legal_moves(position)]
        counted.append(len(level))
    counted.append(sum(len(legal_moves(position)) for position in level))
    assert counted == LINES[code]
