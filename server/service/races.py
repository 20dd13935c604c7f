"""Races as stored: loading, changing by compare-and-append, making, finding, and the deal once it may be seen."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from weakref import WeakValueDictionary

import structlog

from protocol.codes import ErrorCode, Kind, Phase
from rules.deals import deal, deal_keys, parse_deal_code
from rules.positions import Position
from rules.record import has_hints
from rules.variants import Variant
from server.clock import MAX_STEP_MS, Clock
from server.race import race as racing
from server.race.events import Created, RaceEvent, format_event
from server.race.race import Race, RaceCommand, RaceRefused
from server.service.errors import ContestError
from server.store import Store
from server.store.races import Secret

ATTEMPTS_AT_A_CHANGE = 12
LOOK_AGAIN_MS = 10_000
_DEALS_KEPT = 2_000
_RACES_KEPT = 2_000

log = structlog.get_logger()


def commitment(secret: Secret) -> str:
    """What is published before a race: SHA-256 of the deal code, a line feed and the nonce in hex."""
    return hashlib.sha256(f"{secret.deal}\n{secret.nonce}".encode()).hexdigest()


def attempt_id(race_id: str, player: str) -> str:
    """The id of a player's attempt in a race."""
    return f"{race_id}.{player}"


def is_iron(variant: Variant, asked: bool) -> bool:
    """Races on variants with hidden cards are always iron: an undone turn would be a free peek."""
    return asked or variant.has_hidden_cards


@dataclass(frozen=True, slots=True)
class _Known:
    """A race as it was last read, and the last event of its log, by which it is known again."""

    race: Race
    last: str


