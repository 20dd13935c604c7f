"""A session joined to the store: what it wants appended is sent off, what became of it is handed back in order."""

import asyncio
from collections import deque
from collections.abc import Callable

import structlog

from protocol.codes import ErrorCode
from protocol.commands import AnyAttemptCommand
from protocol.parts import AttemptState
from rules.errors import RulesError
from rules.positions import Position
from server.race.attempt import MAX_ENTRIES, begin
from server.race.effects import Append, Effect, Outcome
from server.race.session import Session, open_session
from server.service.errors import ContestError
from server.service.races import attempt_id
from server.service.seats import Opened
from server.store.attempts import (
    Again,
    Appended,
    AppendOutcome,
    AttemptRow,
    AttemptStore,
    Closed,
    Fenced,
    Full,
    Stale,
    Superseded,
    TooLate,
)
from server.store.errors import StoreError

log = structlog.get_logger()

_OUTCOMES: dict[type[AppendOutcome], Outcome] = {
    Appended: Outcome.STORED,
    Again: Outcome.AGAIN,
    Superseded: Outcome.SUPERSEDED,
    Fenced: Outcome.FENCED,
    Stale: Outcome.STALE,
    Closed: Outcome.CLOSED,
    TooLate: Outcome.TOO_LATE,
    Full: Outcome.FULL,
}


class Play:
    """One connection's play on one attempt of the store. Effects other than appends are for the caller to carry out."""

    def __init__(
        self,
        opened: Opened,
        start: Position,
        start_ms: int,
        player: str,
        attempts: AttemptStore,
        arrived: Callable[["Play"], None],
    ) -> None:
        """`arrived` is called, with this play, when `collect` has something to hand back.

        Raises `ContestError` internal for a log that was damaged.
        """
        row = opened.row
        fresh = begin(start, iron=opened.iron, epoch=row.epoch, limit_ms=opened.limit_ms, hints=opened.hints)
        try:
            self.session: Session = open_session(opened.race_id, fresh, row.entries, is_sealed=is_over(row))
        except RulesError as damage:
            log.error("attempt.damaged", race=opened.race_id, player=player, why=str(damage))  # noqa: TRY400 - the log's
            raise ContestError(ErrorCode.INTERNAL) from None
        self.start_ms = start_ms
        self._attempts = attempts
        self._id = attempt_id(opened.race_id, player)
        self._arrived = arrived
        self._appends: deque[asyncio.Future[AppendOutcome]] = deque()
        self._is_noted = False

    def receive(self, command: AnyAttemptCommand, now_ms: int) -> list[Effect]:
        """A command received at an instant of the server's clock."""
        return self.send(self.session.receive(command, max(0, now_ms - self.start_ms)))

    def state(self, now_ms: int) -> AttemptState:
        """The attempt as stored, for a snapshot."""
        return self.session.state(now_ms - self.start_ms)

    def collect(self) -> list[Effect]:
        """What the outcomes that have arrived bring about."""
        self._is_noted = False
        effects: list[Effect] = []
        while self._appends and self._appends[0].done():
            effects += self.send(self.session.resolve(_outcome(self._appends.popleft())))
        return effects

    async def load(self) -> AttemptRow | None:
        """The attempt as stored; raises `StoreError`."""
        return await self._attempts.load(self._id)

    def loaded(self, row: AttemptRow) -> list[Effect]:
        """Takes in what `load` gave."""
        return self.send(self.session.loaded(row.entries, row.epoch, is_sealed=is_over(row)))

    async def settle(self, timeout_s: float) -> None:
        """Waits until nothing is on its way to the store any more."""
        if self._appends:
            await asyncio.wait(list(self._appends), timeout=timeout_s)

    def send(self, effects: list[Effect]) -> list[Effect]:
        """Sends appends off; the other effects."""
        others: list[Effect] = []
        for effect in effects:
            if isinstance(effect, Append):
                self._append(effect)
            else:
                others.append(effect)
        return others

    def _append(self, append: Append) -> None:
        future = self._attempts.append(
            self._id,
            epoch=append.epoch,
            version=append.version,
            id=append.id,
            at_ms=append.at_ms,
            limit_ms=append.limit_ms,
            left=append.left,
            end=append.end,
            lines=append.lines,
            max_entries=MAX_ENTRIES,
        )
        self._appends.append(future)
        future.add_done_callback(self._note)

    def _note(self, _: object) -> None:
        if not self._is_noted:
            self._is_noted = True
            self._arrived(self)


def is_over(row: AttemptRow) -> bool:
    """Nothing more can be appended, though the log itself may not say so."""
    return row.sealed or row.end is not None


def _outcome(future: asyncio.Future[AppendOutcome]) -> Outcome:
    """What became of an append. Of one that failed nothing is known, whatever the reason."""
    error = future.exception()
    if error is None:
        return _OUTCOMES[type(future.result())]
    if isinstance(error, StoreError):
        return Outcome.UNAVAILABLE
    raise error
