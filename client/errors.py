"""What can go wrong for a client.

ClientError
├── Unreachable     no server answered at all
├── Disconnected    the connection is over and is not made again
│   └── TakenOver   … because the player's attempt goes on from another connection
└── Refused         the server did not carry a command out; `code` says why
"""

from protocol.codes import CloseCode


class ClientError(Exception):
    """The root of this tree."""


class Unreachable(ClientError):  # noqa: N818 - reads as a claim
    """No server answers at `url`."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"no server answers at {url}: {reason}")
        self.url = url


class Disconnected(ClientError):  # noqa: N818 - reads as a claim
    """The connection is over for good: `code` is the WebSocket close code, None when we ended it ourselves."""

    def __init__(self, code: int | None, reason: str = "") -> None:
        super().__init__(f"disconnected ({code}): {reason}" if code is not None else "disconnected")
        self.code = code
        self.reason = reason


class TakenOver(Disconnected):
    """The attempt goes on from another connection of the same player."""

    def __init__(self) -> None:
        super().__init__(CloseCode.TAKEN_OVER, "taken over")


class Refused(ClientError):  # noqa: N818 - reads as a claim
    """The server did not carry a command out: `code` is an error code or a refusal of the rules."""

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(f"{code}: {message}" if message else code)
        self.code = code
        self.message = message


FINAL_CLOSES = frozenset(
    {
        CloseCode.POLICY,
        CloseCode.TOO_BIG,
        CloseCode.TAKEN_OVER,
        CloseCode.UPGRADE_NEEDED,
    }
)
"""After these, connecting again by oneself would do no good."""
