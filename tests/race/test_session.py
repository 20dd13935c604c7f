"""Every branch of a session: what is told, in which order, and what is sent to the store."""

from collections.abc import Sequence

import pytest

from protocol.codes import End, ErrorCode
from protocol.events import Accepted, ErrorEvent, Rejected
from rules.moves import legal_moves
from server.race import session as sessions
from server.race.attempt import Attempt
from server.race.effects import Append, Effect, Ended, Fenced, Load, Moved, Outcome, Tell, TellSnapshot
from server.race.session import Session, SessionPhase, open_session
from tests.race.builders import LIMIT_MS, RACE, act, fresh, lines_of, move, nearly_won, played, some_move

REFUSING = [Outcome.AGAIN, Outcome.STALE, Outcome.SUPERSEDED, Outcome.CLOSED, Outcome.TOO_LATE, Outcome.FULL]


class Table:
    """A session and what a store and a client of it would see. The store stores nothing by itself."""

    def __init__(self, start: Attempt | None = None, log: Sequence[str] = (), *, is_sealed: bool = False) -> None:
        self.fresh = start or fresh()
        self.session: Session = open_session(RACE, self.fresh, log, is_sealed=is_sealed)
        self.log = list(log)
        self.on_their_way: list[Append] = []

    def ahead(self) -> Attempt:
        """The attempt as the client hopes it will be."""
        return self.session._ahead

    def send(self, *commands: object, at_ms: int = 1_000) -> list[Effect]:
        effects: list[Effect] = []
        for command in commands:
            effects += self._note(self.session.receive(command, at_ms))  # type: ignore[arg-type]  # any command
        return effects

    def moves(self, count: int) -> list[Effect]:
        """So many legal moves, each on the version that the one before will make."""
        effects: list[Effect] = []
        for _ in range(count):
            effects += self.send(some_move(self.ahead()))
        return effects

    def answer(self, *outcomes: Outcome) -> list[Effect]:
        effects: list[Effect] = []
        for outcome in outcomes:
            append = self.on_their_way.pop(0)
            if outcome is Outcome.STORED:
                self.write(append)
            effects += self._note(self.session.resolve(outcome))
        return effects

    def write(self, append: Append) -> None:
        self.log += [f"{append.at_ms} {append.epoch}.{append.id} {line}" for line in append.lines]

    def load(self, *, epoch: int | None = None, is_sealed: bool = False) -> list[Effect]:
        return self._note(self.session.loaded(self.log, epoch or self.fresh.epoch, is_sealed=is_sealed))

    def _note(self, effects: list[Effect]) -> list[Effect]:
        self.on_their_way += [effect for effect in effects if isinstance(effect, Append)]
        return effects


def told(effects: list[Effect]) -> list[tuple[str, int, object]]:
    """What the client is told: type, id, and the version or code."""
    said: list[tuple[str, int, object]] = []
    for effect in effects:
        match effect:
            case Tell(event=Accepted(id=command_id, version=version)):
                said.append(("accepted", command_id, version))
            case Tell(event=Rejected(id=command_id, code=code)):
                said.append(("rejected", command_id, code))
            case Tell(event=ErrorEvent(id=command_id, code=code)):
                said.append(("error", command_id or 0, code))
            case TellSnapshot():
                said.append(("snapshot", 0, 0))
            case _:
                pass
    return said


def test_nothing_is_told_before_the_store_has_answered() -> None:
    table = Table()
    effects = table.moves(1)
    assert told(effects) == []
    assert [type(effect) for effect in effects] == [Append]


def test_a_stored_move_is_accepted_with_its_version() -> None:
    table = Table()
    table.moves(1)
    assert told(table.answer(Outcome.STORED)) == [("accepted", 1, 1)]


def test_an_append_says_what_the_store_must_compare() -> None:
    table = Table(fresh(nearly_won(2), epoch=4))
    [append] = table.send(move(3, 0, "t1-f1"), at_ms=1_700)
    assert append == Append(
        epoch=4, version=0, id=3, at_ms=1_700, limit_ms=LIMIT_MS, left=1, end=None, lines=("t1-f1",)
    )


def test_cards_left_go_with_an_append_only_when_they_are_a_new_best() -> None:
    table = Table(fresh(nearly_won(3)))
    first = table.send(move(1, 0, "t2-f1"))
    undone = table.send(act("undo", 2, 1))
    again = table.send(move(3, 2, "t2-f1"))
    lefts = [effect.left for effect in (*first, *undone, *again) if isinstance(effect, Append)]
    assert lefts == [2, None, None]


