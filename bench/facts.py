"""`python -m bench.facts [BUDGET]`: our verdicts on all solved deals of the outside world, counted list by list.

The lists lie in `tests/rules/data` and were made by other programs. Ends with exit code 1 if one verdict disagrees, but
for the deals that the tests know as called lost wrongly there.
"""

import sys
from collections import Counter
from collections.abc import Iterator

from rules.deals import DealCode, deal
from rules.positions import Position
from solver.verdicts import DEFAULT_BUDGET, Verdict, solve
from tests.rules import facts
from tests.solver.test_facts import NUMBERED, REFUTED, dealt

Case = tuple[int, Position, Verdict | None]
"""A deal's number, the deal, and what others say of it; None where they don't know."""


def verdicts(name: str) -> Iterator[Case]:
    """The deals of one list of verdicts."""
    said = {True: Verdict.WINNABLE, False: Verdict.LOST, None: None}
    for fact in facts.verdicts(name):
        yield fact["seed"], dealt(fact), said[fact["winnable"]]


def numbered(name: str) -> Iterator[Case]:
    """The numbered deals of one game."""
    said = {"w": Verdict.WINNABLE, "u": Verdict.LOST, "?": None}
    for number, letter in enumerate(facts.load("winnable.json")["ranges"][name], 1):
        yield number, deal(DealCode(name, "ms", str(number))), said[letter]


def compared(name: str, cases: Iterator[Case], budget: int) -> Counter[str]:
    """How many agree, disagree, are undecided by us, or were open and are decided now."""
    found: Counter[str] = Counter()
    for number, position, said in cases:
        ours = solve(position, budget).verdict
        if ours is Verdict.UNKNOWN:
            found["undecided"] += 1
        elif said is None:
            found["newly decided"] += 1
        elif ours is said:
            found["agree"] += 1
        elif (name, number) in REFUTED:
            found["refuted by our line"] += 1
        else:
            found["disagree"] += 1
            print(f"{name} {number}: {ours}, {said} elsewhere")
    return found


def main(budget: int = DEFAULT_BUDGET) -> int:
    """Prints a line a list and the sum; the exit code."""
    total: Counter[str] = Counter()
    lists = [(name, verdicts(name)) for name in facts.verdict_names()] + [(name, numbered(name)) for name in NUMBERED]
    for name, cases in lists:
        found = compared(name, cases, budget)
        total += found
        print(f"{name:22} {found.total():4} deals: {told(found)}", flush=True)
    print(f"all {total.total()} deals: {told(total)}")
    return 1 if total["disagree"] else 0


def told(found: Counter[str]) -> str:
    """The counts in words."""
    return ", ".join(f"{many} {what}" for what, many in found.most_common())


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
