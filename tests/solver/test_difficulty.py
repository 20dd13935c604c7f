"""Grades, cuts, ladders and surveys as text and numbers."""

import pytest

from rules.deals import DealCode, deal, parse_deal_code
from solver.difficulty import Measured, cuts_of, grade_in, grade_of, measure_deal
from solver.errors import BadLadder
from solver.ladder import Certified, Ladder, certify_deal, format_ladder, parse_ladder, public_seed
from solver.policy import cards_left_by_policy
from solver.survey import Tally
from solver.verdicts import Verdict

DEALS = tuple(
    Certified(public_seed("citadel", number), 60 + number, 58, Measured((100 - number) / 100, number / 50, 60 + number))
    for number in range(25)
)


def test_cuts_split_scores_into_five_even_grades() -> None:
    scores = [float(number) for number in range(100)]
    cuts = cuts_of(scores)
    grades = [grade_of(score, cuts) for score in scores]
    assert [grades.count(grade) for grade in range(1, 6)] == [20] * 5
    assert grades == sorted(grades)


def test_a_variant_that_was_not_calibrated_has_no_grade() -> None:
    assert grade_in("no-such-variant", 50) is None


def test_every_measure_makes_a_deal_harder_and_none_easier() -> None:
    easy = Measured(1.0, 0.1, 60)
    for harder in (Measured(0.5, 0.1, 60), Measured(1.0, 0.5, 60), Measured(1.0, 0.1, 90)):
        assert harder.score(52) > easy.score(52)


def test_measures_are_the_same_each_time() -> None:
    position = deal(parse_deal_code("citadel:ms:3"))
    assert measure_deal(position, 60) == measure_deal(position, 60)
    assert cards_left_by_policy(position, 1) != cards_left_by_policy(position, 2)


def test_a_ladder_file_reads_back_as_it_was_written() -> None:
    ladder = Ladder("citadel", 1, 1000, 100, DEALS)
    assert parse_ladder(format_ladder(ladder)) == ladder


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("ramparts-ladder/2 citadel solver=1 budget=1 par=1\n", 1),
        ("ramparts-ladder/1 citadel solver=x budget=1 par=1\n", 1),
        ("ramparts-ladder/1 citadel solver=1 budget=1 par=1\nabc 1 2\n", 2),
        ("ramparts-ladder/1 citadel solver=1 budget=1 par=1\nabc 60 58 900 100 99.99 5\n", 2),
    ],
)
def test_a_malformed_or_untrue_ladder_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(BadLadder) as refused:
        parse_ladder(text)
    assert refused.value.line == line


def test_a_lost_deal_gets_no_certificate() -> None:
    assert certify_deal(DealCode("fortress", "ms", "19")) is None


def test_an_interval_counts_undecided_deals_both_ways() -> None:
    tally = Tally()
    for verdict in [Verdict.WINNABLE] * 60 + [Verdict.LOST] * 30 + [Verdict.UNKNOWN] * 10:
        tally = tally.plus(verdict)
    low, high = tally.interval()
    assert low < 0.6
    assert high > 0.7
    assert Tally(60, 40).interval()[1] < high
    assert Tally(60, 40).interval()[0] == pytest.approx(low)
    assert Tally().interval() == (0.0, 1.0)
