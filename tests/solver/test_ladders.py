"""The public ladders in `seeds/`: whole, true as far as a quick look says, and the cuts of the grades that follow."""

from pathlib import Path

import pytest

from cli.cuts import ROOT, cuts_text
from solver import native
from solver.ladder import faults_of, parse_ladder

LADDERS = sorted((ROOT / "seeds").glob("*.ladder"))


def test_there_are_ladders() -> None:
    assert len(LADDERS) >= 12


def test_the_cuts_are_those_of_the_ladders() -> None:
    assert (ROOT / "solver" / "cuts.json").read_text(encoding="utf-8") == cuts_text()


@pytest.mark.parametrize("file", LADDERS, ids=lambda file: file.stem)
def test_a_ladder_is_whole_and_its_first_deals_hold(file: Path) -> None:
    ladder = parse_ladder(file.read_text(encoding="utf-8"))
    assert ladder.variant == file.stem
    assert len({deal.seed for deal in ladder.deals}) == len(ladder.deals)
    if native.is_built():
        few = type(ladder)(ladder.variant, ladder.version, ladder.verdict_budget, ladder.par_budget, ladder.deals[:2])
        assert [fault for _, fault in faults_of(few, quick=False) if fault] == []
