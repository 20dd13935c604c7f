"""Where a Redis server is: `unix:///path?db=1`, `redis://user:password@host:port/1`, `rediss://` for TLS."""

from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit


@dataclass(frozen=True, slots=True)
class Address:
    """A Redis server: a unix socket's `path`, or `host` and `port`; then what to say on connecting."""

    path: str | None = None
    host: str = "localhost"
    port: int = 6379
    tls: bool = False
    username: str | None = None
    password: str | None = None
    db: int = 0

    def __repr__(self) -> str:
        place = f"unix://{self.path}" if self.path else f"redis{'s' if self.tls else ''}://{self.host}:{self.port}"
        return f"Address({place}, db={self.db})"


def parse_url(url: str) -> Address:
    """The address that a URL names; raises ValueError with what is wrong (never with the password)."""
    parts = urlsplit(url)
    username = unquote(parts.username) if parts.username else None
    password = unquote(parts.password) if parts.password else None
    query = parse_qs(parts.query)
    db_text = query.get("db", [""])[0]
    if parts.scheme == "unix":
        if not parts.path:
            raise ValueError("a unix:// URL needs the path of a socket")
        return Address(path=unquote(parts.path), username=username, password=password, db=_db(db_text))
    if parts.scheme not in {"redis", "rediss"}:
        raise ValueError("a Redis URL begins with unix://, redis:// or rediss://")
    return Address(
        host=parts.hostname or "localhost",
        port=parts.port or 6379,
        tls=parts.scheme == "rediss",
        username=username,
        password=password,
        db=_db(db_text or parts.path.strip("/")),
    )


def _db(text: str) -> int:
    if text and not text.isdecimal():
        raise ValueError(f"the database of a Redis URL is a number, not {text!r}")
    return int(text or 0)
