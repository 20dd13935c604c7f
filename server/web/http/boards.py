"""Leaderboards over HTTP, by pages or around one player."""

from typing import Annotated

from pydantic import Field

from protocol.codes import ErrorCode
from protocol.fields import PlayerId
from server.service.boards import BoardRow
from server.web.http.operations import Access, Answer, Cache, Call, HttpRefused, NoBody, Operation, Reply
from server.web.http.races import PageQuery

NEIGHBOURS = 3


class BoardQuery(PageQuery):
    """Which page, or whose surroundings."""

    around: PlayerId | None = None
    """A player's id, or `me` with a token: that row and its neighbours instead of a page."""


class BoardPage(Answer):
    """Rows of a board. A row whose place did not change while paging appears exactly once."""

    board: str
    rule: str
    """How this board ranks, in words."""
    as_of: Annotated[int, Field(ge=0)]
    """The server's time (ms) that the page holds for."""
    total: int
    rows: list[BoardRow]
    next: str | None = None
    """The cursor of the page that follows; none after the last."""


async def show_board(call: Call[NoBody, BoardQuery]) -> Reply:
    """A page of a board, or the rows around a player."""
    around = call.query.around
    if around == "me":
        if call.viewer is None:
            raise HttpRefused(ErrorCode.UNAUTHORIZED)
        around = call.viewer.id
    if around is None:
        page = await call.contest.boards.page(call.path["board"], call.query.cursor, call.query.limit)
    else:
        page = await call.contest.boards.around(call.path["board"], around, NEIGHBOURS)
    answer = BoardPage(
        board=call.path["board"],
        rule=page.rule,
        as_of=page.as_of,
        total=page.total,
        rows=list(page.rows),
        next=page.next,
    )
    return Reply(answer, Cache.NEVER if call.viewer else Cache.MOMENT)


OPERATIONS = (
    Operation(
        "GET",
        "/api/v1/boards/{board}",
        show_board,
        "A board by pages: `day:DATE:VARIANT` (also `…:open`, `…:bots`), `week:WEEK:VARIANT`, `month:MONTH:VARIANT`, "
        "`best:VARIANT:GRADE`.",
        answer=BoardPage,
        body=NoBody,
        query=BoardQuery,
        access=Access.VIEWER,
        errors=(ErrorCode.NOT_FOUND, ErrorCode.UNKNOWN_VARIANT, ErrorCode.BAD_FIELD, ErrorCode.UNAUTHORIZED),
    ),
)
