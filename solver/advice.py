"""Advice to who practises: can this position still be won, by which short line, and if not, how far to go back.

Small budgets: somebody waits. `analysis` is the thorough one, for attempts that are over.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rules.moves import Move, play_unchecked
from rules.positions import Position
from solver.par import find_par
from solver.verdicts import Verdict, solve

_BUDGET: Final = 400_000
_SHORTENING_BUDGET: Final = 100_000
_BACK_BUDGET: Final = 50_000


@dataclass(frozen=True, slots=True)
class Advice:
    """A verdict and what follows from it."""

    verdict: Verdict
    line: tuple[Move, ...] = ()
    """Wins from the position, in few moves."""
    back: int | None = None
    """From a lost position: after so many undos it can be won, as far as is known."""
    deal: Verdict | None = None
    """Of a lost position: the verdict on the deal."""


def advise(
    position: Position,
    before: Sequence[Position] = (),
    known: Sequence[Move] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Advice:
    """Advice on a position. `before` are those that one, two, three … undos lead to, down to the deal.

    `known` is a line that is known to win from the position: it is taken, so that who follows it is led on and not
    round in circles. `stop` is asked between steps of the search. Raises OutsideReach.
    """
    if known is not None:
        return Advice(Verdict.WINNABLE, tuple(known))
    answer = solve(position, _BUDGET, stop)
    if answer.line is not None:
        return Advice(Verdict.WINNABLE, find_par(position, answer.line, _SHORTENING_BUDGET, stop).line)
    if answer.verdict is not Verdict.LOST:
        return Advice(answer.verdict)
    return _way_back(before, stop)


def _way_back(before: Sequence[Position], stop: Callable[[], bool]) -> Advice:
    """From undo to undo a verdict can only rise, so the first that is known to be winnable is found by halving."""

    def verdict(undos: int) -> Verdict:
        return solve(before[undos - 1], _BACK_BUDGET, stop).verdict

    deal = verdict(len(before)) if before else Verdict.LOST
    if deal is not Verdict.WINNABLE:
        return Advice(Verdict.LOST, deal=deal)
    low, high = 0, len(before)
    while high - low > 1:
        middle = (low + high) // 2
        if verdict(middle) is Verdict.WINNABLE:
            high = middle
        else:
            low = middle
    return Advice(Verdict.LOST, back=high, deal=deal)


def rest_of(line: Sequence[Move], start: Position, position: Position) -> Sequence[Move] | None:
    """What is left of a line from `start` at a position on its way; None if it does not pass there."""
    for played, move in enumerate(line):
        if start == position:
            return line[played:]
        start = play_unchecked(start, move)
    return None
