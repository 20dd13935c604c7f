"""The calendar of the dailies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.race.daily import DAY_MS, LIMIT_MS, Daily, day_of, format_day, month_of, parse_daily_id, parse_day, week_of

days = st.integers(0, 40_000)
NEW_YEAR_2027 = 20_819


def test_a_day_begins_at_midnight_utc() -> None:
    assert format_day(day_of(1_798_761_600_000)) == "2027-01-01"
    assert format_day(day_of(1_798_761_599_999)) == "2026-12-31"


def test_a_daily_closes_when_an_attempt_begun_in_its_last_second_has_used_its_limit() -> None:
    challenge = Daily(day_of(1_798_761_599_999), "citadel")
    assert challenge.last_start_ms == 1_798_761_600_000
    assert challenge.closes_ms == challenge.last_start_ms + LIMIT_MS
    assert challenge.last_start_ms - challenge.opens_ms == DAY_MS


@given(days, st.sampled_from(["citadel", "klondike-draw1", "beleaguered-castle"]))
def test_the_race_id_of_a_daily_names_it(day: int, variant: str) -> None:
    assert parse_daily_id(Daily(day, variant).race_id) == Daily(day, variant)


@pytest.mark.parametrize("text", ["", "daily", "daily.2026-11-29", "daily.2026-13-01.citadel", "x.2026-11-29.citadel"])
def test_what_is_no_daily_id_is_not_taken_for_one(text: str) -> None:
    assert parse_daily_id(text) is None


@given(days)
def test_a_day_written_out_is_read_back(day: int) -> None:
    assert parse_day(format_day(day)) == day


@pytest.mark.parametrize("text", ["2026-1-1", "20260101", "1969-12-31", "2026-02-30", "today"])
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_day(text)


def test_new_year_lies_in_the_week_that_iso_gives_it_and_in_its_own_month() -> None:
    assert format_day(NEW_YEAR_2027) == "2027-01-01"
    assert week_of(NEW_YEAR_2027) == "2026-W53"
    assert month_of(NEW_YEAR_2027) == "2027-01"
