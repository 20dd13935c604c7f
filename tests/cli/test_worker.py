"""The worker that `ramparts serve` runs beside itself, as an operator meets it."""

import asyncio
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import httpx2

from client.connection import connect
from tests.processes import ServerProcess

LONG_S = 60.0


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONG_S):
        while not holds():
            await asyncio.sleep(0.05)


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def workers(server: ServerProcess) -> list[int]:
    """The process ids of the workers that it has started so far, oldest first."""
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
    return [line["pid"] for line in lines if line["event"] == "worker.started"]


def labourers(worker: int) -> list[int]:
    """The processes below a worker."""
    try:
        children = Path(f"/proc/{worker}/task/{worker}/children").read_text("ascii").split()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [int(child) for child in children]


async def has_heard_of_a_worker(server: ServerProcess) -> bool:
    async with httpx2.AsyncClient() as http:
        answer = await http.get(f"{server.url}/readyz")
    assert answer.status_code == 200
    heard: bool = answer.json()["worker"]
    return heard


async def told_by(server: ServerProcess) -> str:
    """The verdict of a hint that somebody asks for in practice."""
    async with connect(server.url) as connection, asyncio.timeout(LONG_S):
        race = await connection.create("practice", deal="citadel:ms:3")
        return (await race.hint()).verdict


async def test_a_worker_runs_beside_the_server_gives_hints_is_started_again_and_ends_with_it(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, RAMPARTS_WORKERS="1", RAMPARTS_LOG_FORMAT="json")
    await server.start()
    try:
        async with asyncio.timeout(LONG_S):
            while not await has_heard_of_a_worker(server):
                await asyncio.sleep(0.1)
        (first,) = workers(server)
        assert await told_by(server) == "winnable"
        await until(lambda: len(labourers(first)) > 1)
        below = labourers(first)
        os.kill(first, signal.SIGKILL)
        await until(lambda: len(workers(server)) > 1)
        await until(lambda: not any(map(lives, below)))
        second = workers(server)[-1]
        await until(lambda: len(labourers(second)) > 1)
        below = labourers(second)
    finally:
        await server.kill()
    await until(lambda: not any(map(lives, [second, *below])))


async def test_a_stop_of_the_server_stops_a_worker_without_the_kernel_in_order_and_it_has_said_so(
    tmp_path: Path,
) -> None:
    server = ServerProcess(tmp_path, RAMPARTS_WORKERS="1", RAMPARTS_LOG_FORMAT="json", RAMPARTS_SOLVER="python")
    await server.start()
    try:
        await until(lambda: bool(workers(server)) and len(labourers(workers(server)[0])) > 1)
        (worker,) = workers(server)
        below = labourers(worker)
    finally:
        await server.stop()
    assert not lives(worker)
    await until(lambda: not any(map(lives, below)))
    assert "Traceback" not in server.log.read_text()
    assert "worker.without_kernel" in server.log.read_text()
