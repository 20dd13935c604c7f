"""What a player is told about the own attempt: `accepted`, `rejected` and the attempt's state, made from attempts.

Hidden cards leave here only as they are turned: whatever shows a position shows `view` of it.
"""

from protocol.codes import ErrorCode
from protocol.events import Accepted, Rejected
from protocol.parts import AttemptState, Turned
from protocol.words import refusal_words
from rules.cards import format_card
from rules.history import Act
from rules.moves import Move, format_move, is_blocked, play_unchecked
from rules.positions import Position, encode_position, turned, view
from server.race.attempt import Attempt, AttemptRefused, Played


def accepted(race: str, before: Attempt, after: Attempt, played: Played) -> Accepted:
    """The answer to a command that was stored: `before` and `after` are the attempt round it."""
    end, history, first = after.end, after.history, played.what[0]
    shows_position = first in (Act.UNDO, Act.REDO, Act.RESTART)
    revealed = _turned(before.position, played) if history.position.variant.has_hidden_cards else []
    return Accepted(
        race=race,
        id=played.id,
        version=history.version,
        at_ms=played.at_ms,
        cards=history.position.progress,
        best_cards=after.best_cards,
        best_ms=history.best_ms,
        moves=[format_move(what) for what in played.what if isinstance(what, Move)] if len(played.what) > 1 else None,
        turned=revealed or None,
        position=encode_position(view(history.position)) if shows_position or len(revealed) > 1 else None,
        blocked=True if end is None and is_blocked(history.position) else None,
        hints=history.hints if first is Act.HINT else None,
        end=None if end is None else end[0],
        end_ms=None if end is None else end[1],
    )


def _turned(position: Position, played: Played) -> list[Turned]:
    """What each of the moves turned up, in order. Of a group, a card may have been turned and moved on since."""
    revealed = []
    for move in played.what:
        if not isinstance(move, Move):
            continue
        after = play_unchecked(position, move)
        revealed += [
            Turned(pile=pile, cards=[format_card(card) for card in cards]) for pile, cards in turned(position, after)
        ]
        position = after
    return revealed


def rejected(race: str, command_id: int, version: int, refused: AttemptRefused) -> Rejected:
    """The answer to a command that changed nothing, with words that say what would fit."""
    message = refusal_words(refused.code, refused.move, refused.position)
    return Rejected(race=race, id=command_id, version=version, code=str(refused.code), message=message)


def rejected_unplayed(race: str, command_id: int, version: int, code: ErrorCode) -> Rejected:
    """The answer to a command that was not looked at, such as one pipelined behind a refused one."""
    return rejected(race, command_id, version, AttemptRefused(code))


def attempt_state(attempt: Attempt, at_ms: int) -> AttemptState:
    """One's own attempt, whole; `at_ms` is now on its clock."""
    history, end = attempt.history, attempt.end
    return AttemptState(
        epoch=attempt.epoch,
        version=attempt.version,
        last_id=attempt.last_id,
        previous=attempt.previous,
        at_ms=max(0, at_ms),
        last_at_ms=attempt.last_at_ms,
        position=encode_position(view(attempt.position)),
        cards=attempt.position.progress,
        best_cards=attempt.best_cards,
        best_ms=history.best_ms,
        moves=history.moves,
        undos=history.undos,
        redos=history.redos,
        restarts=history.restarts,
        hints=history.hints or None,
        can_undo=history.can_undo,
        can_redo=history.can_redo,
        blocked=end is None and is_blocked(view(attempt.position)),
        end=None if end is None else end[0],
        end_ms=None if end is None else end[1],
    )
