"""Verdicts: is a position winnable, with a line that the rules have replayed, or lost, with the search exhausted?

Two kinds of search take turns, each with a share of the budget that grows from round to round. Budgets are counted in
positions met, so that a verdict is the same on every machine; who wants to stop by the clock stops between steps.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from rules.moves import Move, format_move, is_won, play_unchecked, refusal
from rules.positions import Position
from rules.variants import make_variant
from solver import kernels
from solver.errors import Refuted
from solver.games import Game, compile_position, line_of
from solver.searching import Mode, Search, Status
from solver.weighing import FINDERS

SOLVER_VERSION: Final = 1
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


@dataclass(frozen=True, slots=True)
class _Entry:
    """One search of a plan."""

    game: Game
    search: Search
    proves: bool
    """All provers of a plan exhausted: lost."""
    from_share: int
    """Not run while a round's share is smaller."""
    divisor: int


def solve(position: Position, budget: int = DEFAULT_BUDGET, stop: Callable[[], bool] = lambda: False) -> Answer:
    """The verdict within a budget of positions met; `stop` is asked between steps and ends with UNKNOWN.

    Raises OutsideReach; Refuted if a line does not replay, which would be a fault.
    """
    if is_won(position):
        return Answer(Verdict.WINNABLE, (), 0, 0)
    entries = list(_plan(position))
    verdict, won = Verdict.UNKNOWN, None
    for entry, status in _rounds(entries, budget, stop):
        if status is Status.WON:
            verdict, won = Verdict.WINNABLE, entry
            break
        if all(other.search.run(0) is Status.EXHAUSTED for other in entries if other.proves):
            verdict = Verdict.LOST
            break
    line = None if won is None else checked_line(position, line_of(won.game, won.search.line()))
    return Answer(verdict, line, *(sum(counts) for counts in zip(*map(_counts, entries), strict=True)))


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


def _counts(entry: _Entry) -> tuple[int, int]:
    return entry.search.states, entry.search.arrivals


def _rounds(entries: list[_Entry], budget: int, stop: Callable[[], bool]) -> Iterator[tuple[_Entry, Status]]:
    """Runs the searches in turns and tells how each stands after its turn, until the budget is used up."""
    share = _FIRST_SHARE
    while any(entry.search.run(0) is Status.OPEN for entry in entries):
        for entry in entries:
            if share < entry.from_share or entry.search.run(0) is not Status.OPEN:
                continue
            goal = entry.search.states + share * (_PROVER_SHARE if entry.proves else 1) // entry.divisor
            while entry.search.states < goal:
                left = budget - sum(other.search.states for other in entries)
                if left <= 0 or stop():
                    return
                until = min(goal, entry.search.states + min(left, _STEP))
                if entry.search.run(until) is not Status.OPEN:
                    break
            yield entry, entry.search.run(0)
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
        game, state = compile_position(position, preset)
        mode = Mode.WORRY | (Mode.PLAIN if game.space_any else Mode.CARRY)
        yield _Entry(game, kernels.complete(game, state, mode), True, 0, len(presets))


def _finders(position: Position, presets: list[int]) -> Iterator[_Entry]:
    for finder in FINDERS:
        for preset in presets:
            game, state = compile_position(position, preset)
            mode = finder.mode | (Mode.WORRY if game.only_blocked else Mode.PLAIN)
            search = kernels.streamlined(game, state, mode, finder.weights, exact=finder.exact)
            yield _Entry(game, search, False, finder.from_share, len(presets))


def _with_common_rank(position: Position) -> Position:
    """The same position under the narrower rule that one rank starts all foundations: its wins are wins here too."""
    record = json.loads(position.variant.record)
    record["foundations"]["base"] = "chosen-rank"
    record["options"] = {}
    return replace(position, variant=make_variant(record))
