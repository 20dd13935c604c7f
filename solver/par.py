"""Par: how few moves win a position, as a best known line and a proved lower bound.

A draw and a redeal are moves too. Where a variant has a stock the bound counts no draws, so it is seldom reached.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rules.moves import Move
from rules.positions import Position
from solver import kernels
from solver.games import Game, State, compile_position, line_of
from solver.searching import Status
from solver.shortest import EXACT_WEIGHT
from solver.verdicts import checked_line

DEFAULT_PAR_BUDGET: Final = 2_000_000
_HASTY: Final = ((12, 0.02), (8, 0.03), (6, 0.1), (5, 0.15))
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
    for weight, share in _HASTY:
        found, states = _shorter(game, state, weight, len(line), int(budget * share), stop)
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


def _shorter(
    game: Game, state: State, weight: int, most: int, budget: int, stop: Callable[[], bool]
) -> tuple[tuple[Move, ...] | None, int]:
    """A line of fewer than `most` moves, if one comes up; and what it cost."""
    search = kernels.shortest(game, state, weight, most)
    while search.states < budget and not stop():
        status = search.run(min(search.states + _STEP, budget))
        if status is Status.WON:
            return line_of(game, search.line()), search.states
        if status is not Status.OPEN:
            break
    return None, search.states
