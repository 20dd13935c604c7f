"""Small positions and odd records for the tests of the rules."""

from __future__ import annotations

from typing import Any

from rules.moves import Refusal, format_move, legal_moves, parse_move, refusal
from rules.patches import merge_patch
from rules.position_texts import parse_position
from rules.positions import Position
from rules.variants import Variant, find_record, find_variant, make_variant


def patched(base: str, patch: dict[str, Any]) -> Variant:
    """A base variant under a raw patch."""
    return make_variant(merge_patch(find_record(base), patch))


def board(variant: Variant | str, *lines: str) -> Position:
    """A position from the lines of a board; piles that are not written are empty."""
    known = find_variant(variant) if isinstance(variant, str) else variant
    return parse_position(known, "\n".join(lines))


def moves(position: Position) -> list[str]:
    """The legal moves as sorted texts."""
    return sorted(map(format_move, legal_moves(position)))


def refused(position: Position, text: str) -> Refusal | None:
    """Why the move of this text is refused."""
    return refusal(position, parse_move(text))
