"""Analyses over HTTP: asking where an attempt was lost, and reading it when a worker has found it out."""

import json
from typing import Annotated, Literal

from pydantic import Field

from protocol.codes import ErrorCode
from server.service.analyses import Analyses, Made
from server.service.errors import ContestError
from server.store.analyses import Place
from server.web.http.operations import Access, Answer, Cache, Call, NoBody, NoQuery, Operation, Reply

SOON_MS = 1_000
LATE_MS = 10_000

Version = Annotated[int, Field(ge=0)]
"""After so many entries of the replay; 0 is the deal."""
Ms = Annotated[int, Field(ge=0)]


class VerdictStretch(Answer):
    """The versions from `first` to `last`, both included, have one verdict: can the deal still be won from there?"""

    first: Version
    last: Version
    verdict: Literal["winnable", "lost", "unknown"]


class Mending(Answer):
    """The entry after which the deal was winnable again: an undo, mostly."""

    at: Version
    at_ms: Ms
    what: str


class Loss(Answer):
    """After version `after` the deal was winnable, at version `at` it was lost."""

    after: Version
    at: Version
    at_ms: Ms
    what: str | None = None
    """The one entry that lost it, where `at` is `after` + 1; otherwise it lies between them and is not known."""
    mended: Mending | None = None


class Par(Answer):
    """The deal is won in `moves` moves, and in no fewer than `least`; with both equal, par is proved."""

    moves: int
    least: int


class RaisedCard(Answer):
    """A card that brought more to the foundations than ever before, and its time since the one before."""

    card: str
    at_ms: Ms
    took_ms: Ms


class Analysis(Answer):
    """Where an attempt was lost, as one who knows all cards sees it."""

    state: Literal["ready"] = "ready"
    attempt: str
    verdicts: list[VerdictStretch]
    losses: list[Loss]
    last_winnable: Version | None = None
    """The last version at which the deal is known to have been winnable; missing if it never was."""
    line: list[str] | None = None
    """Moves that win from there."""
    par: Par | None = None
    """Missing when the deal is not known to be winnable."""
    moves: int
    finished: bool
    over_par: int | None = None
    """Moves more than par, of a finished attempt."""
    cards: list[RaisedCard]
    hidden_cards: bool
    """The variant hides cards: the verdicts know more than the player could."""


class AnalysisWaiting(Answer):
    """The analysis is not there yet: `running` when a worker is at it, otherwise `ahead` others come first."""

    state: Literal["queued", "running"]
    attempt: str
    ahead: int
    retry_after_ms: Ms


async def show_analysis(call: Call[NoBody, NoQuery]) -> Reply:
    """An analysis that was asked for, or its place in the queue."""
    analyses = Analyses(call.contest, call.queries)
    viewer = call.viewer.id if call.viewer else None
    return _reply(call.path["attempt"], await analyses.look(viewer, call.path["attempt"]))


async def ask_analysis(call: Call[NoBody, NoQuery]) -> Reply:
    """Asks for an analysis; asking again changes nothing."""
    analyses = Analyses(call.contest, call.queries)
    return _reply(call.path["attempt"], await analyses.ask(call.player.id, call.path["attempt"], call.address))


def _reply(attempt: str, found: Made | Place) -> Reply:
    if isinstance(found, Made):
        told = json.loads(found.text)
        if "error" in told:
            raise ContestError(ErrorCode.NOT_ANALYSED, detail=told["error"])
        return Reply(Analysis.model_validate(told | {"attempt": attempt}), Cache.REVALIDATE)
    retry_after_ms = SOON_MS if found.running else min(LATE_MS, SOON_MS * (1 + found.ahead))
    waiting = AnalysisWaiting(
        state="running" if found.running else "queued",
        attempt=attempt,
        ahead=found.ahead,
        retry_after_ms=retry_after_ms,
    )
    return Reply(waiting, status=202, retry_after_ms=retry_after_ms)


_PATH = "/api/v1/attempts/{attempt}/analysis"
_REPLAY = (ErrorCode.NOT_FOUND, ErrorCode.NOT_CLOSED, ErrorCode.RACE_UNKNOWN)
_COMMON = (ErrorCode.WRITTEN_OUT, ErrorCode.DEAL_LIVE, ErrorCode.NOT_ANALYSED, ErrorCode.NO_SOLVER, ErrorCode.TOO_MANY)

OPERATIONS = (
    Operation(
        "GET",
        _PATH,
        show_analysis,
        "Where an attempt was lost, once its race has closed, nobody races the deal and somebody has asked. "
        "Nothing is told of a deal that was written out card by card.",
        answer=Analysis,
        body=NoBody,
        query=NoQuery,
        access=Access.VIEWER,
        later=AnalysisWaiting,
        errors=(ErrorCode.NOT_ASKED, *_REPLAY, *_COMMON),
    ),
    Operation(
        "POST",
        _PATH,
        ask_analysis,
        "Asks where an attempt was lost. A worker finds it out; a player may have three waiting.",
        answer=Analysis,
        body=NoBody,
        query=NoQuery,
        access=Access.PLAYER,
        later=AnalysisWaiting,
        cost=5,
        errors=(
            ErrorCode.UNAUTHORIZED,
            ErrorCode.TOKEN_UNKNOWN,
            ErrorCode.MANY_WAITING,
            ErrorCode.QUEUE_FULL,
            *_REPLAY,
            *_COMMON,
        ),
    ),
)
