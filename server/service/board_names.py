"""What boards there are and what they are called. Their rows are in `boards`.

day:2026-11-29:beleaguered-castle          the ranked entrants of a daily
day:2026-11-29:beleaguered-castle:open     everyone else's, same deal
day:2026-11-29:beleaguered-castle:bots
week:2026-W48:beleaguered-castle           points for places in dailies (also :bots)
month:2026-11:beleaguered-castle
best:beleaguered-castle:3                  fastest finishes of deals of a grade, 1 to 5 (also :bots)
best:beleaguered-castle:ungraded           and of those that have none
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from protocol.codes import ErrorCode
from rules.errors import RulesError
from rules.variants import find_variant
from server.race.daily import Daily, format_day, month_of, parse_day, week_of
from server.race.standing import BEST_TIME_RULE, POINTS_RULE, RANKING_RULE
from server.service.errors import ContestError

UNGRADED = "ungraded"
_WEEK = re.compile(r"(\d{4})-W(\d\d)")
_MONTH = re.compile(r"(\d{4})-(\d\d)")
_GRADE = re.compile(rf"[1-5]|{UNGRADED}")


class Span(StrEnum):
    """What a board covers."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    BEST = "best"


class Side(StrEnum):
    """Whom a board is for."""

    RANKED = ""
    OPEN = "open"
    BOTS = "bots"


RULES: dict[Span, str] = {
    Span.DAY: RANKING_RULE,
    Span.WEEK: POINTS_RULE,
    Span.MONTH: POINTS_RULE,
    Span.BEST: BEST_TIME_RULE,
}


@dataclass(frozen=True, slots=True)
class BoardName:
    """A board: `period` is a day, week or month as text, or a difficulty grade."""

    span: Span
    period: str
    variant: str
    side: Side = Side.RANKED

    @property
    def rule(self) -> str:
        """How it ranks, in words."""
        return RULES[self.span]

    def days(self) -> list[int]:
        """The days whose dailies it covers; none for a best board, which covers all."""
        match self.span:
            case Span.DAY:
                return [parse_day(self.period)]
            case Span.WEEK:
                return _days_of_week(self.period)
            case Span.MONTH:
                return days_of_month(self.period)
            case Span.BEST:
                return []


def day_board(daily: Daily, side: Side = Side.RANKED) -> str:
    """The board of a daily."""
    return format_board(BoardName(Span.DAY, format_day(daily.day), daily.variant, side))


def points_boards(daily: Daily, side: Side) -> tuple[str, str]:
    """The boards of the week and month that a daily gives points on."""
    return (
        format_board(BoardName(Span.WEEK, week_of(daily.day), daily.variant, side)),
        format_board(BoardName(Span.MONTH, month_of(daily.day), daily.variant, side)),
    )


def best_board(variant: str, side: Side, grade: int | None) -> str:
    """The board of fastest finishes of a variant's deals of one grade, None: of those that have none."""
    return format_board(BoardName(Span.BEST, period_of(grade), variant, side))


def period_of(grade: int | None) -> str:
    """What stands for a grade in the name of a board of best times."""
    return UNGRADED if grade is None else str(grade)


def is_for_bots(text: str) -> bool:
    """Is the board of this name one of bots?"""
    return text.endswith(f":{Side.BOTS}")


def format_board(board: BoardName) -> str:
    """The text of a board's name."""
    middle = (board.variant, board.period) if board.span is Span.BEST else (board.period, board.variant)
    return ":".join((board.span.value, *middle, *([board.side.value] if board.side else [])))


def parse_board(text: str) -> BoardName:
    """The board that a text names; raises `ContestError` not_found or unknown_variant."""
    span, *rest = text.split(":")
    if span not in set(Span) or not 2 <= len(rest) <= 3 or (len(rest) == 3 and rest[2] not in (Side.OPEN, Side.BOTS)):
        raise ContestError(ErrorCode.NOT_FOUND, "board")
    side = Side(rest[2]) if len(rest) == 3 else Side.RANKED
    if span == Span.BEST:
        board = BoardName(Span.BEST, rest[1], rest[0], side)
    else:
        board = BoardName(Span(span), rest[0], rest[1], side)
    if board.side is Side.OPEN and board.span is not Span.DAY:
        raise ContestError(ErrorCode.NOT_FOUND, "board")
    _check_period(board)
    _check_variant(board.variant)
    return board


def _check_period(board: BoardName) -> None:
    try:
        found = _GRADE.fullmatch(board.period) if board.span is Span.BEST else board.days()
    except (ValueError, OverflowError):
        found = None
    if not found:
        raise ContestError(ErrorCode.NOT_FOUND, "board", "There is no such day, week, month or grade.")


def _check_variant(variant_id: str) -> None:
    try:
        variant = find_variant(variant_id)
    except RulesError as error:
        raise ContestError(ErrorCode.UNKNOWN_VARIANT, "board", f"{error}.") from None
    if variant.options and variant.id != variant.base_id:
        raise ContestError(ErrorCode.NOT_FOUND, "board", "Races with options have no boards.")


def _days_of_week(text: str) -> list[int]:
    match = _WEEK.fullmatch(text)
    if match is None:
        raise ValueError(text)
    monday = parse_day(date.fromisocalendar(int(match[1]), int(match[2]), 1).isoformat())
    return list(range(monday, monday + 7))


def days_of_month(text: str) -> list[int]:
    """The days of a month, `YYYY-MM`; raises ValueError or OverflowError."""
    match = _MONTH.fullmatch(text)
    if match is None:
        raise ValueError(text)
    first = date(int(match[1]), int(match[2]), 1)
    following = (first + timedelta(days=31)).replace(day=1)
    start = parse_day(first.isoformat())
    return list(range(start, start + (following - first).days))
