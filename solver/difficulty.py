"""How hard a winnable deal is: three measures, one number of them, and a grade from 1 to 5 within its variant.

What the measures are and how the grades are cut is told in docs/difficulty.md.
"""

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from rules.moves import is_won, legal_moves, play_unchecked
from rules.positions import Position
from solver.policy import cards_left_by_policy
from solver.verdicts import Verdict, solve

GRADES: Final = 5
_CHILD_BUDGET: Final = 20_000
_WEIGHTS: Final = {"thrown": 30, "left": 55, "long": 15}


@dataclass(frozen=True, slots=True)
class Measured:
    """What a grade is made of."""

    kept: float
    """Share of the first moves after which the deal is still winnable; an open verdict counts as half."""
    left: float
    """Share of the cards that the looking-ahead-once player leaves."""
    moves: int
    """The best known length of a line."""

    def score(self, cards: int) -> float:
        """Higher is harder: from 0 to about 100."""
        long = min(max(self.moves / cards - 1, 0), 1.5) / 1.5
        return _WEIGHTS["thrown"] * (1 - self.kept) + _WEIGHTS["left"] * self.left + _WEIGHTS["long"] * long


def measure_deal(position: Position, moves: int, seed: int = 1) -> Measured:
    """The measures of a winnable position whose best known line has so many moves."""
    return Measured(_kept(position), cards_left_by_policy(position, seed), moves)


def _kept(position: Position) -> float:
    moves, kept = legal_moves(position), 0.0
    for move in moves:
        after = play_unchecked(position, move)
        verdict = Verdict.WINNABLE if is_won(after) else solve(after, _CHILD_BUDGET).verdict
        kept += {Verdict.WINNABLE: 1.0, Verdict.UNKNOWN: 0.5, Verdict.LOST: 0.0}[verdict]
    return kept / len(moves) if moves else 1.0


def cuts_of(scores: Iterable[float]) -> tuple[float, ...]:
    """The four scores that split these evenly into five grades."""
    ordered = sorted(scores)
    return tuple(round(ordered[len(ordered) * part // GRADES], 2) for part in range(1, GRADES)) if ordered else ()


def grade_of(score: float, cuts: Sequence[float]) -> int:
    """1 easy to 5 hard; a score on a cut is in the harder grade."""
    return 1 + bisect_right(cuts, score)


@cache
def _known_cuts() -> Mapping[str, Sequence[float]]:
    text = resources.files("solver").joinpath("cuts.json").read_text("utf-8")
    cuts: Mapping[str, Sequence[float]] = json.loads(text)
    return cuts


def grade_in(base_id: str, score: float) -> int | None:
    """The grade within a variant; None for one that has not been calibrated."""
    cuts = _known_cuts().get(base_id)
    return grade_of(score, cuts) if cuts else None
