"""Deals that are being raced, so that nobody practises them meanwhile."""

import asyncio
from collections.abc import Iterable

from server.store import keys
from server.store.link import Link

HOLD_MS = 3 * 86_400_000
"""Longer than any race lives: what a crash leaves held is free again by then."""


class DealStore:
    """Which races hold a deal, by the keys that name it (equal for deals that one may stand in for the other)."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def hold(self, deal_keys: Iterable[str], race_id: str) -> None:
        """Holds a deal for a race."""
        calls = []
        for key in map(keys.deal, deal_keys):
            calls += [self._link.call("SADD", key, race_id), self._link.call("PEXPIRE", key, HOLD_MS)]
        await asyncio.gather(*calls)

    async def release(self, deal_keys: Iterable[str], race_id: str) -> None:
        """The race holds it no more."""
        await asyncio.gather(*(self._link.call("SREM", keys.deal(key), race_id) for key in deal_keys))

    async def is_live(self, deal_keys: Iterable[str], but: str = "") -> bool:
        """Does a live race hold it, by any of its keys? One race, `but`, does not count."""
        held = await asyncio.gather(*(self._link.call("SMEMBERS", keys.deal(key)) for key in deal_keys))
        return any(set(races) - {but} for races in held)
