"""Par: how few moves win a position, as a best known line and a proved lower bound.

A draw and a redeal are moves too. Where a variant has a stock the bound counts no draws, so it is seldom reached.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rules.moves import Move
from rules.positions import Position
from solver import kernels
from solver.games import Game, compile_position, line_of
from solver.searching import Mode, Search, Status
from solver.shortest import EXACT_WEIGHT
from solver.verdicts import checked_line
from solver.weighing import SHORT

DEFAULT_PAR_BUDGET: Final = 2_000_000
_SHORT_SHARE: Final = 0.1
"""Of the budget, at most _MOST_SHORT, for each streamlined search whose lines are short."""
_MOST_SHORT: Final = 50_000
_HASTY: Final = ((8, 0.05), (6, 0.1), (5, 0.15))
"""Weights (4 is exact) and the shares of the budget that look for shorter lines before the exact search."""
_STEP: Final = 20_000


@dataclass(frozen=True, slots=True)
class Par:
    """`line` wins in as few moves as are known; no line is shorter than `least`."""

    line: tuple[Move, ...]
    least: int
    states: int

    @property
    def moves(self) -> int:
        """The best known number of moves."""
        return len(self.line)

    @property
    def is_proved(self) -> bool:
        """No line is shorter than the best known one."""
        return self.least >= self.moves

    def __str__(self) -> str:
        return f"{self.moves}, proved" if self.is_proved else f"{self.least}–{self.moves}"


def find_par(
    position: Position,
    line: tuple[Move, ...],
    budget: int = DEFAULT_PAR_BUDGET,
    stop: Callable[[], bool] = lambda: False,
) -> Par:
    """Par of a winnable position, from any winning `line`, within a budget of positions met.

    `stop` is asked between steps and ends the search with what is known. Raises OutsideReach and Refuted.
    """
    line = checked_line(position, line)
    game, state = compile_position(position)
    spent = 0
    for weights in SHORT:
        finder = kernels.streamlined(game, state, Mode.FORCE | Mode.CARRY, (weights,), exact=False)
        found, states = _first_line(game, finder, min(int(budget * _SHORT_SHARE), _MOST_SHORT), stop)
        spent += states
        line = min(line, found, key=len) if found else line
    for weight, share in _HASTY:
        hasty = kernels.shortest(game, state, weight, len(line))
        found, states = _first_line(game, hasty, int(budget * share), stop)
        spent += states
        line = min(line, found, key=len) if found else line
    search = kernels.shortest(game, state, EXACT_WEIGHT, len(line))
    least = search.bound
    while search.states < budget - spent and not stop():
        status = search.run(min(search.states + _STEP, budget - spent))
        if status is Status.WON:
            line = line_of(game, search.line())
        if status is Status.EXHAUSTED or (status is Status.WON and not game.turn):
            least = len(line)
        if status is not Status.OPEN:
            break
        least = search.bound
    least = min(len(line), max(least, search.bound)) if not game.turn else min(least, len(line))
    return Par(checked_line(position, line), least, spent + search.states)


def _first_line(
    game: Game, search: Search, budget: int, stop: Callable[[], bool]
) -> tuple[tuple[Move, ...] | None, int]:
    """The line a search finds within a budget, if any; and what it cost."""
    while search.states < budget and not stop():
        status = search.run(min(search.states + _STEP, budget))
        if status is Status.WON:
            return line_of(game, search.line()), search.states
        if status is not Status.OPEN:
            break
    return None, search.states
