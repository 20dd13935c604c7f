"""Where attempts were lost, for who asks: a worker finds out, the store keeps it; of a live deal nothing is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from protocol.codes import ErrorCode
from rules.deals import deal_keys, parse_deal_code
from rules.record import format_record
from server.service.errors import ContestError
from server.service.races import attempt_id
from server.store.analyses import Asked, Place

if TYPE_CHECKING:
    from server.service.contest import Contest
    from server.service.queries import Queries


@dataclass(frozen=True, slots=True)
class Made:
    """An analysis that a worker has made: JSON of what `solver.telling` tells, or of why it could not."""

    text: str


class Analyses:
    """Asked for by players, looked at by whoever may see the attempt's replay."""

    def __init__(self, contest: Contest, queries: Queries) -> None:
        self._store = contest.store
        self._races = contest.races
        self._players = contest.players
        self._queries = queries

    async def look(self, viewer: str | None, attempt: str) -> Made | Place:
        """The analysis, or its place in the queue.

        Raises `ContestError` not_asked, written_out, deal_live, no_solver, and all that a replay is refused with.
        """
        ident = await self._may_be_told(viewer, attempt)
        found = await self._find(ident)
        if found is None:
            raise ContestError(ErrorCode.NOT_ASKED)
        if isinstance(found, Place):
            await self._need_a_worker()
        return found

    async def ask(self, player: str, attempt: str, address: str) -> Made | Place:
        """The analysis, or its place in the queue, where it is put if it is not there; `address` is the player's.

        Raises `ContestError` many_waiting, queue_full, no_solver, written_out, deal_live, and all that a replay is
        refused with.
        """
        ident = await self._may_be_told(player, attempt)
        made = await self._store.analyses.result(ident)
        if made is not None:
            return Made(made)
        await self._need_a_worker()
        record = await self._queries.record(player, attempt)
        share = self._players.share_of(address)
        asked = await self._store.analyses.ask(ident, format_record(record), player, share)
        if asked is Asked.MANY:
            raise ContestError(ErrorCode.MANY_WAITING)
        if asked is Asked.SHARE:
            raise ContestError(ErrorCode.QUEUE_FULL, detail="As many wait as may be asked for from one network")
        if asked is Asked.FULL:
            raise ContestError(ErrorCode.QUEUE_FULL)
        # In the meantime it may have been answered and left the queue.
        return await self._find(ident) or Place(running=True, ahead=0)

    async def _find(self, ident: str) -> Made | Place | None:
        """Place first: what leaves the queue between the two looks is kept by then."""
        place = await self._store.analyses.place(ident)
        made = await self._store.analyses.result(ident)
        return place if made is None else Made(made)

    async def _may_be_told(self, viewer: str | None, attempt: str) -> str:
        """The attempt's id, if its race has closed, on a deal from a seed, and nobody else races the deal now."""
        race, player = await self._queries.closed(viewer, attempt)
        code = parse_deal_code((await self._races.secret(race.id)).deal)
        if code.is_written_out:
            raise ContestError(ErrorCode.WRITTEN_OUT)
        if await self._store.deals.is_live(deal_keys(code), but=race.id):
            raise ContestError(ErrorCode.DEAL_LIVE)
        return attempt_id(race.id, player)

    async def _need_a_worker(self) -> None:
        if not await self._store.workers.is_running():
            raise ContestError(ErrorCode.NO_SOLVER)
