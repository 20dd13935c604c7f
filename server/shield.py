"""The one place, besides what answers over HTTP, where an error that nobody foresaw ends: it is logged."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

log = structlog.get_logger()


@contextmanager
def shielded(event: str, *passing: type[Exception], **what: str) -> Iterator[None]:
    """Logs, as this event with what it was about, whatever error the block ends with, but for those that pass.

    For one of many steps that go on after each other: one that fails does not stop the others.
    """
    try:
        yield
    except passing:
        raise
    except Exception:
        log.exception(event, **what)
