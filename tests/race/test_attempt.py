import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.codes import End, ErrorCode
from rules.history import Act
from rules.moves import Refusal, legal_moves, parse_move
from server.race import attempt as attempts
from server.race.attempt import AttemptPhase, AttemptRefused, Sealed, decide, evolve, find_command, format_lines, load
from tests.race.builders import LIMIT_MS, act, dealt, fresh, lines_of, move, nearly_won, played, some_move

TWO_TO_COLLECT = "beleaguered-castle:ms:13"


def refusal_of(attempt: attempts.Attempt, command: object, at_ms: int = 1_000) -> object:
    with pytest.raises(AttemptRefused) as refused:
        decide(attempt, command, at_ms)  # type: ignore[arg-type]  # any command will do
    return refused.value.code


def test_a_legal_move_is_one_line_with_its_time_and_id() -> None:
    attempt = fresh()
    [event] = decide(attempt, some_move(attempt, 7), 1_234)
    assert (event.id, event.at_ms, format_lines(event.what)) == (7, 1_234, (str(legal_moves(attempt.position)[0]),))


def test_deciding_changes_nothing() -> None:
    attempt = fresh()
    before = attempt.history
    decide(attempt, some_move(attempt), 1_000)
    assert attempt.history is before


def test_an_illegal_move_is_refused_with_the_code_of_the_rules() -> None:
    assert refusal_of(fresh(), move(1, 0, "t0-t0")) is Refusal.SAME_PILE


def test_a_pile_that_does_not_exist_is_refused_and_breaks_nothing() -> None:
    assert refusal_of(fresh(), move(1, 0, "t77-f0")) is Refusal.NO_SUCH_PILE


def test_a_command_on_another_version_is_stale() -> None:
    assert refusal_of(fresh(), act("undo", 1, 3)) is ErrorCode.STALE


def test_an_id_that_does_not_count_up_is_superseded() -> None:
    attempt = fresh()
    attempt = played(attempt, some_move(attempt, 5))
    assert refusal_of(attempt, some_move(attempt, 5)) is ErrorCode.SUPERSEDED


def test_the_last_millisecond_of_the_limit_still_counts() -> None:
    attempt = fresh()
    assert decide(attempt, some_move(attempt), LIMIT_MS)[0].at_ms == LIMIT_MS


def test_a_millisecond_past_the_limit_is_too_late() -> None:
    attempt = fresh()
    assert refusal_of(attempt, some_move(attempt), LIMIT_MS + 1) is ErrorCode.TOO_LATE


def test_time_does_not_run_back_within_an_attempt() -> None:
    attempt = fresh()
    attempt = played(attempt, some_move(attempt), at_ms=5_000)
    assert decide(attempt, some_move(attempt), 4_000)[0].at_ms == 5_000


def test_undo_and_redo_go_back_and_forth_and_are_counted() -> None:
    start = fresh()
    moved = played(start, some_move(start))
    undone = played(moved, act("undo", 2, 1))
    redone = played(undone, act("redo", 3, 2))
    assert (undone.position, redone.position) == (start.position, moved.position)
    assert (redone.history.undos, redone.history.redos, redone.version) == (1, 1, 3)


@pytest.mark.parametrize("kind", ["undo", "redo", "restart"])
def test_an_iron_attempt_takes_nothing_back(kind: str) -> None:
    start = fresh(iron=True)
    moved = played(start, some_move(start))
    assert refusal_of(moved, act(kind, 2, 1)) is Refusal.IRON


def test_with_hidden_cards_an_attempt_is_iron_whatever_the_race_says() -> None:
    start = fresh(dealt("klondike-draw1:ms:1"), iron=False)
    drawn = played(start, act("draw", 1, 0))
    assert refusal_of(drawn, act("undo", 2, 1)) is Refusal.IRON


def test_a_collect_is_single_moves_under_one_id_and_one_time() -> None:
    attempt = fresh(nearly_won(2))
    [event] = decide(attempt, act("collect", 9, 0, scope="all"), 1_500)
    assert (event.id, event.at_ms, format_lines(event.what)) == (9, 1_500, ("t1-f1", "t0-f1"))


def test_a_collect_is_undone_as_one() -> None:
    start = fresh(dealt(TWO_TO_COLLECT))
    collected = played(start, act("collect", 1, 0, scope="all"))
    undone = played(collected, act("undo", 2, 2))
    assert (collected.version, undone.version, undone.position) == (2, 3, start.position)


def test_a_collect_with_nothing_to_collect_is_refused() -> None:
    collected = played(fresh(dealt(TWO_TO_COLLECT)), act("collect", 1, 0, scope="all"))
    assert refusal_of(collected, act("collect", 2, 2, scope="all")) is ErrorCode.NOTHING_TO_COLLECT


def test_the_last_card_home_finishes_at_that_instant() -> None:
    attempt = played(fresh(nearly_won(1)), move(1, 0, "t0-f1"), at_ms=2_222)
    assert (attempt.end, attempt.phase) == ((End.FINISHED, 2_222), AttemptPhase.ENDED)


def test_a_collect_that_brings_the_last_card_home_finishes() -> None:
    attempt = played(fresh(nearly_won(4)), act("collect", 1, 0))
    assert attempt.end == (End.FINISHED, 1_000)


