"""Players that race by the client library and remember every word the server gave them."""

import asyncio
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from random import Random

from client.connection import Connection, connect
from client.errors import Refused
from client.race import Race
from protocol.codes import Phase
from protocol.events import Accepted
from rules.moves import legal_moves
from rules.record import Record, parse_record, verify

DEAL = "streets-and-alleys:ms:{number}"


@dataclass
class Racer:
    """One player in one race, with what was acknowledged."""

    connection: Connection
    race: Race
    accepted: list[Accepted] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.connection.player_id

    async def play(self, chance: Random, until: Callable[[], bool], pace_s: float) -> None:
        """Plays legal moves and undoes some, until told to stop or nothing more can be played."""
        while not until() and self.race.own is not None and not self.race.own.has_ended:
            position = self.race.position
            if position is None:
                await asyncio.sleep(pace_s)
                continue
            moves = legal_moves(position)
            try:
                if not moves or chance.random() < 0.1:
                    self.accepted.append(await self.race.undo())
                else:
                    self.accepted.append(await self.race.play(chance.choice(moves)))
            except Refused as refused:
                assert refused.code in ("nothing_to_undo", "stale", "superseded", "not_started"), refused
                if not moves and refused.code == "nothing_to_undo":
                    return
            await asyncio.sleep(pace_s * (0.5 + chance.random()))

    async def play_some(self, chance: Random, count: int, pace_s: float) -> None:
        """Plays so many moves, fewer if nothing more can be played."""
        enough = len(self.accepted) + count
        await self.play(chance, lambda: len(self.accepted) >= enough, pace_s)

    async def resign(self) -> None:
        """Resigns, unless all is over already."""
        while self.race.own is not None and not self.race.own.has_ended:
            try:
                self.accepted.append(await self.race.resign())
            except Refused as refused:
                assert refused.code in ("stale", "superseded", "ended", "closed"), refused


@asynccontextmanager
async def connections(url: str, count: int) -> AsyncIterator[list[Connection]]:
    """So many players, each on a connection of their own."""
    async with AsyncExitStack() as stack:
        opened: list[Connection] = []
        for _ in range(0, count, 25):
            batch = [stack.enter_async_context(connect(url)) for _ in range(min(25, count - len(opened)))]
            opened += await asyncio.gather(*batch)
        yield opened


@asynccontextmanager
async def races_of_two(url: str, count: int) -> AsyncIterator[list[tuple[Racer, Racer]]]:
    """So many races of two, each started and revealed to both."""

    async def pair(number: int, host: Connection, guest: Connection) -> tuple[Racer, Racer]:
        race = await host.create("private", deal=DEAL.format(number=number))
        theirs = await guest.enter(race.state.link or "")
        return Racer(host, race), Racer(guest, theirs)

    async with connections(url, 2 * count) as players:
        numbered = enumerate(zip(players[::2], players[1::2], strict=True), start=1)
        pairs = await asyncio.gather(*(pair(number, host, guest) for number, (host, guest) in numbered))
        await start_all([racer for pair in pairs for racer in pair])
        yield pairs


@asynccontextmanager
async def one_race(url: str, count: int) -> AsyncIterator[list[Racer]]:
    """One race of so many, started and revealed to all."""
    async with connections(url, count) as players:
        race = await players[0].create("private", deal=DEAL.format(number=1), seats=count)
        others = await asyncio.gather(*(player.enter(race.state.link or "") for player in players[1:]))
        racers = [Racer(player, its) for player, its in zip(players, [race, *others], strict=True)]
        await start_all(racers)
        yield racers


async def start_all(racers: list[Racer]) -> None:
    """Everyone says ready, and everyone sees the deal."""
    await asyncio.gather(*(racer.race.ready() for racer in racers))
    await asyncio.gather(*(racer.race.wait_until(has_started) for racer in racers))


def has_started(race: Race) -> bool:
    return race.phase is Phase.RUNNING and race.position is not None


def is_closed(race: Race) -> bool:
    return race.phase is Phase.CLOSED


async def fetch_record(url: str, race: str, player: str, token: str | None) -> Record:
    """The record of an attempt, parsed and verified."""

    def read() -> str:
        request = urllib.request.Request(  # noqa: S310 - the test's own server
            f"{url}/api/v1/attempts/{race}.{player}/replay?format=record", headers={"Authorization": f"Bearer {token}"}
        )
        with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - the test's own server
            text: str = answer.read().decode()
            return text

    record = parse_record(await asyncio.to_thread(read))
    verify(record)
    return record


async def check_kept(url: str, racer: Racer) -> Record:
    """Every acknowledged command stands in the record where the server said, at the time it said, and none twice."""
    record = await fetch_record(url, racer.race.id, racer.name, racer.connection.token)
    ids = [(entry.epoch, entry.id) for entry in record.entries]
    assert len(set(ids)) == len(ids), "a command was stored twice"
    versions = [event.version for event in racer.accepted]
    assert versions == sorted(set(versions)), "an acknowledgement came twice or out of order"
    for event in racer.accepted:
        assert event.version <= len(record.entries), f"acknowledged version {event.version} was lost"
        assert record.entries[event.version - 1].at_ms == event.at_ms
    result = next(line for line in racer.race.state.results or [] if line.player.id == racer.name)
    assert result.digest == record.digest
    assert (result.cards, result.at_ms, result.moves) == (
        record.result.cards,
        record.result.at_ms,
        record.result.moves,
    )
    return record
