"""What a daily's boards say as a whole: how its times are spread, and where one player stands among all."""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from protocol.codes import End
from protocol.parts import Part
from rules.variants import find_variant
from server.race.daily import Daily
from server.race.standing import AT_BITS, split_standing_key
from server.service.board_names import Side, day_board
from server.store import Store

BUCKETS_MAX = 16
WIDTHS_MS = tuple(seconds * 1000 for seconds in (1, 2, 5, 10, 15, 30, 60, 120, 300))
"""An hour, which is as long as a daily may take, has twelve buckets of the widest."""
_ENDLESS = 2**53
_PEOPLE = (Side.RANKED, Side.OPEN)


class Bucket(Part):
    """So many have finished within `from_ms` and before `to_ms`."""

    from_ms: int
    to_ms: int
    count: int


class MyPlace(Part):
    """Where a player stands on the board that the attempt is on."""

    board: str
    place: int
    of: int
    better_than: float | None = None
    """Percent of all other people on the ranked and the open board that are behind, to a tenth; none if there is nobody
    else. Of a bot: of the other bots."""
    cards: int
    at_ms: int
    end: End
    review: bool | None = None


@dataclass(frozen=True, slots=True)
class DayResult:
    """A daily's attempts that have ended and built something, people's alone: how many, and the times of the finished.

    All rows are counted, and hidden players are not on boards. `buckets` follow each other without a gap and hold the
    viewer's own time, a bot's too.
    """

    total: int
    finished: int
    buckets: tuple[Bucket, ...]
    mine: MyPlace | None


class DayResults:
    """Reads the boards of dailies by counting between scores: what it costs does not grow with the rows."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, daily: Daily, viewer: str | None) -> DayResult:
        """A daily's result now, with the viewer's place if the viewer is on a board."""
        boards = [day_board(daily, side) for side in _PEOPLE]
        mine = await self._mine(daily, viewer)
        own_ms = [mine.at_ms] if mine is not None and mine.end is End.FINISHED else []
        total, finished, buckets = await asyncio.gather(
            self._count(boards, 0, _ENDLESS),
            self._count(boards, 0, 1 << AT_BITS),
            self._buckets(boards, own_ms),
        )
        return DayResult(total, finished, buckets, mine)

    async def is_won(self, daily: Daily) -> bool:
        """Has anybody finished it, bots among them?"""
        return await self._count([day_board(daily, side) for side in Side], 0, 1 << AT_BITS) > 0

    async def _buckets(self, boards: list[str], own_ms: list[int]) -> tuple[Bucket, ...]:
        ends = await asyncio.gather(*(self._store.boards.ends(board, 0, 1 << AT_BITS) for board in boards))
        found = [end for pair in ends if pair is not None for end in pair]
        if not found:
            return ()
        edges = bucket_edges(min(found + own_ms), max(found + own_ms))
        pairs = list(pairwise(edges))
        counts = await asyncio.gather(*(self._count(boards, low, high) for low, high in pairs))
        return tuple(Bucket(from_ms=low, to_ms=high, count=n) for (low, high), n in zip(pairs, counts, strict=True))

    async def _mine(self, daily: Daily, viewer: str | None) -> MyPlace | None:
        if viewer is None:
            return None
        for side in Side:
            board = day_board(daily, side)
            for row in await self._store.boards.around(board, viewer, 0):
                boards = [board] if side is Side.BOTS else [day_board(daily, one) for one in _PEOPLE]
                of, everyone, behind = await asyncio.gather(
                    self._count([board], 0, _ENDLESS),
                    self._count(boards, 0, _ENDLESS),
                    self._count(boards, row.score + 1, _ENDLESS),
                )
                left, at_ms = split_standing_key(row.score)
                kept = json.loads(row.row or "{}")
                return MyPlace(
                    board=board,
                    place=row.place,
                    of=of,
                    better_than=round(100 * behind / (everyone - 1), 1) if everyone > 1 else None,
                    cards=find_variant(daily.variant).cards - left,
                    at_ms=at_ms,
                    end=kept["end"],
                    review=kept.get("review"),
                )
        return None

    async def _count(self, boards: Iterable[str], least: int, below: int) -> int:
        return sum(await asyncio.gather(*(self._store.boards.count(board, least, below) for board in boards)))


def bucket_edges(least_ms: int, most_ms: int) -> list[int]:
    """Edges of at most `BUCKETS_MAX` buckets of one round width that hold both times."""
    for width in WIDTHS_MS:
        first = least_ms // width * width
        count = (most_ms - first) // width + 1
        if count <= BUCKETS_MAX:
            return [first + width * number for number in range(count + 1)]
    first, width = 0, most_ms // BUCKETS_MAX + 1
    return [first + width * number for number in range(BUCKETS_MAX + 1)]
