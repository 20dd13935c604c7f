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
    code = f"{variant}:cards:{told['deck'].replace(' ', '')}"
    line = tuple(parse_move(text) for text in told["line"].split())
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
