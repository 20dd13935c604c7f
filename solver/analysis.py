"""Where an attempt was lost: a verdict on every position of a record, found with few searches.

From move to move a verdict can only fall from winnable to lost, so along each stretch of moves without an undo a
binary search finds where it fell. An undo or a restart comes back to a position that was seen before.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from rules.cards import Card
from rules.deals import deal
from rules.history import Act, Entry, History
from rules.moves import Move
from rules.positions import Position
from rules.record import Record, replay
from solver.par import Par, find_par
from solver.verdicts import Answer, Verdict, solve

POSITION_BUDGET: Final = 1_000_000
_PAR_BUDGET: Final = 200_000
_LINE_BUDGET: Final = 100_000
"""What is spent on a line from the last winnable position that is short enough to be looked at."""


@dataclass(frozen=True, slots=True)
class Loss:
    """After version `after` the deal was winnable, at version `at` it was lost; `mended` is when it was so no more.

    With `at` one more than `after`, the entry of version `at` is the move that lost it; otherwise it lies between them.
    """

    after: int
    at: int
    mended: int | None


@dataclass(frozen=True, slots=True)
class Raised:
    """A card that brought more to the foundations than ever before, when, and how long it took since the one before."""

    card: Card
    at_ms: int
    took_ms: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a record looks like to the solver; versions count entries, 0 is the deal."""

    verdicts: tuple[Verdict, ...]
    losses: tuple[Loss, ...]
    last_winnable: int | None
    """The last version at which the deal was known to be winnable."""
    line: tuple[Move, ...] | None
    """A line that wins from there."""
    par: Par | None
    moves: int
    finished: bool
    cards: tuple[Raised, ...]
    searches: int

    @property
    def over_par(self) -> int | None:
        """Moves more than par, of a finished attempt."""
        return self.moves - self.par.moves if self.par and self.finished else None


class _Oracle:
    """Verdicts asked once a position."""

    def __init__(self, budget: int, stop: Callable[[], bool]) -> None:
        self._budget, self._stop = budget, stop
        self._answers: dict[Position, Answer] = {}

    def answer(self, position: Position) -> Answer:
        """The answer on a position."""
        if position not in self._answers:
            self._answers[position] = solve(position, self._budget, self._stop)
        return self._answers[position]

    def verdict(self, position: Position) -> Verdict:
        """The verdict on a position."""
        return self.answer(position).verdict

    @property
    def searches(self) -> int:
        """How many positions were searched."""
        return len(self._answers)


def analyse(record: Record, budget: int = POSITION_BUDGET, stop: Callable[[], bool] = lambda: False) -> Analysis:
    """The analysis of a record that `rules.record.verify` accepts; `stop` leaves what is open unknown.

    Raises RecordRefused for entries that can't be replayed, OutsideReach for a variant that can't be searched.
    """
    histories = _histories(record)
    positions = [history.position for history in histories]
    oracle = _Oracle(budget, stop)
    verdicts: list[Verdict] = [oracle.verdict(positions[0])]
    known: dict[Position, Verdict] = {positions[0]: verdicts[0]}
    for first, last in _stretches(record):
        stretch = positions[first : last + 1]
        before = known[positions[first]]
        for position, verdict in zip(stretch, _fall(stretch, before, oracle), strict=True):
            known[position] = _sharper(known.get(position), verdict)
    verdicts = [known[position] for position in positions]
    winnable = [version for version, verdict in enumerate(verdicts) if verdict is Verdict.WINNABLE]
    line = oracle.answer(positions[winnable[-1]]).line if winnable else None
    first_line = oracle.answer(positions[0]).line
    return Analysis(
        verdicts=tuple(verdicts),
        losses=tuple(_losses(verdicts)),
        last_winnable=winnable[-1] if winnable else None,
        line=None if line is None else _shorter(positions[winnable[-1]], line, stop),
        par=find_par(positions[0], first_line, _PAR_BUDGET, stop) if first_line is not None else None,
        moves=histories[-1].moves,
        finished=histories[-1].finished_ms is not None,
        cards=tuple(_raised(record.entries, histories)),
        searches=oracle.searches,
    )


def _histories(record: Record) -> list[History]:
    replay(record)
    histories = [History.begin(deal(record.deal), record.iron)]
    for entry in record.entries:
        histories.append(histories[-1].advance(entry))
    return histories


def _stretches(record: Record) -> list[tuple[int, int]]:
    """Versions from and to, of moves played one after the other; what stands between them is an undo or the like."""
    stretches, first = list[tuple[int, int]](), 0
    for version, entry in enumerate(record.entries, 1):
        if isinstance(entry.what, Act):
            stretches.append((first, version - 1))
            first = version
    return [*stretches, (first, len(record.entries))]


def _fall(stretch: list[Position], before: Verdict, oracle: _Oracle) -> list[Verdict]:
    """Verdicts along a stretch of moves whose first position has the verdict `before`."""
    if before is Verdict.LOST:
        return [before] * len(stretch)
    last = len(stretch) - 1
    # The last that is known to be winnable, and the first that is known to be lost.
    low = _last_that(stretch, lambda position: oracle.verdict(position) is Verdict.WINNABLE)
    high = _last_that(stretch[low + 1 :], lambda position: oracle.verdict(position) is not Verdict.LOST) + low + 2
    return [
        Verdict.WINNABLE if place <= low else Verdict.LOST if place >= high else Verdict.UNKNOWN
        for place in range(last + 1)
    ]


def _last_that(stretch: list[Position], holds: Callable[[Position], bool]) -> int:
    """The last place at which `holds` was seen, by halving; -1 if nowhere."""
    low, high = -1, len(stretch)
    if stretch and holds(stretch[-1]):
        return len(stretch) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if holds(stretch[middle]):
            low = middle
        else:
            high = middle
    return low


def _sharper(one: Verdict | None, other: Verdict) -> Verdict:
    return other if one is None or one is Verdict.UNKNOWN else one


def _losses(verdicts: list[Verdict]) -> list[Loss]:
    losses, winnable = list[Loss](), -1
    open_loss: tuple[int, int] | None = None
    for version, verdict in enumerate(verdicts):
        if verdict is Verdict.WINNABLE:
            if open_loss:
                losses.append(Loss(*open_loss, mended=version))
            open_loss, winnable = None, version
        elif verdict is Verdict.LOST and open_loss is None and winnable >= 0:
            open_loss = (winnable, version)
    return [*losses, Loss(*open_loss, mended=None)] if open_loss else losses


def _shorter(position: Position, line: tuple[Move, ...], stop: Callable[[], bool]) -> tuple[Move, ...]:
    """A line that wins too, mostly much shorter: the first that a search meets may wander."""
    return find_par(position, line, _LINE_BUDGET, stop).line if line else line


def _raised(entries: tuple[Entry, ...], histories: list[History]) -> Iterator[Raised]:
    before_ms = 0
    for entry, (old, new) in zip(entries, pairwise(histories), strict=True):
        gained = old.best_left - new.best_left
        if gained > 0 and isinstance(entry.what, Move):
            for card in new.position.pile(entry.what.target)[-gained:]:
                yield Raised(card, entry.at_ms, (entry.at_ms - before_ms) // gained)
            before_ms = entry.at_ms
