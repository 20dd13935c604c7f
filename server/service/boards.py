"""Leaderboards: posting to them, closing a day, reading them. Names are in `board_names`, repair in `rebuilding`.

Posting is idempotent and may come late, twice or in any order: only a better row than the one before counts, and
points are added once for each daily.
"""

import asyncio
import json
from dataclasses import dataclass

from protocol.codes import End, Kind
from protocol.fields import RaceId
from protocol.parts import Part, PlayerRef, Standing
from rules.deals import deal, parse_deal_code
from rules.variants import find_variant
from server.clock import Clock
from server.race.daily import LIMIT_MS, Daily
from server.race.race import Race
from server.race.standing import UNRANKED, day_points, split_standing_key
from server.service.board_names import (
    BoardName,
    Side,
    Span,
    best_board,
    day_board,
    is_for_bots,
    parse_board,
    points_boards,
)
from server.service.cursors import format_cursor, parse_cursor
from server.service.players import Players
from server.service.races import attempt_id
from server.store import Store
from server.store.attempts import AttemptRow
from server.store.rankings import Cursor, Row

_WALK = 500


class BoardRow(Part):
    """A row: `cards` and `at_ms` on a day's board, `points` on a week's and month's, `at_ms` on one of best times."""

    place: int
    """Equals share it: 1, 1, 3."""
    player: PlayerRef
    cards: int | None = None
    at_ms: int | None = None
    points: int | None = None
    end: End | None = None
    race: RaceId | None = None
    review: bool | None = None
    """True while it is looked into whether the deal was rehearsed under another name."""


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Some rows of a board of `total`; `next` is the cursor of the page that follows, None after the last."""

    rows: tuple[BoardRow, ...]
    total: int
    as_of: int
    next: str | None
    rule: str


class Boards:
    """The leaderboards of a server."""

    def __init__(self, store: Store, clock: Clock, players: Players) -> None:
        self._store = store
        self._clock = clock
        self._players = players

    async def post_quick(self, race: Race, standings: list[Standing]) -> None:
        """Posts the finishes of a closed quick match to the board of best times."""
        if race.kind is not Kind.QUICK or race.created.chosen_deal:
            return
        finished = [standing for standing in await self._players.refresh(standings) if standing.end is End.FINISHED]
        for standing in finished:
            side = Side.BOTS if standing.player.bot else Side.RANKED
            board = best_board(race.created.variant, side, race.created.grade)
            await self._post_best_time(board, standing.player.id, standing.at_ms, race.id)

    async def post_daily_attempt(self, daily: Daily, player: str, key: int | None) -> None:
        """Posts an ended attempt at a daily to the day's board it belongs on; `key` None: it has built nothing."""
        row = await self._store.attempts.load(attempt_id(daily.race_id, player))
        if row is not None:
            await self._post_day(daily, player, row, key)

    async def close_day(self, daily: Daily, limit: int, grade: int | None = None) -> list[Standing]:
        """Seals every attempt at a daily, posts what is missing, notes who has played, gives points, and returns the
        first standings of all its entrants. `grade` is its deal's. May be done again when it was interrupted:
        everything in it happens once.
        """
        for player, _ in await self._store.races.entrants(daily.race_id):
            row = await self._store.attempts.seal(attempt_id(daily.race_id, player), LIMIT_MS)
            if row.best is not None:
                await self._store.races.post(daily.race_id, player, row.best)
            await self._post_day(daily, player, row, row.best)
            if row.epoch > 0:
                await self._players.note_closed(player, daily.day)
        for side in (Side.RANKED, Side.BOTS):
            await self._give_points(daily, side, grade)
        return await self.daily_standings(daily, None, limit)

    async def daily_standings(self, daily: Daily, after: Cursor | None, limit: int) -> list[Standing]:
        """The next standings of a daily over all its entrants, ranked, open and bots together; who has built nothing
        is listed last, unranked, by id."""
        race = daily.race_id
        ranked = after is None or after.score < UNRANKED
        rows = (await self._store.races.page(race, after, limit)).rows if ranked else []
        rest: list[str] = []
        if len(rows) < limit:
            seen = "" if after is None or ranked else after.member
            idle = sorted(player for player in await self._store.races.unranked(race) if player > seen)
            rest = idle[: limit - len(rows)]
        members = [row.member for row in rows] + rest
        refs, attempts = await asyncio.gather(
            self._players.refs(members),
            asyncio.gather(*(self._store.attempts.load(attempt_id(race, member)) for member in members)),
        )
        shown = [row.score for row in rows] + [None] * len(rest)
        ends = dict(zip(members, map(_end_at, attempts, shown), strict=True))
        cards = find_variant(daily.variant).cards
        scores = [(row.place, row.member, *split_standing_key(row.score)) for row in rows]
        dealt = await self._dealt(race) if rest else 0
        return [
            Standing(
                place=place,
                player=refs[member],
                cards=cards - left,
                at_ms=at_ms,
                end=ends[member][0],
                end_ms=ends[member][1],
            )
            for place, member, left, at_ms in [*scores, *((None, member, cards - dealt, 0) for member in rest)]
        ]

    async def _dealt(self, race: str) -> int:
        """How many cards the deal of a race has put on the foundations."""
        secret = await self._store.races.secret(race)
        return 0 if secret is None else deal(parse_deal_code(secret.deal)).progress

    async def page(self, board: str, cursor: str | None, limit: int) -> BoardPage:
        """A page of a board; raises `ContestError` not_found, unknown_variant, or bad_field for the cursor."""
        name, after, now = parse_board(board), parse_cursor(cursor), self._clock.now_ms()
        page = await self._store.boards.page(board, Cursor(*after) if after else None, limit + 1)
        rows = page.rows[:limit]
        return BoardPage(
            rows=await self._shown(name, rows),
            total=page.total,
            as_of=now,
            next=format_cursor(rows[-1].score, rows[-1].member) if len(page.rows) > limit else None,
            rule=name.rule,
        )

    async def around(self, board: str, player: str, neighbours: int = 2) -> BoardPage:
        """A player's row and its neighbours; no rows if the player has none. Raises as `page` does."""
        name, now = parse_board(board), self._clock.now_ms()
        rows = await self._store.boards.around(board, player, neighbours)
        total = (await self._store.boards.page(board, None, 1)).total
        return BoardPage(rows=await self._shown(name, rows), total=total, as_of=now, next=None, rule=name.rule)

    async def side_of(self, daily: Daily, player: str, start_ms: int) -> Side:
        """Which of a day's boards an attempt is on: where it was first posted it stays."""
        row = await self._players.get(player)
        if row.bot:
            return Side.BOTS
        for side in (Side.OPEN, Side.RANKED):
            if await self._store.boards.around(day_board(daily, side), player, 0):
                return side
        return Side.RANKED if self._players.is_ranked(row, start_ms) else Side.OPEN

    async def rows_of(self, board: str) -> list[Row]:
        """All rows of a board as stored."""
        rows: list[Row] = []
        cursor: Cursor | None = None
        while True:
            page = await self._store.boards.page(board, cursor, _WALK)
            rows += page.rows
            cursor = page.next
            if cursor is None:
                return rows

    async def day_row(self, daily: Daily, player: str, row: AttemptRow) -> str:
        """What a day's board keeps beside the standing key."""
        end, end_ms = _end(row)
        kept = {"race": daily.race_id, "end": end, "end_ms": end_ms}
        if await self._players.is_under_review(player, daily.race_id):
            kept["review"] = True
        return json.dumps(kept)

    async def _post_day(self, daily: Daily, player: str, row: AttemptRow, key: int | None) -> None:
        if key is None:
            return
        side = await self.side_of(daily, player, row.start_ms)
        board = day_board(daily, side)
        await self._store.boards.post_best(board, player, key, await self.day_row(daily, player, row))
        await self._keep_hidden(board, player)

    async def _give_points(self, daily: Daily, side: Side, grade: int | None) -> None:
        rows = await self.rows_of(day_board(daily, side))
        for row, points in zip(rows, day_points([row.place for row in rows]), strict=True):
            for board in points_boards(daily, side):
                await self._store.boards.post_points(board, row.member, points, daily.race_id, "{}")
                await self._keep_hidden(board, row.member)
            left, at_ms = split_standing_key(row.score)
            if left == 0:
                await self._post_best_time(best_board(daily.variant, side, grade), row.member, at_ms, daily.race_id)

    async def _post_best_time(self, board: str, player: str, at_ms: int, race: str) -> None:
        await self._store.boards.post_best(board, player, at_ms, json.dumps({"race": race}))
        await self._keep_hidden(board, player)

    async def _keep_hidden(self, board: str, player: str) -> None:
        """Looked at after posting: who was hidden, or marked as a bot on a board for people, before is hidden here;
        who is later finds the board."""
        row = await self._store.players.get(player)
        if row is not None and (row.hidden or (row.bot and not is_for_bots(board))):
            await self._store.boards.hide(board, player)

    async def _shown(self, board: BoardName, rows: list[Row]) -> tuple[BoardRow, ...]:
        refs = await self._players.refs(row.member for row in rows)
        cards = find_variant(board.variant).cards
        return tuple(_shown_row(board, row, refs[row.member], cards) for row in rows)


def _shown_row(board: BoardName, row: Row, player: PlayerRef, cards: int) -> BoardRow:
    kept = json.loads(row.row or "{}")
    match board.span:
        case Span.DAY:
            left, at_ms = split_standing_key(row.score)
            return BoardRow(
                place=row.place,
                player=player,
                cards=cards - left,
                at_ms=at_ms,
                end=kept.get("end"),
                race=kept.get("race"),
                review=kept.get("review"),
            )
        case Span.WEEK | Span.MONTH:
            return BoardRow(place=row.place, player=player, points=-row.score)
        case Span.BEST:
            return BoardRow(place=row.place, player=player, at_ms=row.score, race=kept.get("race"))


def _end(row: AttemptRow | None) -> tuple[End | None, int | None]:
    if row is None or row.end is None:
        return None, None
    kind, _, at_ms = row.end.partition(" ")
    return End(kind), int(at_ms)


def _end_at(row: AttemptRow | None, standing: int | None) -> tuple[End | None, int | None]:
    """The end, told with the standing it belongs to: not while the one that is shown is older."""
    is_older = row is not None and row.best is not None and (standing is None or row.best < standing)
    return (None, None) if is_older else _end(row)
