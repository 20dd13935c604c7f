"""Rebuilding a board from what it was made of: sealed attempts, closed days. For the command that repairs boards.

A board of best times also holds quick matches, which are not listed anywhere: their rows are kept where the race is
forgotten already, can't be read or still says the same, and dropped where it says something else.
"""

import json
from collections import defaultdict

from protocol.codes import End, ErrorCode, Phase
from server.race.daily import Daily, parse_daily_id
from server.race.standing import day_points, split_standing_key
from server.service.board_names import BoardName, Span, day_board, parse_board, period_of
from server.service.boards import Boards
from server.service.errors import ContestError
from server.service.races import Races, attempt_id
from server.store import Store
from server.store.boards import BoardRow
from server.store.rankings import Row

_TRIES = 8
Sums = dict[tuple[str, str], int]


class Rebuilding:
    """Replaces a board's rows by what they should be; hidden players stay hidden."""

    def __init__(self, store: Store, races: Races, boards: Boards) -> None:
        self._store = store
        self._races = races
        self._boards = boards

    async def rebuild(self, board: str) -> int:
        """Rebuilds one board; how many rows it has. Raises `ContestError` not_found when its races are forgotten,
        internal when one that counts can't be read, retry when the board is changed too often meanwhile."""
        name = parse_board(board)
        for _ in range(_TRIES):
            stamp = await self._store.boards.stamp(board)
            rows, posted = await self._collect(board, name)
            if await self._store.boards.rebuild(board, stamp, rows, posted):
                return len(rows)
        raise ContestError(ErrorCode.RETRY)

    async def rebuild_all(self) -> dict[str, int]:
        """Rebuilds every board whose races are still stored and can be read, days first; the rows of each."""
        rebuilt: dict[str, int] = {}
        for board in sorted(await self._store.boards.boards(), key=lambda board: (not board.startswith("day:"), board)):
            try:
                rebuilt[board] = await self.rebuild(board)
            except ContestError as error:
                if error.code not in (ErrorCode.NOT_FOUND, ErrorCode.INTERNAL):
                    raise
        return rebuilt

    async def _collect(self, board: str, name: BoardName) -> tuple[list[BoardRow], Sums]:
        match name.span:
            case Span.DAY:
                return await self._day(name), {}
            case Span.WEEK | Span.MONTH:
                return await self._points(name)
            case Span.BEST:
                return await self._best(board, name), {}

    async def _day(self, name: BoardName) -> list[BoardRow]:
        daily = Daily(name.days()[0], name.variant)
        if not await self._store.races.load(daily.race_id):
            raise ContestError(ErrorCode.NOT_FOUND, "board", "Its race is forgotten already.")
        rows = []
        for player, _ in await self._store.races.entrants(daily.race_id):
            attempt = await self._store.attempts.load(attempt_id(daily.race_id, player))
            if attempt is None or attempt.best is None or attempt.end is None:
                continue
            if await self._boards.side_of(daily, player, attempt.start_ms) is name.side:
                rows.append(BoardRow(player, attempt.best, await self._boards.day_row(daily, player, attempt)))
        return rows

    async def _points(self, name: BoardName) -> tuple[list[BoardRow], Sums]:
        posted: Sums = {}
        sums: dict[str, int] = defaultdict(int)
        for day in name.days():
            daily = Daily(day, name.variant)
            if not await self._is_closed(daily.race_id):
                continue
            rows = await self._boards.rows_of(day_board(daily, name.side))
            for row, points in zip(rows, day_points([row.place for row in rows]), strict=True):
                posted[daily.race_id, row.member] = points
                sums[row.member] += points
        return [BoardRow(player, -points, "{}") for player, points in sums.items()], posted

    async def _best(self, board: str, name: BoardName) -> list[BoardRow]:
        best: dict[str, BoardRow] = {}

        def offer(row: BoardRow) -> None:
            if row.member not in best or row.score < best[row.member].score:
                best[row.member] = row

        for row in await self._boards.rows_of(board):
            if await self._still_holds(row, name):
                offer(BoardRow(row.member, row.score, row.row or "{}"))
        for other in await self._store.boards.boards():
            if not other.startswith("day:"):
                continue
            day = parse_board(other)
            daily = Daily(day.days()[0], day.variant)
            if (day.variant, day.side) != (name.variant, name.side) or not await self._is_of(daily.race_id, name):
                continue
            for row in await self._boards.rows_of(other):
                left, at_ms = split_standing_key(row.score)
                if left == 0:
                    offer(BoardRow(row.member, at_ms, f'{{"race": "{daily.race_id}"}}'))
        return list(best.values())

    async def _still_holds(self, row: Row, name: BoardName) -> bool:
        race_id = json.loads(row.row or "{}").get("race", "")
        race = await self._races.find_readable(race_id)
        if race is None:
            return True
        if parse_daily_id(race_id) is not None:
            return False
        if race.closed is None or period_of(race.created.grade) != name.period:
            return False
        return any(
            standing.player.id == row.member and standing.end is End.FINISHED and standing.at_ms == row.score
            for standing in race.closed.results
        )

    async def _is_of(self, race_id: str, name: BoardName) -> bool:
        """Has a daily closed whose finishes are on this board of best times?"""
        race = await self._races.find_readable(race_id)
        return race is not None and race.phase is Phase.CLOSED and period_of(race.created.grade) == name.period

    async def _is_closed(self, race_id: str) -> bool:
        race = await self._races.find_stored(race_id)
        return race is not None and race.phase is Phase.CLOSED
