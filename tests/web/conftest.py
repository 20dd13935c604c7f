"""One running server a test, with a short countdown; whatever is logged as an error fails the test."""

import logging
from collections.abc import AsyncIterator, Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from server.race import race as racing
from server.service import pairing
from tests.web.site import Site, serving

SHORT_MS = 250


@pytest.fixture
def logged() -> Iterator[list[MutableMapping[str, Any]]]:
    """What was logged. A test that expects an error empties it."""
    with capture_logs() as entries:
        yield entries


@pytest.fixture(autouse=True)
def short_countdown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(racing, "COUNTDOWN_MS", SHORT_MS)
    monkeypatch.setattr(pairing, "COUNTDOWN_MS", SHORT_MS)


@pytest.fixture(autouse=True)
def no_errors(logged: list[MutableMapping[str, Any]], caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    errors = [entry for entry in logged if entry["log_level"] in ("error", "critical")]
    assert errors == []
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.fixture
async def site(redis_url: str, tmp_path: Path) -> AsyncIterator[Site]:
    """A server."""
    async with serving(redis_url, tmp_path) as running:
        yield running
