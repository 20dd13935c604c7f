"""Hostile clients, a kind each: what each does over and over, and the documented code that it is answered with."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

from websockets.exceptions import ConnectionClosed

from tests.cluster.processes import Process
from tests.e2e.listening import Listener
from tests.web.site import Player, lobby_of_two

PAUSE_S = 0.05
DEEP = "[" * 16_000
MOVE = {"type": "move", "id": 1, "version": 0, "source": "t0", "target": "t1"}
BAD_FRAMES: dict[str, tuple[str, str]] = {
    "malformed": ("{", "malformed"),
    "unknown type": ('{"type":"fly"}', "unknown_type"),
    "wrong field": (json.dumps(MOVE | {"race": "x", "source": "z9"}), "bad_field"),
    "NaN": (json.dumps(MOVE | {"race": "x", "version": float("nan")}), "bad_field"),
    "huge nested JSON": (DEEP, "malformed"),
    "lone surrogates": ('{"type":"ping","id":"\\udfff\\ud800"}', "malformed"),
    "a race one is not in": (json.dumps(MOVE | {"race": "RACE"}), "not_entered"),
}


class Foes:
    """All kinds at once. `rounds` counts what each has been answered as documented."""

    def __init__(self, process: Process, race: str) -> None:
        """`race` is one of honest players."""
        self.process = process
        self.race = race
        self.rounds: Counter[str] = Counter()
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self) -> None:
        """Lets all loose."""
        for kind in BAD_FRAMES:
            self._tasks.append(asyncio.create_task(self._send_bad_frames(kind)))
        others: list[Callable[[], Awaitable[None]]] = [
            self._be_binary,
            self._be_oversized,
            self._be_no_utf8,
            self._play_before_the_start,
            self._play_after_the_end,
            self._play_stale,
            self._flood,
            self._never_read,
            self._stay_half_open,
        ]
        self._tasks += [asyncio.ensure_future(self._again_and_again(act)) for act in others]

    async def end(self) -> None:
        """Ends all; raises what any of them found wrong."""
        for task in self._tasks:
            task.cancel()
        for outcome in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome

    async def _again_and_again(self, act: Callable[[], Awaitable[None]]) -> None:
        while True:
            await act()
            await asyncio.sleep(PAUSE_S)

    def _count(self, kind: str, told: object, expected: object) -> None:
        assert told == expected, f"{kind}: {told}"
        self.rounds[kind] += 1

    async def _send_bad_frames(self, kind: str) -> None:
        frame, code = BAD_FRAMES[kind]
        player = await Player.join(self.process)
        while True:
            await player.say_raw(frame.replace("RACE", self.race))
            self._count(kind, (await player.hear_any())["code"], code)
            await asyncio.sleep(PAUSE_S)

    async def _be_binary(self) -> None:
        player = await Player.join(self.process)
        for _ in range(20):
            await player.say_raw(b"\x00" * 16_000)
            self._count("binary", (await player.hear_any())["code"], "binary")
            await asyncio.sleep(PAUSE_S)

    async def _be_oversized(self) -> None:
        player = await Player.join(self.process)
        with suppress(ConnectionClosed):
            await player.say_raw("x" * 20_000)
        self._count("oversized", await player.hear_close(), 1009)

    async def _be_no_utf8(self) -> None:
        player = await Player.join(self.process)
        with suppress(ConnectionClosed):
            await player.say_raw(b'{"type":"ping"\xff\xfe}', as_text=True)
        self._count("invalid UTF-8", await player.hear_close(), 1007)

    async def _play_before_the_start(self) -> None:
        one, other = await Player.join(self.process), await Player.join(self.process)
        first, _ = await lobby_of_two(one, other)
        for number in range(1, 10):
            await first.send("restart", id_=number)
            self._count("before the start", (await one.hear("error", id=number))["code"], "not_started")
            await asyncio.sleep(PAUSE_S)

    async def _play_after_the_end(self) -> None:
        player = await Player.join(self.process)
        attempt = await player.practise()
        await attempt.send("resign")
        await player.hear("accepted")
        for number in range(2, 20):
            await attempt.send("restart", id_=number, version=1)
            self._count("after the end", (await player.hear("rejected", id=number))["code"], "ended")
            await asyncio.sleep(PAUSE_S)

    async def _play_stale(self) -> None:
        player = await Player.join(self.process)
        attempt = await player.practise()
        for number in range(1, 20):
            for version in (10**6, 7, 3):
                await attempt.send("restart", id_=number, version=version)
            self._count("stale version", (await player.hear("rejected", id=number))["code"], "stale")
            await asyncio.sleep(3 * PAUSE_S)

    async def _flood(self) -> None:
        player = await Listener.join(self.process)
        with suppress(ConnectionClosed):
            while True:
                for _ in range(20):
                    await player.say("ping")
                await asyncio.sleep(0)
        # Whoever goes on sending into a connection that is closed may lose the last that was said in it.
        code = await player.hear_close()
        self._count("flooding", 4029 if code is None else code, 4029)
        self.rounds["told to slow down"] += any(frame.get("code") == "too_many_messages" for frame in player.seen)
        await asyncio.sleep(0.5)

    async def _never_read(self) -> None:
        player = await Player.join(self.process)
        attempt = await player.practise()
        player.socket.transport.pause_reading()
        with suppress(ConnectionClosed):
            for _ in range(100):
                await player.say("resync", race=attempt.race)
                self.rounds["slow reader"] += 1
                await asyncio.sleep(2 * PAUSE_S)
        player.socket.transport.abort()

    async def _stay_half_open(self) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", self.process.port)
        try:
            writer.write(b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n")
            silent = await self.process.open_socket()
            silent.transport.pause_reading()
            self.rounds["half-open"] += 1
            await asyncio.sleep(1)
        finally:
            writer.transport.abort()
