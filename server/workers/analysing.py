"""The worker's part in analyses: takes the record that has waited longest, and keeps what the solver says of it."""

import json
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from server.store.analyses import AnalysisStore
from server.workers.labour import analyse_text

MOST_TAKES: Final = 3
"""A record that was taken so often and never brought back is given up: it may be what ends the workers."""
GIVEN_UP_MS: Final = 3_600_000
"""After this it may be tried again: the workers may have ended for another reason."""
GIVEN_UP: Final = json.dumps({"error": "workers ended over it several times"})

log = structlog.get_logger()


async def answer_one(analyses: AnalysisStore, work: Callable[[Callable[[str], str], str], Awaitable[str]]) -> bool:
    """Analyses one record where `work` has it done; False when none waits."""
    taken = await analyses.take()
    if taken is None:
        return False
    analysis = await analyses.result(taken.attempt_id)
    if analysis is None and taken.takes > MOST_TAKES:
        log.error("worker.analysis_given_up", attempt=taken.attempt_id, takes=taken.takes - 1)
        await analyses.keep(taken.attempt_id, GIVEN_UP, GIVEN_UP_MS)
        return True
    if analysis is None:
        async with analyses.held(taken.attempt_id):
            analysis = await work(analyse_text, taken.record)
    await analyses.keep(taken.attempt_id, analysis)
    return True
