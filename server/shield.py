"""The one place, besides what answers over HTTP, where an error that nobody foresaw ends: it is logged."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

log = structlog.get_logger()


@contextmanager
def shielded(
    event: str, *passing: type[Exception], failing: set[tuple[str, ...]] | None = None, **what: str
) -> Iterator[None]:
    """Logs, as this event with what it was about, whatever error the block ends with, but for those that pass.

    For one of many steps that go on after each other: one that fails does not stop the others. With `failing`, kept by
    the caller, one that fails again and again is logged once, until it goes well again.
    """
    step = (event, *what.values())
    try:
        yield
    except passing:
        raise
    except Exception:
        if failing is None or step not in failing:
            log.exception(event, **what)
        if failing is not None:
            failing.add(step)
    else:
        if failing is not None:
            failing.discard(step)
