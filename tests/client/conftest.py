"""A real server in the test's own loop, and a line to it that can be cut."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from server.app import create_app
from server.config import Settings
from server.serving import make_server


@pytest.fixture
async def url(redis_url: str, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a server on an empty store."""
    settings = Settings.model_validate(
        {"redis_url": redis_url, "data_dir": tmp_path / "data", "port": 0, "commands_per_second": 1_000}
    )
    addresses: asyncio.Queue[str] = asyncio.Queue()
    server = make_server(create_app(settings), settings, addresses.put_nowait)
    serving = asyncio.create_task(server.serve())
    try:
        yield await asyncio.wait_for(addresses.get(), 20)
    finally:
        server.should_exit = True
        await asyncio.wait_for(serving, 20)


class Wire:
    """A TCP line to the server. `cut` breaks all its connections; while `is_deaf`, the server's answers get lost."""

    def __init__(self, target_port: int) -> None:
        self.is_deaf = False
        self.made = 0
        self.port = 0
        self._target_port = target_port
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.made += 1
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target_port)
        self._writers |= {writer, far_writer}
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._carry(reader, far_writer, is_answer=False))
                tasks.create_task(self._carry(far_reader, writer, is_answer=True))
        finally:
            for end in (writer, far_writer):
                end.close()
                self._writers.discard(end)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_answer: bool) -> None:
        with suppress(OSError):
            while chunk := await reader.read(65_536):
                if not (is_answer and self.is_deaf):
                    writer.write(chunk)
                    await writer.drain()
        writer.close()

    def cut(self) -> None:
        for writer in list(self._writers):
            writer.transport.abort()

    async def close(self) -> None:
        self.cut()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()


@pytest.fixture
async def wire(url: str) -> AsyncIterator[Wire]:
    """A line to the server that can be cut."""
    line = Wire(int(url.rpartition(":")[2]))
    await line.open()
    yield line
    await line.close()
