"""One's own attempt as a client keeps it: the position by the server's answers, and the commands that wait for one.

    unanswered commands, connection lost, entered again:
        accepted before the loss (`previous` says so)     -> settled as accepted
        made on the version that the server stands at     -> sent again under new ids
        anything else                                     -> settled as stale

No I/O. Whoever drives it sends what `ask` and `enter` return and hands in what comes back.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from protocol.codes import ErrorCode
from protocol.commands import AnyAttemptCommand, Collect, DrawCommand, HintCommand, MoveCommand, RedealCommand, Resign
from protocol.events import Accepted, Hint, Rejected
from protocol.parts import AttemptState, Turned
from rules.cards import UNKNOWN, Card, parse_card
from rules.moves import DRAW, REDEAL, Move, parse_move, play
from rules.positions import Position, decode_position, reveal
from rules.variants import Variant

Maker = Callable[[int, int], AnyAttemptCommand]
"""Makes a command from its id and the version it is made on."""
WAITING_MAX = 64
"""So many commands may be on their way; who asks for more has to wait."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A command without an answer; `ticket` stays the same when it is sent again under another id."""

    ticket: int
    command: AnyAttemptCommand


@dataclass(frozen=True, slots=True)
class Settled:
    """The answer to the command of this ticket."""

    ticket: int
    answer: Accepted | Rejected


@dataclass(slots=True)
class OwnAttempt:
    """An attempt between its snapshots. `position` is None before the start; `needs_resync` asks for a snapshot."""

    race: str
    variant: Variant
    epoch: int | None = None
    version: int = 0
    at_ms: int = 0
    position: Position | None = None
    state: AttemptState | None = None
    needs_resync: bool = False
    hint: Hint | None = None
    """The latest that the solver said; it holds for the version that stands in it."""
    waiting: deque[Waiting] = field(default_factory=deque)
    _last_id: int = 0
    _last_ticket: int = 0
    _doubtful: bool = False
    _has_ended: bool = False

    @property
    def has_ended(self) -> bool:
        """Is there nothing left to play?"""
        return self._has_ended or (self.state is not None and self.state.end is not None)

    @property
    def can_ask(self) -> bool:
        """Is it known on which version the next command would stand?

        Not behind a collect, which takes as many versions as it moves cards, and not behind a refused command.
        """
        unclear = self._doubtful or (self.waiting and isinstance(self.waiting[-1].command, Collect))
        return not unclear and len(self.waiting) < WAITING_MAX

    def ask(self, make: Maker) -> Waiting:
        """The next command, to be sent now. Only while `can_ask`."""
        self._last_id += 1
        self._last_ticket += 1
        version = self.waiting[-1].command.version + 1 if self.waiting else self.version
        waiting = Waiting(self._last_ticket, make(self._last_id, version))
        self.waiting.append(waiting)
        return waiting

    def begin(self, position: dict[str, Any]) -> None:
        """The deal as `started` shows it. Nothing if a snapshot was here before."""
        if self.position is None:
            self.position = decode_position(self.variant, position)

    def accepted(self, event: Accepted) -> Settled | None:
        """Takes in an acceptance; None if nobody waits for it."""
        waiting = self._take(event.id)
        if event.version > self.version:
            self._advance(event, waiting.command if waiting else None)
        return Settled(waiting.ticket, event) if waiting else None

    def hinted(self, event: Hint) -> None:
        """Takes in what the solver said; of an older version it is of no use."""
        if event.version >= self.version:
            self.hint = event

    def rejected(self, event: Rejected) -> Settled | None:
        """Takes in a refusal; None if nobody waits for it. The commands behind it are stale."""
        waiting = self._take(event.id)
        self._doubtful = bool(self.waiting)
        return Settled(waiting.ticket, event) if waiting else None

    def enter(self, state: AttemptState) -> tuple[list[Settled], list[AnyAttemptCommand]]:
        """Takes in a snapshot: what it settles, and the commands to send again (none within the same epoch)."""
        renewed = state.epoch != self.epoch
        lost_epoch = self.epoch
        if renewed or state.version >= self.version:
            self.version, self.at_ms, self.state = state.version, state.at_ms, state
            self.position = decode_position(self.variant, state.position)
            self.needs_resync = False
        if not renewed:
            return [], []
        # Before the first snapshot the epoch was not known; the ids used in it, for refused commands too, are.
        used = self._last_id if lost_epoch is None else 0
        self.epoch, self._last_id, self._doubtful = state.epoch, max(used, state.last_id), False
        lost, self.waiting = list(self.waiting), deque()
        return self._settle_or_repeat(lost, lost_epoch, state)

    def _settle_or_repeat(
        self, lost: Sequence[Waiting], lost_epoch: int | None, state: AttemptState
    ) -> tuple[list[Settled], list[AnyAttemptCommand]]:
        settled: list[Settled] = []
        repeated: list[AnyAttemptCommand] = []
        version = state.version
        for waiting in lost:
            command = waiting.command
            if _was_accepted(command.id, lost_epoch, state.previous):
                settled.append(Settled(waiting.ticket, _acceptance(command, state)))
            elif command.version == version and state.end is None:
                self._last_id += 1
                again = command.model_copy(update={"id": self._last_id})
                self.waiting.append(Waiting(waiting.ticket, again))
                repeated.append(again)
                version = version + 1 if not isinstance(command, Collect) else -1
            else:
                code = ErrorCode.STALE if state.end is None else ErrorCode.ENDED
                settled.append(Settled(waiting.ticket, _refusal(command, state.version, code)))
        return settled, repeated

    def _take(self, command_id: int) -> Waiting | None:
        found = next((waiting for waiting in self.waiting if waiting.command.id == command_id), None)
        if found is not None:
            self.waiting.remove(found)
        if not self.waiting:
            self._doubtful = False
        return found

    def _advance(self, event: Accepted, command: AnyAttemptCommand | None) -> None:
        if event.end is not None:
            self._has_ended = True
            if self.state is not None:
                self.state = self.state.model_copy(update={"end": event.end, "end_ms": event.end_ms})
        moves = _moves_of(event, command)
        position = None
        if event.position is not None:
            position = decode_position(self.variant, event.position)
        elif isinstance(command, Resign | HintCommand):
            position = self.position
        elif moves is not None and self.position is not None and event.version == self.version + len(moves):
            position = _played(self.position, moves, event.turned or [])
        self.version, self.at_ms = event.version, event.at_ms
        if position is None:
            self.needs_resync = True
        else:
            self.position = position


