"""How the finders weigh what they see. Found by trial on numbered deals: they decide speed, never truth."""

from dataclasses import dataclass
from typing import Final

from solver.searching import Mode, Weights


@dataclass(frozen=True, slots=True)
class Finder:
    """One streamlined search of a plan."""

    mode: Mode
    weights: Weights
    exact: bool
    from_share: int
    """It joins when a round's share is as large."""
    part: int = 1
    """It gets the share divided by this."""


_WEIGHTS: Final = ((44, 2, 3, 1, 2, 2, 1, 0), (0, 2, 1, 0, 2, 0, 3, 2))

SHORT: Final = ((44, 4, 4, 1, 2, 1, 1, 3), (44, 2, 3, 1, 2, 1, 0, 2))
"""Single queues that count the moves played: their lines are short."""

FINDERS: Final = (
    Finder(Mode.FORCE | Mode.CARRY, _WEIGHTS, exact=False, from_share=0),
    Finder(Mode.WORRY | Mode.CARRY, _WEIGHTS, exact=False, from_share=2_000),
    Finder(Mode.WORRY | Mode.CARRY, _WEIGHTS, exact=True, from_share=8_000, part=4),
)
