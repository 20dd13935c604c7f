"""Analyses as data that goes into JSON: what the worker stores, `ramparts analyse --json` prints and HTTP answers."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from rules.cards import format_card
from rules.history import Act, Entry
from rules.moves import format_move
from rules.record import Record
from rules.variants import find_variant
from solver.analysis import Analysis, Loss
from solver.verdicts import Verdict


def stretches(verdicts: Sequence[Verdict]) -> Iterator[tuple[int, int, Verdict]]:
    """First and last version of each stretch of equal verdicts, and the verdict."""
    starts = [0, *(at for at, (one, two) in enumerate(pairwise(verdicts), 1) if one is not two)]
    ends = [*(at - 1 for at in starts[1:]), len(verdicts) - 1]
    for first, last in zip(starts, ends, strict=True):
        yield first, last, verdicts[first]


def encode_analysis(record: Record, analysis: Analysis) -> dict[str, Any]:
    """JSON-able. Versions count the record's entries, 0 is the deal; times are those of the record."""
    par = analysis.par
    return {
        "verdicts": [
            {"first": first, "last": last, "verdict": verdict.value}
            for first, last, verdict in stretches(analysis.verdicts)
        ],
        "losses": [_loss(record.entries, loss) for loss in analysis.losses],
        "last_winnable": analysis.last_winnable,
        "line": None if analysis.line is None else [format_move(move) for move in analysis.line],
        "par": None if par is None else {"moves": par.moves, "least": par.least},
        "moves": analysis.moves,
        "finished": analysis.finished,
        "over_par": analysis.over_par,
        "cards": [
            {"card": format_card(raised.card), "at_ms": raised.at_ms, "took_ms": raised.took_ms}
            for raised in analysis.cards
        ],
        "hidden_cards": find_variant(record.deal.variant).has_hidden_cards,
    }


def _loss(entries: Sequence[Entry], loss: Loss) -> dict[str, Any]:
    told: dict[str, Any] = {"after": loss.after, "at": loss.at, "at_ms": entries[loss.at - 1].at_ms}
    if loss.at == loss.after + 1:
        told["what"] = _what(entries[loss.at - 1])
    if loss.mended is not None:
        mending = entries[loss.mended - 1]
        told["mended"] = {"at": loss.mended, "at_ms": mending.at_ms, "what": _what(mending)}
    return told


def _what(entry: Entry) -> str:
    return entry.what.value if isinstance(entry.what, Act) else format_move(entry.what)
