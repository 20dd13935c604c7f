"""The worker that `ramparts serve` runs beside itself: started once the server listens, started again when it dies,
stopped with it. What it does is no concern of this module, which knows only its command line.

It is told to end by its standard input, a pipe from here: that ends when this process does, even by kill -9.
"""

import asyncio
import contextlib
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from typing import Final

import structlog

FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 60.0
"""Between a death and the next start; doubled from death to death, short again after a life longer than this."""
STOP_S: Final = 3.0

log = structlog.get_logger()


class Beside:
    """Keeps one process of this command line alive."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)

    async def run(self) -> None:
        """Until cancelled; the process has ended then. One that can't be started is tried again like one that died."""
        loop = asyncio.get_running_loop()
        pause = FIRST_PAUSE_S
        while True:
            began = loop.time()
            try:
                code: int | str = await self._live()
            except OSError as error:
                code = str(error)
            if loop.time() - began > LONGEST_PAUSE_S:
                pause = FIRST_PAUSE_S
            log.warning("worker.ended", code=code, again_in_s=pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)

    async def _live(self) -> int:
        # In a session of its own: a Ctrl+C is for the server, which then stops it.
        process = await asyncio.create_subprocess_exec(
            *self._command, stdin=PIPE, stdout=DEVNULL, start_new_session=True
        )
        log.info("worker.started", pid=process.pid)
        try:
            return await process.wait()
        finally:
            await _end(process)


async def _end(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_S)
    except TimeoutError:
        process.kill()
        await process.wait()
