"""Attempts over HTTP: the replay of each, once its race has closed."""

from typing import Annotated, Literal

from pydantic import Field

from protocol.codes import End, ErrorCode, Kind
from protocol.parts import PlayerRef
from rules.deals import format_deal_code
from rules.history import Act
from rules.moves import format_move
from rules.record import Record, format_record
from server.service.races import attempt_id
from server.web.http.operations import Access, Answer, Cache, Call, NoBody, Operation, Query, Reply


class ReplayQuery(Query):
    """In which form."""

    format: Literal["json", "record"] = "json"
    """`record` is the text that `ramparts verify` takes."""


class ReplayEntry(Answer):
    """One step: `what` is a move as text or undo, redo, restart, resign. Steps of one `group` were one command."""

    at_ms: Annotated[int, Field(ge=0)]
    group: str
    what: str


class Replay(Answer):
    """An attempt as it was played."""

    attempt: str
    race: str
    kind: Kind
    player: PlayerRef
    deal: str
    iron: bool
    limit_ms: int
    started_ms: int
    entries: list[ReplayEntry]
    end: End
    end_ms: int
    cards: int
    at_ms: int
    moves: int
    undos: int
    redos: int
    restarts: int
    hints: int = 0
    digest: str
    analysed: bool
    """Its analysis is there: GET `attempts/{id}/analysis` answers at once."""


def _replay(attempt: str, record: Record, player: PlayerRef, *, analysed: bool) -> Replay:
    entries = [
        ReplayEntry(
            at_ms=entry.at_ms,
            group=f"{entry.epoch}.{entry.id}",
            what=entry.what.value if isinstance(entry.what, Act) else format_move(entry.what),
        )
        for entry in record.entries
    ]
    return Replay(
        attempt=attempt,
        race=record.race,
        kind=Kind(record.kind),
        player=player,
        deal=format_deal_code(record.deal),
        iron=record.iron,
        limit_ms=record.limit_ms,
        started_ms=record.started_ms,
        entries=entries,
        end=End(record.end.kind.value),
        end_ms=record.end.at_ms,
        cards=record.result.cards,
        at_ms=record.result.at_ms,
        moves=record.result.moves,
        undos=record.result.undos,
        redos=record.result.redos,
        restarts=record.result.restarts,
        hints=record.result.hints,
        digest=record.digest,
        analysed=analysed,
    )


async def show_replay(call: Call[NoBody, ReplayQuery]) -> Reply:
    """An attempt's replay, refused until its race has closed."""
    attempt = call.path["attempt"]
    record = await call.queries.record(call.viewer.id if call.viewer else None, attempt)
    if call.query.format == "record":
        return Reply(format_record(record), Cache.REVALIDATE)
    player = await call.contest.players.ref(record.player)
    analysed = await call.contest.store.analyses.result(attempt_id(record.race, record.player)) is not None
    return Reply(_replay(attempt, record, player, analysed=analysed), Cache.REVALIDATE)


OPERATIONS = (
    Operation(
        "GET",
        "/api/v1/attempts/{attempt}/replay",
        show_replay,
        "How an attempt was played, once its race has closed. The id is the race's, a dot and the player's.",
        answer=Replay,
        body=NoBody,
        query=ReplayQuery,
        access=Access.VIEWER,
        also_text=True,
        cost=2,
        errors=(
            ErrorCode.NOT_FOUND,
            ErrorCode.NOT_CLOSED,
            ErrorCode.RACE_UNKNOWN,
            ErrorCode.BAD_FIELD,
            ErrorCode.TOO_MANY,
        ),
    ),
)
