"""`ramparts mint`, `certify`, `survey`: the public ladder of certified deals, and the winnable share of a variant."""

import json
import secrets
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from cli.words import explained
from rules.deals import r1_seed
from rules.errors import RulesError
from rules.variants import find_variant
from solver.errors import BadLadder, SolverError
from solver.ladder import (
    PAR_BUDGET,
    VERDICT_BUDGET,
    Certified,
    Ladder,
    faults_of,
    format_ladder,
    mint,
    parse_ladder,
    public_seed,
)
from solver.survey import Tally, survey_deal
from solver.verdicts import DEFAULT_BUDGET, SOLVER_VERSION

app = typer.Typer(add_completion=False, rich_markup_mode=None)

_Item = TypeVar("_Item")

UNREADABLE = 2
UNTRUE = 1
_SAVE_EVERY = 20
_MOST_CANDIDATES = 1_000_000

VariantId = Annotated[str, typer.Argument(metavar="VARIANT", help="a variant id, as fortress")]
Json = Annotated[bool, typer.Option("--json", help="print one JSON object a result")]


def _watched(items: Iterable[_Item], told: str, total: int) -> Iterator[_Item]:
    """The items, with a progress bar on stderr where that is a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    yield from track(items, description=told, total=total, console=console, disable=not console.is_terminal)


@app.command("mint")
def mint_ladder(
    variant: VariantId,
    deals: Annotated[int, typer.Option("--deals", metavar="N", help="how many winnable deals the file should hold")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="written as it grows; goes on where it ended")],
) -> int:
    """Look for winnable deals, certify them and write them to a ladder file. Ctrl+C keeps what is done."""
    try:
        variant_id = find_variant(variant).id
        known = parse_ladder(out.read_text(encoding="utf-8")).deals if out.exists() else ()
    except (RulesError, SolverError) as error:
        print(f"ramparts mint: {explained(error)}", file=sys.stderr)
        return UNREADABLE
    found = list(known)
    try:
        for certified in _watched(_fresh(variant_id, known, deals), f"mint {variant_id}", deals - len(known)):
            found.append(certified)
            if len(found) % _SAVE_EVERY == 0:
                _save(out, variant_id, found)
    finally:
        _save(out, variant_id, found)
    print(f"{out}: {len(found)} deals of {variant_id}")
    return 0


def _fresh(variant_id: str, known: tuple[Certified, ...], deals: int) -> Iterator[Certified]:
    """Certified deals after the last known one, until there are so many in all."""
    left, start = deals - len(known), 0
    if known:
        numbers = range(_MOST_CANDIDATES)
        start = 1 + next(number for number in numbers if public_seed(variant_id, number) == known[-1].seed)
    for _, certified in mint(variant_id, start) if left > 0 else ():
        if certified is not None:
            yield certified
            left -= 1
        if left <= 0:
            return


def _save(out: Path, variant_id: str, deals: list[Certified]) -> None:
    text = format_ladder(Ladder(variant_id, SOLVER_VERSION, VERDICT_BUDGET, PAR_BUDGET, tuple(deals)))
    fresh = out.with_name(f".{out.name}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(out)


@app.command("certify")
def certify_files(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="ladder files, or folders of *.ladder as seeds/")],
    quick: Annotated[bool, typer.Option("--quick", help="check the verdicts only")] = False,
    first: Annotated[int, typer.Option("--first", metavar="N", help="only the first N deals of each; 0 is all")] = 0,
    as_json: Json = False,
) -> int:
    """Solve every deal of ladder files again and say what does not hold.

    The exit code is 0 when all holds, 1 when something does not, 2 when a file can't be read.
    """
    named = [each for file in files for each in (sorted(file.glob("*.ladder")) if file.is_dir() else [file])]
    return max((_certify_file(file, quick=quick, first=first, as_json=as_json) for file in named), default=0)


def _certify_file(file: Path, *, quick: bool, first: int, as_json: bool) -> int:
    try:
        ladder = parse_ladder(file.read_text(encoding="utf-8"))
    except OSError as error:
        print(f"ramparts certify: {file}: {error.strerror or error}", file=sys.stderr)
        return UNREADABLE
    except (BadLadder, RulesError) as error:
        print(f"{file}: {explained(error)}")
        return UNTRUE
    if first:
        ladder = Ladder(ladder.variant, ladder.version, ladder.verdict_budget, ladder.par_budget, ladder.deals[:first])
    faults = 0
    for line, fault in _watched(faults_of(ladder, quick=quick), f"certify {file.name}", len(ladder.deals)):
        if fault is not None:
            faults += 1
            print(f"{file}: line {line}: {fault}")
    told = {"file": str(file), "variant": ladder.variant, "deals": len(ladder.deals), "faults": faults}
    print(json.dumps(told) if as_json else f"{file}: {len(ladder.deals)} deals, {faults or 'no'} faults")
    return UNTRUE if faults else 0


@app.command("survey")
def survey_variant(
    variant: VariantId,
    deals: Annotated[int, typer.Option("--deals", metavar="N", help="fresh deals to solve")] = 1000,
    budget: Annotated[int, typer.Option("--budget", metavar="N", help="positions to meet a deal")] = DEFAULT_BUDGET,
    as_json: Json = False,
) -> int:
    """Measure the share of deals that perfect play can win, with its 95 % interval. Ctrl+C tells what is done."""
    try:
        variant_id = find_variant(variant).id
        tally = _tally(variant_id, deals, budget)
    except (RulesError, SolverError) as error:
        print(f"ramparts survey: {explained(error)}", file=sys.stderr)
        return UNREADABLE
    low, high = tally.interval()
    if as_json:
        told = {"variant": variant_id, "deals": tally.deals, "winnable": tally.winnable, "lost": tally.lost}
        print(json.dumps(told | {"unknown": tally.unknown, "low": round(low, 4), "high": round(high, 4)}))
    else:
        share = 100 * tally.winnable / max(tally.deals - tally.unknown, 1)
        print(
            f"{variant_id}: {share:.1f} % winnable of those decided (95 %: {100 * low:.1f} to {100 * high:.1f} %);"
            f" {tally.deals} deals: {tally.winnable} winnable, {tally.lost} lost, {tally.unknown} undecided"
        )
    return 0


def _tally(variant_id: str, deals: int, budget: int) -> Tally:
    tally = Tally()
    try:
        for _ in _watched(range(deals), f"survey {variant_id}", deals):
            tally = tally.plus(survey_deal(variant_id, r1_seed(secrets.token_bytes(16)), budget))
    except KeyboardInterrupt:
        print("ramparts survey: stopped", file=sys.stderr)
    return tally
