"""The client's own attempt: positions from answers, and what becomes of unanswered commands after a reconnection."""

from typing import Any

import pytest

from client.attempt import WAITING_MAX, OwnAttempt, Settled, Waiting
from protocol.codes import End
from protocol.commands import Collect, MoveCommand, Resign, UndoCommand
from protocol.events import Accepted, Rejected
from protocol.parts import AttemptState, Turned
from rules.cards import format_card
from rules.collect import safe_collect
from rules.deals import deal, parse_deal_code
from rules.moves import DRAW, Move, format_move, legal_moves, play
from rules.positions import Position, encode_position, turned, view
from rules.variants import find_variant

RACE = "r7k2"


def dealt(code: str = "beleaguered-castle:ms:1") -> Position:
    return deal(parse_deal_code(code))


def state_of(position: Position, *, epoch: int, version: int, **fields: Any) -> AttemptState:
    cards = position.progress
    known = {"last_id": 0, "at_ms": 0, "best_cards": cards, "best_ms": 0, "moves": version, "undos": 0, "redos": 0}
    return AttemptState(
        epoch=epoch,
        version=version,
        position=encode_position(view(position)),
        cards=cards,
        **{**known, "restarts": 0, "can_undo": version > 0, "can_redo": False, **fields},
    )


def entered(position: Position | None = None, *, epoch: int = 1, version: int = 0) -> OwnAttempt:
    position = position or dealt()
    own = OwnAttempt(RACE, position.variant)
    own.enter(state_of(position, epoch=epoch, version=version))
    return own


def ask_move(own: OwnAttempt, move: Move) -> Waiting:
    return own.ask(
        lambda id_, version: MoveCommand(
            type="move", race=RACE, id=id_, version=version, source=move.source, target=move.target, count=move.count
        )
    )


def ask_collect(own: OwnAttempt) -> Waiting:
    return own.ask(lambda id_, version: Collect(type="collect", race=RACE, id=id_, version=version))


def accepted(waiting: Waiting, version: int, after: Position, /, **fields: Any) -> Accepted:
    cards = after.progress
    return Accepted(
        race=RACE,
        id=waiting.command.id,
        version=version,
        at_ms=10 * version,
        cards=cards,
        best_cards=cards,
        best_ms=10 * version,
        **fields,
    )


def rejected(waiting: Waiting, version: int, code: str = "rank") -> Rejected:
    return Rejected(race=RACE, id=waiting.command.id, version=version, code=code, message="")


def answers(settled: list[Settled]) -> dict[int, str]:
    return {
        each.ticket: each.answer.code if isinstance(each.answer, Rejected) else each.answer.type for each in settled
    }


def line_of_play(start: Position, length: int) -> list[tuple[Move, Position]]:
    """Moves that can be played one after the other, with the position after each."""
    line, position = [], start
    for number in range(length):
        moves = legal_moves(position)
        move = moves[number % len(moves)]
        position = play(position, move)
        line.append((move, position))
    return line


def test_an_accepted_move_is_played() -> None:
    own, (move, after) = entered(), line_of_play(dealt(), 1)[0]
    waiting = ask_move(own, move)
    assert own.accepted(accepted(waiting, 1, after)) == Settled(1, accepted(waiting, 1, after))
    assert (own.position, own.version) == (after, 1)


def test_a_rejected_move_changes_nothing() -> None:
    own = entered()
    settled = own.rejected(rejected(ask_move(own, Move("t0", "t1")), 0))
    assert settled is not None
    assert (own.position, own.version) == (dealt(), 0)


def test_commands_on_their_way_stand_on_the_versions_to_come() -> None:
    own = entered()
    sent = [ask_move(own, move) for move, _ in line_of_play(dealt(), 3)]
    assert [(waiting.command.id, waiting.command.version) for waiting in sent] == [(1, 0), (2, 1), (3, 2)]


def test_an_answer_that_comes_twice_is_played_once() -> None:
    own, (move, after) = entered(), line_of_play(dealt(), 1)[0]
    waiting = ask_move(own, move)
    own.accepted(accepted(waiting, 1, after))
    assert own.accepted(accepted(waiting, 1, after)) is None
    assert (own.position, own.version) == (after, 1)


