"""The worker's answers to who practises and asks for a hint: one after the other, at once, for a person waits.

It answers for an attempt whose last entry is a hint and for nothing else, whatever is in the queue.
"""

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from itertools import islice
from typing import Final

import structlog

from rules.deals import deal, parse_deal_code
from rules.history import History, parse_entry
from rules.moves import format_move, parse_move
from rules.positions import Position
from server.store import Store
from server.store.hints import KeptHint
from server.workers.analysing import MOST_TAKES
from server.workers.keeping import again
from solver.advice import advise, rest_of
from solver.errors import SolverError

LOOK_S: Final = 0.1
"""Between looks at a queue in which nobody waits."""
WITHIN_S: Final = 1.5
"""After this a search is broken off: its verdict is unknown, or its line a longer one."""
_MOST_BACK: Final = 1_000

log = structlog.get_logger()


class Adviser:
    """Answers hints, each in one of the executor's processes."""

    def __init__(self, store: Store, executor: Executor) -> None:
        self._store, self._executor = store, executor

    async def run(self) -> None:
        """Until cancelled; fails as `Keeper.run` does. The process is made at once, so that the first does not wait."""
        self._executor.submit(_be_there)
        await again("hint", self.answer_one, LOOK_S)

    async def answer_one(self) -> bool:
        """Answers who has waited longest; False when nobody waits."""
        question = await self._store.hints.take()
        if question is None:
            return False
        attempt_id = question.attempt_id
        row = await self._store.attempts.load(attempt_id)
        secret = await self._store.races.secret(attempt_id.rpartition(".")[0])
        if row is None or secret is None or row.end is not None or not row.entries[-1:] or not _asks(row.entries[-1]):
            await self._store.hints.drop(attempt_id, None if row is None else len(row.entries))
            return True
        if question.takes > MOST_TAKES:
            log.error("worker.hint_given_up", attempt=attempt_id, takes=question.takes - 1)
            await self._store.hints.keep(attempt_id, KeptHint(len(row.entries), "unknown"))
            return True
        before = await self._store.hints.answer(attempt_id)
        loop = asyncio.get_running_loop()
        hint = await loop.run_in_executor(self._executor, advise_attempt, secret.deal, row.entries, before)
        await self._store.hints.keep(attempt_id, hint)
        return True


def _be_there() -> None:
    """Nothing: the process that was asked to do it is there then, with all that is imported here."""


def _asks(entry: str) -> bool:
    return entry.endswith(" hint")


def advise_attempt(deal_code: str, entries: Sequence[str], before: KeptHint | None) -> KeptHint:
    """What the solver says of an attempt after these entries; `before` is what it said last, of a version before."""
    history = History.begin(deal(parse_deal_code(deal_code)), iron=False)
    led_from: Position | None = None
    for entry in entries:
        if before is not None and before.version == history.version:
            led_from = history.position
        history = history.advance(parse_entry(entry))
    known = None
    if before is not None and led_from is not None:
        known = rest_of([parse_move(text) for text in before.line], led_from, history.position)
    late = time.monotonic() + WITHIN_S
    try:
        advice = advise(history.position, _back(history), known, lambda: time.monotonic() > late)
    except (SolverError, MemoryError):
        return KeptHint(history.version, "unknown")
    answer = KeptHint(history.version, advice.verdict.value, tuple(format_move(move) for move in advice.line))
    return replace(answer, back=advice.back, deal=None if advice.deal is None else advice.deal.value)


def _back(history: History) -> list[Position]:
    """The positions that undos lead to, down to the deal: beyond it lies what was played before a restart."""
    positions: list[Position] = []
    for position in islice(history.undo_positions(), _MOST_BACK):
        positions.append(position)
        if position == history.start:
            break
    return positions
