"""Rows of anything ranked, and pages of them by cursor; used for a race's standings and for boards."""

from dataclasses import dataclass
from typing import Any

from server.store.link import Link


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last row seen. A page after it begins with the first row that now stands behind it."""

    score: int
    member: str


@dataclass(frozen=True, slots=True)
class Row:
    """A place in a ranking: equal scores share it, smallest first. `row` is the board's JSON, if it is a board's."""

    place: int
    member: str
    score: int
    row: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows of a ranking of `total`, and where the next page begins: None at its end."""

    rows: list[Row]
    total: int
    next: Cursor | None


async def load_page(link: Link, keys: tuple[str, ...], cursor: Cursor | None, size: int) -> Page:
    """The `size` rows after a cursor, or from the first."""
    words = () if cursor is None else (cursor.score, cursor.member)
    page: Page = await link.fcall("ranking_page", keys, size, *words, parse=lambda reply: _page(reply, size))
    return page


async def load_around(link: Link, keys: tuple[str, ...], member: str, neighbours: int) -> list[Row]:
    """A member's row among its neighbours on both sides; empty if it has none."""
    page: Page = await link.fcall("ranking_around", keys, member, neighbours, parse=lambda reply: _page(reply, 0))
    return page.rows


def _page(reply: Any, size: int) -> Page:
    if reply is None:
        return Page([], 0, None)
    total, flat, kept = reply
    rows = [
        Row(flat[at], flat[at + 1], int(flat[at + 2]), kept[at // 3] if kept else None) for at in range(0, len(flat), 3)
    ]
    ended = not rows or len(rows) < size
    return Page(rows, total, None if ended else Cursor(rows[-1].score, rows[-1].member))
