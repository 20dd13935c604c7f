"""What players have reported, for whoever runs the server."""

from server.store import keys
from server.store.link import Link

REPORTS_KEPT = 10_000
"""The oldest give way."""


class ReportStore:
    """The latest reports, newest first."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def add(self, report: str) -> None:
        """Stores a report (JSON)."""
        await self._link.call("LPUSH", keys.REPORTS, report)
        await self._link.call("LTRIM", keys.REPORTS, 0, REPORTS_KEPT - 1)

    async def latest(self, limit: int) -> list[str]:
        """The latest reports."""
        found: list[str] = await self._link.call("LRANGE", keys.REPORTS, 0, limit - 1)
        return found
