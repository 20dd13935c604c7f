"""What the engine looks up while playing: made once for each variant, so that a move costs a few tuple reads.

Rows have 53 entries; the last, which UNKNOWN picks as index -1, fits nothing.
"""

from dataclasses import dataclass

from rules.refusals import Refusal

Row = tuple[Refusal | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FoundationTable:
    """One foundation pile: what starts it, what builds on each top card."""

    starts: tuple[Row, ...]
    """Indexed by the common base rank, 0 while it is not decided or not common, then by the card."""
    builds: tuple[Row, ...]
    size: int
    worry_back: bool
    complete_run: bool


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Piles are numbered in one row: tableau, foundations, cells, reserve, stock, waste."""

    index: dict[str, int]
    names: tuple[str, ...]
    kinds: str
    """One letter of `tfcrsw` a pile."""
    tableau_end: int
    foundation_end: int
    cell_end: int
    reserve_end: int
    stock: int
    """The number of the stock, -1 without one; the waste is the next."""
    fits: tuple[Row, ...]
    """Under card, then card: may it be placed there in the tableau?"""
    links: tuple[tuple[int, ...], ...]
    """Under card, then card: bit 1 if they lift together going down, bit 2 going up."""
    fills: tuple[Row, ...]
    """Common base rank, then card: may it fill a space?"""
    foundations: tuple[FoundationTable, ...]