def test_several_moves_may_be_on_their_way_and_are_answered_in_order() -> None:
    table = Table()
    table.moves(3)
    assert [append.version for append in table.on_their_way] == [0, 1, 2]
    answers = told(table.answer(Outcome.STORED, Outcome.STORED, Outcome.STORED))
    assert answers == [("accepted", 1, 1), ("accepted", 2, 2), ("accepted", 3, 3)]


def test_a_refused_move_is_rejected_with_words_and_changes_nothing() -> None:
    table = Table()
    [tell] = table.send(move(1, 0, "t0-t0"))
    assert isinstance(tell, Tell)
    assert isinstance(tell.event, Rejected)
    assert (tell.event.code, tell.event.version, table.session.stored.version) == ("same_pile", 0, 0)
    assert tell.event.message == "The card lies there already."


def test_a_rejection_waits_for_the_moves_before_it() -> None:
    table = Table()
    table.moves(1)
    assert told(table.send(move(2, 1, "t0-t0"))) == []
    assert told(table.answer(Outcome.STORED)) == [("accepted", 1, 1), ("rejected", 2, "same_pile")]


def test_moves_pipelined_behind_a_refused_one_are_stale_with_one_snapshot_for_the_lot() -> None:
    table = Table()
    effects = table.send(move(1, 0, "t0-t0"), act("undo", 2, 1), act("undo", 3, 2), act("undo", 4, 3))
    assert told(effects) == [
        ("rejected", 1, "same_pile"),
        ("rejected", 2, "stale"),
        ("snapshot", 0, 0),
        ("rejected", 3, "stale"),
        ("rejected", 4, "stale"),
    ]
    assert table.on_their_way == []


def test_after_the_snapshot_play_goes_on() -> None:
    table = Table()
    table.send(move(1, 0, "t0-t0"), act("undo", 2, 1))
    table.send(some_move(table.ahead(), 3))
    assert told(table.answer(Outcome.STORED)) == [("accepted", 3, 1)]


def test_the_next_lot_of_stale_commands_gets_a_snapshot_of_its_own() -> None:
    table = Table()
    table.send(move(1, 0, "t0-t0"), act("undo", 2, 1))
    effects = table.send(move(3, 0, "t0-t0"), act("undo", 4, 1))
    assert told(effects) == [("rejected", 3, "same_pile"), ("rejected", 4, "stale"), ("snapshot", 0, 0)]


@pytest.mark.parametrize("outcome", REFUSING)
def test_when_the_store_refuses_the_speculation_is_dropped_and_the_attempt_loaded(outcome: Outcome) -> None:
    table = Table()
    table.moves(1)
    effects = table.answer(outcome)
    assert effects == [Load()]
    assert table.ahead().version == 0


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (Outcome.STALE, ErrorCode.STALE),
        (Outcome.SUPERSEDED, ErrorCode.SUPERSEDED),
        (Outcome.CLOSED, ErrorCode.CLOSED),
        (Outcome.TOO_LATE, ErrorCode.TOO_LATE),
        (Outcome.FULL, ErrorCode.LOG_FULL),
    ],
)
def test_what_the_store_refused_is_rejected_with_its_reason_and_those_behind_it_are_stale(
    outcome: Outcome, code: ErrorCode
) -> None:
    table = Table()
    table.moves(3)
    assert told(table.answer(outcome, Outcome.STALE)) == []
    assert table.answer(Outcome.STALE) == [Load()]
    assert told(table.load()) == [
        ("rejected", 1, code),
        ("rejected", 2, "stale"),
        ("rejected", 3, "stale"),
        ("snapshot", 0, 0),
    ]


def test_those_stored_before_a_refusal_keep_their_acceptance() -> None:
    table = Table()
    table.moves(2)
    effects = table.answer(Outcome.STORED, Outcome.CLOSED) + table.load(is_sealed=True)
    assert told(effects) == [("accepted", 1, 1), ("rejected", 2, "closed"), ("snapshot", 0, 0)]


def test_a_command_that_comes_while_the_attempt_is_loaded_is_stale() -> None:
    table = Table()
    table.moves(1)
    table.answer(Outcome.STALE)
    assert told(table.send(act("undo", 2, 1))) == []
    assert told(table.load()) == [("rejected", 1, "stale"), ("rejected", 2, "stale"), ("snapshot", 0, 0)]


