"""One player's play of one deal, as a pure state machine over the entries of its log. Nothing is stored or sent here.

    PLAYING -> ENDED   (the last card came home, resigned, or the time ran out)

`decide` says what a command would add to the log and changes nothing; `evolve` is total. The log is the truth: an
attempt is folded from it by `load`, and a session's speculation is the same fold, run ahead of the store.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from protocol.codes import End, ErrorCode
from protocol.commands import (
    AnyAttemptCommand,
    Collect,
    DrawCommand,
    HintCommand,
    MoveCommand,
    RedealCommand,
    RedoCommand,
    Resign,
    RestartCommand,
    UndoCommand,
)
from rules.collect import full_collect, safe_collect
from rules.history import Act, Entry, History, parse_entry
from rules.moves import DRAW, REDEAL, Move, Refusal, format_move
from rules.positions import Position

MAX_ENTRIES = 5_000
"""No attempt's log grows beyond this; only resigning is possible then."""


class AttemptPhase(StrEnum):
    """Whether the attempt can still be played."""

    PLAYING = "playing"
    ENDED = "ended"


class AttemptRefused(Exception):  # noqa: N818 - a claim about the command
    """A command that changes nothing: `code` is a refusal of the rules or an error code.

    `move` and `position` are what the words of a refused move are made from.
    """

    def __init__(
        self, code: Refusal | ErrorCode, move: Move | Act | None = None, position: Position | None = None
    ) -> None:
        super().__init__(code)
        self.code = code
        self.move = move
        self.position = position


@dataclass(frozen=True, slots=True)
class Played:
    """One command was carried out: `what` are the lines it adds to the log, all with the same id and time."""

    id: int
    at_ms: int
    what: tuple[Move | Act, ...]


@dataclass(frozen=True, slots=True)
class Sealed:
    """No more can be added: the race is closing. `end_ms` is the limit for those who had not ended."""

    end_ms: int


