"""The winnable shares that were measured.

`docs/winnable-share.json` holds the counts, and from them alone come the table of the docs and what the guides show.
Share and interval are computed, never stored by hand.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor
from pathlib import Path
from typing import Any, Final

from rules.variants import find_variant
from solver.survey import Tally

BEGIN: Final = "<!-- table winnable-share -->\n"
END: Final = "<!-- end -->"
_HEAD: Final = ("game", "deals", "winnable", "lost", "undecided", "share of decided", "95 % interval", "published")


@dataclass(frozen=True, slots=True)
class Share:
    """What was measured of one game."""

    variant: str
    tally: Tally
    positions: int
    """The most positions that were spent on a deal."""
    published: str
    """What others say, or nothing."""

    @property
    def of_decided(self) -> float:
        """The share among the deals that were decided, 0 to 1; 0 where none was."""
        decided = self.tally.winnable + self.tally.lost
        return self.tally.winnable / decided if decided else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval, rounded outwards to a tenth of a percent: 10,000 of 10,000 prove no 100.0 %."""
        low, high = self.tally.interval()
        return floor(1000 * low) / 1000, ceil(1000 * high) / 1000


def read_shares(path: Path) -> list[Share]:
    """What the file says, in its order; ValueError where the counts of a game do not add up or the game is unknown."""
    document = json.loads(path.read_text("utf-8"))
    return [_share(name, counts, document["positions"]) for name, counts in document["games"].items()]


def _share(name: str, counts: Mapping[str, Any], positions: int) -> Share:
    tally = Tally(counts["winnable"], counts["lost"], counts["undecided"])
    if tally.deals != counts["deals"] or min(tally.winnable, tally.lost, tally.unknown) < 0:
        raise ValueError(f"{name}: winnable, lost and undecided do not make {counts['deals']} deals")
    return Share(find_variant(name).id, tally, counts.get("positions", positions), counts.get("published", ""))


def fill_shares(document: str, shares: list[Share]) -> str:
    """The document with its table made anew; ValueError where its marks are missing."""
    before, mark, rest = document.partition(BEGIN)
    _, closing, after = rest.partition(END)
    if not mark or not closing:
        raise ValueError("the document has no place for the table of winnable shares")
    lines = [_HEAD, ("---",) * len(_HEAD), *(_row(share) for share in shares)]
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return f"{before}{mark}\n{table}\n{closing}{after}"


def _row(share: Share) -> tuple[str, ...]:
    tally, (low, high) = share.tally, share.interval
    counts = (f"{count:,}" for count in (tally.deals, tally.winnable, tally.lost, tally.unknown))
    name = find_variant(share.variant).name
    return (name, *counts, _percent(share.of_decided), f"{_percent(low)} to {_percent(high)}", share.published)


def _percent(fraction: float) -> str:
    return f"{100 * fraction:.1f} %"


def shares_for_guides(shares: list[Share]) -> str:
    """The same as JSON for the browser: counts, the share to four places, the interval rounded outwards to three."""
    games = {
        share.variant: {
            "deals": share.tally.deals,
            "winnable": share.tally.winnable,
            "lost": share.tally.lost,
            "undecided": share.tally.unknown,
            "share": round(share.of_decided, 4),
            "interval": share.interval,
        }
        for share in shares
    }
    return json.dumps(games, indent=1) + "\n"
