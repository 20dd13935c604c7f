"""The dailies of a month in one variant, as a player may look back at them."""

import asyncio
from dataclasses import dataclass
from typing import Literal

from protocol.codes import ErrorCode
from protocol.fields import RaceId
from protocol.parts import Part
from server.clock import Clock
from server.race.daily import Daily, day_of, format_day
from server.service.board_names import days_of_month
from server.service.errors import ContestError
from server.service.results import Result, Results
from server.store import Store

DayPhase = Literal["open", "over", "closed"]


class ArchiveDay(Part):
    """A daily that is or was held. `mine` is the viewer's result; `is_running`: an attempt that has not ended."""

    date: str
    race: RaceId
    phase: DayPhase
    """Open to starts; over, but last attempts may run; closed with deal, results and replays."""
    is_running: bool | None = None
    mine: Result | None = None


@dataclass(frozen=True, slots=True)
class Own:
    """What a player has done in some dailies: the results, and where an attempt has not ended."""

    results: dict[Daily, Result]
    running: set[Daily]


@dataclass(frozen=True, slots=True)
class ArchiveMonth:
    """The days of a month on which there is or was a daily, first to last, none after `today`.

    `first_day` is the first day with dailies on this server, None before there are any.
    """

    first_day: str | None
    today: str
    days: tuple[ArchiveDay, ...]


class Archive:
    """Looks back at dailies."""

    def __init__(self, store: Store, clock: Clock, results: Results) -> None:
        self._store = store
        self._clock = clock
        self._results = results

    async def month(self, month: str, variant: str, viewer: str | None) -> ArchiveMonth:
        """A month, `YYYY-MM`; raises `ContestError` bad_field."""
        try:
            days = days_of_month(month)
        except (ValueError, OverflowError):
            raise ContestError(ErrorCode.BAD_FIELD, "month", "month: a month as YYYY-MM.") from None
        now = self._clock.now_ms()
        dailies = [Daily(day, variant) for day in days if day <= day_of(now)]
        held, first = await asyncio.gather(
            self._store.races.existing([daily.race_id for daily in dailies]), self._store.races.first_day()
        )
        dailies = [daily for daily in dailies if daily.race_id in held]
        own = await self.own(viewer, dailies)
        return ArchiveMonth(
            first_day=None if first is None else format_day(first),
            today=format_day(day_of(now)),
            days=tuple(
                ArchiveDay(
                    date=format_day(daily.day),
                    race=daily.race_id,
                    phase=_phase(daily, now),
                    is_running=True if daily in own.running else None,
                    mine=own.results.get(daily),
                )
                for daily in dailies
            ),
        )

    async def own(self, viewer: str | None, dailies: list[Daily]) -> Own:
        """What the viewer has done in these."""
        if viewer is None:
            return Own({}, set())
        results, now = await self._results.of_days(viewer, dailies), self._clock.now_ms()
        open_ones = [daily for daily in dailies if daily not in results and now < daily.closes_ms]
        begun = await asyncio.gather(
            *(self._store.races.entrants_among(daily.race_id, [viewer]) for daily in open_ones)
        )
        return Own(results, {daily for daily, players in zip(open_ones, begun, strict=True) if players})


def _phase(daily: Daily, now_ms: int) -> DayPhase:
    if now_ms < daily.last_start_ms:
        return "open"
    return "over" if now_ms < daily.closes_ms else "closed"