def _moves_of(event: Accepted, command: AnyAttemptCommand | None) -> list[Move] | None:
    """The moves that an acceptance stands for; None where only a snapshot can tell."""
    if event.moves is not None:
        return [parse_move(text) for text in event.moves]
    match command:
        case MoveCommand():
            return [Move(command.source, command.target, command.count)]
        case DrawCommand():
            return [DRAW]
        case RedealCommand():
            return [REDEAL]
        case _:
            return None


def _played(position: Position, moves: Sequence[Move], turned: Sequence[Turned]) -> Position | None:
    """The position after these moves, cards revealed as they were turned; None if a card stayed unknown on the way."""
    revealed = deque((turn.pile, tuple(parse_card(text) for text in turn.cards)) for turn in turned)
    for number, move in enumerate(moves, start=1):
        position = play(position, move)
        now: tuple[tuple[str, tuple[Card, ...]], ...] = ()
        if number == len(moves):
            now = tuple(revealed)
        elif revealed and _ends_unknown(position, revealed[0][0]):
            now = (revealed.popleft(),)
        if now:
            position = reveal(position, now)
    return position


def _ends_unknown(position: Position, pile: str) -> bool:
    if not pile.startswith("t"):
        return False
    cards = position.tableau[int(pile[1:])]
    return bool(cards) and cards[-1] == UNKNOWN


def _was_accepted(command_id: int, lost_epoch: int | None, previous: str | None) -> bool:
    """Was this id of the lost epoch played? Ids are played in order, so all up to the last one were."""
    if previous is None:
        return False
    epoch, _, last = previous.partition(".")
    return (lost_epoch is None or int(epoch) == lost_epoch) and command_id <= int(last)


def _acceptance(command: AnyAttemptCommand, state: AttemptState) -> Accepted:
    """What the lost answer came to, as far as a snapshot tells: the attempt after the last that was stored."""
    return Accepted(
        race=command.race,
        id=command.id,
        version=state.version,
        at_ms=state.last_at_ms,
        cards=state.cards,
        best_cards=state.best_cards,
        best_ms=state.best_ms,
        end=state.end,
        end_ms=state.end_ms,
    )


def _refusal(command: AnyAttemptCommand, version: int, code: ErrorCode) -> Rejected:
    return Rejected(race=command.race, id=command.id, version=version, code=code, message="settled after reconnecting")
