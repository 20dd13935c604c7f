"""One connection's play on one attempt, as a state machine without I/O: commands go in, effects come out.

    PLAYING --an append was refused--> SETTLING --the others' outcomes are in--> LOADING --loaded--> PLAYING
    any --another connection opened the attempt--> FENCED

Several commands may be on their way to the store at once; each is decided against the attempt as it will be when all
before it are stored (the speculation). Nothing is told before the store has answered, and answers come in the order
of the commands. When the store refuses one, the speculation is dropped and the attempt loaded again; what had been
built on it is answered from the log, or as stale with one snapshot for the lot.
"""

from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from protocol.codes import MESSAGES, ErrorCode
from protocol.commands import AnyAttemptCommand, HintCommand
from protocol.events import Accepted, ErrorEvent, Rejected
from protocol.parts import AttemptState
from rules.history import Act
from server.race import answers
from server.race.attempt import (
    Attempt,
    AttemptRefused,
    Played,
    Sealed,
    decide,
    evolve,
    find_command,
    format_lines,
    load,
)
from server.race.effects import Append, Effect, Ended, Fenced, Load, Moved, Outcome, Tell, TellSnapshot

MAX_WAITING = 128
"""Commands of one attempt that may wait for the store at once."""
REMEMBERED = 32
"""Answers kept for resends; what is older is looked up in the log."""


class SessionPhase(Enum):
    """Where the session stands; see the diagram above."""

    PLAYING = "playing"
    SETTLING = "settling"
    LOADING = "loading"
    FENCED = "fenced"


@dataclass(slots=True)
class _Flight:
    """A command on its way to the store."""

    id: int
    before: Attempt
    after: Attempt
    played: Played
    is_stored: bool = False


@dataclass(frozen=True, slots=True)
class _Refused:
    """A command that was refused while others before it were on their way."""

    id: int
    event: Rejected
    is_stale: bool


@dataclass(frozen=True, slots=True)
class _Resent:
    """An id that was answered before or will be by then: its answer is given again."""

    id: int


@dataclass(frozen=True, slots=True)
class _Recalled:
    """An id whose answer has to be looked up in the log."""

    id: int


_Waiting = _Flight | _Refused | _Resent | _Recalled


