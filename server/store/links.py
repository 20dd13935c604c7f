"""Link codes of races."""

from server.store import keys
from server.store.link import Link

LINK_MS = 100 * 86_400_000
"""Longer than any race with a link lasts and can be seen afterwards."""


class LinkStore:
    """The race behind a code; the code is not to be guessed and not the race's id."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def put(self, code: str, race_id: str) -> bool:
        """Gives a code to a race for `LINK_MS`; False if another race has it."""
        before: str | None = await self._link.call("SET", keys.link(code), race_id, "NX", "GET", "PX", LINK_MS)
        return before is None or before == race_id

    async def get(self, code: str) -> str | None:
        """The race behind a code, None if there is none."""
        race: str | None = await self._link.call("GET", keys.link(code))
        return race

    async def expire(self, code: str, ttl_ms: int) -> None:
        """Forgets a code after a while."""
        await self._link.call("PEXPIRE", keys.link(code), ttl_ms)
