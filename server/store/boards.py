"""Boards: rankings that outlive races, with hidden members, and rebuilt from results when need be."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from server.store import keys
from server.store.link import Link
from server.store.rankings import Cursor, Page, Row, load_around, load_page


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row to rebuild a board with. On a board of points `score` is the sum with a minus."""

    member: str
    score: int
    row: str


class BoardStore:
    """Posts to boards and reads them. Smallest score first; points are kept as scores with a minus."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._known: set[str] = set()

    async def post_best(self, board: str, member: str, score: int, row: str) -> bool:
        """Posts a score with its row (JSON); only the member's best counts. True if this is it now."""
        await self._note(board)
        posted: int = await self._link.fcall("board_best", keys.board(board)[:4], member, score, row)
        return posted == 1

    async def post_points(self, board: str, member: str, points: int, once_key: str, row: str) -> bool:
        """Adds points to the member's sum, once for each `once_key`. False if they had been added before."""
        await self._note(board)
        posted: int = await self._link.fcall("board_points", keys.board(board), member, points, once_key, row)
        return posted == 1

    async def page(self, board: str, cursor: Cursor | None, size: int) -> Page:
        """A page of a board; a row whose score does not change is on exactly one page of a walk."""
        return await load_page(self._link, keys.board(board)[:2], cursor, size)

    async def around(self, board: str, member: str, neighbours: int = 2) -> list[Row]:
        """A member's row and its neighbours; empty if it has none or is hidden."""
        return await load_around(self._link, keys.board(board)[:2], member, neighbours)

    async def count(self, board: str, least: int, below: int) -> int:
        """How many rows have a score of at least `least` and below `below`."""
        count: int = await self._link.call("ZCOUNT", keys.board(board)[0], least, f"({below}")
        return count

    async def ends(self, board: str, least: int, below: int) -> tuple[int, int] | None:
        """The smallest and the greatest score within these bounds, None if there is none."""
        ranking, high = keys.board(board)[0], f"({below}"
        first, last = await asyncio.gather(
            self._link.call("ZRANGE", ranking, least, high, "BYSCORE", "LIMIT", 0, 1, "WITHSCORES"),
            self._link.call("ZRANGE", ranking, high, least, "BYSCORE", "REV", "LIMIT", 0, 1, "WITHSCORES"),
        )
        return (int(first[1]), int(last[1])) if first and last else None

    async def hide(self, board: str, member: str) -> None:
        """Hides a member, its later posts too."""
        await self._link.fcall("board_hide", keys.board(board)[:4], member)

    async def unhide(self, board: str, member: str) -> None:
        """Shows a member again, with what was posted meanwhile."""
        await self._link.fcall("board_unhide", keys.board(board)[:4], member)

    async def boards(self) -> list[str]:
        """All boards that were ever posted to."""
        boards: list[str] = await self._link.call("SMEMBERS", keys.BOARDS)
        return boards

    async def hide_everywhere(self, member: str) -> None:
        """Hides a member on every board. Mark the player hidden before, and look at the mark before posting to a
        board: then a board made at the same moment is either found here or not posted to."""
        for board in await self.boards():
            await self.hide(board, member)

    async def stamp(self, board: str) -> str:
        """Changes with everything that changes the board; read it before collecting what to rebuild from."""
        stamp: str | None = await self._link.call("GET", keys.board(board)[3])
        return stamp or "0"

    async def rebuild(
        self, board: str, stamp: str, rows: Iterable[BoardRow], posted: Mapping[tuple[str, str], int] | None = None
    ) -> bool:
        """Replaces all rows; hidden members stay hidden. False if the board changed since `stamp`: collect again.

        `posted` says for a board of points which (once_key, member) its sums are made of, and their points.
        """
        flat = [word for row in rows for word in (row.member, row.score, row.row)]
        sums = [word for (once, member), points in (posted or {}).items() for word in (f"{once} {member}", points)]
        await self._note(board)
        rebuilt: int = await self._link.fcall("board_rebuild", keys.board(board), stamp, len(flat) // 3, *flat, *sums)
        return rebuilt == 1

    async def _note(self, board: str) -> None:
        if board not in self._known:
            await self._link.call("SADD", keys.BOARDS, board)
            self._known.add(board)