def test_a_collect_is_played_move_by_move() -> None:
    start = dealt("beleaguered-castle:ms:11982")
    own, after = entered(start), start
    moves = safe_collect(start)
    for move in moves:
        after = play(after, move)
    waiting = ask_collect(own)
    own.accepted(accepted(waiting, len(moves), after, moves=[format_move(move) for move in moves]))
    assert len(moves) > 1
    assert (own.position, own.version) == (after, len(moves))


def test_nothing_is_asked_behind_a_collect() -> None:
    own = entered()
    ask_collect(own)
    assert not own.can_ask


def test_nothing_is_asked_behind_a_refused_command_until_those_behind_it_are_answered() -> None:
    own = entered()
    first, second = (ask_move(own, move) for move, _ in line_of_play(dealt(), 2))
    own.rejected(rejected(first, 0))
    assert not own.can_ask
    own.rejected(rejected(second, 0, "stale"))
    assert own.can_ask


def test_only_so_many_commands_are_on_their_way() -> None:
    own = entered()
    for _ in range(WAITING_MAX):
        ask_move(own, Move("t0", "t1"))
    assert not own.can_ask


def test_after_undo_the_position_comes_from_the_server() -> None:
    own, (move, after) = entered(), line_of_play(dealt(), 1)[0]
    own.accepted(accepted(ask_move(own, move), 1, after))
    undo = own.ask(lambda id_, version: UndoCommand(type="undo", race=RACE, id=id_, version=version))
    own.accepted(accepted(undo, 2, dealt(), position=encode_position(dealt())))
    assert (own.position, own.version) == (dealt(), 2)


def test_an_acceptance_that_tells_too_little_asks_for_a_snapshot() -> None:
    own = entered()
    undo = own.ask(lambda id_, version: UndoCommand(type="undo", race=RACE, id=id_, version=version))
    own.accepted(accepted(undo, 1, dealt()))
    assert own.needs_resync
    own.enter(state_of(dealt(), epoch=1, version=1))
    assert not own.needs_resync


def test_an_acceptance_of_someone_elses_asks_for_a_snapshot() -> None:
    own, (move, after) = entered(), line_of_play(dealt(), 1)[0]
    own.accepted(accepted(Waiting(9, ask_move(own, move).command), 5, after))
    assert own.needs_resync


def test_resigning_ends_the_attempt_and_keeps_the_position() -> None:
    own = entered()
    resign = own.ask(lambda id_, version: Resign(type="resign", race=RACE, id=id_, version=version))
    own.accepted(accepted(resign, 1, dealt(), end=End.RESIGNED, end_ms=10))
    assert own.has_ended
    assert own.position == dealt()


@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("variant", ["klondike-draw1", "klondike-draw3", "four-seasons"])
def test_turned_cards_make_the_position_what_a_player_may_know(variant: str, seed: int) -> None:
    true = dealt(f"{variant}:ms:{seed}")
    own = entered(true)
    for version in range(1, 60):
        moves = legal_moves(true)
        move = next((each for each in moves if each.target.startswith("f")), moves[version % len(moves)])
        after = play(true, move)
        news = [Turned(pile=pile, cards=[format_card(card) for card in cards]) for pile, cards in turned(true, after)]
        if move == DRAW:
            waiting = own.ask(lambda id_, on: Collect(type="collect", race=RACE, id=id_, version=on))
            own.accepted(accepted(waiting, version, after, moves=["draw"], turned=news or None))
        else:
            own.accepted(accepted(ask_move(own, move), version, after, turned=news or None))
        true = after
        assert own.position == view(true)
        assert not own.needs_resync


def test_what_was_accepted_before_the_loss_is_not_sent_again() -> None:
    own, line = entered(), line_of_play(dealt(), 2)
    for move, _ in line:
        ask_move(own, move)
    settled, again = own.enter(state_of(line[1][1], epoch=2, version=2, previous="1.2"))
    assert answers(settled) == {1: "accepted", 2: "accepted"}
    assert again == []
    assert (own.position, own.version) == (line[1][1], 2)