class Races:
    """Races in the store, changed by compare-and-append of their events."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.wake: Callable[[str, int], None] = _sleep_on
        """Called with a race and the instant (ms) at which something is due for it, to be there on the dot."""
        self.supply: Callable[[str], Awaitable[bool]] = _supply_nothing
        """Called with an id that no race has; True when it has made the race meanwhile."""
        self._store = store
        self._clock = clock
        self._dealt: OrderedDict[str, Position] = OrderedDict()
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._damaged: set[str] = set()
        """Those that were logged and are not logged again: they stay due, and are looked at with each lease."""
        self._changing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def load(self, race_id: str) -> Race:
        """The race as stored; raises `ContestError` race_unknown, and internal for one that can't be read.

        Its log only grows, so what was folded before holds, and only what came since is read. A daily that is open
        and not committed yet is committed by this.
        """
        race = await self.find_stored(race_id)
        if race is None and await self.supply(race_id):
            race = await self.find_stored(race_id)
        if race is None:
            raise ContestError(ErrorCode.RACE_UNKNOWN)
        return race

    async def find_readable(self, race_id: str) -> Race | None:
        """The race as `load` gives it, None for one that is unknown or can't be read."""
        try:
            return await self.load(race_id)
        except ContestError as error:
            if error.code not in (ErrorCode.RACE_UNKNOWN, ErrorCode.INTERNAL):
                raise
            return None

    async def find_stored(self, race_id: str) -> Race | None:
        """The race as stored, None if there is none; raises `ContestError` internal for one that can't be read."""
        try:
            race = await self._find_stored(race_id)
        except ValueError as damage:
            if race_id not in self._damaged:
                log.error("race.damaged", race=race_id, why=type(damage).__name__)  # noqa: TRY400 - its text tells the deal
            self._damaged.add(race_id)
            raise ContestError(ErrorCode.INTERNAL, "race") from None
        self._damaged.discard(race_id)
        return race

    async def _find_stored(self, race_id: str) -> Race | None:
        known = self._known.get(race_id)
        race = None if known is None else await self._follow(known)
        if race is None:
            texts = await self._store.races.load(race_id)
            if not texts:
                self._known.pop(race_id, None)
                return None
            race = self._keep(racing.load(race_id, texts), texts[-1])
        return race

    async def _follow(self, known: _Known) -> Race | None:
        """The race after what came since; None if the log does not go on from what is known (lost, or forgotten)."""
        texts = await self._store.races.load(known.race.id, known.race.seq - 1)
        if not texts or texts[0] != known.last:
            return None
        return self._keep(racing.follow(known.race, texts[1:]), texts[-1])

    def _keep(self, race: Race, last: str) -> Race:
        self._known[race.id] = _Known(race, last)
        self._known.move_to_end(race.id)
        if len(self._known) > _RACES_KEPT:
            self._known.popitem(last=False)
        return race

    async def change(self, race_id: str, command: RaceCommand) -> tuple[Race, list[RaceEvent]]:
        """Carries a command out on the race as it is stored: the race after it, and the events it brought about."""
        # In this process one after the other; against other processes the append compares.
        async with self._changing.setdefault(race_id, asyncio.Lock()):
            return await self._change(race_id, command)

    async def _change(self, race_id: str, command: RaceCommand) -> tuple[Race, list[RaceEvent]]:
        for _ in range(ATTEMPTS_AT_A_CHANGE):
            race = await self.load(race_id)
            try:
                events = racing.decide(race, command, self._clock.now_ms())
            except RaceRefused as refused:
                raise ContestError(refused.code) from None
            if not events:
                return race, []
            after = racing.follow_events(race, events)
            # What is due comes first: an early look is harmless, a race that nobody looks at is not.
            due_ms = await self._schedule(after)
            if await self._store.races.append(race_id, race.seq, [format_event(event) for event in events]):
                if due_ms is not None:
                    self.wake(race_id, due_ms)
                return after, events
        raise ContestError(ErrorCode.RETRY)

    async def make(self, race_id: str, secret: Secret, created: Created, *others: RaceEvent) -> Race:
        """Stores a new race, first come first kept.

        What hangs on it (what is due, its link, its held deal) comes first, so that a crash leaves no race without:
        a link or a due entry without a race is found to lead nowhere, and a deal is held for some days at most.
        """
        await self._store.due.schedule(race_id, self._clock.now_ms() + LOOK_AGAIN_MS)
        if created.link is not None:
            await self._store.links.put(created.link, race_id)
        if created.kind is not Kind.PRACTICE:
            await self._store.deals.hold(deal_keys(parse_deal_code(secret.deal)), race_id)
        await self._store.races.create(race_id, secret, [format_event(event) for event in (created, *others)])
        race = await self.load(race_id)
        due_ms = await self._schedule(race)
        if due_ms is not None:
            self.wake(race_id, due_ms)
        return race

    async def secret(self, race_id: str) -> Secret:
        """Deal and nonce of a race: for the server's own use until they are opened."""
        secret = await self._store.races.secret(race_id)
        if secret is None:
            raise ContestError(ErrorCode.RACE_UNKNOWN)
        return secret

    async def find(self, player: str | None, race_or_link: str) -> Race:
        """The race that an id or link names, if this player may know of it: a private race opens by link only.

        An id is enough for who is in it or was removed from it, and for races that are not private.
        """
        linked = await self._store.links.get(race_or_link)
        race = await self.load(linked or race_or_link)
        if linked or race.kind in (Kind.QUICK, Kind.DAILY):
            return race
        if player is not None and (race.seat(player) or player in race.kicked):
            return race
        if player is not None and race.created.rematch_of is not None:
            before = await self.load(race.created.rematch_of)
            if before.seat(player):
                return race
        raise ContestError(ErrorCode.RACE_UNKNOWN)

    async def has_hints(self, race: Race) -> bool:
        """May the solver be asked in this race? Whether its deal is raced elsewhere just now is not looked at."""
        if race.kind is not Kind.PRACTICE:
            return False
        return has_hints(race.kind, parse_deal_code((await self.secret(race.id)).deal))

    def has_started(self, race: Race) -> bool:
        """Has it started? Before, nobody may see the deal.

        That it has is stored, and holds although this clock is behind the one that it started by, or was set back
        since. Only a daily is stored as running long before its instant.
        """
        if race.start_ms is None or race.phase not in (Phase.RUNNING, Phase.CLOSING, Phase.CLOSED):
            return False
        return race.kind is not Kind.DAILY or self._clock.now_ms() >= race.start_ms

    async def dealt(self, race_id: str) -> Position:
        """The position that a race deals; refused before it has started.

        Where the clock is behind the one that it started by, as far as they may differ, that is waited for: nothing
        says then that a card was seen before the start instant.
        """
        known = self._dealt.get(race_id)
        if known is not None:
            self._dealt.move_to_end(race_id)
            return known
        race = await self.load(race_id)
        if not self.has_started(race):
            raise ContestError(ErrorCode.NOT_STARTED)
        ahead_ms = (race.start_ms or 0) - self._clock.now_ms()
        if 0 < ahead_ms <= MAX_STEP_MS:
            await asyncio.sleep(ahead_ms / 1000)
        position = deal(parse_deal_code((await self.secret(race_id)).deal))
        self._dealt[race_id] = position
        if len(self._dealt) > _DEALS_KEPT:
            self._dealt.popitem(last=False)
        return position

    async def _schedule(self, race: Race) -> int | None:
        """Notes when something is due for the race; when."""
        due_ms = next_due_ms(race, self._clock.now_ms())
        if due_ms is not None:
            await self._store.due.schedule(race.id, due_ms)
        return due_ms


def next_due_ms(race: Race, now_ms: int) -> int | None:
    """When the race must be looked at next, None once it is closed.

    One that is being played together is looked at every few seconds, so that what a crash interrupted is found.
    """
    match race.phase:
        case Phase.OPEN:
            return race.created.created_ms + racing.LOBBY_MS
        case Phase.COUNTDOWN:
            return race.start_ms
        case Phase.RUNNING:
            closes_ms = (race.closes_ms or now_ms) + racing.GRACE_MS
            return min(closes_ms, now_ms + LOOK_AGAIN_MS) if race.is_together else closes_ms
        case Phase.CLOSING:
            return now_ms
        case Phase.CLOSED:
            return None


async def _supply_nothing(_race_id: str) -> bool:
    return False


def _sleep_on(race_id: str, at_ms: int) -> None:
    """The sweep will find it."""
