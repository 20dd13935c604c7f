"""What players have reached: each one's results with the tallies made from them, and finishes of all by variant."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from server.store import keys
from server.store.link import Link
from server.store.rankings import Cursor, Page, Row, load_page

RESULTS_KEPT = 10_000
"""Of a player's results the latest are kept, and tallies count those."""
QUICK_REMEMBERED = 10_000
"""Of a variant's quick matches the latest can be counted again."""
_WALK = 500


@dataclass(frozen=True, slots=True)
class Tally:
    """Of one name (a variant, or `variant:grade`): `placed` dailies have a place, and `places` is their sum.

    `best_ms` and `median_ms` are of the finishes alone, the median of an even number rounded down; `best_race` is where
    the best was reached, the first by id among equals.
    """

    attempts: int = 0
    finished: int = 0
    placed: int = 0
    places: int = 0
    best_ms: int | None = None
    best_race: str | None = None
    median_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Tallies:
    """All tallies of a player by name, the latest run of days on which a daily was played, and the longest's length."""

    by_name: dict[str, Tally] = field(default_factory=dict)
    latest_run: tuple[int, int] | None = None
    longest_run: int = 0


class ResultStore:
    """Notes results and reads them."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def note(self, player: str, race: str, ended_ms: int, row: str) -> bool:
        """Notes a result: `row` is JSON with `variant`, `grade`, `end` and `at_ms`, `day` of a daily, and `place` once
        it is known. Noted again it replaces the one before and is counted once. False if nothing changed."""
        done: int = await self._link.fcall("player_result", keys.results(player), race, ended_ms, row, RESULTS_KEPT)
        return done == 1

    async def page(self, player: str, cursor: Cursor | None, size: int) -> Page:
        """A page of results, the latest first: `member` is the race, `score` when it ended with a minus."""
        return await load_page(self._link, keys.results(player)[:2], cursor, size)

    async def everything(self, player: str) -> list[Row]:
        """All results of a player, at most `RESULTS_KEPT`, the latest first."""
        rows: list[Row] = []
        cursor: Cursor | None = None
        while True:
            page = await self.page(player, cursor, _WALK)
            rows += page.rows
            cursor = page.next
            if cursor is None:
                return rows

    async def of_races(self, player: str, races: list[str]) -> list[str | None]:
        """The player's rows in these races, None where there is none."""
        if not races:
            return []
        rows: list[str | None] = await self._link.call("HMGET", keys.results(player)[1], *races)
        return rows

    async def tallies(self, player: str) -> Tallies:
        """What the results come to."""
        tallies: Tallies = await self._link.fcall("player_tallies", keys.results(player), parse=_tallies)
        return tallies

    async def rebuild(self, player: str, dropped: Iterable[str]) -> int:
        """Drops the results in these races and makes all tallies anew from the others; how many those are."""
        kept: int = await self._link.fcall("player_results_rebuild", keys.results(player), *dropped)
        return kept

    async def forget(self, player: str) -> None:
        """Forgets all results of a player."""
        await self._link.call("DEL", *keys.results(player))


class FinishStore:
    """How many attempts at a variant there were and how many finished, by grade; each race is counted once."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def note(
        self,
        variant: str,
        race: str,
        grade: str,
        attempts: int,
        finished: int,
        quick_ms: int | None = None,
        most: int = QUICK_REMEMBERED,
    ) -> bool:
        """Notes a race; noted again it replaces what was noted before. False if nothing changed.

        `quick_ms` is when a quick match closed: of those so many are remembered, then they are in the totals alone.
        """
        words = (race, grade, attempts, finished, "" if quick_ms is None else quick_ms, most)
        done: int = await self._link.fcall("finishes_note", keys.finishes(variant), *words)
        return done == 1

    async def totals(self, variant: str) -> dict[str, tuple[int, int]]:
        """Attempts and finishes by grade."""
        flat: list[str] = await self._link.call("HGETALL", keys.finishes(variant)[0])
        totals: dict[str, tuple[int, int]] = {}
        for name, number in _pairs(flat):
            grade, _, what = name.rpartition(" ")
            attempts, finished = totals.get(grade, (0, 0))
            totals[grade] = (int(number), finished) if what == "attempts" else (attempts, int(number))
        return totals

    async def races(self, variant: str) -> list[str]:
        """All races that are remembered one by one."""
        races: list[str] = await self._link.call("HKEYS", keys.finishes(variant)[1])
        return races


def _tallies(reply: Any) -> Tallies:
    flat, times, run = reply
    counts: dict[str, dict[str, int]] = {}
    longest = 0
    for field_name, number in _pairs(flat):
        name, _, what = field_name.rpartition(" ")
        if name:
            counts.setdefault(name, {})[what] = int(number)
        else:
            longest = int(number)
    timed = {times[at]: times[at + 1 : at + 5] for at in range(0, len(times), 5)}
    by_name = {}
    for name, numbers in counts.items():
        best, race, low, high = timed.get(name, (None, None, 0, 0))
        by_name[name] = Tally(
            **numbers,
            best_ms=None if best is None else int(best),
            best_race=race,
            median_ms=None if best is None else (int(low) + int(high)) // 2,
        )
    return Tallies(by_name, (int(run[0]), int(run[1])) if run else None, longest)


def _pairs(flat: list[str]) -> list[tuple[str, str]]:
    return list(zip(flat[::2], flat[1::2], strict=True))
