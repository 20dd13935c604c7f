"""Reading: what HTTP asks about races, days and attempts that takes several stores to answer. Nothing is changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from protocol.codes import ErrorCode, Phase
from protocol.parts import Standing
from rules.record import Record
from rules.variants import find_variant, variants
from server.race.daily import Daily, parse_daily_id
from server.race.race import Race
from server.race.standing import UNRANKED, Score, rank, split_standing_key, standing_key
from server.service.cursors import format_cursor, parse_cursor
from server.service.errors import ContestError
from server.service.races import attempt_id
from server.store.rankings import Cursor

if TYPE_CHECKING:
    from server.service.contest import Contest


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """Standings in order; `next` is the cursor of the page that follows, None after the last."""

    rows: tuple[Standing, ...]
    total: int
    as_of: int
    next: str | None


class Queries:
    """Read-only questions to the services and stores of a contest."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._store = contest.store

    async def race(self, viewer: str | None, race_or_link: str) -> Race:
        """The race that an id or link names, if this viewer may know of it; raises `ContestError` race_unknown."""
        return await self._contest.races.find(viewer, race_or_link)

    def daily_variants(self) -> list[str]:
        """The variants that have a daily challenge."""
        return [variant.id for variant in variants() if variant.ranked_by_default]

    async def daily(self, daily: Daily) -> Race | None:
        """The race of a daily, None when none was committed."""
        return await self._contest.races.find_stored(daily.race_id)

    async def standings(self, race: Race, cursor: str | None, limit: int) -> StandingsPage:
        """A page of a race's standings now, or of its result once it has closed; raises `ContestError` bad_field."""
        after = parse_cursor(cursor)
        challenge = parse_daily_id(race.id)
        if challenge is not None:
            return await self._daily_standings(race, challenge, after, limit)
        if race.closed is not None:
            standings = race.closed.results
        else:
            standings = await self._live_standings(race)
        keyed = [(_position(race.created.variant, standing), standing) for standing in standings]
        rest = [row for row in keyed if after is None or row[0] > after]
        page = rest[:limit]
        return StandingsPage(
            rows=tuple(await self._contest.players.refresh([standing for _, standing in page])),
            total=len(keyed),
            as_of=self._contest.clock.now_ms(),
            next=format_cursor(*page[-1][0]) if len(rest) > limit else None,
        )

    async def _daily_standings(
        self, race: Race, daily: Daily, after: tuple[int, str] | None, limit: int
    ) -> StandingsPage:
        now = self._contest.clock.now_ms()
        cursor = Cursor(*after) if after else None
        standings = await self._contest.boards.daily_standings(daily, cursor, limit + 1)
        page = standings[:limit]
        proven = {one.player.id: one for one in race.closed.results} if race.closed is not None else {}
        return StandingsPage(
            rows=tuple(proven.get(one.player.id, one).model_copy(update={"player": one.player}) for one in page),
            total=await self._store.races.entrant_count(daily.race_id),
            as_of=now,
            next=format_cursor(*_position(daily.variant, page[-1])) if len(standings) > limit else None,
        )

    async def _live_standings(self, race: Race) -> list[Standing]:
        keys = dict(await self._store.races.standings(race.id))
        cards = find_variant(race.created.variant).cards
        races = self._contest.races
        dealt = (await races.dealt(race.id)).progress if races.has_started(race) else 0
        seats = {seat.player.id: seat for seat in race.seats}
        scores = []
        for player, seat in seats.items():
            end, end_ms = (seat.ended.end, seat.ended.end_ms) if seat.ended else (None, None)
            scores.append(Score(player, keys.get(player), end, end_ms))
        return [
            Standing(
                place=place,
                player=seats[score.player].player,
                cards=dealt if score.key is None else cards - split_standing_key(score.key)[0],
                at_ms=0 if score.key is None else split_standing_key(score.key)[1],
                end=score.end,
                end_ms=score.end_ms,
            )
            for place, score in rank(scores)
        ]

    async def record(self, viewer: str | None, attempt: str) -> Record:
        """The record of an attempt; raises `ContestError` not_found, not_closed or race_unknown."""
        race, player = await self.closed(viewer, attempt)
        row = await self._store.attempts.load(attempt_id(race.id, player))
        if row is None:
            raise ContestError(ErrorCode.NOT_FOUND, "attempt")
        return await self._contest.settling.record(race, player, row)

    async def closed(self, viewer: str | None, attempt: str) -> tuple[Race, str]:
        """The closed race of an attempt, and its player; raises `ContestError` not_found, not_closed or race_unknown.

        A practice on a daily's deal stays shut until that day has closed: it would tell the deal.
        """
        race_id, _, player = attempt.rpartition(".")
        if not race_id or not player:
            raise ContestError(ErrorCode.NOT_FOUND, "attempt")
        race = await self.race(viewer, race_id)
        if race.phase is not Phase.CLOSED:
            raise ContestError(ErrorCode.NOT_CLOSED)
        if race.created.practice_of is not None:
            day = await self._contest.races.load(race.created.practice_of)
            if day.phase is not Phase.CLOSED:
                raise ContestError(ErrorCode.NOT_CLOSED)
        return race, player


def _position(variant: str, standing: Standing) -> tuple[int, str]:
    if standing.place is None:
        return UNRANKED, standing.player.id
    left = find_variant(variant).cards - standing.cards
    return standing_key(left, standing.at_ms), standing.player.id
