"""The bot's choice of moves: greedy with a little look-ahead, from what a player may know. No I/O, no clock.

It looks at some hundred positions around the present one, best-looking first, and goes towards the best; what a hidden
card might be it doesn't guess. It doesn't go back to where it was, and gives up when blocked or going in circles.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count

from client.judging import judge
from rules.cards import UNKNOWN
from rules.moves import DRAW, REDEAL, Move, is_blocked, is_won, legal_moves, play_unchecked
from rules.positions import Position

LOOKED_AT = 400
"""Positions looked at before a plan is made; a plan is several moves long as a rule."""
DRAWN_COST = 2
STEP_COST = 1
PATIENCE = 400
"""So many moves without a better best progress are a loop."""


@dataclass(slots=True)
class Chooser:
    """The mind of one attempt. `choose` gives the next move, None to give up."""

    looked_at: int = LOOKED_AT
    _plan: list[tuple[Hashable, Move]] = field(default_factory=list)
    _been: set[Hashable] = field(default_factory=set)
    _best: int = 0
    _idle: int = 0

    def choose(self, position: Position) -> Move | None:
        """The next move from here; None when blocked, or when nothing new can be reached."""
        key = position_key(position)
        self._been.add(key)
        self._idle = 0 if position.progress > self._best else self._idle + 1
        self._best = max(self._best, position.progress)
        if self._plan and self._plan[-1][0] == key:
            return self._plan.pop()[1]
        if self._idle > PATIENCE or is_blocked(position):
            return None
        self._plan = self._look_ahead(position)
        return self._plan.pop()[1] if self._plan else None

    def _look_ahead(self, start: Position) -> list[tuple[Hashable, Move]]:
        """The way to the best position found, last move first, each with the position it is played on."""
        start_key = position_key(start)
        came_from: dict[Hashable, tuple[Hashable, Move] | None] = {start_key: None}
        order = count()
        here = judge(start)
        waiting = [(-here, next(order), 0, start, start_key)]
        best: tuple[int, Hashable] | None = None
        while waiting and len(came_from) < self.looked_at:
            _, _, depth, position, key = heappop(waiting)
            for move in legal_moves(position):
                after = play_unchecked(position, move)
                after_key = position_key(after)
                if after_key in came_from:
                    continue
                came_from[after_key] = (key, move)
                if is_won(after):
                    return _way(came_from, after_key)
                score = judge(after) - STEP_COST * depth - (DRAWN_COST if move in (DRAW, REDEAL) else 0)
                if after_key not in self._been and (best is None or score > best[0]):
                    best = (score, after_key)
                if not is_unclear(after):
                    heappush(waiting, (-score, next(order), depth + 1, after, after_key))
        return _way(came_from, best[1]) if best else []


def _way(came_from: dict[Hashable, tuple[Hashable, Move] | None], goal: Hashable) -> list[tuple[Hashable, Move]]:
    way = []
    step = came_from[goal]
    while step is not None:
        way.append(step)
        step = came_from[step[0]]
    return way


def is_unclear(position: Position) -> bool:
    """Has a card come up here that only the server can tell?"""
    waste = position.waste
    return (bool(waste) and waste[-1] == UNKNOWN) or any(pile and pile[-1] == UNKNOWN for pile in position.tableau)


def position_key(position: Position) -> Hashable:
    """Equal for positions that differ only in the names of piles, where names mean nothing."""
    variant = position.variant
    tables, piles = variant.tables, position.piles
    if variant.redeal is not None:
        return (piles, position.redeals > 0 if variant.redeal.times is None else position.redeals)
    return (
        tuple(sorted(piles[: tables.tableau_end])),
        piles[tables.tableau_end : tables.foundation_end],
        tuple(sorted(piles[tables.foundation_end : tables.cell_end])),
        piles[tables.cell_end :],
        position.passes > 0 if variant.stock and variant.stock.passes is None else position.passes,
    )
