"""Who is connected to races started together. A process holds a lease for each player that is connected to it: when it
is killed, its leases end, and its players are away.
"""

import asyncio
import json

from protocol.events import Presence as Said
from server.clock import Clock
from server.store import Store
from server.store.keys import race_channel

RENEW_S = 5.0
LEASE_MS = 20_000


class Presence:
    """The connections of one process, each named by a number, and what the store says of all."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._held: dict[tuple[str, str], set[int]] = {}

    async def arrive(self, race_id: str, player: str, connection: int) -> None:
        """A player of a race has connected."""
        self._held.setdefault((race_id, player), set()).add(connection)
        await self._say(race_id, player, here=True)

    async def depart(self, race_id: str, player: str, connection: int, *, tell: bool) -> None:
        """A connection has let go of a race; told unless the player goes on elsewhere."""
        held = self._held.get((race_id, player), set())
        held.discard(connection)
        if held:
            return
        self._held.pop((race_id, player), None)
        if tell:
            await self._say(race_id, player, here=False)

    async def renew(self) -> None:
        """Renews the leases of who is connected here. One that had ended, because this process was held up, is told."""
        held, until_ms = list(self._held), self._clock.now_ms() + LEASE_MS
        renewed = await asyncio.gather(*(self._store.races.renew_lease(*one, until_ms) for one in held))
        for one, had_ended in zip(held, renewed, strict=True):
            if had_ended and one in self._held:
                await self._say(*one, here=True)

    async def lapse(self, race_id: str) -> None:
        """Tells of those whose leases have ended."""
        for player in await self._store.races.end_leases(race_id, self._clock.now_ms()):
            await self._say(race_id, player, here=False)

    async def _say(self, race_id: str, player: str, *, here: bool) -> None:
        now_ms = self._clock.now_ms()
        await self._store.races.set_here(race_id, player, now_ms + LEASE_MS if here else None)
        said = Said(race=race_id, player=player, here=here, now_ms=now_ms)
        payload = json.dumps({"presence": said.model_dump(mode="json")})
        await self._store.races.publish(race_channel(race_id), payload)
