"""Certified deals: minted from seeds, written as one line each, and checked again from their file.

A ladder file is text: a head line with the variant, the solver's version and the budgets; then one line a deal of seed,
best known length, proved least length, share of first moves kept, cards left by the policy (both in thousandths),
score and grade.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from rules.deals import DealCode, deal, r1_seed
from rules.variants import find_variant
from solver.difficulty import Measured, cuts_of, grade_of, measure_deal
from solver.errors import BadLadder
from solver.par import find_par
from solver.verdicts import SOLVER_VERSION, Verdict, solve

FORM: Final = "ramparts-ladder/1"
VERDICT_BUDGET: Final = 400_000
PAR_BUDGET: Final = 60_000


@dataclass(frozen=True, slots=True)
class Certified:
    """One winnable deal and what is known of it."""

    seed: str
    moves: int
    least: int
    measured: Measured

    def score(self, cards: int) -> float:
        """Its difficulty in one number, to two places."""
        return round(self.measured.score(cards), 2)


@dataclass(frozen=True, slots=True)
class Ladder:
    """The certified deals of one variant."""

    variant: str
    version: int
    verdict_budget: int
    par_budget: int
    deals: tuple[Certified, ...]


def public_seed(variant_id: str, number: int) -> str:
    """The seed of the public ladder's candidate with this number: anyone can make it again."""
    return r1_seed(hashlib.sha256(f"ramparts ladder {variant_id} {number}".encode()).digest()[:16])


def certify_deal(
    code: DealCode, verdict_budget: int = VERDICT_BUDGET, par_budget: int = PAR_BUDGET
) -> Certified | None:
    """The certificate of a deal that is winnable within the budget, otherwise None."""
    position = deal(code)
    answer = solve(position, verdict_budget)
    if answer.verdict is not Verdict.WINNABLE or answer.line is None:
        return None
    par = find_par(position, answer.line, par_budget)
    found = measure_deal(position, par.moves)
    thousandths = Measured(round(found.kept, 3), round(found.left, 3), par.moves)
    return Certified(code.seed, par.moves, par.least, thousandths)


def mint(variant_id: str, start: int = 0) -> Iterator[tuple[int, Certified | None]]:
    """Candidates of the public ladder from number `start` on, without end, each with its certificate or None."""
    number = start
    while True:
        yield number, certify_deal(DealCode(variant_id, "r1", public_seed(variant_id, number)))
        number += 1


def format_ladder(ladder: Ladder) -> str:
    """The text of a ladder file; grades are cut from the ladder itself, so that they split it evenly."""
    cards = find_variant(ladder.variant).cards
    cuts = cuts_of(deal.score(cards) for deal in ladder.deals)
    head = f"{FORM} {ladder.variant} solver={ladder.version} budget={ladder.verdict_budget} par={ladder.par_budget}"
    return "\n".join([head, *(_format_deal(deal, cards, cuts) for deal in ladder.deals), ""])


def _format_deal(certified: Certified, cards: int, cuts: tuple[float, ...]) -> str:
    measured, score = certified.measured, certified.score(cards)
    numbers = (certified.moves, certified.least, round(measured.kept * 1000), round(measured.left * 1000))
    return " ".join([certified.seed, *map(str, numbers), f"{score:.2f}", str(grade_of(score, cuts))])


def parse_ladder(text: str) -> Ladder:
    """The ladder of a file. Raises BadLadder where a line is malformed or a score or grade does not follow."""
    lines = text.splitlines()
    variant, version, verdict_budget, par_budget = _parse_head(lines[0] if lines else "")
    deals = tuple(_parse_deal(number, line) for number, line in enumerate(lines[1:], 2))
    ladder = Ladder(variant, version, verdict_budget, par_budget, deals)
    for number, (given, made) in enumerate(zip(lines, format_ladder(ladder).splitlines(), strict=True), 1):
        if given != made:
            raise BadLadder(number, f"should read {made!r}")
    return ladder


def _parse_head(line: str) -> tuple[str, int, int, int]:
    try:
        form, variant, *pairs = line.split(" ")
        fields = dict(pair.split("=") for pair in pairs)
        head = (variant, int(fields["solver"]), int(fields["budget"]), int(fields["par"]))
    except (ValueError, KeyError) as error:
        raise BadLadder(1, "malformed head") from error
    if form != FORM:
        raise BadLadder(1, f"not {FORM}")
    return head


def _parse_deal(number: int, line: str) -> Certified:
    try:
        seed, moves, least, kept, left, _score, _grade = line.split(" ")
        measured = Measured(int(kept) / 1000, int(left) / 1000, int(moves))
        return Certified(seed, int(moves), int(least), measured)
    except ValueError as error:
        raise BadLadder(number, "malformed") from error


def faults_of(ladder: Ladder, *, quick: bool) -> Iterable[tuple[int, str | None]]:
    """Checks each deal again: (line in the file, what is wrong or None). Quick checks the verdict only."""
    for number, certified in enumerate(ladder.deals, 2):
        yield number, _fault(ladder, certified, quick=quick)


def _fault(ladder: Ladder, certified: Certified, *, quick: bool) -> str | None:
    code = DealCode(ladder.variant, "r1", certified.seed)
    if quick or ladder.version != SOLVER_VERSION:
        answer = solve(deal(code), ladder.verdict_budget)
        if answer.line is None:
            return f"{answer.verdict}, not winnable"
        return None if certified.least <= len(answer.line) else "a line is shorter than the least"
    made = certify_deal(code, ladder.verdict_budget, ladder.par_budget)
    return None if made == certified else f"should be {made}"
