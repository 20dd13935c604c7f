"""Pile texts (`t3`, `f0`, `c0`, `r0`, `s`, `w`) and the kinds behind them."""

import re
from typing import Final, Literal

from rules.errors import MalformedText

PileKind = Literal["t", "f", "c", "r", "s", "w"]
"""Tableau, foundation, cell, reserve, stock, waste; also the order in which a position lists its piles."""

KINDS: Final[tuple[PileKind, ...]] = ("t", "f", "c", "r", "s", "w")

_PILE: Final = re.compile(r"([tfcr])(0|[1-9][0-9]{0,2})|([sw])")


def parse_pile(text: str) -> tuple[PileKind, int]:
    """Kind and number; stock and waste have number 0. Raises MalformedText; whether the pile exists is not asked."""
    found = _PILE.fullmatch(text)
    if found is None:
        raise MalformedText("pile", text)
    kind = found[1] or found[3]
    return next(each for each in KINDS if each == kind), int(found[2] or 0)


def format_pile(kind: PileKind, number: int = 0) -> str:
    """The text of a pile; stock and waste have no number."""
    return kind if kind in "sw" else f"{kind}{number}"
