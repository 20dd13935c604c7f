"""Daily challenges over HTTP: a day's, and one variant's. A deal is shown only once its day has closed."""

import asyncio
from typing import Literal

from protocol.codes import ErrorCode
from protocol.fields import Grade
from rules.variants import featured_variant, find_variant
from server.race.daily import LIMIT_MS, Daily, day_of, format_day, parse_day
from server.service.archive import ArchiveDay, Own
from server.service.board_names import Side, day_board
from server.service.day_results import Bucket, MyPlace
from server.service.results import Result, Streak
from server.web.http.operations import Access, Answer, Cache, Call, HttpRefused, NoBody, NoQuery, Operation, Reply
from server.web.http.variants import variant_called


class DailyBoards(Answer):
    """The names of its boards."""

    ranked: str
    open: str
    bots: str


class DailyAnswer(Answer):
    """One day's challenge in one variant."""

    date: str
    variant: str
    race: str
    """The id to `enter`."""
    phase: Literal["announced", "open", "over", "closed"]
    """Announced the day before; open to starts; over, but last attempts may run; closed with results and deal."""
    opens_ms: int
    last_start_ms: int
    closes_ms: int
    limit_ms: int
    iron: bool
    commitment: str | None = None
    """SHA-256 of the deal code, a line feed and the nonce in hex."""
    committed_before: bool
    """Was it committed the day before? False on the first day after an install."""
    certified: bool | None = None
    """Has a solver won this deal before it was dealt? None on a first day as long as none is chosen: `enter` does."""
    grade: Grade | None = None
    """How hard it is among the deals of its variant, 1 (easy, on Mondays) to 5 (on Sundays); none if not graded."""
    won: bool | None = None
    """Of a deal that is not certified: has anybody finished it, so that it can be won?"""
    deal: str | None = None
    nonce: str | None = None
    boards: DailyBoards
    is_running: bool | None = None
    """Has the player of the token an attempt in it that has not ended?"""
    mine: Result | None = None
    """The player's result."""


class DayAnswer(Answer):
    """All challenges of a day."""

    date: str
    featured: str
    opens_ms: int
    last_start_ms: int
    closes_ms: int
    challenges: list[DailyAnswer]


def _day(text: str, now_ms: int) -> int:
    if text == "today":
        return day_of(now_ms)
    try:
        return parse_day(text)
    except (ValueError, OverflowError):
        raise HttpRefused(ErrorCode.BAD_FIELD, "date", "date: a day as YYYY-MM-DD, or today.") from None


async def _own(call: Call[NoBody, NoQuery], dailies: list[Daily]) -> Own:
    return await call.contest.archive.own(call.viewer.id if call.viewer else None, dailies)


async def _challenge(call: Call[NoBody, NoQuery], daily: Daily, own: Own) -> DailyAnswer | None:
    now = call.contest.clock.now_ms()
    race = await call.queries.daily(daily)
    if race is None:
        return _undecided(call, daily) if daily.day == day_of(now) else None
    closed = race.closed
    phase: Literal["announced", "open", "over", "closed"]
    if closed is not None:
        phase = "closed"
    elif now >= daily.last_start_ms:
        phase = "over"
    else:
        phase = "open" if now >= daily.opens_ms else "announced"
    return DailyAnswer(
        date=format_day(daily.day),
        variant=daily.variant,
        race=daily.race_id,
        phase=phase,
        opens_ms=daily.opens_ms,
        last_start_ms=daily.last_start_ms,
        closes_ms=daily.closes_ms,
        limit_ms=race.created.limit_ms,
        iron=race.created.iron,
        commitment=race.created.commitment,
        committed_before=race.created.committed_before,
        certified=race.created.certified,
        grade=race.created.grade,
        won=None if race.created.certified else await call.contest.day_results.is_won(daily),
        deal=closed.deal if closed else None,
        nonce=closed.nonce if closed else None,
        boards=_boards(daily),
        is_running=True if daily in own.running else None,
        mine=own.results.get(daily),
    )


def _undecided(call: Call[NoBody, NoQuery], daily: Daily) -> DailyAnswer | None:
    """A challenge of the first day, open already, whose deal is chosen when the first player enters it."""
    if daily.variant not in call.queries.daily_variants():
        return None
    return DailyAnswer(
        date=format_day(daily.day),
        variant=daily.variant,
        race=daily.race_id,
        phase="open",
        opens_ms=daily.opens_ms,
        last_start_ms=daily.last_start_ms,
        closes_ms=daily.closes_ms,
        limit_ms=LIMIT_MS,
        iron=find_variant(daily.variant).has_hidden_cards,
        committed_before=False,
        boards=_boards(daily),
    )


def _boards(daily: Daily) -> DailyBoards:
    return DailyBoards(ranked=day_board(daily), open=day_board(daily, Side.OPEN), bots=day_board(daily, Side.BOTS))


