"""The winnable share of a variant, measured on fresh deals, with its 95 % interval."""

from dataclasses import dataclass
from math import sqrt
from typing import Final

from rules.deals import DealCode, deal
from solver.verdicts import Verdict, solve

_Z: Final = 1.959964
"""95 % of a normal distribution lies within so many standard deviations."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Verdicts counted."""

    winnable: int = 0
    lost: int = 0
    unknown: int = 0

    @property
    def deals(self) -> int:
        """All that were tried."""
        return self.winnable + self.lost + self.unknown

    def plus(self, verdict: Verdict) -> "Tally":
        """With one verdict more."""
        return Tally(
            self.winnable + (verdict is Verdict.WINNABLE),
            self.lost + (verdict is Verdict.LOST),
            self.unknown + (verdict is Verdict.UNKNOWN),
        )

    def interval(self) -> tuple[float, float]:
        """95 % interval of the share (Wilson), undecided deals counted as lost below and as winnable above."""
        return (
            wilson(self.winnable, self.deals)[0],
            wilson(self.winnable + self.unknown, self.deals)[1],
        )


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share of which `hits` of `of` were seen (Wilson 1927)."""
    if not of:
        return 0.0, 1.0
    share, square = hits / of, _Z * _Z / of
    middle, half = share + square / 2, _Z * sqrt(share * (1 - share) / of + square / (4 * of))
    return (middle - half) / (1 + square), (middle + half) / (1 + square)


def survey_deal(variant_id: str, seed: str, budget: int) -> Verdict:
    """The verdict on one r1 deal."""
    return solve(deal(DealCode(variant_id, "r1", seed)), budget).verdict
