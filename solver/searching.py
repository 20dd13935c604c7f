"""What all searches share: how they stand, what a move generator may leave out, how queues are weighed."""

from enum import IntEnum, IntFlag
from typing import Protocol


class Status(IntEnum):
    """How a search stands; FULL is out of memory."""

    OPEN = 0
    WON = 1
    EXHAUSTED = 2
    FULL = 3


class Mode(IntFlag):
    """What moves are generated."""

    PLAIN = 0
    FORCE = 1
    """A card that fits a started foundation goes there at once. Loses wins."""
    WORRY = 2
    """Cards come back from the foundations where the variant says so."""
    CARRY = 4
    """Runs bounded by cells and spaces move as one; without it card by card, which reaches the same."""


Weights = tuple[tuple[int, ...], ...]
"""For each queue eight numbers: a constant, then one for each of left, own, lower, loose, free, cover, moves played."""


class Search(Protocol):
    """A search that goes on in steps; its numbers are the same in Python and in C."""

    def run(self, states: int) -> Status:
        """Searches on until so many states have been met in all."""

    @property
    def states(self) -> int:
        """Positions met for the first time."""

    @property
    def arrivals(self) -> int:
        """Moves tried."""

    def line(self) -> list[int]:
        """The moves to the win that was found."""