def test_what_turns_out_to_be_in_the_log_is_accepted_after_all() -> None:
    table = Table()
    table.moves(1)
    table.write(table.on_their_way[0])
    effects = table.answer(Outcome.AGAIN) + table.load()
    assert told(effects) == [("accepted", 1, 1), ("snapshot", 0, 0)]
    assert table.session.stored.version == 1


def test_a_refusal_of_the_rules_that_hung_on_a_dropped_move_is_stale_instead() -> None:
    table = Table()
    table.moves(1)
    table.send(move(2, 1, "t0-t0"))
    effects = table.answer(Outcome.STALE) + table.load()
    assert told(effects) == [("rejected", 1, "stale"), ("rejected", 2, "stale"), ("snapshot", 0, 0)]


def test_when_the_store_cannot_be_reached_all_on_their_way_are_to_be_sent_again() -> None:
    table = Table()
    table.moves(2)
    effects = table.answer(Outcome.UNAVAILABLE)
    assert told(effects) == [("error", 1, "retry"), ("error", 2, "retry")]
    assert [effect.event.race for effect in effects if isinstance(effect, Tell)] == [RACE, RACE]


def test_while_the_store_cannot_be_reached_commands_are_answered_with_retry_at_once() -> None:
    table = Table()
    table.moves(1)
    table.answer(Outcome.UNAVAILABLE)
    assert told(table.send(act("undo", 2, 1))) == [("error", 2, "retry")]


def test_a_resend_of_what_was_stored_although_no_answer_came_is_answered_from_the_log() -> None:
    table = Table()
    command = some_move(table.ahead())
    table.send(command)
    table.write(table.on_their_way[0])
    table.answer(Outcome.UNAVAILABLE)
    table.load()
    assert table.send(command) == [Load()]
    assert told(table.load()) == [("accepted", 1, 1)]
    assert table.on_their_way == []


def test_a_resend_of_what_was_not_stored_is_played() -> None:
    table = Table()
    command = some_move(table.ahead())
    table.send(command)
    table.answer(Outcome.UNAVAILABLE)
    assert told(table.load()) == []
    table.send(command)
    assert told(table.answer(Outcome.STORED)) == [("accepted", 1, 1)]


def test_what_was_stored_before_the_connection_was_lost_is_told_to_the_others_after_loading() -> None:
    table = Table(fresh(nearly_won(1)))
    table.send(move(1, 0, "t0-f1"))
    table.write(table.on_their_way[0])
    table.answer(Outcome.UNAVAILABLE)
    assert [type(effect) for effect in table.load()] == [Moved, Ended]


def test_nothing_is_loaded_before_all_outcomes_are_in() -> None:
    table = Table()
    table.moves(2)
    assert table.answer(Outcome.UNAVAILABLE)[-1] != Load()
    assert table.answer(Outcome.UNAVAILABLE) == [Load()]


def test_even_what_was_stored_behind_an_unknown_one_is_answered_by_its_resend() -> None:
    table = Table()
    table.moves(2)
    table.write(table.on_their_way[0])
    effects = table.answer(Outcome.UNAVAILABLE, Outcome.STORED)
    assert told(effects) == [("error", 1, "retry"), ("error", 2, "retry")]
    table.load()
    assert table.session.stored.version == 2


def test_a_resent_accepted_command_gets_the_same_answer_and_plays_nothing() -> None:
    table = Table()
    command = some_move(table.ahead())
    table.send(command)
    [first, *_] = table.answer(Outcome.STORED)
    assert table.send(command) == [first]
    assert table.on_their_way == []


def test_a_resent_refused_command_gets_the_same_answer() -> None:
    table = Table()
    [first] = table.send(move(1, 0, "t0-t0"))
    assert table.send(move(1, 0, "t0-t0")) == [first]


def test_an_answer_goes_with_the_id_whatever_else_is_sent_under_it() -> None:
    table = Table()
    command = some_move(table.ahead())
    table.send(command)
    [first, *_] = table.answer(Outcome.STORED)
    assert table.send(act("resign", 1, 1)) == [first]


