"""Where a page ended: the key and member (a player, or a race) of its last row, as text. A row whose key did not change
is never skipped or shown twice, whatever was posted between two pages."""

import re

from protocol.codes import ErrorCode
from server.service.errors import ContestError

_CURSOR = re.compile(r"(-?(?:0|[1-9][0-9]{0,15}))\.([a-z0-9._+-]{1,120})")


def format_cursor(score: int, member: str) -> str:
    """The cursor of a page whose last row this is."""
    return f"{score}.{member}"


def parse_cursor(text: str | None) -> tuple[int, str] | None:
    """Score and member of the last row seen, None for the first page; raises `ContestError` bad_field."""
    if text is None:
        return None
    match = _CURSOR.fullmatch(text)
    if match is None:
        raise ContestError(ErrorCode.BAD_FIELD, "cursor", "This is no cursor: take the `next` of a page as it is.")
    return int(match[1]), match[2]