def test_resigning_ends_and_keeps_the_best_progress() -> None:
    attempt = played(fresh(nearly_won(2)), move(1, 0, "t1-f1"))
    resigned = played(attempt, act("resign", 2, 1), at_ms=9_000)
    assert resigned.end == (End.RESIGNED, 9_000)
    assert (resigned.best_cards, resigned.history.best_ms) == (51, 1_000)


@pytest.mark.parametrize("kind", ["undo", "restart", "resign", "collect"])
def test_nothing_follows_an_end(kind: str) -> None:
    attempt = played(fresh(nearly_won(1)), move(1, 0, "t0-f1"))
    assert refusal_of(attempt, act(kind, 2, attempt.version)) is ErrorCode.ENDED


def test_a_sealed_attempt_has_expired_at_its_limit() -> None:
    attempt = evolve(fresh(), Sealed(LIMIT_MS))
    assert attempt.end == (End.EXPIRED, LIMIT_MS)


def test_sealing_does_not_change_how_an_attempt_ended() -> None:
    attempt = played(fresh(), act("resign", 1, 0))
    assert evolve(attempt, Sealed(LIMIT_MS)).end == (End.RESIGNED, 1_000)


def test_in_a_full_log_only_resigning_is_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MAX_ENTRIES", 2)
    attempt = fresh()
    for _ in range(2):
        attempt = played(attempt, some_move(attempt))
    assert refusal_of(attempt, some_move(attempt)) is ErrorCode.LOG_FULL
    assert played(attempt, act("resign", 9, 2)).end == (End.RESIGNED, 1_000)


def test_a_collect_that_does_not_fit_whole_is_refused_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MAX_ENTRIES", 1)
    assert refusal_of(fresh(nearly_won(2)), act("collect", 1, 0)) is ErrorCode.LOG_FULL


def test_undoing_does_not_lose_the_best_progress() -> None:
    attempt = played(fresh(nearly_won(2)), move(1, 0, "t1-f1"))
    undone = played(attempt, act("undo", 2, 1), at_ms=5_000)
    assert (undone.position.progress, undone.best_cards, undone.history.best_ms) == (50, 51, 1_000)


def test_a_log_is_folded_to_the_same_attempt() -> None:
    start = fresh()
    first = some_move(start)
    one = played(start, first)
    second = some_move(one)
    two = played(one, second)
    loaded = load(start, lines_of(start, first, second))
    assert (loaded.position, loaded.version, loaded.last_id, loaded.last_at_ms) == (two.position, 2, 2, 1_000)


def test_ids_of_an_earlier_epoch_can_be_used_again() -> None:
    start = fresh(epoch=1)
    log = lines_of(start, some_move(start, 40))
    reopened = load(fresh(epoch=2), log)
    assert (reopened.last_id, reopened.previous) == (0, "1.40")
    assert decide(reopened, some_move(reopened, 1), 2_000)[0].id == 1


def test_a_command_is_found_in_the_log_with_what_was_before_and_after() -> None:
    start = fresh(nearly_won(3))
    log = lines_of(start, move(3, 0, "t0-t5"), act("collect", 4, 1, scope="all"))
    found = find_command(start, log, 4)
    assert found is not None
    before, after, command = found
    assert (before.version, after.version, command.what) == (1, 4, tuple(map(parse_move, ("t2-f1", "t1-f1", "t5-f1"))))


def test_a_command_of_another_epoch_is_not_found() -> None:
    log = lines_of(fresh(epoch=1), some_move(fresh(epoch=1), 3))
    assert find_command(fresh(epoch=2), log, 3) is None


def test_a_hint_is_played_only_where_there_are_hints_and_answered_again_by_its_id() -> None:
    assert refusal_of(fresh(), act("hint", 1, 0)) is Refusal.NO_HINTS
    practice = attempts.begin(dealt(), iron=False, epoch=1, limit_ms=LIMIT_MS, hints=True)
    log = lines_of(practice, act("hint", 1, 0))
    assert log == ["1000 1.1 hint"]
    found = find_command(practice, log, 1)
    assert found is not None and found[1].history.hints == 1


def test_hidden_cards_have_no_hints_whatever_the_race_says() -> None:
    hidden = attempts.begin(dealt("klondike-draw1:ms:7"), iron=True, epoch=1, limit_ms=LIMIT_MS, hints=True)
    assert refusal_of(hidden, act("hint", 1, 0)) is Refusal.NO_HINTS


@settings(deadline=None)
@given(st.lists(st.integers(0, 11), max_size=40))
def test_whatever_is_played_the_log_folds_to_what_was_seen(choices: list[int]) -> None:
    attempt, log = fresh(), []
    for number, choice in enumerate(choices, start=1):
        acts = [Act.UNDO, Act.REDO, Act.RESTART]
        moves = legal_moves(attempt.position)
        if choice < 3:
            command = act(acts[choice], number, attempt.version)
        elif choice == 3 or not moves:
            command = act("collect", number, attempt.version)
        else:
            command = move(number, attempt.version, moves[choice % len(moves)])
        try:
            log += lines_of(attempt, command, at_ms=number)
            attempt = played(attempt, command, at_ms=number)
        except AttemptRefused:
            continue
    loaded = load(fresh(), log)
    assert (loaded.position, loaded.version, loaded.history.best_ms) == (
        attempt.position,
        len(log),
        attempt.history.best_ms,
    )
