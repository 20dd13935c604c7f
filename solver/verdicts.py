"""Verdicts: is a position winnable, with a line that the rules have replayed, or lost, with the search exhausted?

Two kinds of search take turns, each with a share of the budget that grows from round to round. Budgets are counted in
positions met, so that a verdict is the same on every machine; who wants to stop by the clock stops between steps.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Final

from rules.moves import Move, format_move, is_won, play_unchecked, refusal
from rules.positions import Position
from rules.variants import make_variant
from solver import kernels
from solver.errors import Refuted
from solver.games import Game, compile_position, line_of
from solver.searching import Mode, Search, Status
from solver.weighing import FINDERS, Finder

SOLVER_VERSION: Final = 2
"""Raised when a budget may lead to another verdict than before; certificates name it."""
DEFAULT_BUDGET: Final = 2_000_000
_FIRST_SHARE: Final = 500
_GROWTH: Final = 4
_PROVER_SHARE: Final = 4
"""A prover's positions cost about a quarter of a finder's."""
_STEP: Final = 20_000


class Verdict(StrEnum):
    """On a position, under perfect play with all cards known."""

    WINNABLE = "winnable"
    LOST = "lost"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict and what it cost; `line` leads from the position to the win."""

    verdict: Verdict
    line: tuple[Move, ...] | None
    states: int
    arrivals: int


@dataclass(slots=True)
class _Entry:
    """One search of a plan, begun at its first turn: most deals are won before the later ones are asked."""

    begin: Callable[[], tuple[Game, Search]]
    proves: bool
    """All provers of a plan exhausted: lost."""
    from_share: int
    """Not run while a round's share is smaller."""
    divisor: int
    status: Status = Status.OPEN
    states: int = 1
    """Positions met, the first one counted before it begins."""
    begun: tuple[Game, Search] | None = None

    def run(self, states: int) -> Status:
        """Searches on until so many states have been met in all."""
        self.begun = self.begun or self.begin()
        search = self.begun[1]
        self.status = search.run(states)
        self.states = search.states
        return self.status

    @property
    def arrivals(self) -> int:
        """Moves tried."""
        return self.begun[1].arrivals if self.begun else 0


def solve(position: Position, budget: int = DEFAULT_BUDGET, stop: Callable[[], bool] = lambda: False) -> Answer:
    """The verdict within a budget of positions met; `stop` is asked between steps and ends with UNKNOWN.

    Raises OutsideReach; Refuted if a line does not replay, which would be a fault.
    """
    if is_won(position):
        return Answer(Verdict.WINNABLE, (), 0, 0)
    compile_position(position)  # raises what is outside reach before any budget or stop is looked at
    entries = list(_plan(position))
    verdict, won = Verdict.UNKNOWN, None
    for entry in _rounds(entries, budget, stop):
        if entry.status is Status.WON:
            verdict, won = Verdict.WINNABLE, entry.begun
            break
        if all(other.status is Status.EXHAUSTED for other in entries if other.proves):
            verdict = Verdict.LOST
            break
    line = None if won is None else checked_line(position, line_of(won[0], won[1].line()))
    return Answer(verdict, line, sum(each.states for each in entries), sum(each.arrivals for each in entries))


def checked_line(position: Position, line: Sequence[Move]) -> tuple[Move, ...]:
    """The same line, after the rules have replayed it to a win. Raises Refuted."""
    for at, move in enumerate(line):
        refused = refusal(position, move)
        if refused is not None:
            raise Refuted(at, format_move(move), refused)
        position = play_unchecked(position, move)
    if not is_won(position):
        raise Refuted(len(line), "the end", "not won")
    return tuple(line)


def _rounds(entries: list[_Entry], budget: int, stop: Callable[[], bool]) -> Iterator[_Entry]:
    """Runs the searches in turns and gives each after its turn, until the budget is used up."""
    share, left = _FIRST_SHARE, budget - len(entries)
    while any(entry.status is Status.OPEN for entry in entries):
        for entry in entries:
            if share < entry.from_share or entry.status is not Status.OPEN:
                continue
            goal = entry.states + share * (_PROVER_SHARE if entry.proves else 1) // entry.divisor
            while entry.states < goal:
                if left <= 0 or stop():
                    return
                before = entry.states
                status = entry.run(min(goal, before + min(left, _STEP)))
                left -= entry.states - before
                if status is not Status.OPEN:
                    break
            yield entry
        share *= _GROWTH


def _plan(position: Position) -> Iterator[_Entry]:
    """Finders and provers for a position. Where one rank is to be chosen for all, each rank is searched by itself."""
    variant = position.variant
    kind = variant.foundations[0].base
    undecided = kind == "chosen-rank" and not position.common_base and variant.tableau.space != "base-1"
    presets = list(range(1, 14)) if undecided else [0]
    yield from _finders(position, presets)
    if kind == "chosen-each" and not position.progress:
        yield from _finders(_with_common_rank(position), list(range(1, 14)))
    worries = any(group.worry_back for group in variant.foundations)
    for preset in [0] if undecided and worries else presets:
        yield _Entry(partial(_prover, position, preset), True, 0, len(presets))


def _finders(position: Position, presets: list[int]) -> Iterator[_Entry]:
    for finder in FINDERS:
        divisor = finder.part * len(presets)
        for preset in presets:
            yield _Entry(partial(_finder, position, preset, finder), False, finder.from_share, divisor)


def _prover(position: Position, preset: int) -> tuple[Game, Search]:
    game, state = compile_position(position, preset)
    mode = Mode.WORRY | (Mode.PLAIN if game.space_any else Mode.CARRY)
    return game, kernels.complete(game, state, mode)


def _finder(position: Position, preset: int, finder: Finder) -> tuple[Game, Search]:
    game, state = compile_position(position, preset)
    mode = finder.mode | (Mode.WORRY if game.only_blocked else Mode.PLAIN)
    return game, kernels.streamlined(game, state, mode, finder.weights, exact=finder.exact)


def _with_common_rank(position: Position) -> Position:
    """The same position under the narrower rule that one rank starts all foundations: its wins are wins here too."""
    record = json.loads(position.variant.record)
    record["foundations"]["base"] = "chosen-rank"
    record["options"] = {}
    return replace(position, variant=make_variant(record))
