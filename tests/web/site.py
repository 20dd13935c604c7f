"""A server on a free port in the test's own loop, and clients that speak to it in plain frames."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self

from pydantic import SecretStr
from starlette.applications import Starlette
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from rules.deals import parse_deal_code
from rules.moves import Move, legal_moves
from rules.positions import Position, decode_position
from rules.variants import Variant, find_variant
from server.app import create_app
from server.config import Settings
from server.service.dealing import FreshDeals, SecretDeal, Wish
from server.serving import Server, make_server

PATIENCE_S = 10.0
Frame = dict[str, Any]


@dataclass
class Deals(FreshDeals):
    """Hands out the deal codes that the test gave it, fresh ones when they are used up."""

    codes: list[str] = field(default_factory=list)

    async def take(self, variant: Variant, wish: Wish) -> SecretDeal:
        return SecretDeal(parse_deal_code(self.codes.pop(0))) if self.codes else await super().take(variant, wish)


class Reachable(Protocol):
    """Where players can connect to."""

    async def open_socket(self, **options: Any) -> ClientConnection: ...


@dataclass
class Site:
    """A running server."""

    app: Starlette
    server: Server
    deals: Deals
    sockets: list[ClientConnection] = field(default_factory=list)

    async def open_socket(self, **options: Any) -> ClientConnection:
        """A connection that has said nothing yet."""
        socket = await connect(self.url, **({"compression": None} | options))
        self.sockets.append(socket)
        return socket

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.server.bound_port}/ws"

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.server.bound_port}"


@asynccontextmanager
async def serving(
    redis_url: str, folder: Path, codes: Sequence[str] = (), *, pooled: bool = False, **settings: Any
) -> AsyncIterator[Site]:
    """A server on this Redis; with several at once it is as with several processes. `codes` are the first deals; or,
    `pooled`, they come from the pool, as they do outside of tests."""
    deals = Deals(list(codes))
    chosen = Settings(redis_url=SecretStr(redis_url), data_dir=folder, port=0, **settings)
    app = create_app(chosen, None if pooled else deals)
    server = make_server(app, chosen)
    running = asyncio.create_task(server.serve())
    while not server.started:
        assert not running.done(), "the server did not start"
        await asyncio.sleep(0.01)
    site = Site(app, server, deals)
    try:
        yield site
    finally:
        server.should_exit = True
        await running
        for socket in site.sockets:
            socket.transport.abort()


@dataclass
class Player:
    """A connection. `seen` is every frame that came."""

    socket: ClientConnection
    seen: list[Frame] = field(default_factory=list)
    id: str = ""
    token: str = ""
    _unread: list[Frame] = field(default_factory=list)

    @classmethod
    async def join(cls, site: Reachable, token: str | None = None, **hello: Any) -> Self:
        """A player who has said hello."""
        player = cls(await site.open_socket())
        await player.say("hello", protocol=1, **({} if token is None else {"token": token}), **hello)
        welcome = await player.hear("welcome")
        player.id, player.token = welcome["player"]["id"], welcome.get("token", token or "")
        return player

    async def say(self, type_: str, **fields: Any) -> None:
        await self.socket.send(json.dumps({"type": type_, **fields}))

    async def say_raw(self, frame: str | bytes, *, as_text: bool | None = None) -> None:
        await self.socket.send(frame, text=as_text)

    async def hear(self, type_: str, **wanted: Any) -> Frame:
        """The next frame of this type with these fields; those before it are passed over."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                frame = await self.hear_any()
                if frame["type"] == type_ and all(frame.get(name) == value for name, value in wanted.items()):
                    return frame

    async def hear_any(self) -> Frame:
        """The next frame."""
        frame: Frame = json.loads(await self.socket.recv())
        self.seen.append(frame)
        return frame

    async def hear_close(self) -> int | None:
        """The code that the connection is closed with; what comes before is only noted."""
        async with asyncio.timeout(PATIENCE_S):
            try:
                while True:
                    await self.hear_any()
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else None

    async def ping(self) -> Frame:
        """What the server answers; proves that the connection lives and that all before was answered."""
        await self.say("ping", id=77)
        return await self.hear("pong", id=77)

    async def leave(self) -> None:
        await self.socket.close()

    async def practise(self, deal: str = "beleaguered-castle:ms:1", key: str = "practice-1") -> "Attempt":
        """Opens a practice."""
        await self.say("create", key=key, kind="practice", deal=deal)
        return Attempt(self, await self.hear("snapshot"))

    async def enter(self, race: str) -> "Attempt":
        """Enters a race."""
        await self.say("enter", race=race)
        return Attempt(self, await self.hear("snapshot", re=race))


class Attempt:
    """A player's attempt, kept by taking what the server says."""

    def __init__(self, player: Player, snapshot: Frame) -> None:
        self.player = player
        self.race: str = snapshot["race"]
        self.state: Frame = snapshot["state"]
        self.version = 0
        self.last_id = 0
        self.position: Position | None = None
        if "attempt" in snapshot:
            self.version, self.last_id = snapshot["attempt"]["version"], snapshot["attempt"]["last_id"]
            self.take(snapshot["attempt"]["position"])

    def take(self, position: Frame) -> None:
        self.position = decode_position(find_variant(self.state["variant"]), position)

    def legal(self) -> list[Move]:
        assert self.position is not None
        return legal_moves(self.position)

    async def send(self, type_: str, *, id_: int | None = None, version: int | None = None, **fields: Any) -> int:
        """Sends a command on the attempt; its id."""
        self.last_id = id_ or self.last_id + 1
        at = self.version if version is None else version
        await self.player.say(type_, race=self.race, id=self.last_id, version=at, **fields)
        return self.last_id

    async def send_move(self, move: Move, **fields: Any) -> int:
        return await self.send("move", source=move.source, target=move.target, count=move.count, **fields)

    async def play(self, move: Move) -> Frame:
        """Plays a move that is accepted."""
        command_id = await self.send_move(move)
        accepted = await self.player.hear("accepted", id=command_id)
        self.version = accepted["version"]
        return accepted

    async def stored(self) -> Frame:
        """The attempt as the server has it."""
        await self.player.say("resync", race=self.race)
        snapshot = await self.player.hear("snapshot", re=self.race)
        state: Frame = snapshot["attempt"]
        return {name: value for name, value in state.items() if name != "at_ms"}


async def race_of_two(one: Player, other: Player, **settings: Any) -> tuple[Attempt, Attempt]:
    """A private race between two, started."""
    first, second = await lobby_of_two(one, other, **settings)
    for attempt in (first, second):
        await attempt.player.say("ready", race=attempt.race, ready=True)
    for attempt in (first, second):
        attempt.take((await attempt.player.hear("started"))["position"])
    return first, second


async def lobby_of_two(one: Player, other: Player, **settings: Any) -> tuple[Attempt, Attempt]:
    """A private race that both have entered."""
    deal = {} if "variant" in settings else {"deal": "beleaguered-castle:ms:1"}
    fields: dict[str, Any] = {"key": "race-key-1", "kind": "private", **deal, **settings}
    await one.say("create", **fields)
    first = Attempt(one, await one.hear("snapshot"))
    second = await other.enter(first.state["link"])
    return first, second