def test_what_was_not_accepted_is_sent_again_under_new_ids() -> None:
    own, line = entered(), line_of_play(dealt(), 3)
    for move, _ in line:
        ask_move(own, move)
    settled, again = own.enter(state_of(line[0][1], epoch=2, version=1, previous="1.1"))
    assert answers(settled) == {1: "accepted"}
    assert [(command.id, command.version) for command in again] == [(1, 1), (2, 2)]
    assert [waiting.ticket for waiting in own.waiting] == [2, 3]


def test_a_repeated_command_is_answered_under_its_old_ticket() -> None:
    own, (move, after) = entered(), line_of_play(dealt(), 1)[0]
    ask_move(own, move)
    own.enter(state_of(dealt(), epoch=2, version=0))
    settled = own.accepted(accepted(own.waiting[0], 1, after))
    assert settled is not None
    assert settled.ticket == 1


def test_what_another_device_played_over_is_stale() -> None:
    own, line = entered(), line_of_play(dealt(), 2)
    ask_move(own, line[0][0])
    settled, again = own.enter(state_of(line[1][1], epoch=3, version=2, previous="2.2"))
    assert answers(settled) == {1: "stale"}
    assert again == []


def test_two_losses_in_a_row_settle_as_one() -> None:
    own, line = entered(), line_of_play(dealt(), 2)
    for move, _ in line:
        ask_move(own, move)
    own.enter(state_of(line[0][1], epoch=2, version=1, previous="1.1"))
    settled, again = own.enter(state_of(line[0][1], epoch=3, version=1, previous="1.1"))
    assert settled == []
    assert [(command.id, command.version) for command in again] == [(1, 1)]


def test_nothing_is_sent_again_once_the_attempt_has_ended() -> None:
    own = entered()
    ask_move(own, line_of_play(dealt(), 1)[0][0])
    settled, again = own.enter(state_of(dealt(), epoch=2, version=0, end=End.EXPIRED, end_ms=600_000))
    assert answers(settled) == {1: "ended"}
    assert again == []


def test_nothing_is_sent_again_behind_a_collect() -> None:
    own = entered()
    ask_collect(own)
    own.waiting.append(Waiting(7, MoveCommand(type="move", race=RACE, id=2, version=1, source="t0", target="t1")))
    settled, again = own.enter(state_of(dealt(), epoch=2, version=0))
    assert [command.type for command in again] == ["collect"]
    assert answers(settled) == {7: "stale"}


def test_who_entered_before_the_start_takes_what_was_accepted_for_their_own() -> None:
    own, (move, after) = OwnAttempt(RACE, find_variant("beleaguered-castle")), line_of_play(dealt(), 1)[0]
    own.begin(encode_position(dealt()))
    ask_move(own, move)
    settled, again = own.enter(state_of(after, epoch=2, version=1, previous="1.1"))
    assert (answers(settled), again) == ({1: "accepted"}, [])


def test_a_snapshot_of_the_same_epoch_sends_nothing_again() -> None:
    own, (move, after) = entered(), line_of_play(dealt(), 1)[0]
    waiting = ask_move(own, move)
    assert own.enter(state_of(after, epoch=1, version=1)) == ([], [])
    assert own.accepted(accepted(waiting, 1, after)) is not None
    assert (own.position, own.version) == (after, 1)


def test_a_snapshot_older_than_what_was_accepted_is_ignored() -> None:
    own, (move, after) = entered(), line_of_play(dealt(), 1)[0]
    own.accepted(accepted(ask_move(own, move), 1, after))
    own.enter(state_of(dealt(), epoch=1, version=0))
    assert (own.position, own.version) == (after, 1)


def test_an_id_that_was_refused_before_the_epoch_was_known_is_not_used_again() -> None:
    own = OwnAttempt(RACE, dealt().variant)
    own.begin(encode_position(dealt()))
    refused = own.ask(lambda id_, version: UndoCommand(type="undo", race=RACE, id=id_, version=version))
    own.rejected(rejected(refused, 0, "nothing_to_undo"))
    own.enter(state_of(dealt(), epoch=1, version=0))
    assert ask_move(own, legal_moves(dealt())[0]).command.id == refused.command.id + 1
