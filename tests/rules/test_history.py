from __future__ import annotations

import pytest

from rules.deals import deal, parse_deal_code
from rules.errors import MalformedText
from rules.history import Act, Entry, History, format_entry, parse_entry
from rules.moves import DRAW, Move, Refusal, parse_move
from rules.position_texts import format_position
from tests.rules.builders import board


def begun(iron: bool = False, hints: bool = False) -> History:
    """Five cards from the end; JH and QH can go up."""
    start = board("beleaguered-castle", "Foundations: H-T C-K D-K S-J", "KH QH", "JH", "KS QS")
    return History.begin(start, iron, hints)


def folded(history: History, *lines: str) -> History:
    """The history after log lines that it must allow."""
    for line in lines:
        entry = parse_entry(line)
        assert history.refusal(entry.what) is None
        history = history.advance(entry)
    return history


@pytest.mark.parametrize(
    "text",
    ["0 0.0 t3-f0", "1234 1.17 t3-t5*4", "1300 1.18 undo", "9 2.1 redo", "9 2.1 restart", "9 2.1 resign", "9 2.1 hint"],
)
def test_an_entry_reads_back(text: str) -> None:
    assert format_entry(parse_entry(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "1 1 t3-f0", "1 1.1", "01 1.1 undo", "1 1.1 UNDO", "-1 1.1 undo", "1 1.1 undo ", "1.5 1.1 undo", "1 1.1 fly"],
)
def test_what_is_no_entry_is_malformed(text: str) -> None:
    with pytest.raises(MalformedText):
        parse_entry(text)


def test_draw_and_redeal_are_entries_too() -> None:
    assert parse_entry("5 1.2 draw") == Entry(5, 1, 2, DRAW)
    assert parse_entry("5 1.2 redeal").what == Move("redeal", "redeal")


def test_moves_are_counted_and_the_version_counts_entries() -> None:
    history = folded(begun(), "10 1.1 t1-f2", "20 1.2 t0-f2", "30 1.3 undo")
    assert (history.version, history.moves, history.undos) == (3, 2, 1)


def test_the_best_is_kept_with_the_time_it_was_first_reached() -> None:
    history = folded(
        begun(), "10 1.1 t1-f2", "20 1.2 t0-f2", "30 1.3 undo", "40 1.4 t0-f2", "50 1.5 undo", "60 1.6 redo"
    )
    assert history.position.cards_left == 3
    assert (history.best_left, history.best_ms) == (3, 20)


def test_undo_and_redo_go_one_group_at_a_time() -> None:
    history = folded(begun(), "10 1.1 t1-f2", "20 1.2 t0-f2", "20 1.2 t0-f2", "30 1.3 t2-t3")
    texts = [format_position(history.position)]
    history = folded(history, "40 1.4 undo", "50 1.5 undo")
    assert history.position.cards_left == 4
    assert history.can_undo and history.can_redo
    history = folded(history, "60 1.6 redo", "70 1.7 redo")
    assert format_position(history.position) == texts[0]
    assert not history.can_redo
    assert (history.undos, history.redos) == (2, 2)


def test_the_same_id_in_another_epoch_is_another_group() -> None:
    history = folded(begun(), "10 1.1 t1-f2", "20 2.1 t0-f2", "30 2.2 undo")
    assert history.position.cards_left == 4


def test_a_move_after_an_undo_forgets_what_could_be_redone() -> None:
    history = folded(begun(), "10 1.1 t1-f2", "20 1.2 undo", "30 1.3 t1-t3")
    assert history.refusal(Act.REDO) is Refusal.NOTHING_TO_REDO


def test_a_restart_goes_to_the_start_and_can_be_undone() -> None:
    history = folded(begun(), "10 1.1 t1-f2", "20 1.2 t0-f2", "30 1.3 restart")
    assert history.position == history.start
    assert history.restarts == 1
    assert folded(history, "40 1.4 undo").position.cards_left == 3


