"""Work that outlives the connection that began it: posting progress, telling an end, leaving a queue."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import structlog

from server.service.errors import ContestError
from server.store.errors import StoreError

log = structlog.get_logger()


class Errands:
    """The tasks of one process that belong to no connection. What they leave undone is found by a sweep."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def send(self, errand: Coroutine[Any, Any, None]) -> None:
        """Starts an errand."""
        task = asyncio.get_running_loop().create_task(errand, name=getattr(errand, "__qualname__", "errand"))
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, ContestError | StoreError):
            log.info("errand.undone", errand=task.get_name(), why=type(error).__name__)
        elif error is not None:
            log.error("errand.failed", errand=task.get_name(), exc_info=error)

    async def finish(self, timeout_s: float) -> None:
        """Waits for what is on its way, then cancels the rest."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=timeout_s)
        rest = list(self._tasks)
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
