"""Deals that the tests know: for every variant a deck and a line of play that wins it."""

import asyncio
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rules.cards import UNKNOWN, Card, format_card
from rules.deals import deal, parse_deal_code
from rules.moves import Move, parse_move, play
from rules.positions import Position, view
from tests.web.site import PATIENCE_S, Site

_LINES = Path(__file__).parents[1] / "rules" / "data" / "winning-lines.json"
_NUMBERED = (
    "t6-t7 t4-t2 t4-t7 t5-t4 t5-f2 t6-f2 t5-f2 t1-f2 t1-f1 t6-t1 t5-t4 t2-t1 t2-t7 t2-f1 t4-f1 t4-f1 t4-f1 t5-t1 "
    "t5-f0 t6-t1 t6-f3 t0-f3 t0-t5 t0-f1 t4-f1 t4-t6 t4-t1 t0-t4 t0-f3 t0-t2 t7-t0 t7-t4 t0-t4 t7-t0 t7-t6 t7-t4 "
    "t7-f1 t0-t6 t3-t0 t3-f1 t7-t0 t7-t6 t1-t7 t1-f3 t1-f3 t1-f3 t3-t1 t3-t1 t3-f2 t3-f0 t4-f2 t4-f3 t7-f0 t7-f0 "
    "t1-f0 t1-f0 t1-f2 t1-f3 t4-f2 t4-f3 t2-t3 t2-t4 t2-f0 t2-f1 t6-f0 t5-f0 t1-f0 t1-f3 t1-f0 t2-f0 t3-f3 t6-f2 "
    "t6-f2 t0-f2 t0-f2 t6-f1 t4-f1 t6-f3"
)


@dataclass(frozen=True, slots=True)
class Won:
    """A deal, a line that wins it, and the positions on the way, the first and the last included."""

    code: str
    line: tuple[Move, ...]
    positions: tuple[Position, ...]

    @property
    def start(self) -> Position:
        return self.positions[0]


@cache
def lines() -> dict[str, dict[str, str]]:
    """For each variant `deck` and `line`."""
    read: dict[str, dict[str, str]] = json.loads(_LINES.read_text("utf-8"))
    return read


@cache
def won(variant: str) -> Won:
    """The known win of a variant."""
    told = lines()[variant]
    return _played(f"{variant}:cards:{told['deck'].replace(' ', '')}", told["line"])


@cache
def numbered() -> Won:
    """The known win of a deal that is dealt from a number: of such a one the solver may say something to players."""
    return _played("beleaguered-castle:ms:2", _NUMBERED)


def _played(code: str, moves: str) -> Won:
    line = tuple(parse_move(text) for text in moves.split())
    positions = [deal(parse_deal_code(code))]
    for move in line:
        positions.append(play(positions[-1], move))
    return Won(code, line, tuple(positions))


async def committed(site: Site) -> None:
    """Returns when the server has taken the deals of its dailies."""
    async with asyncio.timeout(PATIENCE_S):
        while site.app.state.contest.dailies._committed_until < 0:
            await asyncio.sleep(0.005)


def seen_in(position: Position) -> set[str]:
    """The cards, as texts, that a player may see in a position."""
    cards: set[Card] = {card for pile in view(position).piles for card in pile}
    return {format_card(card) for card in cards - {UNKNOWN}}
