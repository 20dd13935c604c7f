"""What is due when: a sorted set that any process sweeps, and the leases of those who do."""

import asyncio

from server.store import keys
from server.store.link import Link


class DueStore:
    """Names (of races, or of anything else that has a deadline) with the time they are due."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def schedule(self, name: str, at_ms: int) -> None:
        """Makes a name due at a time; the earliest wins, but the time of a lease gives way to any."""
        await self._link.fcall("due_schedule", keys.DUE, name, at_ms)

    async def take(self, now_ms: int, owner: str, lease_ms: int, limit: int) -> list[str]:
        """What is due by now. Each is due again after the lease, so that what a crash interrupted is found."""
        names: list[str] = await self._link.fcall("due_take", keys.DUE, now_ms, owner, lease_ms, limit)
        return names

    async def done(self, name: str) -> None:
        """Nothing is due for a name any more."""
        await asyncio.gather(self._link.call("ZREM", keys.DUE[0], name), self._link.call("HDEL", keys.DUE[1], name))

    async def at(self, name: str) -> int | None:
        """When a name is due, None if it is not."""
        score: str | None = await self._link.call("ZSCORE", keys.DUE[0], name)
        return None if score is None else int(score)

    async def size(self) -> int:
        """How many names there are."""
        size: int = await self._link.call("ZCARD", keys.DUE[0])
        return size
