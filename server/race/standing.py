"""The one number that ranks, the places made from it, and the points of a day."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from protocol.codes import End

AT_BITS = 40
_AT_MASK = (1 << AT_BITS) - 1
UNRANKED = 2**53 - 1
"""Where who has built nothing stands in a page: behind every standing key."""


def standing_key(cards_left: int, at_ms: int) -> int:
    """Cards not yet on the foundations at best progress, then when it was first reached; the smallest ranks first.

    Below 2^53 for 104 cards and any time under 34 years, so that a sorted set keeps it exactly.
    """
    return cards_left << AT_BITS | at_ms


def split_standing_key(key: int) -> tuple[int, int]:
    """Cards left and `at_ms` of a standing key."""
    return key >> AT_BITS, key & _AT_MASK


@dataclass(frozen=True, slots=True)
class Score:
    """What one attempt has reached: `key` is None as long as it has built nothing."""

    player: str
    key: int | None
    end: End | None = None
    end_ms: int | None = None


def rank(scores: Iterable[Score]) -> list[tuple[int | None, Score]]:
    """The scores in order with their places: equal keys share one (1, 1, 3), who has built nothing is listed last.

    Among equals and among the unranked the order is by player id, only so that it is the same every time.
    """
    ordered = sorted(scores, key=lambda score: (score.key is None, score.key or 0, score.player))
    placed: list[tuple[int | None, Score]] = []
    place, last = 0, -1
    for number, score in enumerate(ordered, start=1):
        if score.key is None:
            placed.append((None, score))
            continue
        if score.key != last:
            place, last = number, score.key
        placed.append((place, score))
    return placed


def day_points(places: Sequence[int]) -> list[int]:
    """Points of a daily for its ranked places: `round(1000 * (n - place + 1) / n)` over n ranked entrants."""
    entrants = len(places)
    return [round(1000 * (entrants - place + 1) / entrants) for place in places]


RANKING_RULE = (
    "Most cards on the foundations first; among equals whoever got there sooner. Finishing means all cards, so "
    "finishers are ordered by their time. The best progress counts: undoing or taking a card back never loses a place. "
    "Equal results share a place, and an attempt that has built nothing is listed last, unranked."
)
POINTS_RULE = (
    "The sum of points for places in dailies: in each, 1000 * (n - place + 1) / n rounded, over its n ranked entrants."
)
BEST_TIME_RULE = "The fastest finish in a daily or quick match on a secret deal; equal times share a place."