async def show_day(call: Call[NoBody, NoQuery]) -> Reply:
    """A day's challenges in all ranked variants."""
    day = _day(call.path["date"], call.contest.clock.now_ms())
    dailies = [Daily(day, variant) for variant in call.queries.daily_variants()]
    own = await _own(call, dailies)
    found = await asyncio.gather(*(_challenge(call, daily, own) for daily in dailies))
    challenges = [challenge for challenge in found if challenge is not None]
    if not challenges:
        raise HttpRefused(ErrorCode.NOT_FOUND)
    featured = featured_variant().id
    whole = Daily(day, featured)
    answer = DayAnswer(
        date=format_day(day),
        featured=featured,
        opens_ms=whole.opens_ms,
        last_start_ms=whole.last_start_ms,
        closes_ms=whole.closes_ms,
        challenges=challenges,
    )
    return Reply(answer, Cache.NEVER if call.viewer else Cache.MOMENT)


async def show_challenge(call: Call[NoBody, NoQuery]) -> Reply:
    """One day's challenge in one variant."""
    day = _day(call.path["date"], call.contest.clock.now_ms())
    variant = variant_called(call.path["variant"])
    daily = Daily(day, variant.id)
    challenge = await _challenge(call, daily, await _own(call, [daily]))
    if challenge is None:
        raise HttpRefused(ErrorCode.NOT_FOUND)
    return Reply(challenge, Cache.NEVER if call.viewer else Cache.MOMENT)


class DayResultAnswer(Answer):
    """How a daily has gone so far, over all people's attempts that have ended and built something, and my place."""

    date: str
    variant: str
    as_of: int
    total: int
    finished: int
    """How many of them brought every card to the foundations."""
    buckets: list[Bucket]
    """The times of the finished, at most 16 of one width without a gap; none if nobody has finished."""
    mine: MyPlace | None = None
    """Where the player of the token stands."""
    streak: Streak | None = None
    """The player's days in a row."""


class ArchiveAnswer(Answer):
    """The dailies of a month in one variant."""

    month: str
    variant: str
    first_day: str | None = None
    """The first day with dailies on this server."""
    today: str
    days: list[ArchiveDay]
    """Those with a daily, first to last, none after `today`."""


async def show_result(call: Call[NoBody, NoQuery]) -> Reply:
    """How a daily has gone so far."""
    day = _day(call.path["date"], call.contest.clock.now_ms())
    daily = Daily(day, variant_called(call.path["variant"]).id)
    if await call.queries.daily(daily) is None:
        raise HttpRefused(ErrorCode.NOT_FOUND)
    viewer = call.viewer.id if call.viewer else None
    result = await call.contest.day_results.of(daily, viewer)
    answer = DayResultAnswer(
        date=format_day(day),
        variant=daily.variant,
        as_of=call.contest.clock.now_ms(),
        total=result.total,
        finished=result.finished,
        buckets=list(result.buckets),
        mine=result.mine,
        streak=None if viewer is None else await call.contest.results.streak(viewer),
    )
    return Reply(answer, Cache.NEVER if call.viewer else Cache.MOMENT)


async def show_archive(call: Call[NoBody, NoQuery]) -> Reply:
    """A month of dailies."""
    variant = variant_called(call.path["variant"]).id
    month = await call.contest.archive.month(call.path["month"], variant, call.viewer.id if call.viewer else None)
    answer = ArchiveAnswer(
        month=call.path["month"],
        variant=variant,
        first_day=month.first_day,
        today=month.today,
        days=list(month.days),
    )
    return Reply(answer, Cache.NEVER if call.viewer else Cache.MOMENT)


OPERATIONS = (
    Operation(
        "GET",
        "/api/v1/daily/{date}",
        show_day,
        "A day's challenges, with a token one's own results in them; `date` is YYYY-MM-DD or `today`.",
        answer=DayAnswer,
        body=NoBody,
        query=NoQuery,
        access=Access.VIEWER,
        errors=(ErrorCode.BAD_FIELD, ErrorCode.NOT_FOUND, ErrorCode.TOKEN_UNKNOWN),
    ),
    Operation(
        "GET",
        "/api/v1/daily/{date}/{variant}",
        show_challenge,
        "One day's challenge in one variant, with a token one's own result in it.",
        answer=DailyAnswer,
        body=NoBody,
        query=NoQuery,
        access=Access.VIEWER,
        errors=(ErrorCode.BAD_FIELD, ErrorCode.NOT_FOUND, ErrorCode.UNKNOWN_VARIANT, ErrorCode.TOKEN_UNKNOWN),
    ),
    Operation(
        "GET",
        "/api/v1/daily/{date}/{variant}/result",
        show_result,
        "How a daily has gone so far: times, and with a token one's own place and streak.",
        answer=DayResultAnswer,
        body=NoBody,
        query=NoQuery,
        access=Access.VIEWER,
        errors=(ErrorCode.BAD_FIELD, ErrorCode.NOT_FOUND, ErrorCode.UNKNOWN_VARIANT, ErrorCode.TOKEN_UNKNOWN),
    ),
    Operation(
        "GET",
        "/api/v1/archive/{month}/{variant}",
        show_archive,
        "The dailies of a month in one variant, with a token one's own results in them.",
        answer=ArchiveAnswer,
        body=NoBody,
        query=NoQuery,
        access=Access.VIEWER,
        errors=(ErrorCode.BAD_FIELD, ErrorCode.UNKNOWN_VARIANT, ErrorCode.TOKEN_UNKNOWN),
    ),
)
