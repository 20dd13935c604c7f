"""Races over HTTP: making one, looking at one, and its standings by pages. Playing is the socket's."""

from typing import Annotated, Literal

from pydantic import Field

from protocol.codes import ErrorCode
from protocol.commands import Create, RaceWish
from protocol.fields import RaceId
from protocol.parts import RaceState, Standing
from server.race.standing import RANKING_RULE
from server.service.lives import LiveRace
from server.web.http.operations import Access, Answer, Cache, Call, Digits, NoBody, NoQuery, Operation, Query, Reply

PAGE_MAX, PAGE_USUAL = 100, 50


class RaceBody(RaceWish):
    """A private race or a practice, by `variant` for a fresh secret deal or by `deal` code: one of the two."""

    kind: Literal["private", "practice"] = "private"


class RaceMade(Answer):
    """The race that was made, or had been made before with this key."""

    race: RaceId
    link: str | None = None
    """The secret code that lets others enter; a practice has none."""


class LiveRaces(Answer):
    """Races in play that anyone may `watch`, the newest first, at most 20."""

    as_of: int
    races: list[LiveRace]


class PageQuery(Query):
    """Which page."""

    cursor: Annotated[str, Field(max_length=120)] | None = None
    """`next` of the page before."""
    limit: Annotated[int, Field(ge=1, le=PAGE_MAX), Digits] = PAGE_USUAL


class StandingsPage(Answer):
    """A page of a race's standings now, or of its result once `is_final`."""

    race: RaceId
    is_final: bool
    as_of: int
    """The server's time (ms) that the page holds for."""
    rule: str
    total: int
    standings: list[Standing]
    next: str | None = None
    """The cursor of the page that follows; none after the last."""


async def make_race(call: Call[RaceBody, NoQuery]) -> Reply:
    """Makes a race and seats its maker."""
    command = Create(type="create", **call.body.model_dump())
    race_id = await call.contest.create(call.player.id, command)
    state = (await call.contest.snapshot(race_id, call.player.id)).state
    return Reply(RaceMade(race=race_id, link=state.link))


async def list_races(call: Call[NoBody, NoQuery]) -> Reply:
    """Races that anyone may watch now."""
    races = await call.contest.lives.newest()
    return Reply(LiveRaces(as_of=call.contest.clock.now_ms(), races=races), Cache.MOMENT)


async def show_race(call: Call[NoBody, NoQuery]) -> Reply:
    """A race as the caller may know it."""
    race = await call.queries.race(call.viewer.id if call.viewer else None, call.path["race"])
    snapshot = await call.contest.snapshot(race.id, call.viewer.id if call.viewer else None)
    return Reply(snapshot.state)


async def show_standings(call: Call[NoBody, PageQuery]) -> Reply:
    """A page of standings."""
    race = await call.queries.race(call.viewer.id if call.viewer else None, call.path["race"])
    page = await call.queries.standings(race, call.query.cursor, call.query.limit)
    answer = StandingsPage(
        race=race.id,
        is_final=race.closed is not None,
        as_of=page.as_of,
        rule=RANKING_RULE,
        total=page.total,
        standings=list(page.rows),
        next=page.next,
    )
    return Reply(answer, Cache.NEVER)


_SEEN = (ErrorCode.RACE_UNKNOWN, ErrorCode.TOKEN_UNKNOWN)

OPERATIONS = (
    Operation(
        "POST",
        "/api/v1/races",
        make_race,
        "Makes a private race or a practice; the same key again gets the same one.",
        answer=RaceMade,
        body=RaceBody,
        query=NoQuery,
        status=201,
        access=Access.PLAYER,
        cost=2,
        errors=(
            ErrorCode.BAD_FIELD,
            ErrorCode.UNKNOWN_VARIANT,
            ErrorCode.BAD_DEAL,
            ErrorCode.HIDDEN_NEEDS_SECRET,
            ErrorCode.DEAL_LIVE,
            ErrorCode.BUSY,
            ErrorCode.KEY_REUSED,
        ),
    ),
    Operation(
        "GET",
        "/api/v1/races",
        list_races,
        "Quick matches that are being played and may be watched, the newest first.",
        answer=LiveRaces,
        body=NoBody,
        query=NoQuery,
    ),
    Operation(
        "GET",
        "/api/v1/races/{race}",
        show_race,
        "A race by its id, or by its link where it is private.",
        answer=RaceState,
        body=NoBody,
        query=NoQuery,
        access=Access.VIEWER,
        errors=_SEEN,
    ),
    Operation(
        "GET",
        "/api/v1/races/{race}/standings",
        show_standings,
        "The standings or results of a race, by pages.",
        answer=StandingsPage,
        body=NoBody,
        query=PageQuery,
        access=Access.VIEWER,
        errors=(*_SEEN, ErrorCode.BAD_FIELD),
    ),
)