class Session:
    """One connection's play on one attempt. Every method gives the effects to carry out, in order."""

    def __init__(self, race: str, attempt: Attempt, fresh: Attempt) -> None:
        """`fresh` is the attempt with an empty log, from which it is loaded again."""
        self.race = race
        self.phase = SessionPhase.PLAYING
        self.stored = attempt
        self._ahead = attempt
        self._fresh = fresh
        self._waiting: deque[_Waiting] = deque()
        self._flights: deque[_Flight] = deque()
        self._answered: OrderedDict[int, Accepted | Rejected] = OrderedDict()
        self._doubtful: list[tuple[int, ErrorCode]] = []
        self._is_down = False
        self._stale_told = False
        self._is_loading = False
        self._load_is_old = False

    def state(self, at_ms: int) -> AttemptState:
        """The attempt as stored, for a snapshot at `at_ms`."""
        return answers.attempt_state(self.stored, at_ms)

    def receive(self, command: AnyAttemptCommand, at_ms: int) -> list[Effect]:
        """A command of the client, received `at_ms` after the start."""
        if self.phase is SessionPhase.FENCED:
            return [self._reject(command.id, ErrorCode.TAKEN_OVER)]
        if command.id in self._answered:
            return self._wait(_Resent(command.id))
        if self.phase is not SessionPhase.PLAYING:
            return self._receive_unsettled(command.id)
        if len(self._waiting) >= MAX_WAITING:
            return [self._error(command.id, ErrorCode.TOO_MANY)]
        if any(waiting.id == command.id for waiting in self._waiting):
            return self._wait(_Resent(command.id))
        before = self._ahead
        try:
            events = decide(before, command, at_ms)
        except AttemptRefused as refused:
            if refused.code is ErrorCode.SUPERSEDED:
                return [*self._wait(_Recalled(command.id)), *self._load()]
            event = answers.rejected(self.race, command.id, before.version, refused)
            return self._wait(_Refused(command.id, event, refused.code is ErrorCode.STALE))
        return [self._fly(before, played) for played in events]

    def asks_anew(self, command: HintCommand) -> bool:
        """Would this hint be played as things stand? Any other is refused, or answered as it was before."""
        ahead = self._ahead
        is_new = command.id > ahead.last_id and command.id not in self._answered
        return is_new and command.version == ahead.version and ahead.history.refusal(Act.HINT) is None

    def turn_away(self, command_id: int, code: ErrorCode) -> list[Effect]:
        """A command that could be played and is not to be: it is answered in its turn, and again when it is resent."""
        if self.phase is SessionPhase.FENCED:
            return [self._reject(command_id, ErrorCode.TAKEN_OVER)]
        if self.phase is not SessionPhase.PLAYING:
            self._doubtful.append((command_id, code))
            return []
        event = answers.rejected_unplayed(self.race, command_id, self._ahead.version, code)
        return self._wait(_Refused(command_id, event, is_stale=False))

    def is_long_ago(self, command_id: int) -> bool:
        """Would this id, sent again, have to be looked for in the log?"""
        if command_id > self._ahead.last_id or command_id in self._answered:
            return False
        return all(waiting.id != command_id for waiting in self._waiting)

    def _receive_unsettled(self, command_id: int) -> list[Effect]:
        if self._is_down:
            return [self._error(command_id, ErrorCode.RETRY)]
        if len(self._doubtful) >= MAX_WAITING:
            return [self._error(command_id, ErrorCode.TOO_MANY)]
        self._doubtful.append((command_id, ErrorCode.STALE))
        return []

    def _fly(self, before: Attempt, played: Played) -> Append:
        after = evolve(before, played)
        flight = _Flight(played.id, before, after, played)
        self._ahead = after
        self._flights.append(flight)
        self._waiting.append(flight)
        left = after.history.best_left
        return Append(
            epoch=before.epoch,
            version=before.version,
            id=played.id,
            at_ms=played.at_ms,
            limit_ms=before.limit_ms,
            left=left if left < before.history.best_left else None,
            end=None if after.end is None else f"{after.end[0]} {after.end[1]}",
            lines=format_lines(played.what),
        )

    def resolve(self, outcome: Outcome) -> list[Effect]:
        """The store's answer to the oldest append that has had none."""
        flight = self._flights.popleft()
        if self.phase is SessionPhase.FENCED:
            return []
        if self.phase is SessionPhase.SETTLING:
            return self._settle()
        match outcome:
            case Outcome.STORED:
                flight.is_stored = True
                self.stored = flight.after
                return [*self._answer_waiting(), *self._news(flight.before, flight.after)]
            case Outcome.FENCED:
                return self.fence()
            case Outcome.UNAVAILABLE:
                self._is_down = True
                self._doubt(ErrorCode.RETRY)
                retries: list[Effect] = [self._error(command_id, code) for command_id, code in self._doubtful]
                self._doubtful.clear()
                return [*retries, *self._settle()]
            case Outcome.AGAIN | Outcome.STALE | Outcome.SUPERSEDED | Outcome.CLOSED | Outcome.TOO_LATE | Outcome.FULL:
                self._doubt(_REASONS[outcome])
                return self._settle()
            case _:
                assert_never(outcome)

    def fence(self) -> list[Effect]:
        """Another connection has opened this attempt."""
        if self.phase is SessionPhase.FENCED:
            return []
        self.phase = SessionPhase.FENCED
        unanswered = [waiting.id for waiting in self._waiting] + [command_id for command_id, _ in self._doubtful]
        self._waiting.clear()
        self._doubtful.clear()
        return [*(self._reject(command_id, ErrorCode.TAKEN_OVER) for command_id in unanswered), Fenced()]

    def _doubt(self, reason: ErrorCode) -> None:
        """From the first that waits on, nothing is certain: `reason` for it, stale (or retry) for those behind it."""
        behind = ErrorCode.RETRY if self._is_down else ErrorCode.STALE
        for waiting in self._waiting:
            self._doubtful.append((waiting.id, reason))
            reason = behind
        self._waiting.clear()
        self._ahead = self.stored

    def _settle(self) -> list[Effect]:
        if self._flights:
            self.phase = SessionPhase.SETTLING
            return []
        self.phase = SessionPhase.LOADING
        return self._load()

    def _load(self) -> list[Effect]:
        if self._is_loading:
            self._load_is_old = True
            return []
        self._is_loading = True
        return [Load()]

    def loaded(self, lines: Sequence[str], epoch: int, *, is_sealed: bool) -> list[Effect]:
        """The attempt's log, as `Load` asked for it; `epoch` is the one it has in the store now."""
        self._is_loading = False
        if self.phase is SessionPhase.FENCED:
            return []
        if epoch != self.stored.epoch:
            return self.fence()
        if self._load_is_old:
            self._load_is_old = False
            return self._load()
        if self.phase is SessionPhase.PLAYING:
            return self._recall(lines)
        if self.phase is SessionPhase.SETTLING:
            return []
        before, after = self.stored, load(self._fresh, lines)
        if is_sealed:
            after = evolve(after, Sealed(after.limit_ms))
        self.stored = self._ahead = after
        self.phase = SessionPhase.PLAYING
        self._is_down = False
        effects: list[Effect] = [self._answer_doubtful(lines, *doubtful) for doubtful in self._doubtful]
        if self._doubtful:
            self._stale_told = True
            effects.append(TellSnapshot())
        self._doubtful.clear()
        return effects + self._news(before, after)

    def _recall(self, lines: Sequence[str]) -> list[Effect]:
        for position, waiting in enumerate(self._waiting):
            if isinstance(waiting, _Recalled):
                self._remember(self._from_log(lines, waiting.id, ErrorCode.SUPERSEDED))
                self._waiting[position] = _Resent(waiting.id)
        return self._answer_waiting()

    def _answer_doubtful(self, lines: Sequence[str], command_id: int, reason: ErrorCode) -> Tell:
        answer = self._answered.get(command_id)
        if answer is None:
            answer = self._from_log(lines, command_id, reason)
            self._remember(answer)
        return Tell(answer)

    def _from_log(self, lines: Sequence[str], command_id: int, otherwise: ErrorCode) -> Accepted | Rejected:
        found = find_command(self._fresh, lines, command_id)
        if found is None:
            return answers.rejected_unplayed(self.race, command_id, self.stored.version, otherwise)
        return answers.accepted(self.race, *found)

    def _wait(self, waiting: _Waiting) -> list[Effect]:
        self._waiting.append(waiting)
        return self._answer_waiting()

    def _answer_waiting(self) -> list[Effect]:
        """Answers in order, up to the first that is not known yet."""
        effects: list[Effect] = []
        while self._waiting:
            waiting = self._waiting[0]
            match waiting:
                case _Flight():
                    if not waiting.is_stored:
                        break
                    event = answers.accepted(self.race, waiting.before, waiting.after, waiting.played)
                    effects.append(self._remember(event))
                    self._stale_told = False
                case _Refused():
                    effects.append(self._remember(waiting.event))
                    if waiting.is_stale and not self._stale_told:
                        effects.append(TellSnapshot())
                    self._stale_told = waiting.is_stale
                case _Resent():
                    answer = self._answered.get(waiting.id)
                    if answer is None:
                        self._waiting[0] = _Recalled(waiting.id)
                        effects += self._load()
                        break
                    effects.append(Tell(answer))
                case _Recalled():
                    break
                case _:
                    assert_never(waiting)
            self._waiting.popleft()
        return effects

    def _news(self, before: Attempt, after: Attempt) -> list[Effect]:
        effects: list[Effect] = []
        was, now = before.history, after.history
        rose = now.best_left < was.best_left
        if rose or now.undos != was.undos or now.position.progress != was.position.progress:
            effects.append(Moved(after, rose))
        if after.end is not None and before.end is None:
            effects.append(Ended())
        return effects

    def _remember(self, event: Accepted | Rejected) -> Tell:
        self._answered[event.id] = event
        if len(self._answered) > REMEMBERED:
            self._answered.popitem(last=False)
        return Tell(event)

    def _reject(self, command_id: int, code: ErrorCode) -> Tell:
        return Tell(answers.rejected_unplayed(self.race, command_id, self.stored.version, code))

    def _error(self, command_id: int, code: ErrorCode) -> Tell:
        return Tell(ErrorEvent(code=code, message=MESSAGES[code], race=self.race, id=command_id))


_REASONS = {
    Outcome.AGAIN: ErrorCode.SUPERSEDED,
    Outcome.STALE: ErrorCode.STALE,
    Outcome.SUPERSEDED: ErrorCode.SUPERSEDED,
    Outcome.CLOSED: ErrorCode.CLOSED,
    Outcome.TOO_LATE: ErrorCode.TOO_LATE,
    Outcome.FULL: ErrorCode.LOG_FULL,
}


def open_session(race: str, fresh: Attempt, lines: Sequence[str], *, is_sealed: bool) -> Session:
    """A session on an attempt whose epoch (that of `fresh`, which has an empty log) this connection has just raised."""
    attempt = load(fresh, lines)
    return Session(race, evolve(attempt, Sealed(attempt.limit_ms)) if is_sealed else attempt, fresh)
