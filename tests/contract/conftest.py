"""A running server, or two on one store, with room for quick clients; whatever is logged as an error fails the test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.web.conftest import logged, no_errors, short_countdown
from tests.web.site import Site, serving

__all__ = ["logged", "no_errors", "short_countdown"]


@pytest.fixture
async def site(redis_url: str, tmp_path: Path) -> AsyncIterator[Site]:
    """A server."""
    async with serving(redis_url, tmp_path, commands_per_second=100_000) as running:
        yield running


@pytest.fixture
async def sites(redis_url: str, tmp_path: Path) -> AsyncIterator[tuple[Site, Site]]:
    """Two servers on one store, as two processes would be."""
    async with (
        serving(redis_url, tmp_path, commands_per_second=100_000) as one,
        serving(redis_url, tmp_path, commands_per_second=100_000) as other,
    ):
        yield one, other
