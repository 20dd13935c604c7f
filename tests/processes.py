"""A real server process that a test starts, kills and starts again on the same data and the same port."""

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

READY_S = 60.0
OPEN_LIMITS = {"RAMPARTS_COMMANDS_PER_SECOND": "10000", "RAMPARTS_PLAYERS_PER_ADDRESS": "10000"}
NO_WORKER = {"RAMPARTS_WORKERS": "0"}


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class ServerProcess:
    """`ramparts serve` on a folder of data. `log` is the file of what it printed, all its lives long.

    It has no worker unless `RAMPARTS_WORKERS` is given.
    """

    def __init__(self, folder: Path, *, port: int | None = None, **environment: str) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.log = folder / f"server-{self.port}.log"
        self._environment = {
            **os.environ,
            "RAMPARTS_DATA_DIR": str(folder / "data"),
            "RAMPARTS_PORT": str(self.port),
            **OPEN_LIMITS,
            **NO_WORKER,
            **environment,
        }
        self._process: Process | None = None

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The process id of the server."""
        assert self._process is not None
        return self._process.pid

    @property
    def valkey_pid(self) -> int:
        """The process id of its embedded Valkey; 0 while it is starting."""
        return int((self.folder / "data" / "valkey.pid").read_text("ascii") or 0)

    @property
    def supervisor_pid(self) -> int:
        """The process id of what stands between it and its embedded Valkey."""
        stat = Path(f"/proc/{self.valkey_pid}/stat").read_text("ascii")
        return int(stat.rpartition(")")[2].split()[1])

    async def ended(self, within_s: float) -> int:
        """Waits until it has ended by itself; its exit code."""
        assert self._process is not None
        return await asyncio.wait_for(self._process.wait(), within_s)

    async def start(self) -> None:
        """Starts it and waits until it takes connections."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                "from cli.main import main; main()",
                "serve",
                env=self._environment,
                stdout=log,
                stderr=log,
                stdin=asyncio.subprocess.DEVNULL,
            )
        async with asyncio.timeout(READY_S):
            while not await self._answers():
                assert self._process.returncode is None, self.log.read_text()[-2000:]
                await asyncio.sleep(0.02)

    async def _answers(self) -> bool:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(b"GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            head = await reader.readline()
            writer.close()
        except OSError:
            return False
        return b" 200 " in head

    async def kill(self) -> None:
        """kill -9."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """SIGTERM, as whoever runs it stops it."""
        await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.send_signal(number)
            await asyncio.wait_for(process.wait(), READY_S)


@asynccontextmanager
async def working(redis_url: str, folder: Path, *options: str) -> AsyncIterator[Process]:
    """`ramparts worker` on this Redis; it is stopped, if nobody has done so, at the end."""
    environment = {**os.environ, "RAMPARTS_REDIS_URL": redis_url, "RAMPARTS_DATA_DIR": str(folder)}
    command = (sys.executable, "-c", "from cli.main import main; main()", "worker", "--pool", "1", *options)
    with (folder / "worker.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=log, stderr=log)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
        await process.wait()
