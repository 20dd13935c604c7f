"""Deals that are being raced, so that nobody practises them meanwhile."""

import asyncio

from server.store import keys
from server.store.link import Link

HOLD_MS = 3 * 86_400_000
"""Longer than any race lives: what a crash leaves held is free again by then."""


class DealStore:
    """Which races hold a deal, by its deck key (the same for equal deals under two numberings)."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def hold(self, deck_key: str, race_id: str) -> None:
        """Holds a deal for a race."""
        key = keys.deal(deck_key)
        await asyncio.gather(self._link.call("SADD", key, race_id), self._link.call("PEXPIRE", key, HOLD_MS))

    async def release(self, deck_key: str, race_id: str) -> None:
        """The race holds it no more."""
        await self._link.call("SREM", keys.deal(deck_key), race_id)

    async def is_live(self, deck_key: str) -> bool:
        """Does a live race hold it?"""
        held: int = await self._link.call("EXISTS", keys.deal(deck_key))
        return held == 1
