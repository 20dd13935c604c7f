"""Races: the events of their life, their secrets, standings and results."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from server.store import keys
from server.store.link import Link
from server.store.rankings import Cursor, Page, Row, load_around, load_page

PRESENCE_KEPT_MS = 3 * 86_400_000
"""From the last coming or going on; longer than a lobby and a race together."""


@dataclass(frozen=True, slots=True)
class Secret:
    """What a race has committed to and opens when it closes. `nonce` is empty where nothing was committed."""

    deal: str
    nonce: str

    def __repr__(self) -> str:
        return "Secret(...)"


class RaceStore:
    """Reads and appends races."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def create(self, race_id: str, secret: Secret | None, events: Sequence[str]) -> list[str]:
        """Makes a race, unless it is there: the first wins. The events stored now, whoever came first."""
        deal, nonce = (secret.deal, secret.nonce) if secret is not None else ("", "")
        log: list[str] = await self._link.fcall(
            "race_create", (keys.race_log(race_id), keys.race_secret(race_id)), deal, nonce, *events
        )
        return log

    async def load(self, race_id: str, after: int = 0) -> list[str]:
        """Its events (JSON), all or those after the first `after`; none if there is no such race."""
        events: list[str] = await self._link.call("LRANGE", keys.race_log(race_id), after, -1)
        return events

    async def append(self, race_id: str, expected_len: int, events: Sequence[str]) -> bool:
        """Appends and publishes events if the log is as long as expected; False: load again and decide again.

        True too when exactly these events stand there already, so that it may be sent again.
        """
        if not events:
            return True
        appended: int = await self._link.fcall(
            "race_append", (keys.race_log(race_id),), expected_len, keys.race_channel(race_id), *events
        )
        return appended == 1

    async def secret(self, race_id: str) -> Secret | None:
        """Its deal code and nonce. Not for anyone's eyes before the race has closed."""
        deal, nonce = await self._link.call("HMGET", keys.race_secret(race_id), "deal", "nonce")
        return None if deal is None else Secret(deal, nonce)

    async def post(self, race_id: str, player: str, key: int) -> None:
        """Posts a standing key; only a smaller one than before counts, so that order and repetition don't matter."""
        await self._link.call("ZADD", keys.race_standings(race_id), "LT", key, player)

    async def standings(self, race_id: str) -> list[tuple[str, int]]:
        """All posted standing keys, by player, smallest first; who has built nothing is not among them."""
        standings: list[tuple[str, int]] = await self._link.call(
            "ZRANGE", keys.race_standings(race_id), 0, -1, "WITHSCORES", parse=_pairs
        )
        return standings

    async def page(self, race_id: str, cursor: Cursor | None, size: int) -> Page:
        """A page of its standings."""
        return await load_page(self._link, (keys.race_standings(race_id),), cursor, size)

    async def around(self, race_id: str, player: str, neighbours: int = 0) -> list[Row]:
        """A player's standing with its neighbours; empty if nothing was posted."""
        return await load_around(self._link, (keys.race_standings(race_id),), player, neighbours)

    async def add_entrant(self, race_id: str, player: str, start_ms: int) -> None:
        """Notes who has an attempt on its own clock, before the attempt is made, so that closing finds it."""
        await self._link.call("ZADD", keys.race_entrants(race_id), "NX", start_ms, player)

    async def entrants(self, race_id: str) -> list[tuple[str, int]]:
        """Who has an attempt on its own clock, by its start."""
        entrants: list[tuple[str, int]] = await self._link.call(
            "ZRANGE", keys.race_entrants(race_id), 0, -1, "WITHSCORES", parse=_pairs
        )
        return entrants

    async def entrant_count(self, race_id: str) -> int:
        """How many have an attempt on its own clock."""
        count: int = await self._link.call("ZCARD", keys.race_entrants(race_id))
        return count

    async def unranked(self, race_id: str) -> list[str]:
        """Who has an attempt on its own clock and has built nothing."""
        players: list[str] = await self._link.call(
            "ZDIFF", 2, keys.race_entrants(race_id), keys.race_standings(race_id)
        )
        return players

    async def entrants_among(self, race_id: str, players: Sequence[str]) -> list[str]:
        """Which of these players have an attempt on its own clock, in the order given."""
        if not players:
            return []
        starts = await self._link.call("ZMSCORE", keys.race_entrants(race_id), *players)
        return [player for player, start in zip(players, starts, strict=True) if start is not None]

    async def existing(self, race_ids: Sequence[str]) -> set[str]:
        """Which of these races are stored."""
        found = await asyncio.gather(*(self._link.call("EXISTS", keys.race_log(race_id)) for race_id in race_ids))
        return {race_id for race_id, exists in zip(race_ids, found, strict=True) if exists}

    async def note_first_day(self, day: int) -> None:
        """Notes the first day with dailies; the first that is noted stays."""
        await self._link.call("SET", keys.FIRST_DAY, day, "NX")

    async def first_day(self) -> int | None:
        """The first day with dailies, None before there are any."""
        day: str | None = await self._link.call("GET", keys.FIRST_DAY)
        return None if day is None else int(day)

    async def set_here(self, race_id: str, player: str, until_ms: int | None) -> None:
        """Notes that a player is connected, until then unless it is renewed; None: or no longer."""
        away, here = keys.race_away(race_id), keys.race_here(race_id)
        if until_ms is None:
            calls = self._link.call("SADD", away, player), self._link.call("ZREM", here, player)
        else:
            calls = self._link.call("SREM", away, player), self._link.call("ZADD", here, until_ms, player)
        # Who comes and goes after the close would make them anew, and nothing would remove them.
        ends = (self._link.call("PEXPIRE", key, PRESENCE_KEPT_MS) for key in (away, here))
        await asyncio.gather(*calls, *ends)

    async def renew_lease(self, race_id: str, player: str, until_ms: int) -> bool:
        """A connected player is so until then. True if that had ended before."""
        added: int = await self._link.call("ZADD", keys.race_here(race_id), until_ms, player)
        return added == 1

    async def end_leases(self, race_id: str, now_ms: int) -> list[str]:
        """Takes out whose lease has ended by now; each is told to one caller only."""
        here = keys.race_here(race_id)
        ended: list[str] = await self._link.call("ZRANGE", here, "-inf", now_ms, "BYSCORE")
        removed = await asyncio.gather(*(self._link.call("ZREM", here, player) for player in ended))
        return [player for player, count in zip(ended, removed, strict=True) if count == 1]

    async def away(self, race_id: str, now_ms: int) -> frozenset[str]:
        """Who was there and is not connected now."""
        gone, ended = await asyncio.gather(
            self._link.call("SMEMBERS", keys.race_away(race_id)),
            self._link.call("ZRANGE", keys.race_here(race_id), "-inf", now_ms, "BYSCORE"),
        )
        return frozenset([*gone, *ended])

    def publish(self, channel: str, payload: str) -> "asyncio.Future[int]":
        """Publishes to a channel; may be awaited or left. What is lost is never needed: the store has the truth."""
        future = self._link.call("PUBLISH", channel, payload)
        future.add_done_callback(_forgive)
        return future

    async def expire(self, race_id: str, ttl_ms: int) -> None:
        """Forgets a race after a while."""
        parts = (
            keys.race_log,
            keys.race_secret,
            keys.race_standings,
            keys.race_entrants,
        )
        await asyncio.gather(*(self._link.call("PEXPIRE", part(race_id), ttl_ms) for part in parts))


def _pairs(reply: Any) -> list[tuple[str, int]]:
    return [(reply[at], int(reply[at + 1])) for at in range(0, len(reply), 2)]


def _forgive(future: "asyncio.Future[Any]") -> None:
    if not future.cancelled():
        future.exception()
