"""Moves and their texts: `t3-f0`, `t3-t5*4` (a run of four), `draw`, `redeal`."""

import re
from dataclasses import dataclass
from typing import Final

from rules.errors import MalformedText


@dataclass(frozen=True, slots=True)
class Move:
    """`count` cards from the end of one pile to another; whether a position takes it is not asked here."""

    source: str
    target: str
    count: int = 1

    def __str__(self) -> str:
        return format_move(self)


DRAW: Final = Move("s", "w")
"""Turns cards from the stock to the waste; with an empty stock, turns the waste over."""

REDEAL: Final = Move("redeal", "redeal")
"""Gathers the tableau and deals it again."""

_MOVE: Final = re.compile(
    r"((?:[tfcr](?:0|[1-9][0-9]{0,2}))|w)-([tfcr](?:0|[1-9][0-9]{0,2})|[sw])(?:\*([2-9]|[1-9][0-9]{1,2}))?"
)


def parse_move(text: str) -> Move:
    """The move of a text; each move has exactly one. Raises MalformedText."""
    if text == "draw":
        return DRAW
    if text == "redeal":
        return REDEAL
    found = _MOVE.fullmatch(text)
    if found is None:
        raise MalformedText("move", text)
    return Move(found[1], found[2], int(found[3] or 1))


def format_move(move: Move) -> str:
    """The text that `parse_move` reads."""
    if move == DRAW:
        return "draw"
    if move == REDEAL:
        return "redeal"
    return f"{move.source}-{move.target}" + (f"*{move.count}" if move.count != 1 else "")
