"""A world on the test's own store."""

import pytest

from server.store import Store
from tests.service.world import Time, World, make_world


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def world(store: Store, time: Time) -> World:
    return await make_world(store, time, [])