def test_there_is_nothing_to_undo_at_the_start() -> None:
    assert begun().refusal(Act.UNDO) is Refusal.NOTHING_TO_UNDO
    assert begun().refusal(Act.REDO) is Refusal.NOTHING_TO_REDO
    assert not begun().can_undo


def test_iron_refuses_what_takes_back() -> None:
    history = folded(begun(iron=True), "10 1.1 t1-f2")
    refusals = [history.refusal(act) for act in (Act.UNDO, Act.REDO, Act.RESTART, Act.RESIGN)]
    assert refusals == [Refusal.IRON, Refusal.IRON, Refusal.IRON, None]
    assert not history.can_undo


def test_an_illegal_move_is_refused_as_the_rules_do() -> None:
    assert begun().refusal(parse_move("t1-f1")) is Refusal.SUIT


def test_the_last_card_finishes_and_nothing_follows() -> None:
    history = folded(begun(), "1 1.1 t1-f2", "2 1.2 t0-f2", "3 1.3 t0-f2", "4 1.4 t2-f1", "5 1.5 t2-f1")
    assert (history.finished_ms, history.best_left, history.best_ms) == (5, 0, 5)
    assert history.has_ended
    for what in (*Act, parse_move("t0-t1")):
        assert history.refusal(what) is Refusal.ENDED


def test_resigning_ends_and_keeps_the_best() -> None:
    history = folded(begun(), "10 1.1 t1-f2", "20 1.2 resign")
    assert (history.resigned_ms, history.best_left, history.finished_ms) == (20, 4, None)
    assert history.refusal(Act.UNDO) is Refusal.ENDED


def test_a_hint_is_counted_and_moves_no_card() -> None:
    before = folded(begun(hints=True), "10 1.1 t1-f2")
    after = folded(before, "20 1.2 hint")
    assert (after.version, after.hints, after.moves, after.position) == (2, 1, 1, before.position)
    assert (after.best_left, after.best_ms) == (before.best_left, before.best_ms)
    assert after.is_hinted
    assert not folded(after, "30 1.3 t0-f2").is_hinted


def test_an_undo_passes_over_hints_and_takes_back_the_move_before_them() -> None:
    history = folded(begun(hints=True), "10 1.1 t1-f2", "20 1.2 hint", "30 1.3 hint", "40 1.4 undo")
    assert history.position == history.start
    assert (history.hints, history.undos) == (2, 1)
    assert not history.can_undo


def test_a_hint_between_undo_and_redo_keeps_what_can_be_redone() -> None:
    history = folded(begun(hints=True), "10 1.1 t1-f2", "20 1.2 undo", "30 1.3 hint", "40 1.4 redo")
    assert history.position.cards_left == 4


def test_a_hint_alone_is_nothing_to_undo() -> None:
    assert folded(begun(hints=True), "10 1.1 hint").refusal(Act.UNDO) is Refusal.NOTHING_TO_UNDO


def test_hints_are_refused_where_they_are_not_allowed_and_with_hidden_cards_always() -> None:
    assert begun().refusal(Act.HINT) is Refusal.NO_HINTS
    hidden = History.begin(deal(parse_deal_code("klondike-draw1:ms:7")), iron=True, hints_allowed=True)
    assert hidden.refusal(Act.HINT) is Refusal.NO_HINTS


def test_advancing_leaves_the_history_before_as_it_was() -> None:
    history = begun()
    folded(history, "10 1.1 t1-f2")
    assert (history.version, history.position) == (0, history.start)


def test_long_histories_compare_and_print() -> None:
    there_and_back = ("t1-t3", "t3-t1")
    long = [folded(begun(), *(f"{n} 1.{n} {there_and_back[n % 2]}" for n in range(3000))) for _ in range(2)]
    assert long[0] == long[1]
    assert "moves=3000" in repr(long[0])
    assert long[0].can_undo
