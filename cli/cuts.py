"""`python -m cli.cuts` writes where the public ladders cut their grades, for the workers that grade fresh deals."""

import json
from pathlib import Path

from rules.variants import find_variant
from solver.difficulty import cuts_of
from solver.ladder import parse_ladder

ROOT = Path(__file__).parent.parent
LEAST_DEALS = 50
"""A ladder with fewer deals cuts no grades."""


def cuts_text() -> str:
    """The text of `solver/cuts.json` as the ladders in `seeds/` make it. Raises BadLadder."""
    cuts = {}
    for file in sorted((ROOT / "seeds").glob("*.ladder")):
        ladder = parse_ladder(file.read_text(encoding="utf-8"))
        if len(ladder.deals) >= LEAST_DEALS:
            cards = find_variant(ladder.variant).cards
            cuts[ladder.variant] = cuts_of(deal.score(cards) for deal in ladder.deals)
    rows = [f"  {json.dumps(name)}: {json.dumps(list(four))}" for name, four in sorted(cuts.items())]
    return "{\n" + ",\n".join(rows) + "\n}\n"


if __name__ == "__main__":
    (ROOT / "solver" / "cuts.json").write_text(cuts_text(), encoding="utf-8")
