"""The server's clock: monotonic, and following one reference (Redis `TIME`) slowly, so that no instant is told twice or
skipped. A reference that steps is not followed."""

import asyncio
import time
from collections.abc import Awaitable, Callable

SYNC_S = 1.0
MAX_STEP_MS = 50.0
"""A difference beyond this is not followed."""
MAX_SLEW = 0.005
"""How much faster or slower than real time the clock may run: 5 ms in a second."""
FIRST_SAMPLES, SAMPLES = 5, 3
SLOW_MS = 20.0
"""An answer that took longer says too little about the time."""


def uptime_ms() -> float:
    """Milliseconds that never go back, time asleep included where the system can say so."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) / 1e6
    return time.monotonic_ns() / 1e6


class Clock:
    """Tells absolute milliseconds since 1970, as the reference does. Call `sync` once before the first `now_ms`.

    `read_us` asks the reference for its time in microseconds; `uptime_ms` is where the clock's own progress comes from.
    """

    def __init__(self, read_us: Callable[[], Awaitable[int]], uptime_ms: Callable[[], float] = uptime_ms) -> None:
        self._read_us = read_us
        self._uptime_ms = uptime_ms
        self._base_up = 0.0
        self._base_ms: float | None = None
        self._slew_ms = 0.0
        self.drift_ms = 0.0
        """How far the reference was ahead at the last look, in milliseconds; beyond `MAX_STEP_MS` it isn't followed."""
        self.synced_up_ms: float | None = None
        """The uptime of the last look that said something."""

    def now_ms(self) -> int:
        """Now; never less than before."""
        return int(self._at(self._uptime_ms()))

    @property
    def is_steady(self) -> bool:
        """Is the reference within what this clock follows?"""
        return abs(self.drift_ms) <= MAX_STEP_MS

    async def sync(self) -> None:
        """Looks at the reference a few times and takes the quickest answer. Raises what `read_us` raises."""
        best_took, ahead_of_uptime = float("inf"), 0.0
        for _ in range(FIRST_SAMPLES if self._base_ms is None else SAMPLES):
            before = self._uptime_ms()
            reference_ms = await self._read_us() / 1000
            after = self._uptime_ms()
            if after - before < best_took:
                best_took, ahead_of_uptime = after - before, reference_ms - (before + after) / 2
        up = self._uptime_ms()
        if self._base_ms is None:
            self._base_up, self._base_ms = up, up + ahead_of_uptime
        elif best_took > SLOW_MS:
            return
        else:
            self._base_up, self._base_ms = up, self._at(up)
            self.drift_ms = up + ahead_of_uptime - self._base_ms
            self._slew_ms = self.drift_ms if self.is_steady else 0.0
        self.synced_up_ms = up

    async def run(self, pause_s: float = SYNC_S, lost: type[Exception] = OSError) -> None:
        """Follows the reference until cancelled; looks again later when it raises `lost`."""
        while True:
            await asyncio.sleep(pause_s)
            try:
                await self.sync()
            except lost:
                continue

    def _at(self, up: float) -> float:
        if self._base_ms is None:
            raise RuntimeError("the clock was not synced")
        passed = up - self._base_up
        most = passed * MAX_SLEW
        return self._base_ms + passed + max(-most, min(most, self._slew_ms))
