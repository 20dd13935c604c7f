"""`python -m bench.difficulty [DEALS] [VARIANT...]`: does the grade of a deal tell how often a bot finishes it?

The bot (`client.choosing`, with little look-ahead) plays the first so many deals of each grade of the public ladder. It
knows nothing of grades, and the grades nothing of it: they are made with the solver's own player.
"""

import sys
from pathlib import Path

from bench.reach import played
from rules.deals import DealCode, deal
from rules.moves import is_won
from rules.variants import find_variant
from solver.difficulty import GRADES, grade_in
from solver.ladder import Ladder, parse_ladder
from solver.survey import wilson

VARIANTS = (
    "beleaguered-castle", "citadel", "siegecraft", "stronghold", "brigade", "fortress", "beleaguered-fortress",
    "chessboard", "selective-castle", "freecell", "streets-and-alleys", "castle-of-indolence", "flower-garden",
    "wildflower", "klondike-draw1",
)  # fmt: skip
MOST_MOVES = 1_000
SEEDS = Path(__file__).parents[1] / "seeds"


def graded(ladder: Ladder, grade: int, deals: int) -> list[DealCode]:
    """The first deals of a grade."""
    cards = find_variant(ladder.variant).cards
    seeds = [each.seed for each in ladder.deals if grade_in(ladder.variant, each.score(cards)) == grade]
    return [DealCode(ladder.variant, "r1", seed) for seed in seeds[:deals]]


def row(name: str, grade: int, deals: int) -> str:
    """How many of a grade's deals the bot finished, and what it left of the others."""
    codes = graded(parse_ladder((SEEDS / f"{name}.ladder").read_text(encoding="utf-8")), grade, deals)
    ends = [list(played(deal(code), MOST_MOVES))[-1] for code in codes]
    finished = sum(map(is_won, ends))
    low, high = wilson(finished, len(ends))
    left = sum(end.variant.cards - end.progress for end in ends) / len(ends)
    told = f"{finished:4} of {len(ends):4} finished ({100 * low:.0f}-{100 * high:.0f} %)"
    return f"{name:22} grade {grade}: {told}, {left:4.1f} cards left on average"


def main(deals: int, *names: str) -> None:
    """Prints one line a grade."""
    for name in names or VARIANTS:
        for grade in range(1, GRADES + 1):
            print(row(name, grade, deals), flush=True)


if __name__ == "__main__":
    many, *only = sys.argv[1:] or ["100"]
    main(int(many), *only)
