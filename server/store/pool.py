"""The private pool: certified deals that wait to be raced, each handed out once."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Final

from server.store import keys
from server.store.link import Link

GRADES: Final = range(1, 6)
"""From easy to hard, within a variant."""
UNGRADED: Final = 0
"""Where deals of a variant lie whose grades are not cut yet."""
HURRY_MS: Final = 15_000
"""So long a variant comes before others after somebody began to wait for a deal of it."""


class PoolStore:
    """Lists of seeds by variant and grade. A variant's lists share one slot."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def add(self, variant: str, grade: int, seed: str) -> None:
        """Puts a fresh deal to the others of its grade."""
        await self._link.call("RPUSH", keys.pool(variant, grade), seed)

    async def take(self, variant: str, grades: Sequence[int], leave: int = 0) -> tuple[str, int] | None:
        """Seed and grade of the oldest deal of the first of these grades that has more than `leave`; no one gets it
        again. None when none of them has."""
        lists = tuple(keys.pool(variant, grade) for grade in grades)
        reply: tuple[int, str] | None = await self._link.fcall("pool_take", lists, leave)
        return None if reply is None else (reply[1], grades[reply[0] - 1])

    async def hurry(self, variant: str) -> None:
        """Somebody waits for a daily: the workers are to make a deal of this variant before any other."""
        await self._link.call("SET", keys.pool_hurry(variant), "1", "PX", HURRY_MS)

    async def hurried(self, variants: Collection[str]) -> list[str]:
        """Those of these variants for which somebody waits."""
        waited = await asyncio.gather(*(self._link.call("EXISTS", keys.pool_hurry(each)) for each in variants))
        return [variant for variant, waits in zip(variants, waited, strict=True) if waits]

    async def clear(self, variant: str) -> None:
        """Throws all deals of a variant away."""
        await asyncio.gather(*(self._link.call("DEL", keys.pool(variant, grade)) for grade in (UNGRADED, *GRADES)))

    async def size(self, variant: str, grade: int) -> int:
        """How many deals of a grade wait."""
        waiting: int = await self._link.call("LLEN", keys.pool(variant, grade))
        return waiting

    async def sizes(self, variant: str, grades: Sequence[int]) -> list[int]:
        """How many deals of each of these grades wait."""
        return await asyncio.gather(*(self.size(variant, grade) for grade in grades))
