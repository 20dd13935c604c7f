"""Two server processes on one store, and a door behind which whichever of them lives answers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tests.processes import ServerProcess, free_port

SECRET = "two processes that share a store share this"  # noqa: S105 - it salts nothing of worth


class Process(ServerProcess):
    """A server process that players can connect to."""

    def __init__(self, folder: Path, redis_url: str, **environment: str) -> None:
        shared = {"RAMPARTS_REDIS_URL": redis_url, "RAMPARTS_SECRET": SECRET}
        super().__init__(folder, port=None, **(shared | environment))
        self._sockets: list[ClientConnection] = []

    async def open_socket(self, **options: Any) -> ClientConnection:
        """A connection that has said nothing yet."""
        socket = await connect(f"ws://127.0.0.1:{self.port}/ws", **({"compression": None} | options))
        self._sockets.append(socket)
        return socket

    async def stop(self) -> None:
        await super().stop()
        for socket in self._sockets:
            socket.transport.abort()


@asynccontextmanager
async def two_processes(folder: Path, redis_url: str) -> AsyncIterator[tuple[Process, Process]]:
    """Two processes that are up; what lives of them at the end is stopped, and neither has logged a traceback."""
    pair = Process(folder / "one", redis_url), Process(folder / "other", redis_url)
    await asyncio.gather(*(process.start() for process in pair))
    try:
        yield pair
    finally:
        await asyncio.gather(*(process.stop() for process in pair))
    for process in pair:
        assert "Traceback" not in process.log.read_text()
        assert '"level": "error"' not in process.log.read_text()


@asynccontextmanager
async def doors(*orders: tuple[Process, Process]) -> AsyncIterator[list[str]]:
    """An address for each order of processes: the first of the order that answers is who one reaches there."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(_door(order)) for order in orders]


@asynccontextmanager
async def _door(order: tuple[Process, Process]) -> AsyncIterator[str]:
    open_lines: set[asyncio.Task[None]] = set()

    def let_in(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = asyncio.create_task(_connect_through(order, reader, writer))
        open_lines.add(line)
        line.add_done_callback(open_lines.discard)

    port = free_port()
    door = await asyncio.start_server(let_in, "127.0.0.1", port)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        door.close()
        for line in open_lines:
            line.cancel()
        await asyncio.gather(*open_lines, return_exceptions=True)


async def _connect_through(
    order: tuple[Process, Process], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    for process in order:
        with suppress(OSError):
            inside, outside = await asyncio.open_connection("127.0.0.1", process.port)
            try:
                await _join(reader, writer, inside, outside)
            finally:
                outside.transport.abort()
            break
    writer.transport.abort()


async def _join(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    inside: asyncio.StreamReader,
    outside: asyncio.StreamWriter,
) -> None:
    """Passes on what comes on either side until one of them ends."""
    ways = [asyncio.create_task(_pass_on(reader, outside)), asyncio.create_task(_pass_on(inside, writer))]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while some := await source.read(65_536):
            target.write(some)
            await target.drain()
