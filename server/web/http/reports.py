"""Reports over HTTP: a player tells whoever runs the server of a name, a race or a page that is not as it should be,
or of an idea."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from protocol.codes import ErrorCode
from protocol.fields import PlayerId, RaceId
from server.service.names import is_blank
from server.web.http.operations import Access, Answer, Body, Call, NoQuery, Operation, Reply


class ReportBody(Body):
    """What is reported: a `player`, a `race`, or both. A `fault` or something `other` may be told by `text` alone."""

    reason: Literal["name", "cheating", "behaviour", "fault", "other"]
    player: PlayerId | None = None
    race: RaceId | None = None
    text: Annotated[str, Field(max_length=1000)] = ""

    @model_validator(mode="after")
    def _is_about_something(self) -> Self:
        if self.player is None and self.race is None:
            if self.reason not in ("fault", "other"):
                raise ValueError("name a player or a race")
            if is_blank(self.text):
                raise ValueError("say in the text what is meant, or name a player or a race")
        return self


class ReportTaken(Answer):
    """The report was stored."""

    report: str


async def make_report(call: Call[ReportBody, NoQuery]) -> Reply:
    """Stores a report."""
    body = call.body
    report = await call.contest.players.report(call.player.id, body.reason, body.player, body.race, body.text)
    return Reply(ReportTaken(report=report))


OPERATIONS = (
    Operation(
        "POST",
        "/api/v1/reports",
        make_report,
        "Reports a player, a race, a fault or an idea to whoever runs the server.",
        answer=ReportTaken,
        body=ReportBody,
        query=NoQuery,
        status=201,
        access=Access.PLAYER,
        cost=10,
        errors=(ErrorCode.BAD_FIELD, ErrorCode.NOT_FOUND, ErrorCode.TOO_MANY),
    ),
)
