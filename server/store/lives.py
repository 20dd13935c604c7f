"""Races that are being played and that anyone may watch, by their start."""

from server.store import keys
from server.store.link import Link

KEPT_MS = 86_400_000
"""Longer than any race: what is still listed then was left behind."""


class LiveStore:
    """A list that may hold a race for a moment too long: whoever reads it looks at the race."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def add(self, race_id: str, start_ms: int) -> None:
        """Lists a race, and drops what was left behind."""
        await self._link.call("ZADD", keys.LIVE, start_ms, race_id)
        await self._link.call("ZREMRANGEBYSCORE", keys.LIVE, "-inf", start_ms - KEPT_MS)

    async def remove(self, *race_ids: str) -> None:
        """Lists these no more."""
        await self._link.call("ZREM", keys.LIVE, *race_ids)

    async def newest(self, size: int) -> list[str]:
        """The races that were started last, the newest first."""
        races: list[str] = await self._link.call("ZRANGE", keys.LIVE, 0, size - 1, "REV")
        return races
