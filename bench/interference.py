"""`python -m bench.interference [PAIRS] [SECONDS] [RACES]`: what a worker that searches costs the players.

A hundred races of two are played on a server process while the worker's labourer, niced as in production, solves twenty
hard deals over and over; in every other window it is held (SIGSTOP). Compared are the medians of pairs of neighbouring
windows: CPU time a durable move, of server and Valkey together, and how long the server's loop takes to answer a
`ping`, asked by a process that does nothing else. Ends with exit code 1 where a ratio is above 1.2.
"""

import asyncio
import json
import multiprocessing
import os
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from bench.server import Player, cpu_us, open_race
from rules.deals import DealCode, deal
from server.workers.keeping import labourers
from solver.verdicts import Verdict, solve
from tests.processes import ServerProcess

HARD = (68, 77, 91, 186, 229, 244, 311, 316, 523, 528, 661, 690, 747, 794, 806, 843, 850, 949, 989, 1117)
"""Deals of Streets and Alleys by their numbers that 400,000 positions do not decide."""
BUDGET = 4_000_000
MOST_RATIO = 1.2
PING_EVERY_S = 0.01
SETTLE_S = 0.5
COUNT_EVERY_S = 0.05


@dataclass(frozen=True, slots=True)
class Window:
    """What was seen in one stretch of play."""

    cpu_us_a_move: float
    ping_ms: float
    ping_p99_ms: float
    moves: int


def solve_hard(number: int) -> Verdict:
    """What the labourer is at; some seconds each."""
    return solve(deal(DealCode("streets-and-alleys", "ms", str(number))), BUDGET).verdict


def play(url: str, races: int, moves: "Synchronized[int]", ready: Event) -> None:
    """The players' process: it plays until it is ended, and counts the acknowledged moves."""
    asyncio.run(_play(url, races, moves, ready))


async def _play(url: str, races: int, moves: "Synchronized[int]", ready: Event) -> None:
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(connect(url, compression=None)) for _ in range(2 * races)]
        players = [Player(socket, number) for number, socket in enumerate(sockets)]
        pairs = list(zip(players[::2], players[1::2], strict=True))
        opened = await asyncio.gather(*(open_race(*pair) for pair in pairs))
        over = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            for race, pair in zip(opened, pairs, strict=True):
                for player in pair:
                    tasks.create_task(player.play(race, over))
            ready.set()
            while True:
                moves.value = sum(player.acknowledged for player in players)
                await asyncio.sleep(COUNT_EVERY_S)


@contextmanager
def playing(url: str, races: int) -> "Iterator[Synchronized[int]]":
    """The players in a process of their own; their count of moves."""
    context = multiprocessing.get_context("spawn")
    moves, ready = context.Value("q", 0), context.Event()
    process = context.Process(target=play, args=(url, races, moves, ready), daemon=True)
    process.start()
    try:
        if not ready.wait(60):
            raise RuntimeError("the races have not begun within a minute")
        yield moves
    finally:
        process.kill()
        process.join()


async def ping(socket: ClientConnection, until: float) -> list[float]:
    """Asks for the time again and again; how long each answer took, in milliseconds."""
    took = []
    while time.monotonic() < until:
        sent = time.perf_counter()
        await socket.send('{"type":"ping"}')
        while json.loads(await socket.recv())["type"] != "pong":
            pass
        took.append((time.perf_counter() - sent) * 1000)
        await asyncio.sleep(PING_EVERY_S)
    return took


async def watch(server: ServerProcess, socket: ClientConnection, moves: "Synchronized[int]", seconds: float) -> Window:
    """One window of play."""
    await asyncio.sleep(SETTLE_S)
    pids = (server.pid, server.valkey_pid)
    cpu, played = sum(map(cpu_us, pids)), moves.value
    took = await ping(socket, time.monotonic() + seconds)
    spent, played = sum(map(cpu_us, pids)) - cpu, moves.value - played
    return Window(spent / max(played, 1), statistics.median(took), statistics.quantiles(took, n=100)[98], played)


def labour(executor: Executor) -> "Iterator[Future[Verdict]]":
    """The hard deals in turn, each handed to the labourer when the one before is solved."""
    for number in cycle(HARD):
        yield executor.submit(solve_hard, number)


async def measure(pairs: int, seconds: float, races: int) -> bool:
    """Plays, prints every pair and the medians; whether the ratios are small enough."""
    found: list[tuple[Window, Window]] = []
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder))
        await server.start()
        try:
            url = f"ws{server.url.removeprefix('http')}/ws"
            async with labourers(1) as executor, connect(url, compression=None) as socket:
                await socket.send('{"type":"hello","protocol":1}')
                labourer = await asyncio.wrap_future(executor.submit(os.getpid))
                working = asyncio.create_task(_labour(executor))
                with playing(url, races) as moves:
                    for number in range(pairs):
                        # Which comes first changes from pair to pair, so that what drifts disturbs neither.
                        windows, before = {}, cpu_us(labourer)
                        for searching in (number % 2 == 0, number % 2 == 1):
                            os.kill(labourer, signal.SIGCONT if searching else signal.SIGSTOP)
                            windows[searching] = await watch(server, socket, moves, seconds)
                        found.append((windows[False], windows[True]))
                        searched_s = (cpu_us(labourer) - before) / 1e6
                        print(f"{told(*found[-1])}; searched for {searched_s:.1f} s", flush=True)
                        if working.done() or not searched_s:
                            raise RuntimeError("the labourer did not search")
                working.cancel()
        finally:
            await server.stop()
    return report(found)


async def _labour(executor: Executor) -> None:
    for solving in labour(executor):
        await asyncio.wrap_future(solving)


def told(without: Window, beside: Window) -> str:
    """One pair in words."""
    return (
        f"{without.moves} and {beside.moves} moves; CPU a move {without.cpu_us_a_move:.1f} and "
        f"{beside.cpu_us_a_move:.1f} us; ping {without.ping_ms:.2f} and {beside.ping_ms:.2f} ms "
        f"(p99 {without.ping_p99_ms:.1f} and {beside.ping_p99_ms:.1f})"
    )


def report(found: list[tuple[Window, Window]]) -> bool:
    """Prints the medians of the ratios; whether they are small enough."""
    cpu = statistics.median(beside.cpu_us_a_move / without.cpu_us_a_move for without, beside in found)
    lag = statistics.median(beside.ping_ms / without.ping_ms for without, beside in found)
    late = statistics.median(beside.ping_p99_ms / without.ping_p99_ms for without, beside in found)
    print(f"with a searching worker to without, medians of {len(found)} pairs: CPU a move {cpu:.2f}, ping {lag:.2f}")
    print(f"(the slowest hundredth of the pings, for information: {late:.2f}); at most {MOST_RATIO} is wanted")
    return cpu <= MOST_RATIO and lag <= MOST_RATIO


def main(pairs: str = "10", seconds: str = "8", races: str = "100") -> int:
    """Reads the numbers; the exit code."""
    return 0 if asyncio.run(measure(int(pairs), float(seconds), int(races))) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
