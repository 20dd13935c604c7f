"""The private pool: certified deals that wait to be raced, each handed out once."""

from collections.abc import Sequence

from server.store import keys
from server.store.link import Link


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