def test_a_command_sent_twice_before_the_answer_is_answered_twice_and_played_once() -> None:
    table = Table()
    command = some_move(table.ahead())
    table.send(command, command)
    assert len(table.on_their_way) == 1
    assert told(table.answer(Outcome.STORED)) == [("accepted", 1, 1), ("accepted", 1, 1)]


def test_a_skipped_id_that_comes_late_is_superseded() -> None:
    table = Table()
    table.send(some_move(table.ahead(), 5))
    table.answer(Outcome.STORED)
    assert table.send(some_move(table.ahead(), 3)) == [Load()]
    assert told(table.load()) == [("rejected", 3, "superseded")]


def test_an_answer_that_is_no_longer_remembered_is_found_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "REMEMBERED", 2)
    table = Table()
    commands = []
    for _ in range(4):
        commands.append(some_move(table.ahead()))
        table.send(commands[-1])
        table.answer(Outcome.STORED)
    assert table.send(commands[0]) == [Load()]
    assert told(table.load()) == [("accepted", 1, 1)]


def test_a_collect_is_answered_from_the_log_with_its_moves() -> None:
    table = Table(fresh(nearly_won(3)))
    table.send(act("collect", 1, 0))
    table.write(table.on_their_way[0])
    table.answer(Outcome.AGAIN)
    [tell, *_] = table.load()
    assert isinstance(tell, Tell)
    assert isinstance(tell.event, Accepted)
    assert (tell.event.version, tell.event.moves) == (3, ["t2-f1", "t1-f1", "t0-f1"])


def test_a_repeated_look_into_the_log_waits_for_a_fresh_one() -> None:
    table = Table()
    table.send(some_move(table.ahead(), 5))
    table.answer(Outcome.STORED)
    table.send(some_move(table.ahead(), 3))
    assert table.send(some_move(table.ahead(), 2)) == []
    assert table.load() == [Load()]
    assert told(table.load()) == [("rejected", 3, "superseded"), ("rejected", 2, "superseded")]


def test_when_the_attempt_was_opened_elsewhere_the_session_ends() -> None:
    table = Table()
    table.moves(2)
    effects = table.answer(Outcome.FENCED)
    assert told(effects) == [("rejected", 1, "taken_over"), ("rejected", 2, "taken_over")]
    assert effects[-1] == Fenced()
    assert table.session.phase is SessionPhase.FENCED


def test_a_fenced_session_plays_nothing_more() -> None:
    table = Table()
    table.session.fence()
    assert told(table.send(some_move(table.ahead()))) == [("rejected", 1, "taken_over")]
    assert table.on_their_way == []


def test_a_fenced_session_is_told_so_once() -> None:
    table = Table()
    table.moves(1)
    assert Fenced() in table.session.fence()
    assert table.session.fence() == []
    assert table.answer(Outcome.FENCED) == []


def test_loading_an_attempt_of_another_epoch_fences() -> None:
    table = Table()
    table.moves(1)
    table.answer(Outcome.STALE)
    assert Fenced() in table.load(epoch=2)


def test_a_load_that_comes_after_the_fence_changes_nothing() -> None:
    table = Table()
    table.moves(1)
    table.answer(Outcome.STALE)
    table.session.fence()
    assert table.load() == []


def test_best_progress_is_told_to_the_others_once_it_is_stored() -> None:
    table = Table(fresh(nearly_won(2)))
    table.send(move(1, 0, "t1-f1"))
    [_, moved] = table.answer(Outcome.STORED)
    assert isinstance(moved, Moved)
    assert (moved.rose, moved.attempt.best_cards) == (True, 51)


def test_a_move_that_shows_others_nothing_is_not_told_to_them() -> None:
    table = Table(fresh(nearly_won(2)))
    table.send(move(1, 0, "t1-t6"))
    assert [type(effect) for effect in table.answer(Outcome.STORED)] == [Tell]


def test_an_undo_is_told_to_the_others_but_is_no_rise() -> None:
    table = Table(fresh(nearly_won(2)))
    table.send(move(1, 0, "t1-f1"), act("undo", 2, 1))
    [*_, moved] = table.answer(Outcome.STORED, Outcome.STORED)
    assert isinstance(moved, Moved)
    assert not moved.rose


