"""Which store a command works on that is run beside a server, or while none runs."""

from server.config import Settings
from server.store.embedded import running_url

NONE_RUNS = "no server runs on the data in {folder}: start it, or set RAMPARTS_REDIS_URL"


def find_store(settings: Settings) -> str | None:
    """The configured store, or the embedded one of a server that runs on the data folder; None if none runs there."""
    if settings.redis_url is not None:
        return settings.redis_url.get_secret_value()
    return running_url(settings.data_dir)
