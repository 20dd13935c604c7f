"""A naive search that shares nothing with the solver: every legal move of the rules, every position remembered.

Only the order of tableau piles and cells is forgotten, and that only where no redeal reads it.
"""

from rules.moves import is_won, legal_moves, play_unchecked
from rules.positions import Position

Seen = set[object]


class TooWide(Exception):  # noqa: N818 - a claim about the search
    """More positions than the naive search is asked to visit."""


def is_winnable(position: Position, most: int) -> bool:
    """Whether some line wins. Raises TooWide after `most` positions."""
    seen: Seen = {_canonical(position)}
    waiting = [position]
    while waiting:
        here = waiting.pop()
        if is_won(here):
            return True
        for move in legal_moves(here):
            there = play_unchecked(here, move)
            key = _canonical(there)
            if key not in seen:
                if len(seen) >= most:
                    raise TooWide
                seen.add(key)
                waiting.append(there)
    return False


def _canonical(position: Position) -> object:
    variant, tables = position.variant, position.variant.tables
    talon = (position.stock, position.waste)
    # Passes and redeals count only where they are limited.
    passes = position.passes if variant.stock and variant.stock.passes is not None else 0
    redeals = position.redeals if variant.redeal and variant.redeal.times is not None else 0
    rest = (position.foundations, position.reserve, talon, passes, redeals)
    if variant.redeal:
        return (position.tableau, position.cells, rest)
    tableau = sorted(zip(position.tableau, position.down, strict=True))
    return (tuple(tableau), tuple(sorted(position.piles[tables.foundation_end : tables.cell_end])), rest)
