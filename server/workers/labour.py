"""What a labouring process does: one deal or record at a time, niced, bounded in memory and positions."""

import json
import multiprocessing
import os
import resource
import signal
import sys
import threading
from dataclasses import dataclass
from time import monotonic
from typing import Final

from rules.deals import DealCode, r1_seed
from rules.errors import RulesError
from rules.record import parse_record
from rules.variants import find_variant
from solver.analysis import analyse
from solver.difficulty import grade_in
from solver.errors import SolverError
from solver.ladder import certify_deal
from solver.telling import encode_analysis

NICENESS: Final = 19
_MOST_BYTES: Final = 1024**3
_ANALYSIS_BUDGET: Final = 500_000
_ANALYSIS_S: Final = 60.0
"""What is still open after this stays `unknown`: one long attempt must not hold up all others."""


@dataclass(frozen=True, slots=True)
class Minted:
    """A fresh deal that is winnable, and its grade; 0 in a variant whose grades are not cut yet."""

    variant: str
    seed: str
    grade: int


def settle_down() -> None:
    """Gives way to every other process, bounds what one search may take of the memory, and ends with the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_worker, daemon=True).start()
    if sys.platform == "win32":
        return
    os.nice(NICENESS)
    if hasattr(os, "SCHED_IDLE"):  # Linux: niceness alone still makes the others wait for the end of a slice
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = _MOST_BYTES if hard == resource.RLIM_INFINITY else min(_MOST_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _end_with_the_worker() -> None:
    """Whatever it was killed by: nobody would take in what this process is at."""
    worker = multiprocessing.parent_process()
    if worker is not None:
        worker.join()
        os._exit(1)


def mint_fresh(variant_id: str, entropy: bytes) -> Minted | None:
    """The deal of these 16 random bytes if it is winnable within the ladder's budget, otherwise None."""
    code = DealCode(variant_id, "r1", r1_seed(entropy))
    try:
        certified = certify_deal(code)
    except MemoryError:
        return None
    if certified is None:
        return None
    variant = find_variant(variant_id)
    return Minted(variant_id, code.seed, grade_in(variant.base_id, certified.score(variant.cards)) or 0)


def analyse_text(text: str) -> str:
    """The analysis of a record's text as JSON; of one that can't be analysed, `error` with why not."""
    end_s = monotonic() + _ANALYSIS_S
    try:
        record = parse_record(text)
        return json.dumps(encode_analysis(record, analyse(record, _ANALYSIS_BUDGET, lambda: monotonic() > end_s)))
    except (RulesError, SolverError) as error:
        return json.dumps({"error": str(error)})
    except MemoryError:
        return json.dumps({"error": "it takes more memory than a worker may use"})
