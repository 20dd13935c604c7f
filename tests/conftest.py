"""A real Valkey for all tests: one embedded server per test process, emptied before each test that uses it."""

import os
import socket
from collections.abc import AsyncIterator, Iterator

import pytest

from server.store import Store, open_store
from server.store.embedded import Embedded, start_embedded


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    """The server of this test process. Tests that kill one start their own."""
    embedded = start_embedded(tmp_path_factory.mktemp("valkey"))
    yield embedded
    embedded.stop()


@pytest.fixture
def redis_url(valkey: Embedded) -> str:
    """The URL of an empty Redis."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(10.0)
        client.connect(os.fsencode(valkey.url.removeprefix("unix://")))
        client.sendall(b"FLUSHALL\r\n")
        assert client.recv(100) == b"+OK\r\n"
    return valkey.url


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[Store]:
    """A store on an empty Redis."""
    opened = await open_store(redis_url)
    yield opened
    await opened.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones first, so that no process of the run is left alone with them at the end."""
    items.sort(key=lambda item: "faults" not in item.path.parts)
