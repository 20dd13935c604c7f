"""What a move costs: CPU time of the server and of its Valkey per durable move, under races of two.

`python -m bench.server [races] [seconds]`. Players are plain sockets in this process; each sends its next move when the
one before was acknowledged and a pause has passed. CPU time is counted, so that a busy machine disturbs little.
"""

import asyncio
import json
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

from websockets.asyncio.client import ClientConnection, connect

from rules.deals import deal, parse_deal_code
from rules.moves import legal_moves, play_unchecked
from tests.processes import ServerProcess

DEAL = "streets-and-alleys:ms:{number}"
PAUSE_S = 0.25
WARM_S = 2.0
LINE = 40


def cpu_us(pid: int) -> float:
    """CPU time of a process so far, of all its threads."""
    return sum(int(task.read_text("ascii").split()[0]) for task in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1000


def line_of_play(code: str, chance: Random) -> list[dict[str, object]]:
    """Commands of one round: a random line of moves, then a restart."""
    position = deal(parse_deal_code(code))
    commands: list[dict[str, object]] = []
    for _ in range(LINE):
        moves = legal_moves(position)
        if not moves:
            break
        move = chance.choice(moves)
        commands.append({"type": "move", "source": move.source, "target": move.target, "count": move.count})
        position = play_unchecked(position, move)
    return [*commands, {"type": "restart"}]


class Player:
    """One socket that plays without a thought, and how long its moves took."""

    def __init__(self, socket: ClientConnection, number: int) -> None:
        self.socket = socket
        self.chance = Random(number)
        self.code = DEAL.format(number=1 + number // 2)
        self.acknowledged = 0
        self.took_ms: list[float] = []

    async def until(self, kind: str) -> dict[str, object]:
        """The next event of a kind."""
        while True:
            event: dict[str, object] = json.loads(await self.socket.recv())
            if event["type"] == kind:
                return event
            if event["type"] in ("error", "rejected"):
                raise RuntimeError(event)

    async def send(self, **command: object) -> None:
        """Sends a command."""
        await self.socket.send(json.dumps(command))

    async def play(self, race: str, over: asyncio.Event) -> None:
        """Plays its line over and over."""
        commands = line_of_play(self.code, self.chance)
        version = 0
        await asyncio.sleep(self.chance.random() * PAUSE_S)
        while not over.is_set():
            command = commands[version % len(commands)]
            sent = time.perf_counter()
            await self.send(race=race, id=version + 1, version=version, **command)
            await self.until("accepted")
            self.took_ms.append((time.perf_counter() - sent) * 1000)
            self.acknowledged += 1
            version += 1
            await asyncio.sleep(PAUSE_S * (0.5 + self.chance.random()))


async def open_race(host: Player, guest: Player) -> str:
    """A race of two, started; its id."""
    for player in (host, guest):
        await player.send(type="hello", protocol=1)
        await player.until("welcome")
    await host.send(type="create", key="bench-key", kind="private", deal=host.code)
    snapshot = await host.until("snapshot")
    race = str(snapshot["race"])
    state = snapshot["state"]
    await guest.send(type="enter", race=state["link"] if isinstance(state, dict) else "")
    await guest.until("snapshot")
    for player in (host, guest):
        await player.send(type="ready", race=race, ready=True)
    for player in (host, guest):
        await player.until("started")
    return race


async def measure(races: int, seconds: float) -> None:
    """Plays the races and prints what they cost."""
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder))
        await server.start()
        try:
            async with AsyncExitStack() as stack:
                url = f"ws{server.url.removeprefix('http')}/ws"
                players = [
                    Player(await stack.enter_async_context(connect(url, compression=None)), number)
                    for number in range(2 * races)
                ]
                pairs = list(zip(players[::2], players[1::2], strict=True))
                opened = await asyncio.gather(*(open_race(*pair) for pair in pairs))
                over = asyncio.Event()
                async with asyncio.TaskGroup() as tasks:
                    for race, pair in zip(opened, pairs, strict=True):
                        for player in pair:
                            tasks.create_task(player.play(race, over))
                    await report(server, players, seconds)
                    over.set()
        finally:
            await server.stop()


async def report(server: ServerProcess, players: list[Player], seconds: float) -> None:
    """Counts CPU time and moves over a stretch of play, and prints them."""
    await asyncio.sleep(WARM_S)
    for player in players:
        player.took_ms.clear()
    before = [cpu_us(pid) for pid in (server.pid, server.valkey_pid)]
    acknowledged = sum(player.acknowledged for player in players)
    await asyncio.sleep(seconds)
    after = [cpu_us(pid) for pid in (server.pid, server.valkey_pid)]
    moves = sum(player.acknowledged for player in players) - acknowledged
    took = statistics.quantiles((ms for player in players for ms in player.took_ms), n=100)
    ours, theirs = ((end - begin) / moves for begin, end in zip(before, after, strict=True))
    print(f"{len(players) // 2} races, {moves} durable moves in {seconds:.0f} s ({moves / seconds:.0f}/s)")
    print(f"server {ours:.1f} us CPU a move, Valkey {theirs:.1f}; answered in {took[49]:.1f} ms (p99 {took[98]:.1f})")


def main() -> None:
    """Reads the numbers of races and seconds."""
    races, seconds = (float(word) for word in (sys.argv[1:] + ["100", "10"][len(sys.argv) - 1 :]))
    asyncio.run(measure(int(races), seconds))


if __name__ == "__main__":
    main()
