"""Players' results: what each has reached in dailies and quick matches, and what their statistics come to.

A result is noted when a daily's attempt has ended, and again with its place when the day has closed; of a quick match
when it has closed. All of it is derived, may be noted again, and is made anew by `rebuild`.
"""

import json
from dataclasses import dataclass
from typing import Any

from protocol.codes import End, Kind
from protocol.fields import RaceId
from protocol.parts import Part
from rules.variants import find_variant
from server.clock import Clock
from server.race.daily import LIMIT_MS, Daily, day_of, format_day, parse_daily_id
from server.race.race import Race
from server.race.standing import split_standing_key
from server.service.board_names import Side, day_board, period_of
from server.service.boards import Boards
from server.service.cursors import format_cursor, parse_cursor
from server.service.players import Players
from server.service.races import Races, attempt_id
from server.store import Store
from server.store.attempts import AttemptRow
from server.store.rankings import Cursor
from server.store.results import Tallies, Tally


class Result(Part):
    """What a player reached in one race. `place` among `of` comes when it has closed, a daily's by its board."""

    race: RaceId
    kind: Kind
    variant: str
    grade: str
    """The difficulty of the deal, or `ungraded`."""
    end: End
    end_ms: int
    cards: int
    at_ms: int
    ended_ms: int
    """When the attempt ended, on the server's clock."""
    place: int | None = None
    of: int | None = None


class Streak(Part):
    """Days in a row with an ended attempt at a daily, by the day it was begun on (UTC)."""

    current: int
    """The run up to now: it is broken when a day has closed, an hour after its midnight, without one."""
    longest: int
    last_day: str | None = None


class VariantStatistics(Part):
    """What the results in one variant come to, or in one variant's deals of one grade."""

    variant: str
    grade: str | None = None
    """None: of all grades."""
    attempts: int
    """Ended attempts at dailies and in quick matches."""
    finished: int
    """Those that brought every card to the foundations."""
    best_ms: int | None = None
    """The fastest of the finished."""
    best_race: RaceId | None = None
    median_ms: int | None = None
    """Half of the finished were faster."""
    placed: int
    """Closed dailies with a place on a board."""
    average_place: float | None = None
    """Over those dailies."""


class Statistics(Part):
    """What a player's latest 10,000 results come to."""

    attempts: int
    finished: int
    streak: Streak
    variants: list[VariantStatistics]


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """Results, the latest first; `next` is the cursor of the page that follows, None after the last."""

    rows: tuple[Result, ...]
    total: int
    as_of: int
    next: str | None


