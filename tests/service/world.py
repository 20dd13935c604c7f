"""A contest on a real store, with a clock and deals that the test holds in its hands."""

import json
from dataclasses import dataclass, field

from protocol.codes import Phase
from protocol.commands import Create
from protocol.parts import PlayerRef
from rules.deals import DealCode, parse_deal_code
from rules.moves import legal_moves
from rules.notation import format_move
from rules.variants import Variant
from server.clock import Clock
from server.race.race import COUNTDOWN_MS, Race
from server.service.boards import Boards
from server.service.contest import Contest
from server.service.dealing import DealSource, FreshDeals, SecretDeal, Wish
from server.service.players import Players
from server.service.races import attempt_id
from server.service.seats import Opened
from server.store import Store
from server.store.attempts import Appended, AppendOutcome

NOON = 1_800_014_400_000
"""2027-01-15, 12:00 UTC."""


@dataclass
class Time:
    """A reference clock that goes only when told to."""

    ms: float = NOON

    async def read_us(self) -> int:
        return int(self.ms * 1000)

    def uptime_ms(self) -> float:
        return self.ms

    def pass_ms(self, ms: int) -> None:
        self.ms += ms


@dataclass
class Deals(FreshDeals):
    """Hands out the deal codes that the test gave it, fresh ones when they are used up."""

    codes: list[str] = field(default_factory=list)
    taken: list[DealCode] = field(default_factory=list)

    async def take(self, variant: Variant, wish: Wish) -> SecretDeal:
        dealt = SecretDeal(parse_deal_code(self.codes.pop(0))) if self.codes else await super().take(variant, wish)
        self.taken.append(dealt.code)
        return dealt


@dataclass
class World:
    """One server process as the tests see it; several may share a store and a time."""

    contest: Contest
    store: Store
    time: Time
    deals: Deals

    async def guest(self, *, bot: bool = False) -> PlayerRef:
        return (await self.contest.hello(None, bot, "192.0.2.1")).player

    async def private(self, host: PlayerRef, **fields: object) -> Race:
        command = {"type": "create", "key": f"key-{host.id}", "kind": "private", "variant": "citadel"} | fields
        if "deal" in fields:
            del command["variant"]
        return await self.contest.races.load(await self.contest.create(host.id, Create.model_validate(command)))

    async def practice(self, player: PlayerRef, deal: str, key: str = "practice-key") -> Race:
        command = Create.model_validate({"type": "create", "key": key, "kind": "practice", "deal": deal})
        return await self.contest.races.load(await self.contest.create(player.id, command))

    async def started(self, *players: PlayerRef, **fields: object) -> Race:
        """A private race of these players that has just started."""
        race = await self.private(players[0], seats=max(2, len(players)), **fields)
        for player in players[1:]:
            await self.contest.enter(player.id, race.created.link or "")
        for player in players:
            await self.contest.ready(player.id, race.id, ready=True)
        self.time.pass_ms(COUNTDOWN_MS)
        await self.contest.settling.advance(race.id)
        race = await self.contest.races.load(race.id)
        assert race.phase is Phase.RUNNING
        return race

    async def append(self, opened: Opened, player: PlayerRef, line: str, **fields: object) -> AppendOutcome:
        """One command's line appended as the web would do it."""
        at_ms = self.contest.clock.now_ms() - (opened.start_ms or 0)
        given: dict[str, object] = {"epoch": opened.row.epoch, "version": 0, "id": 1, "at_ms": at_ms, "left": None}
        given |= {"limit_ms": opened.limit_ms, "end": f"resigned {at_ms}" if line == "resign" else None} | fields
        ident = attempt_id(opened.race_id, player.id)
        return await self.store.attempts.append(ident, lines=[line], **given)  # type: ignore[arg-type]  # test shorthand

    async def first_move(self, race: Race) -> str:
        return format_move(legal_moves(await self.contest.dealt(race.id))[0])

    async def resign(self, race: Race, player: PlayerRef) -> None:
        opened = await self.contest.open(player.id, race.id)
        version = len(opened.row.entries)
        outcome = await self.append(opened, player, "resign", version=version)
        assert isinstance(outcome, Appended), outcome
        await self.contest.ended(race.id, player.id)


async def make_world(
    store: Store,
    time: Time,
    codes: list[str],
    name: str = "one",
    *,
    source: DealSource | None = None,
    expects_worker: bool = False,
) -> World:
    """`codes` are the first secret deals; or `source` is where they come from."""
    clock = Clock(time.read_us, time.uptime_ms)
    await clock.sync()
    deals = Deals(codes)
    players = Players(store, clock, salt=b"salt")
    contest = Contest(
        store,
        clock,
        source or deals,
        owner=name,
        players=players,
        boards=Boards(store, clock, players),
        expects_worker=expects_worker,
    )
    return World(contest, store, time, deals)


def as_json(value: object) -> str:
    """All that a value says, to look for what it must not."""
    return json.dumps(value, default=str)
