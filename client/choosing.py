"""The bot's choice of moves: greedy with a little look-ahead, from what a player may know. No I/O, no clock.

It looks at some hundred positions around the present one, best-looking first, and goes to the best that it has not
been to; only where none looks better than all before does it look at more. What a hidden card might be it doesn't
guess. It gives up when blocked, or when several plans in a row have led to nothing better: then it is in a loop.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count

from client.judging import judge
from rules.cards import UNKNOWN
from rules.moves import DRAW, REDEAL, Move, is_blocked, is_won, legal_moves, play_unchecked
from rules.positions import Position

LOOKED_AT = 2_000
"""Moves tried in mind for a plan; a plan is several moves long as a rule."""
WIDER = 4
"""So many times more are tried where nothing better is found; not in variants where turning the stock is a plan."""
DRAWN_COST = 2
STEP_COST = 1
STALLS = 3
STALLS_PER_CARD = 3
"""Plans without anything better after which it is a loop; more of them for each card in stock and waste."""

Way = list[tuple[Hashable, Move]]
"""Moves with the keys of the positions they are played on, the last one first."""


@dataclass(slots=True)
class Chooser:
    """The mind of one attempt. `choose` gives the next move, None to give up."""

    looked_at: int = LOOKED_AT
    _plan: Way = field(default_factory=list)
    _been: set[Hashable] = field(default_factory=set)
    _high: int | None = None
    _stalls: int = 0

    def choose(self, position: Position) -> Move | None:
        """The next move from here; None when blocked, or in a loop."""
        key = position_key(position)
        self._been.add(key)
        if not self._plan or self._plan[-1][0] != key:
            self._plan = [] if is_blocked(position) else self._make_plan(position)
        return self._plan.pop()[1] if self._plan else None

    def _make_plan(self, position: Position) -> Way:
        here = judge(position)
        if self._high is None or here > self._high:
            self._high, self._stalls = here, 0
        else:
            self._stalls += 1
        if self._stalls > STALLS + STALLS_PER_CARD * (len(position.stock) + len(position.waste)):
            return []
        return self._look_ahead(position, here, self._high)

    def _look_ahead(self, start: Position, here: int, high: int) -> Way:
        """The way to the best position found where it has not been: a win, or the best-looking."""
        start_key = position_key(start)
        came_from: dict[Hashable, tuple[Hashable, Move] | None] = {start_key: None}
        order = count()
        waiting = [(-here, next(order), 0, start, start_key)]
        tried, better, best_score, best = 0, False, 0, None
        while waiting:
            enough = self.looked_at if better or start.variant.stock else WIDER * self.looked_at
            if best is not None and tried >= enough:
                break
            _, _, depth, position, key = heappop(waiting)
            moves = legal_moves(position)
            tried += len(moves)
            for move in moves:
                after = play_unchecked(position, move)
                after_key = position_key(after)
                if after_key in came_from:
                    continue
                came_from[after_key] = (key, move)
                if is_won(after):
                    return _way(came_from, after_key)
                value = judge(after)
                score = value - STEP_COST * depth - (DRAWN_COST if move in (DRAW, REDEAL) else 0)
                if after_key not in self._been and (best is None or score > best_score):
                    better, best_score, best = better or value > high, score, after_key
                if not is_unclear(after):
                    heappush(waiting, (-score, next(order), depth + 1, after, after_key))
        return [] if best is None else _way(came_from, best)


def _way(came_from: dict[Hashable, tuple[Hashable, Move] | None], goal: Hashable) -> Way:
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
