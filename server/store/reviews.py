"""Attempts under review: another player of the same device or address had opened the same daily before."""

from server.store import keys
from server.store.link import Link

REVIEW_MS = 8 * 86_400_000
"""Longer than the day's boards are looked into."""


class ReviewStore:
    """Which players' attempts at a daily are under review."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def add(self, race_id: str, player: str) -> None:
        """Puts a player's attempt under review."""
        await self._link.call("SADD", keys.review(race_id), player)
        await self._link.call("PEXPIRE", keys.review(race_id), REVIEW_MS)

    async def remove(self, race_id: str, player: str) -> None:
        """The review is over."""
        await self._link.call("SREM", keys.review(race_id), player)

    async def has(self, race_id: str, player: str) -> bool:
        """Is the player's attempt under review?"""
        found: int = await self._link.call("SISMEMBER", keys.review(race_id), player)
        return found == 1
