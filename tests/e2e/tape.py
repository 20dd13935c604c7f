"""A recording of all that a real server process says while races on secret deals run: frames, HTTP answers, its log."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Literal

import httpx2
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from rules.deals import deal, parse_deal_code
from rules.moves import DRAW, Move, legal_moves, play
from rules.positions import Position
from server.race.daily import Daily, day_of
from server.store import Store, open_store
from server.store.embedded import start_embedded
from server.store.races import Secret
from tests.e2e.listening import Listener, wall_ms
from tests.processes import ServerProcess
from tests.web.site import Frame

OPEN_GAME, HIDDEN_GAME, OTHER_HIDDEN_GAME = "beleaguered-castle", "klondike-draw3", "klondike-draw1"
MOVES = 25
PER_SECOND = 100


@dataclass(frozen=True)
class Said:
    """One thing the server said, to a player or to nobody in particular; `about` tells which race it was about."""

    kind: Literal["frame", "answer"]
    to: str
    about: str
    text: str

    @property
    def frame(self) -> Frame:
        frame: Frame = json.loads(self.text)
        return frame


@dataclass
class Recorded:
    """A race of the recording: who is in it, its secret, and where each player came to, position by position."""

    id: str
    variant: str
    secret: Secret
    players: list[str]
    link: str = ""
    watchers: list[str] = field(default_factory=list)
    positions: dict[str, list[Position]] = field(default_factory=dict)

    @property
    def start(self) -> Position:
        return deal(parse_deal_code(self.secret.deal))

    @property
    def words(self) -> tuple[str, str]:
        """What must not be told: seed and nonce."""
        return self.secret.deal.rpartition(":")[2], self.secret.nonce

    def is_about(self, said: Said) -> bool:
        return self.id in said.about or (bool(self.link) and self.link in said.about)


@dataclass
class Tape:
    """All that was said, in the order in which it came."""

    said: list[Said] = field(default_factory=list)
    races: list[Recorded] = field(default_factory=list)
    dailies: list[Recorded] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)
    """By player."""
    recovery: str = ""
    log: str = ""

    def until(self, type_: str, race: Recorded) -> list[Said]:
        """What was said before anyone heard this of the race."""
        for number, said in enumerate(self.said):
            if said.kind == "frame" and said.frame.get("race") == race.id and said.frame["type"] == type_:
                return self.said[:number]
        raise AssertionError(f"nobody heard {type_}")

    def of(self, race: Recorded, said: Sequence[Said] | None = None) -> list[Said]:
        """What was said about the race."""
        return [one for one in (self.said if said is None else said) if race.is_about(one)]


def record(folder: Path) -> Tape:
    """Runs the server on an empty store and records it."""
    embedded = start_embedded(folder / "valkey")
    try:
        return asyncio.run(_record(folder, embedded.url))
    finally:
        embedded.stop()


async def _record(folder: Path, redis_url: str) -> Tape:
    server = ServerProcess(
        folder, RAMPARTS_REDIS_URL=redis_url, RAMPARTS_LOG_LEVEL="debug", RAMPARTS_COMMANDS_PER_SECOND=str(PER_SECOND)
    )
    store = await open_store(redis_url)
    await server.start()
    try:
        tape = await asyncio.wait_for(_Recording(server, store).run(), 60)
    finally:
        await server.stop()
        await store.close()
    tape.log = server.log.read_text()
    return tape


class _Recording:
    def __init__(self, server: ServerProcess, store: Store) -> None:
        self.server = server
        self.store = store
        self.tape = Tape()

    async def run(self) -> Tape:
        """Four races of two, two dailies, watchers of all, and every address asked for again and again."""
        await self._wait_for_dailies()
        async with httpx2.AsyncClient(base_url=self.server.url) as self.http:
            names = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ida", "joe", "wat")
            joined = await asyncio.gather(*(self._join() for _ in names))
            ann, bob, cat, dan, eve, fay, gus, hal, ida, joe, wat = joined
            self.tape.recovery = await self._claim(ann)
            dailies = [await self._daily(ida, OPEN_GAME, wat), await self._daily(joe, OTHER_HIDDEN_GAME, wat)]
            private = [await self._lobby(ann, bob, OPEN_GAME, wat), await self._lobby(cat, dan, HIDDEN_GAME, wat)]
            quick = [await self._queue(eve, fay, OPEN_GAME, wat), await self._queue(gus, hal, OTHER_HIDDEN_GAME, wat)]
            pairs = [(ann, bob), (cat, dan), (eve, fay), (gus, hal)]
            await self._look()
            await asyncio.gather(*(self._ready(race, pair) for race, pair in zip(private, pairs, strict=False)))
            await self._look()
            playing = [self._race(race, pair) for race, pair in zip([*private, *quick], pairs, strict=True)]
            await asyncio.gather(*playing, self._play_daily(dailies[0], ida), self._play_daily(dailies[1], joe))
            await self._look()
            await self._misbehave(ann, bob)
            for player in joined[2:]:
                await player.ping()
                await player.leave()
        return self.tape

    async def _misbehave(self, one: Listener, other: Listener) -> None:
        """Does what makes the server write to its log: a takeover, a flood, a wrong token, a line that breaks."""
        await one.say("create", key="practice-1", kind="practice", variant=OPEN_GAME)
        race = (await one.hear("entered"))["race"]
        again = await self._connect()
        await again.say("hello", protocol=1, token=one.token)
        await again.say("enter", race=race)
        assert await one.hear_close() == 4001
        wrong = await self._connect()
        await wrong.say("hello", protocol=1, token=one.token[::-1])
        await wrong.hear("error")
        with suppress(ConnectionClosed):
            for _ in range(10 * PER_SECOND):
                await other.say("ping")
        await other.hear_close()
        again.socket.transport.abort()

    async def _wait_for_dailies(self) -> None:
        while len(await self._daily_keys()) < 36:
            await asyncio.sleep(0.02)
        for key in await self._daily_keys():
            race_id = key.removeprefix("{r:").removesuffix("}:secret")
            secret = await self.store.races.secret(race_id)
            assert secret is not None
            self.tape.dailies.append(Recorded(race_id, secret.deal.partition(":")[0], secret, []))

    async def _daily_keys(self) -> list[str]:
        keys: list[str] = await self.store.link.call("KEYS", "{r:daily.*}:secret")
        return keys

    async def _connect(self) -> Listener:
        player = Listener(await connect(f"{self.server.url.replace('http', 'ws')}/ws", compression=None))
        player.note = lambda text: self._note(player, text)
        return player

    async def _join(self) -> Listener:
        player = await self._connect()
        await player.say("hello", protocol=1)
        welcome = await player.hear("welcome")
        player.id, player.token = welcome["player"]["id"], welcome["token"]
        self.tape.tokens[player.id] = player.token
        return player

    def _note(self, player: Listener, text: str) -> None:
        self.tape.said.append(Said("frame", player.id, str(json.loads(text).get("race", "")), text))

    async def _get(self, path: str, player: str = "") -> None:
        headers = {"Authorization": f"Bearer {self.tape.tokens[player]}"} if player else {}
        answer = await self.http.get(path, headers=headers)
        self.tape.said.append(Said("answer", player, path, f"{dict(answer.headers)}\n{answer.text}"))

    async def _claim(self, player: Listener) -> str:
        bearer = {"Authorization": f"Bearer {player.token}"}
        claimed = await self.http.post("/api/v1/players/me/claim", json={"name": "Rampart-Ann"}, headers=bearer)
        recovery: str = claimed.json()["recovery_code"]
        return recovery

    async def _look(self) -> None:
        """Asks for everything that can be asked for, as a stranger, as those in the race and as another player."""
        paths = ["/healthz", "/readyz", "/metrics", "/openapi.json", "/asyncapi.json", "/api/v1/variants"]
        today = day_of(int(wall_ms()))
        paths += [f"/api/v1/daily/{day}" for day in ("today", *(_date(today + ahead) for ahead in (0, 1, 2)))]
        for path in paths:
            await self._get(path)
        for race in self.tape.races:
            for player in ("", *race.players, *race.watchers):
                await self._look_at(race, player)
        for race in self.tape.dailies:
            if race.variant in (OPEN_GAME, OTHER_HIDDEN_GAME):
                await self._look_at_daily(race)

    async def _look_at(self, race: Recorded, player: str) -> None:
        for name in (race.id, *([race.link] if race.link else [])):
            await self._get(f"/api/v1/races/{name}", player)
            await self._get(f"/api/v1/races/{name}/standings", player)
        for end in ("", "?format=record"):
            await self._get(f"/api/v1/attempts/{race.id}.{race.players[0]}/replay{end}", player)
        if player:
            for path in ("/api/v1/players/me", "/api/v1/players/me/export"):
                await self._get(path, player)

    async def _look_at_daily(self, race: Recorded) -> None:
        date = race.id.split(".")[1]
        await self._get(f"/api/v1/daily/{date}/{race.variant}")
        for board in ("", ":open", ":bots"):
            await self._get(f"/api/v1/boards/day:{date}:{race.variant}{board}")
        for path in (f"/api/v1/races/{race.id}", f"/api/v1/races/{race.id}/standings"):
            await self._get(path)
        for player in race.players:
            for viewer in ("", player):
                for end in ("", "?format=record"):
                    await self._get(f"/api/v1/attempts/{race.id}.{player}/replay{end}", viewer)

    async def _lobby(self, host: Listener, guest: Listener, variant: str, watcher: Listener) -> Recorded:
        await host.say("create", key="race-key-1", kind="private", variant=variant)
        snapshot = await host.hear("snapshot")
        link = snapshot["state"]["link"]
        await guest.say("enter", race=link)
        await guest.hear("snapshot")
        await watcher.say("watch", race=link)
        await watcher.hear("snapshot", re=link)
        return await self._known(snapshot["race"], variant, [host, guest], watcher, link)

    async def _queue(self, one: Listener, other: Listener, variant: str, watcher: Listener) -> Recorded:
        for player in (one, other):
            await player.say("queue", variant=variant)
        race: str = (await one.hear("matched"))["race"]
        await watcher.say("watch", race=race)
        await watcher.hear("snapshot", re=race)
        return await self._known(race, variant, [one, other], watcher, "")

    async def _daily(self, player: Listener, variant: str, watcher: Listener) -> Recorded:
        race = Daily(day_of(int(wall_ms())), variant).race_id
        recorded = next(one for one in self.tape.dailies if one.id == race)
        recorded.players, recorded.watchers = [player.id], [watcher.id]
        await player.say("enter", race=race)
        await watcher.say("watch", race=race)
        await watcher.hear("snapshot", re=race)
        await player.hear("snapshot", re=race)
        return recorded

    async def _known(self, race: str, variant: str, players: list[Listener], watcher: Listener, link: str) -> Recorded:
        secret = await self.store.races.secret(race)
        assert secret is not None
        recorded = Recorded(race, variant, secret, [player.id for player in players], link, [watcher.id])
        self.tape.races.append(recorded)
        return recorded

    async def _ready(self, race: Recorded, pair: tuple[Listener, Listener]) -> None:
        for player in pair:
            await player.say("ready", race=race.id, ready=True)
        for player in pair:
            await player.hear("countdown", race=race.id)

    async def _race(self, race: Recorded, pair: tuple[Listener, Listener]) -> None:
        for player in pair:
            await player.hear("started", race=race.id)
        await asyncio.gather(*(self._play(race, player, number) for number, player in enumerate(pair)))
        await self._get(f"/api/v1/races/{race.link or race.id}", pair[0].id)
        for player in pair:
            await self._resign(race, player)
        for player in pair:
            await player.hear("closed", race=race.id)

    async def _play_daily(self, race: Recorded, player: Listener) -> None:
        await self._play(race, player, 3)
        await self._resign(race, player)
        await self._get(f"/api/v1/attempts/{race.id}.{player.id}/replay", player.id)
        await player.say("create", key="once-more-1", kind="practice", deal=race.id)
        practice = (await player.hear("snapshot", re="once-more-1"))["race"]
        await player.say("resign", race=practice, id=1, version=0)
        await player.hear("closed", race=practice)
        for path in (f"/attempts/{practice}.{player.id}/replay", f"/races/{practice}"):
            await self._get(f"/api/v1{path}", player.id)

    async def _play(self, race: Recorded, player: Listener, number: int) -> None:
        """Plays legal moves at random, and some that are not legal."""
        chance, positions = Random(number), [race.start]
        race.positions[player.id] = positions
        for command_id in range(1, 2 * MOVES, 2):
            where: dict[str, Any] = {"race": race.id, "version": len(positions) - 1}
            bad = Move(f"t{chance.randrange(7)}", "f0", chance.randrange(1, 6))
            moves = legal_moves(positions[-1])
            if bad not in moves:
                await player.say("move", id=command_id, **where, **asdict(bad))
                await player.hear("rejected", id=command_id)
            if not moves:
                break
            move = DRAW if DRAW in moves and chance.random() < 0.4 else chance.choice(moves)
            fields = asdict(move) if move != DRAW else {}
            await player.say("draw" if move == DRAW else "move", id=command_id + 1, **where, **fields)
            await player.hear("accepted", id=command_id + 1, race=race.id)
            positions.append(play(positions[-1], move))
        if len(positions) > 1 and not race.start.variant.has_hidden_cards:
            await player.say("undo", id=2 * MOVES + 1, race=race.id, version=len(positions) - 1)
            await player.hear("accepted", id=2 * MOVES + 1, race=race.id)
            positions.append(positions[-2])

    async def _resign(self, race: Recorded, player: Listener) -> None:
        version = len(race.positions[player.id]) - 1
        await player.say("resync", race=race.id)
        await player.hear("snapshot", re=race.id)
        await player.say("resign", race=race.id, id=1_000, version=version)
        await player.hear("accepted", id=1_000)


def _date(day: int) -> str:
    return Daily(day, OPEN_GAME).race_id.split(".")[1]
