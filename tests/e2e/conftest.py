"""A running server with room for quick clients and a short countdown; whatever is logged as an error fails the test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.deals import committed
from tests.web.conftest import logged, no_errors, short_countdown
from tests.web.site import Site, serving

__all__ = ["logged", "no_errors", "short_countdown"]


@pytest.fixture
async def site(redis_url: str, tmp_path: Path) -> AsyncIterator[Site]:
    """A server that has chosen its dailies already: the deals a test hands in are the next ones taken."""
    async with serving(redis_url, tmp_path, commands_per_second=100_000) as running:
        await committed(running)
        yield running