def test_the_last_card_home_ends_the_attempt_in_append_answer_and_news() -> None:
    table = Table(fresh(nearly_won(1)))
    [append] = table.send(move(1, 0, "t0-f1"), at_ms=4_321)
    [tell, moved, ended] = table.answer(Outcome.STORED)
    assert isinstance(append, Append)
    assert append.end == "finished 4321"
    assert isinstance(tell, Tell)
    assert isinstance(tell.event, Accepted)
    assert (tell.event.end, tell.event.end_ms) == (End.FINISHED, 4_321)
    assert (type(moved), type(ended)) == (Moved, Ended)


def test_commands_pipelined_behind_a_finish_are_rejected_as_ended() -> None:
    table = Table(fresh(nearly_won(1)))
    table.send(move(1, 0, "t0-f1"), act("resign", 2, 1))
    assert told(table.answer(Outcome.STORED)) == [("accepted", 1, 1), ("rejected", 2, "ended")]


def test_a_finish_refused_because_the_race_closed_in_that_moment_is_no_finish() -> None:
    table = Table(fresh(nearly_won(1)))
    table.send(move(1, 0, "t0-f1"))
    effects = table.answer(Outcome.CLOSED) + table.load(is_sealed=True)
    assert told(effects) == [("rejected", 1, "closed"), ("snapshot", 0, 0)]
    assert table.session.state(LIMIT_MS).end is End.EXPIRED


def test_after_the_limit_nothing_is_sent_to_the_store() -> None:
    table = Table()
    effects = table.send(some_move(table.ahead()), at_ms=LIMIT_MS + 1)
    assert told(effects) == [("rejected", 1, "too_late")]
    assert table.on_their_way == []


def test_a_sealed_attempt_is_opened_as_ended() -> None:
    table = Table(is_sealed=True)
    assert told(table.send(some_move(table.ahead()))) == [("rejected", 1, "ended")]


def test_an_attempt_goes_on_where_another_connection_left_it() -> None:
    before = fresh(epoch=1)
    log = lines_of(before, some_move(before, 17))
    table = Table(fresh(epoch=2), log)
    state = table.session.state(5_000)
    assert (state.version, state.last_id, state.previous, state.epoch, state.at_ms) == (1, 0, "1.17", 2, 5_000)
    table.send(some_move(table.ahead(), 1))
    assert told(table.answer(Outcome.STORED)) == [("accepted", 1, 2)]


def test_more_on_their_way_than_allowed_are_braked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_WAITING", 2)
    table = Table()
    assert told(table.moves(3)) == [("error", 3, "too_many_messages")]


def test_more_while_loading_than_allowed_are_braked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_WAITING", 2)
    table = Table()
    table.moves(1)
    table.answer(Outcome.STALE)
    assert told(table.send(act("undo", 2, 1), act("undo", 3, 2))) == [("error", 3, "too_many_messages")]


def test_undo_tells_the_position_so_that_a_client_need_not_compute_it() -> None:
    table = Table()
    table.moves(1)
    table.send(act("undo", 2, 1))
    *_, tell = [effect for effect in table.answer(Outcome.STORED, Outcome.STORED) if isinstance(effect, Tell)]
    assert isinstance(tell.event, Accepted)
    assert tell.event.position == table.session.state(0).position


def test_the_state_in_a_snapshot_is_what_is_stored_not_what_is_hoped() -> None:
    table = Table()
    table.moves(2)
    table.answer(Outcome.STORED)
    state = table.session.state(2_000)
    assert (state.version, state.last_id, state.moves) == (1, 1, 1)


def test_every_command_gets_exactly_one_answer_whatever_the_store_says() -> None:
    for outcomes in ([Outcome.STORED, Outcome.STALE, Outcome.STALE], [Outcome.UNAVAILABLE] * 3, [Outcome.FENCED] * 3):
        table = Table()
        table.moves(3)
        effects = table.answer(*outcomes)
        if Load() in effects:
            effects += table.load()
        answered = sorted(command_id for kind, command_id, _ in told(effects) if kind != "snapshot")
        assert answered == [1, 2, 3], outcomes


def test_an_illegal_move_between_legal_ones_stops_only_what_was_built_on_it() -> None:
    table = Table()
    first = some_move(table.ahead(), 1)
    second = played(table.ahead(), first)
    table.send(first, move(2, 1, "t0-t0"), some_move(second, 3))
    assert told(table.answer(Outcome.STORED, Outcome.STORED)) == [
        ("accepted", 1, 1),
        ("rejected", 2, "same_pile"),
        ("accepted", 3, 2),
    ]
    assert legal_moves(table.session.stored.position) == legal_moves(table.ahead().position)
