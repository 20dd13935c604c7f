"""The private pool: certified deals that wait to be raced, each handed out once; and analyses asked for and kept."""

from collections.abc import Sequence

from server.store import keys
from server.store.link import Link

KEPT_MS = 30 * 86_400_000
"""How long an analysis is kept; it can be made again."""
PENDING_MS = 15 * 60_000
"""An analysis that a worker took and never brought back may be asked for again after this."""


class PoolStore:
    """Lists of seeds by variant and grade. A variant's lists share one slot."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def add(self, variant: str, grade: int, seed: str) -> None:
        """Puts a fresh deal to the others of its grade."""
        await self._link.call("RPUSH", keys.pool(variant, grade), seed)

    async def take(self, variant: str, grades: Sequence[int]) -> tuple[str, int] | None:
        """Seed and grade of the oldest deal of the first of these grades that has one; no one gets it again."""
        for grade in grades:
            seed: str | None = await self._link.call("LPOP", keys.pool(variant, grade))
            if seed is not None:
                return seed, grade
        return None

    async def size(self, variant: str, grade: int) -> int:
        """How many deals of a grade wait."""
        waiting: int = await self._link.call("LLEN", keys.pool(variant, grade))
        return waiting


class AnalysisStore:
    """A queue of records to analyse, and the analyses made, by attempt."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def result(self, attempt_id: str) -> str | None:
        """The analysis as JSON, if it was made."""
        kept: str | None = await self._link.call("GET", keys.analysis(attempt_id, "result"))
        return kept

    async def ask(self, attempt_id: str, record: str) -> bool:
        """Queues the record of a closed attempt; False when it was asked for a short while ago."""
        pending = await self._link.call("SET", keys.analysis(attempt_id, "pending"), "1", "NX", "PX", PENDING_MS)
        if pending is None:
            return False
        await self._link.call("RPUSH", keys.ANALYSES, f"{attempt_id}\n{record}")
        return True

    async def take(self) -> tuple[str, str] | None:
        """Attempt and record that have waited longest; None when nothing waits."""
        waiting: str | None = await self._link.call("LPOP", keys.ANALYSES)
        if waiting is None:
            return None
        attempt_id, _, record = waiting.partition("\n")
        return attempt_id, record

    async def keep(self, attempt_id: str, analysis: str) -> None:
        """Keeps an analysis for whoever asks."""
        await self._link.call("SET", keys.analysis(attempt_id, "result"), analysis, "PX", KEPT_MS)

    async def waiting(self) -> int:
        """How many records wait."""
        length: int = await self._link.call("LLEN", keys.ANALYSES)
        return length
