"""What the solver raises.

SolverError
├── OutsideReach     a variant or position that it can't search: hidden cards, piles that fill themselves, complete runs
├── Refuted          a line that does not replay: a fault of the solver, never an answer
└── BadLadder        a ladder file that does not hold what it says
"""


# ruff: noqa: N818 - the names say what is wrong, as in rules.


class SolverError(Exception):
    """The root."""


class OutsideReach(SolverError):
    """A variant or position that can't be searched; `why` in words."""

    def __init__(self, variant: str, why: str) -> None:
        self.variant, self.why = variant, why
        super().__init__(f"{variant} can't be solved: {why}")


class Refuted(SolverError):
    """A line found by the search that the rules refuse, at move `at` from 0."""

    def __init__(self, at: int, move: str, refusal: str) -> None:
        self.at, self.move, self.refusal = at, move, refusal
        super().__init__(f"move {at} ({move}) of a line is refused: {refusal}")


class BadLadder(SolverError):
    """A line of a ladder file that is malformed or untrue; lines count from 1."""

    def __init__(self, line: int, why: str) -> None:
        self.line, self.why = line, why
        super().__init__(f"line {line}: {why}")
