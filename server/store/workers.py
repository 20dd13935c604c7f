"""Whether a worker runs: one key that every worker renews and that ends by itself."""

from server.store import keys
from server.store.link import Link

BEAT_MS = 15_000
"""So long after its last beat a worker is taken to be gone; it beats three times in that."""


class WorkerStore:
    """The workers' common sign of life."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def beat(self) -> None:
        """Says that a worker runs; to be said again before `BEAT_MS` have passed."""
        await self._link.call("SET", keys.WORKER_BEAT, "1", "PX", BEAT_MS)

    async def is_running(self) -> bool:
        """Does a worker run, as far as was heard in the last `BEAT_MS`?"""
        found: int = await self._link.call("EXISTS", keys.WORKER_BEAT)
        return found > 0
