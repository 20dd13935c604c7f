"""Races to watch while they are played. Listed are quick matches: a private race is for who has its link, however many
seats it has, and dailies and practices are played alone.
"""

import asyncio

from protocol.codes import Kind, Phase
from protocol.fields import RaceId
from protocol.parts import Entrant, Part
from rules.variants import find_variant
from server.clock import Clock
from server.race.race import Race
from server.service.players import Players
from server.service.races import Races
from server.service.snapshots import Snapshots
from server.store import Store

LISTED_MAX = 20
FRESH_MS = 1_000
"""For so long a list is told again: however many ask, the store is asked once a second."""


class LiveRace(Part):
    """A race in play. Of its players one sees what they see of each other: progress, not cards."""

    race: RaceId
    variant: str
    iron: bool
    cards: int
    """How many there are to bring to the foundations."""
    start_ms: int
    closes_ms: int
    entrants: list[Entrant]


class Lives:
    """Keeps and reads the list of races to watch."""

    def __init__(self, store: Store, clock: Clock, races: Races, players: Players, snapshots: Snapshots) -> None:
        self._store = store
        self._clock = clock
        self._races = races
        self._players = players
        self._snapshots = snapshots
        self._read_ms = -FRESH_MS
        self._reading = asyncio.Lock()
        self._listed: list[LiveRace] = []

    async def begin(self, race: Race) -> None:
        """Lists a race that is being played, if anyone may watch it; done again with every look at it."""
        if race.kind is Kind.QUICK and race.start_ms is not None:
            await self._store.lives.add(race.id, race.start_ms)

    async def end(self, race: Race) -> None:
        """A race has closed."""
        if race.kind is Kind.QUICK:
            await self._store.lives.remove(race.id)

    async def newest(self) -> list[LiveRace]:
        """The races started last, the newest first, at most `LISTED_MAX`, as of a second ago at the earliest."""
        async with self._reading:
            if self._clock.now_ms() - self._read_ms >= FRESH_MS:
                listed = await self._store.lives.newest(LISTED_MAX)
                shown = await asyncio.gather(*(self._show(race_id) for race_id in listed))
                self._listed = [race for race in shown if race is not None]
                self._read_ms = self._clock.now_ms()
            return self._listed

    async def _show(self, race_id: str) -> LiveRace | None:
        """The race if it is being played; one that has closed, is forgotten or can't be read is listed no more."""
        race = await self._races.find_readable(race_id)
        if race is None or race.phase is Phase.CLOSED:
            await self._store.lives.remove(race_id)
            return None
        if race.phase is not Phase.RUNNING or race.start_ms is None or race.closes_ms is None:
            return None
        return LiveRace(
            race=race.id,
            variant=race.created.variant,
            iron=race.created.iron,
            cards=find_variant(race.created.variant).cards,
            start_ms=race.start_ms,
            closes_ms=race.closes_ms,
            entrants=await self._players.refresh(await self._snapshots.entrants(race)),
        )
