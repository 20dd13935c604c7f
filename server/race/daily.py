"""The calendar of the daily challenge: days, their instants and race ids. A day is UTC, `floor(unix / 86400)`."""

from dataclasses import dataclass
from datetime import date, timedelta

DAY_MS = 86_400_000
LIMIT_MS = 60 * 60_000
"""A daily attempt may take an hour from its opening."""
GRADES_OF_THE_WEEK = (1, 2, 2, 3, 3, 4, 5)
"""The difficulty of the dailies, Monday to Sunday."""
_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Daily:
    """One day's deal of one variant. Starts are taken from `opens_ms` until before `last_start_ms`."""

    day: int
    variant: str

    @property
    def race_id(self) -> str:
        """`daily.<YYYY-MM-DD>.<variant>`."""
        return f"daily.{format_day(self.day)}.{self.variant}"

    @property
    def opens_ms(self) -> int:
        """The first instant of the day."""
        return self.day * DAY_MS

    @property
    def last_start_ms(self) -> int:
        """Midnight at its end: from then on no attempt can be started."""
        return (self.day + 1) * DAY_MS

    @property
    def closes_ms(self) -> int:
        """When an attempt begun in the last moment has used its whole limit."""
        return self.last_start_ms + LIMIT_MS


def day_of(now_ms: int) -> int:
    """The day that an instant lies in."""
    return now_ms // DAY_MS


def grade_of_day(day: int) -> int:
    """The difficulty that a day's challenges should have, from 1 on Monday to 5 on Sunday."""
    return GRADES_OF_THE_WEEK[(_EPOCH + timedelta(days=day)).weekday()]


def format_day(day: int) -> str:
    """`YYYY-MM-DD`."""
    return (_EPOCH + timedelta(days=day)).isoformat()


def parse_day(text: str) -> int:
    """The day that `YYYY-MM-DD` names; raises ValueError."""
    day = (date.fromisoformat(text) - _EPOCH).days
    if day < 0 or format_day(day) != text:
        raise ValueError(text)
    return day


def parse_daily_id(race_id: str) -> Daily | None:
    """The daily that a race id names; None if it names none."""
    kind, _, rest = race_id.partition(".")
    text, _, variant = rest.partition(".")
    if kind != "daily" or not variant:
        return None
    try:
        return Daily(parse_day(text), variant)
    except ValueError:
        return None


def week_of(day: int) -> str:
    """The ISO week that a day lies in, `2026-W48`."""
    year, week, _ = (_EPOCH + timedelta(days=day)).isocalendar()
    return f"{year}-W{week:02}"


def month_of(day: int) -> str:
    """The month that a day lies in, `2026-11`."""
    return format_day(day)[:7]