AttemptEvent = Played | Sealed


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt now. `last_id` is the last id played in this epoch, `last_at_ms` the time of the last entry.

    `previous` names the last command that was played before this epoch, as `epoch.id`.
    """

    history: History
    epoch: int
    limit_ms: int
    last_id: int = 0
    last_at_ms: int = 0
    previous: str | None = None
    expired_ms: int | None = None

    @property
    def position(self) -> Position:
        """Where every card lies now."""
        return self.history.position

    @property
    def version(self) -> int:
        """How many entries its log has."""
        return self.history.version

    @property
    def end(self) -> tuple[End, int] | None:
        """How and when it ended; None while it can be played."""
        history = self.history
        if history.finished_ms is not None:
            return End.FINISHED, history.finished_ms
        if history.resigned_ms is not None:
            return End.RESIGNED, history.resigned_ms
        if self.expired_ms is not None:
            return End.EXPIRED, self.expired_ms
        return None

    @property
    def phase(self) -> AttemptPhase:
        """Whether it can still be played."""
        return AttemptPhase.PLAYING if self.end is None else AttemptPhase.ENDED

    @property
    def best_cards(self) -> int:
        """The most cards there have been on the foundations."""
        return self.history.position.variant.cards - self.history.best_left


def begin(start: Position, *, iron: bool, epoch: int, limit_ms: int, hints: bool = False) -> Attempt:
    """A fresh attempt. With hidden cards it is iron, whatever the race says: an undone turn would be a free peek.

    `hints` is for races that have them: see `rules.record.has_hints`.
    """
    history = History.begin(start, iron=iron or start.variant.has_hidden_cards, hints_allowed=hints)
    return Attempt(history=history, epoch=epoch, limit_ms=limit_ms)


def load(fresh: Attempt, lines: Iterable[str]) -> Attempt:
    """A fresh attempt folded with the lines of its log. Ids of epochs before its own are not its own."""
    history, last_id, last_at_ms, previous = fresh.history, 0, 0, None
    for line in lines:
        entry = parse_entry(line)
        history = history.advance(entry)
        last_at_ms = entry.at_ms
        if entry.epoch == fresh.epoch:
            last_id = entry.id
        else:
            previous = f"{entry.epoch}.{entry.id}"
    return replace(fresh, history=history, last_id=last_id, last_at_ms=last_at_ms, previous=previous)


def find_command(fresh: Attempt, lines: Sequence[str], command_id: int) -> tuple[Attempt, Attempt, Played] | None:
    """A command of this epoch in the log: the attempt before it and after it, and what it played."""
    group = f" {fresh.epoch}.{command_id} "
    own = [parse_entry(line) for line in lines if group in line]
    if not own:
        return None
    before = load(fresh, lines[: next(at for at, line in enumerate(lines) if group in line)])
    played = Played(command_id, own[0].at_ms, tuple(entry.what for entry in own))
    return before, evolve(before, played), played


def decide(attempt: Attempt, command: AnyAttemptCommand, at_ms: int) -> list[Played]:
    """What a command adds to the log; raises `AttemptRefused` and changes nothing.

    `at_ms` is the time of receipt since the start; it never runs back within an attempt.
    """
    if command.id <= attempt.last_id:
        raise AttemptRefused(ErrorCode.SUPERSEDED)
    if attempt.end is not None:
        raise AttemptRefused(ErrorCode.ENDED)
    if command.version != attempt.version:
        raise AttemptRefused(ErrorCode.STALE)
    at_ms = max(at_ms, attempt.last_at_ms)
    if at_ms > attempt.limit_ms:
        raise AttemptRefused(ErrorCode.TOO_LATE)
    what = _lines(attempt, command)
    room = MAX_ENTRIES - attempt.version
    if len(what) > room and not isinstance(command, Resign):
        raise AttemptRefused(ErrorCode.LOG_FULL)
    return [Played(command.id, at_ms, what)]


def _lines(attempt: Attempt, command: AnyAttemptCommand) -> tuple[Move | Act, ...]:
    match command:
        case MoveCommand():
            return _single(attempt, Move(command.source, command.target, command.count))
        case DrawCommand():
            return _single(attempt, DRAW)
        case RedealCommand():
            return _single(attempt, REDEAL)
        case UndoCommand():
            return _single(attempt, Act.UNDO)
        case RedoCommand():
            return _single(attempt, Act.REDO)
        case RestartCommand():
            return _single(attempt, Act.RESTART)
        case Resign():
            return _single(attempt, Act.RESIGN)
        case HintCommand():
            return _single(attempt, Act.HINT)
        case Collect():
            collect = safe_collect if command.scope == "safe" else full_collect
            moves = tuple(collect(attempt.position))
            if not moves:
                raise AttemptRefused(ErrorCode.NOTHING_TO_COLLECT)
            return moves
        case _:
            assert_never(command)


def _single(attempt: Attempt, what: Move | Act) -> tuple[Move | Act, ...]:
    refused = attempt.history.refusal(what)
    if refused is not None:
        raise AttemptRefused(refused, what, attempt.position)
    return (what,)


def evolve(attempt: Attempt, event: AttemptEvent) -> Attempt:
    """The attempt after an event."""
    match event:
        case Played(id=command_id, at_ms=at_ms, what=lines):
            history = attempt.history
            for what in lines:
                history = history.advance(Entry(at_ms, attempt.epoch, command_id, what))
            # Written out: `replace` would take longer than the move itself.
            return Attempt(
                history, attempt.epoch, attempt.limit_ms, command_id, at_ms, attempt.previous, attempt.expired_ms
            )
        case Sealed(end_ms=end_ms):
            return attempt if attempt.end is not None else replace(attempt, expired_ms=end_ms)
        case _:
            assert_never(event)


def format_lines(lines: Sequence[Move | Act]) -> tuple[str, ...]:
    """The texts that go into the log; the store puts time, epoch and id before each."""
    return tuple(str(what) if isinstance(what, Act) else format_move(what) for what in lines)
