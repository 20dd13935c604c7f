"""Results and statistics over HTTP: a player's, and how many attempts at a variant were finished."""

from typing import Annotated, Any

from pydantic import Field

from protocol.codes import ErrorCode
from protocol.parts import PlayerRef
from server.service.results import Result, Streak, VariantStatistics
from server.web.http.operations import (
    Access,
    Answer,
    Cache,
    Call,
    HttpRefused,
    NoBody,
    NoQuery,
    Operation,
    Reply,
)
from server.web.http.races import PageQuery
from server.web.http.variants import variant_called

COUNTED = "Attempts by people, not bots, in closed dailies and quick matches, with at least one move."


class PlayerResults(Answer):
    """A page of a player's results in dailies and quick matches, the latest first."""

    player: PlayerRef
    as_of: Annotated[int, Field(ge=0)]
    total: int
    results: list[Result]
    next: str | None = None
    """The cursor of the page that follows; none after the last."""


class PlayerStatistics(Answer):
    """What a player's latest 10,000 results come to, in all and by variant and grade."""

    player: PlayerRef
    as_of: Annotated[int, Field(ge=0)]
    attempts: int
    """Ended attempts at dailies and in quick matches."""
    finished: int
    """Those that brought every card to the foundations."""
    streak: Streak
    variants: list[VariantStatistics]


class FinishCount(Answer):
    """So many attempts, so many of them finished, on deals of one grade."""

    grade: str
    """A difficulty grade, or `ungraded`."""
    attempts: int
    finished: int


class VariantFinishes(Answer):
    """How many attempts at a variant were finished. The winnable share is another number: what perfect play can win."""

    variant: str
    counted: str
    """What is counted, in words."""
    as_of: Annotated[int, Field(ge=0)]
    attempts: int
    finished: int
    grades: list[FinishCount]


async def _whose(call: Call[NoBody, Any]) -> str:
    """The player of the address: of a claimed name, or of the token for `me`."""
    if call.path["name"] == "me":
        return call.player.id
    row = await call.contest.players.by_name(call.path["name"])
    if row is None:
        raise HttpRefused(ErrorCode.NOT_FOUND)
    return row.id


async def show_results(call: Call[NoBody, PageQuery]) -> Reply:
    """A page of a player's results."""
    player = await _whose(call)
    page = await call.contest.results.page(player, call.query.cursor, call.query.limit)
    answer = PlayerResults(
        player=await call.contest.players.ref(player),
        as_of=page.as_of,
        total=page.total,
        results=list(page.rows),
        next=page.next,
    )
    return Reply(answer, Cache.NEVER if call.viewer else Cache.MOMENT)


async def show_statistics(call: Call[NoBody, NoQuery]) -> Reply:
    """A player's statistics."""
    player = await _whose(call)
    statistics = await call.contest.results.statistics(player)
    answer = PlayerStatistics(
        player=await call.contest.players.ref(player),
        as_of=call.contest.clock.now_ms(),
        attempts=statistics.attempts,
        finished=statistics.finished,
        streak=statistics.streak,
        variants=statistics.variants,
    )
    return Reply(answer, Cache.NEVER if call.viewer else Cache.MOMENT)


async def show_finishes(call: Call[NoBody, NoQuery]) -> Reply:
    """The finish rate of a variant, as two counts."""
    variant = variant_called(call.path["variant"])
    rates = await call.contest.finish_rates.of(variant.id)
    answer = VariantFinishes(
        variant=variant.id,
        counted=COUNTED,
        as_of=call.contest.clock.now_ms(),
        attempts=sum(rate.attempts for rate in rates.values()),
        finished=sum(rate.finished for rate in rates.values()),
        grades=[
            FinishCount(grade=grade, attempts=rate.attempts, finished=rate.finished) for grade, rate in rates.items()
        ],
    )
    return Reply(answer, Cache.MOMENT)


_PLAYER = (ErrorCode.NOT_FOUND, ErrorCode.UNAUTHORIZED, ErrorCode.TOKEN_UNKNOWN)

OPERATIONS = (
    Operation(
        "GET",
        "/api/v1/players/{name}/results",
        show_results,
        "A player's results by pages; the name may be `me`, with a token.",
        answer=PlayerResults,
        body=NoBody,
        query=PageQuery,
        access=Access.VIEWER,
        errors=(*_PLAYER, ErrorCode.BAD_FIELD),
    ),
    Operation(
        "GET",
        "/api/v1/players/{name}/statistics",
        show_statistics,
        "A player's statistics and streak; the name may be `me`, with a token.",
        answer=PlayerStatistics,
        body=NoBody,
        query=NoQuery,
        access=Access.VIEWER,
        errors=_PLAYER,
    ),
    Operation(
        "GET",
        "/api/v1/variants/{variant}/finishes",
        show_finishes,
        "How many attempts at a variant were finished, in all and by grade.",
        answer=VariantFinishes,
        body=NoBody,
        query=NoQuery,
        errors=(ErrorCode.UNKNOWN_VARIANT, ErrorCode.BAD_FIELD),
    ),
)
