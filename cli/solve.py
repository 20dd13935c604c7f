"""`ramparts solve`: is it winnable, how, and in how few moves."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.words import explained
from rules.deals import deal, parse_deal_code
from rules.errors import RulesError
from rules.moves import format_move
from rules.position_texts import parse_position
from rules.positions import Position
from rules.variants import find_variant
from solver.errors import SolverError
from solver.par import DEFAULT_PAR_BUDGET, Par, find_par
from solver.verdicts import DEFAULT_BUDGET, Answer, Verdict, solve

app = typer.Typer(add_completion=False, rich_markup_mode=None)

UNREADABLE = 2
UNDECIDED = 3
_A_LINE = 12
_PAR_SHARE = 3
"""With a time limit, par has this many parts of it to the verdict's one."""
CODES = {Verdict.WINNABLE: 0, Verdict.LOST: 1, Verdict.UNKNOWN: UNDECIDED}

What = Annotated[str, typer.Argument(metavar="CODE|FILE|-", help="a deal code, or a board as ramparts deal prints it")]


@app.command("solve")
def solve_one(
    what: What,
    variant: Annotated[str, typer.Option("--variant", help="whose board a file holds")] = "",
    with_par: Annotated[bool, typer.Option("--par", help="also look for the shortest line")] = False,
    seconds: Annotated[float, typer.Option("--time", metavar="S", help="stop after so long; 0 is by budget only")] = 0,
    budget: Annotated[int, typer.Option("--budget", metavar="N", help="positions to meet at most")] = DEFAULT_BUDGET,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> int:
    """Say whether a position can be won with all cards known, and how.

    The exit code is 0 for winnable, 1 for lost, 3 for undecided, 2 where nothing can be solved.
    """
    try:
        position = _position(what, variant)
        began = time.monotonic()
        limit = seconds / (1 + _PAR_SHARE) if with_par else seconds
        # Without a budget of one's own the clock alone decides.
        most = budget if budget != DEFAULT_BUDGET or not seconds else sys.maxsize
        answer = solve(position, most, _stopping(limit))
        par = None
        if with_par and answer.line is not None:
            most = DEFAULT_PAR_BUDGET if not seconds else sys.maxsize
            par = find_par(position, answer.line, most, _stopping(seconds - limit))
    except (OSError, RulesError, SolverError) as error:
        print(f"ramparts solve: {explained(error)}", file=sys.stderr)
        return UNREADABLE
    spent = time.monotonic() - began
    print(json.dumps(_encoded(what, answer, par, spent)) if as_json else _told(answer, par, spent))
    return CODES[answer.verdict]


def _position(what: str, variant: str) -> Position:
    """Raises OSError and RulesError."""
    if what != "-" and what.count(":") == 2:
        return deal(parse_deal_code(what))
    if not variant:
        raise OSError("a board needs --variant")
    text = sys.stdin.read() if what == "-" else Path(what).read_text(encoding="utf-8")
    return parse_position(find_variant(variant), text)


def _stopping(seconds: float) -> Callable[[], bool]:
    if seconds <= 0:
        return lambda: False
    until = time.monotonic() + seconds
    return lambda: time.monotonic() >= until


def _encoded(what: str, answer: Answer, par: Par | None, spent: float) -> dict[str, Any]:
    line = par.line if par else answer.line
    encoded: dict[str, Any] = {"of": what, "verdict": answer.verdict.value, "states": answer.states}
    encoded |= {"arrivals": answer.arrivals, "seconds": round(spent, 3)}
    if line is not None:
        encoded["line"] = [format_move(move) for move in line]
    if par is not None:
        encoded["par"] = {"moves": par.moves, "least": par.least, "proved": par.is_proved, "states": par.states}
    return encoded


def _told(answer: Answer, par: Par | None, spent: float) -> str:
    cost = f"{answer.states:,} positions, {spent:.2f} s"
    line = par.line if par else answer.line
    if line is None:
        why = "every line was tried" if answer.verdict is Verdict.LOST else "not decided"
        return f"{answer.verdict}: {why} ({cost})"
    head = f"{answer.verdict} in {len(line)} moves ({cost})" + (f"; par {par}" if par else "")
    moves = [format_move(move) for move in line]
    rows = (" ".join(moves[at : at + _A_LINE]) for at in range(0, len(moves), _A_LINE))
    return "\n".join([head, *(f"  {row}" for row in rows)])
