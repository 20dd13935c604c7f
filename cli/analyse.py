"""`ramparts analyse`: where an attempt was lost, and how it could have been won from there."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from cli.words import explained
from rules.cards import format_card
from rules.errors import RulesError
from rules.history import format_entry
from rules.moves import format_move
from rules.record import Record, parse_record
from rules.variants import find_variant
from solver.analysis import POSITION_BUDGET, Analysis, Loss, Raised, analyse
from solver.errors import SolverError
from solver.telling import encode_analysis, stretches
from solver.verdicts import Verdict

app = typer.Typer(add_completion=False, rich_markup_mode=None)

UNREADABLE = 2
SLOWEST = 3
"""So many cards that took longest are told."""


@app.command("analyse")
def analyse_record(
    file: Annotated[str, typer.Argument(metavar="FILE", help="a record as the server gives it; - is stdin")],
    budget: Annotated[
        int, typer.Option("--budget", metavar="N", help="positions to meet for each verdict")
    ] = POSITION_BUDGET,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> int:
    """Say of each position of an attempt whether it could still be won, all cards known, and which move lost it."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        record = parse_record(text)
        analysis = analyse(record, budget)
    except (OSError, RulesError, SolverError) as error:
        print(f"ramparts analyse: {explained(error)}", file=sys.stderr)
        return UNREADABLE
    print(json.dumps(encode_analysis(record, analysis)) if as_json else "\n".join(_told(record, analysis)))
    return 0


def _told(record: Record, analysis: Analysis) -> list[str]:
    lines = [f"{record.deal} by {record.player}: {record.end.kind}, {analysis.moves} moves"]
    if analysis.par is not None:
        over = f", {analysis.over_par} over par" if analysis.over_par is not None else ""
        lines.append(f"par {analysis.par}{over}")
    lines += [_strip(analysis), *(_told_loss(record, loss) for loss in analysis.losses)]
    if analysis.verdicts[0] is Verdict.LOST:
        lines.append("this deal can't be won")
    elif not analysis.losses and analysis.last_winnable is not None and not analysis.finished:
        lines.append("nothing that was played is known to have lost it")
    if analysis.line and not analysis.finished:
        moves = " ".join(format_move(move) for move in analysis.line)
        lines.append(f"won from version {analysis.last_winnable} in {len(analysis.line)} moves: {moves}")
    if analysis.cards:
        lines.append(_told_times(analysis.cards))
    if find_variant(record.deal.variant).has_hidden_cards:
        lines.append("the verdicts are those of one who knows all cards, the hidden ones too")
    return lines


def _told_times(cards: Sequence[Raised]) -> str:
    slowest = sorted(cards, key=lambda raised: -raised.took_ms)[:SLOWEST]
    told = ", ".join(f"{format_card(raised.card)} {raised.took_ms / 1000:.1f} s" for raised in slowest)
    return f"{sum(raised.took_ms for raised in cards) / len(cards) / 1000:.1f} s a card; the slowest: {told}"


def _strip(analysis: Analysis) -> str:
    """The verdicts in stretches: `winnable 0–31, lost 32–60`."""
    return ", ".join(f"{verdict} {first}–{last}" for first, last, verdict in stretches(analysis.verdicts))


def _told_loss(record: Record, loss: Loss) -> str:
    mended = ""
    if loss.mended is not None:
        mended = f"; mended at version {loss.mended} by {format_entry(record.entries[loss.mended - 1]).split()[-1]}"
    if loss.at == loss.after + 1:
        return f"lost by version {loss.at}: {format_entry(record.entries[loss.at - 1])}{mended}"
    return f"lost between versions {loss.after} and {loss.at}{mended}"
