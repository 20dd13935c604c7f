"""From which pages a socket may be opened: those of this server's own host, and those that are configured."""

from collections.abc import Iterable
from urllib.parse import urlsplit


class Origins:
    """A page of another site may not speak with a visitor's token; what is no browser sends no origin."""

    def __init__(self, allowed: Iterable[str]) -> None:
        self._allowed = frozenset(origin.rstrip("/").lower() for origin in allowed)

    def allows(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """Whether the handshake with these headers may go on."""
        origins = [value for name, value in headers if name == b"origin"]
        hosts = [value for name, value in headers if name == b"host"]
        if not origins:
            return True
        if len(origins) > 1 or len(hosts) != 1:
            return False
        origin = origins[0].decode("latin-1").lower()
        return origin in self._allowed or urlsplit(origin).netloc == hosts[0].decode("latin-1").lower()
