"""Queues of quick matches: who waits, and which pairs were made of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from server.store import keys
from server.store.link import Link

SILENT_MS = 15_000
"""Who waits and has not been heard of for this long is dropped."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players and the id of the race that is to be made for them; recorded until it is settled."""

    race: str
    players: tuple[str, str]


class QueueStore:
    """One queue per variant."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def join(self, variant: str, player: str, now_ms: int, race_id: str) -> Pair | None:
        """Waits, or is paired for the race `race_id`; None while waiting. Again gives the same pair."""
        return _pair(await self._link.fcall("queue_join", keys.queue(variant), player, now_ms, SILENT_MS, race_id))

    async def leave(self, variant: str, player: str) -> Pair | None:
        """Stops waiting; the pair if one had been made before."""
        return _pair(await self._link.fcall("queue_leave", keys.queue(variant), player))

    async def beat(self, variant: str, player: str, now_ms: int) -> bool:
        """Says that who waits is still there; False when the player does not wait (any more)."""
        waits: int = await self._link.fcall("queue_beat", keys.queue(variant)[:2], player, now_ms)
        return waits == 1

    async def pairs(self, variant: str) -> Sequence[Pair]:
        """All pairs whose races have not been settled, whatever interrupted that."""
        flat: list[str] = await self._link.call("HGETALL", keys.queue(variant)[2])
        found = [_pair(flat[at : at + 2]) for at in range(0, len(flat), 2)]
        return [pair for pair in found if pair is not None]

    async def settle(self, variant: str, race_id: str) -> None:
        """The race of a pair has been made: the pair is forgotten."""
        await self._link.fcall("queue_settle", keys.queue(variant), race_id)

    async def waiting(self, variant: str) -> int:
        """How many wait."""
        waiting: int = await self._link.call("ZCARD", keys.queue(variant)[0])
        return waiting


def _pair(reply: Any) -> Pair | None:
    if reply is None:
        return None
    race, players = reply
    one, other = players.split(" ")
    return Pair(race, (one, other))
