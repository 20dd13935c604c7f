"""Attempts, sessions and commands for tests, on the first deal of Beleaguered Castle unless a test says otherwise."""

from typing import Any

from protocol.commands import (
    AnyAttemptCommand,
    Collect,
    DrawCommand,
    HintCommand,
    MoveCommand,
    RedoCommand,
    Resign,
    RestartCommand,
    UndoCommand,
)
from rules.deals import deal, parse_deal_code
from rules.moves import Move, legal_moves, parse_move
from rules.positions import Position, decode_position
from rules.variants import find_variant
from server.race.attempt import Attempt, begin, decide, evolve, format_lines

RACE = "race1"
LIMIT_MS = 600_000


def dealt(code: str = "beleaguered-castle:ms:1") -> Position:
    return deal(parse_deal_code(code))


def fresh(start: Position | None = None, *, iron: bool = False, epoch: int = 1, limit_ms: int = LIMIT_MS) -> Attempt:
    return begin(start or dealt(), iron=iron, epoch=epoch, limit_ms=limit_ms)


def nearly_won(left: int) -> Position:
    """Beleaguered Castle with the last `left` kings and queens of spades on tableau piles of their own."""
    ranks = "A23456789TJQK"
    foundations = [[f"{rank}{suit}" for rank in ranks] for suit in "CSHD"]
    loose = [foundations[1].pop() for _ in range(left)]
    tableau = [[card] for card in loose] + [[] for _ in range(8 - left)]
    return decode_position(find_variant("beleaguered-castle"), {"tableau": tableau, "foundations": foundations})


def move(command_id: int, version: int, text: str | Move) -> MoveCommand:
    played = parse_move(text) if isinstance(text, str) else text
    return MoveCommand(
        type="move",
        race=RACE,
        id=command_id,
        version=version,
        source=played.source,
        target=played.target,
        count=played.count,
    )


def some_move(attempt: Attempt, command_id: int | None = None, which: int = 0) -> MoveCommand:
    """A legal move on the attempt as it is."""
    return move(command_id or attempt.last_id + 1, attempt.version, legal_moves(attempt.position)[which])


_KINDS: dict[str, type[Any]] = {
    "undo": UndoCommand,
    "redo": RedoCommand,
    "restart": RestartCommand,
    "resign": Resign,
    "draw": DrawCommand,
    "collect": Collect,
    "hint": HintCommand,
}


def act(kind: str, command_id: int, version: int, **fields: Any) -> AnyAttemptCommand:
    command: AnyAttemptCommand = _KINDS[kind](type=kind, race=RACE, id=command_id, version=version, **fields)
    return command


def played(attempt: Attempt, command: AnyAttemptCommand, at_ms: int = 1_000) -> Attempt:
    """The attempt after a command."""
    for event in decide(attempt, command, at_ms):
        attempt = evolve(attempt, event)
    return attempt


def lines_of(attempt: Attempt, *commands: AnyAttemptCommand, at_ms: int = 1_000) -> list[str]:
    """The log that these commands make, as the store writes it."""
    log: list[str] = []
    for command in commands:
        for event in decide(attempt, command, at_ms):
            prefix = f"{event.at_ms} {attempt.epoch}.{event.id}"
            log += [f"{prefix} {line}" for line in format_lines(event.what)]
            attempt = evolve(attempt, event)
    return log
