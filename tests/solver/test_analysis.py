"""Where attempts were lost, against the solver asked about every position."""

from random import Random

import pytest

from rules.deals import DealCode, deal
from rules.history import Act, Entry, History
from rules.moves import Move, format_move, is_won, legal_moves, play
from rules.positions import Position
from rules.record import Record, write_record
from solver.analysis import analyse
from solver.telling import encode_analysis
from solver.verdicts import Verdict, solve


def recorded(code: DealCode, whats: list[Move | Act]) -> Record:
    entries = [Entry(1000 * number, 1, number, what) for number, what in enumerate(whats, 1)]
    return write_record(
        code,
        race="a",
        player="anna",
        kind="practice",
        iron=False,
        limit_ms=3_600_000,
        started_ms=0,
        entries=entries,
    )


def winning_line(position: Position) -> list[Move]:
    line = solve(position).line
    assert line is not None
    return list(line)


def losing_play(code: DealCode, chance: Random, most: int) -> list[Move | Act]:
    """Random moves, now and then taken back."""
    history, whats = History.begin(deal(code), iron=False), list[Move | Act]()
    while len(whats) < most:
        moves = legal_moves(history.position)
        what: Move | Act = chance.choice(moves) if moves else Act.UNDO
        if chance.random() < 0.15 and history.can_undo:
            what = chance.choice((Act.UNDO, Act.UNDO, Act.RESTART))
        if history.refusal(what) is not None or history.has_ended:
            break
        history = history.advance(Entry(0, 1, len(whats), what))
        whats.append(what)
    return whats


@pytest.mark.parametrize("number", range(1, 9))
def test_verdicts_along_a_record_are_those_of_each_position(number: int) -> None:
    code = DealCode("citadel", "ms", str(number))
    record = recorded(code, losing_play(code, Random(number), 40))
    analysis = analyse(record)
    history = History.begin(deal(code), iron=False)
    expected = [solve(history.position).verdict]
    for entry in record.entries:
        history = history.advance(entry)
        expected.append(solve(history.position).verdict)
    assert Verdict.UNKNOWN not in expected
    assert list(analysis.verdicts) == expected


def test_the_move_that_lost_it_is_named_and_the_line_from_before_it_wins() -> None:
    code = next(
        code
        for code in (DealCode("citadel", "ms", str(number)) for number in range(1, 50))
        if solve(deal(code)).verdict is Verdict.WINNABLE and _losing_moves(deal(code))
    )
    bad = _losing_moves(deal(code))[0]
    analysis = analyse(recorded(code, [bad, Act.UNDO, bad]))
    assert [(loss.after, loss.at, loss.mended) for loss in analysis.losses] == [(0, 1, 2), (2, 3, None)]
    assert analysis.last_winnable == 2
    told = encode_analysis(recorded(code, [bad, Act.UNDO, bad]), analysis)["losses"]
    assert told[0] == {
        "after": 0,
        "at": 1,
        "at_ms": 1000,
        "what": format_move(bad),
        "mended": {"at": 2, "at_ms": 2000, "what": "undo"},
    }
    assert "mended" not in told[1]
    position = deal(code)
    for move in analysis.line or ():
        position = play(position, move)
    assert is_won(position)


def _losing_moves(position: Position) -> list[Move]:
    return [move for move in legal_moves(position) if solve(play(position, move)).verdict is Verdict.LOST]


def test_a_finished_attempt_was_winnable_throughout_and_is_told_over_par() -> None:
    code = next(
        code
        for code in (DealCode("citadel", "ms", str(number)) for number in range(1, 50))
        if solve(deal(code)).verdict is Verdict.WINNABLE
    )
    line = winning_line(deal(code))
    record = recorded(code, [*line])
    analysis = analyse(record)
    assert set(analysis.verdicts) == {Verdict.WINNABLE}
    assert analysis.over_par is not None
    assert 0 <= analysis.over_par == len(line) - (analysis.par.moves if analysis.par else 0)
    assert encode_analysis(record, analysis)["verdicts"] == [{"first": 0, "last": len(line), "verdict": "winnable"}]


def test_every_card_that_went_up_is_told_with_its_time() -> None:
    code = next(
        code
        for code in (DealCode("citadel", "ms", str(number)) for number in range(1, 50))
        if solve(deal(code)).verdict is Verdict.WINNABLE
    )
    line = winning_line(deal(code))
    cards = analyse(recorded(code, [*line])).cards
    up = deal(code).progress
    assert sorted(raised.card for raised in cards) == sorted(
        card for pile in deal(code).piles for card in pile if not any(card in f for f in deal(code).foundations)
    )
    assert len(cards) == 52 - up
    assert sum(raised.took_ms for raised in cards) == cards[-1].at_ms == 1000 * len(line)
    assert [raised.at_ms for raised in cards] == [
        1000 * number for number, move in enumerate(line, 1) if move.target.startswith("f")
    ]


def test_a_stop_leaves_open_what_is_open() -> None:
    code = DealCode("streets-and-alleys", "ms", "4")
    analysis = analyse(recorded(code, losing_play(code, Random(3), 10)), stop=lambda: True)
    assert set(analysis.verdicts) <= {Verdict.UNKNOWN, Verdict.LOST, Verdict.WINNABLE}
    assert not analysis.losses or all(loss.at > loss.after for loss in analysis.losses)