class Results:
    """Notes and reads the results of players."""

    def __init__(self, store: Store, clock: Clock, races: Races, players: Players, boards: Boards) -> None:
        self._store = store
        self._clock = clock
        self._races = races
        self._players = players
        self._boards = boards

    async def note_daily(self, race: Race, player: str, row: AttemptRow) -> None:
        """Notes an ended attempt at a daily; its place comes when the day closes."""
        await self._note_daily(race, player, row, None, None)

    async def close_day(self, daily: Daily, race: Race) -> None:
        """Notes the places of all whose attempts at a daily are sealed and posted."""
        places: dict[str, tuple[int, int]] = {}
        for side in Side:
            rows = await self._boards.rows_of(day_board(daily, side))
            places |= {row.member: (row.place, len(rows)) for row in rows}
        for player, _ in await self._store.races.entrants(race.id):
            row = await self._store.attempts.load(attempt_id(race.id, player))
            if row is not None and row.epoch > 0:
                await self._note_daily(race, player, row, *places.get(player, (None, None)))

    async def close_quick(self, race: Race) -> None:
        """Notes the results of a closed quick match."""
        for standing in race.closed.results if race.closed is not None else []:
            if standing.end is not None and standing.end_ms is not None:
                result = Result(
                    race=race.id,
                    kind=race.kind,
                    variant=race.created.variant,
                    grade=period_of(race.created.grade),
                    end=standing.end,
                    end_ms=standing.end_ms,
                    cards=standing.cards,
                    at_ms=standing.at_ms,
                    ended_ms=(race.start_ms or 0) + standing.end_ms,
                    place=standing.place,
                    of=len(race.seats),
                )
                await self._note(standing.player.id, result)

    async def page(self, player: str, cursor: str | None, limit: int) -> ResultsPage:
        """A page of a player's results; raises `ContestError` bad_field for the cursor."""
        after, now = parse_cursor(cursor), self._clock.now_ms()
        page = await self._store.results.page(player, Cursor(*after) if after else None, limit + 1)
        rows = page.rows[:limit]
        return ResultsPage(
            rows=tuple(_result(row.member, row.row or "{}", -row.score) for row in rows),
            total=page.total,
            as_of=now,
            next=format_cursor(rows[-1].score, rows[-1].member) if len(page.rows) > limit else None,
        )

    async def of_days(self, player: str, dailies: list[Daily]) -> dict[Daily, Result]:
        """The player's results in these dailies."""
        rows = await self._store.results.of_races(player, [daily.race_id for daily in dailies])
        return {
            daily: _result(daily.race_id, row, json.loads(row)["ended_ms"])
            for daily, row in zip(dailies, rows, strict=True)
            if row is not None
        }

    async def statistics(self, player: str) -> Statistics:
        """What the player's results come to."""
        tallies = await self._store.results.tallies(player)
        whole = [tally for name, tally in tallies.by_name.items() if ":" not in name]
        return Statistics(
            attempts=sum(tally.attempts for tally in whole),
            finished=sum(tally.finished for tally in whole),
            streak=streak_of(tallies, self._clock.now_ms()),
            variants=[_statistics(name, tally) for name, tally in sorted(tallies.by_name.items()) if tally.attempts],
        )

    async def streak(self, player: str) -> Streak:
        """The player's days in a row."""
        return streak_of(await self._store.results.tallies(player), self._clock.now_ms())

    async def rebuild(self, player: str) -> int:
        """Notes anew what is stored of the player's attempts and drops what is not there; the results then.

        Results of races that are forgotten or can't be read are kept. Raises `ContestError` not_found for a player
        unknown.
        """
        await self._players.get(player)
        listed = [attempt.rpartition(".")[0] for attempt in await self._store.players.attempts(player)]
        noted: set[str] = set()
        for race_id in listed:
            race = await self._races.find_readable(race_id)
            if race is not None and await self._renote(race, player):
                noted.add(race_id)
        kept = [row.member for row in await self._store.results.everything(player)]
        dropped = [race for race in kept if race not in noted and await self._races.find_readable(race)]
        return await self._store.results.rebuild(player, dropped)

    async def _renote(self, race: Race, player: str) -> bool:
        daily = parse_daily_id(race.id)
        row = await self._store.attempts.load(attempt_id(race.id, player))
        if daily is not None and row is not None and row.end is not None and row.epoch > 0:
            place: tuple[int, int] | tuple[None, None] = (None, None)
            if race.closed is not None:
                place = await self._place(daily, player)
            await self._note_daily(race, player, row, *place)
            return True
        if race.kind is Kind.QUICK and race.closed is not None:
            await self.close_quick(race)
            return True
        return False

    async def _place(self, daily: Daily, player: str) -> tuple[int, int] | tuple[None, None]:
        for side in Side:
            board = day_board(daily, side)
            for row in await self._store.boards.around(board, player, 0):
                return row.place, (await self._store.boards.page(board, None, 1)).total
        return None, None

    async def _note_daily(self, race: Race, player: str, row: AttemptRow, place: int | None, of: int | None) -> None:
        if row.end is None:
            return
        kind, _, end_ms = row.end.partition(" ")
        cards = find_variant(race.created.variant).cards
        if row.best is None:
            built, at_ms = (await self._races.dealt(race.id)).progress, 0
        else:
            left, at_ms = split_standing_key(row.best)
            built = cards - left
        result = Result(
            race=race.id,
            kind=Kind.DAILY,
            variant=race.created.variant,
            grade=period_of(race.created.grade),
            end=End(kind),
            end_ms=int(end_ms),
            cards=built,
            at_ms=at_ms,
            ended_ms=row.start_ms + int(end_ms),
            place=place,
            of=of,
        )
        await self._note(player, result)

    async def _note(self, player: str, result: Result) -> None:
        row = await self._store.players.get(player)
        if row is None or row.is_deleted:
            return
        kept: dict[str, Any] = result.model_dump(mode="json", exclude={"race"}, exclude_none=True)
        daily = parse_daily_id(result.race)
        if daily is not None:
            kept["day"] = daily.day
        await self._store.results.note(player, result.race, result.ended_ms, json.dumps(kept))


def streak_of(tallies: Tallies, now_ms: int) -> Streak:
    """The run of days up to `now_ms`. Until a day has closed its attempts may still end, and the run goes on."""
    if tallies.latest_run is None:
        return Streak(current=0, longest=0)
    first, last = tallies.latest_run
    latest_closed = day_of(now_ms - LIMIT_MS) - 1
    return Streak(
        current=last - first + 1 if last >= latest_closed else 0,
        longest=tallies.longest_run,
        last_day=format_day(last),
    )


def _result(race: str, text: str, ended_ms: int) -> Result:
    return Result.model_validate({**json.loads(text), "race": race, "ended_ms": ended_ms})


def _statistics(name: str, tally: Tally) -> VariantStatistics:
    variant, _, grade = name.partition(":")
    return VariantStatistics(
        variant=variant,
        grade=grade or None,
        attempts=tally.attempts,
        finished=tally.finished,
        best_ms=tally.best_ms,
        best_race=tally.best_race,
        median_ms=tally.median_ms,
        placed=tally.placed,
        average_place=round(tally.places / tally.placed, 2) if tally.placed else None,
    )
