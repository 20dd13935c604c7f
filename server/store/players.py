"""Players: their rows, tokens, names, what they have running and what they made."""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from server.store import keys
from server.store.link import Link

CREATED_MS = 2 * 86_400_000
"""How long a client-made key is remembered."""
GUEST_MS = 30 * 86_400_000
"""A guest who has neither played nor claimed a name is forgotten so long after the last hello."""
ATTEMPTS_KEPT = 10_000
"""Of a player's attempts the latest are listed."""
MARK_MS = 86_400_000
"""How long it is remembered who was seen with a device or from an address."""
MARKED_MAX = 1_000
"""So many players are remembered for one device or address: more than one can make in a day, or live behind one."""
_WALK = 1_000
_FIELDS = ("name", "bot", "created_ms", "name_key", "claimed_ms", "first_day", "hidden", "recovery")


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player as stored. A guest has no `name_key`; `first_day` is the first day with a closed daily or quick match.

    `recovery` is the hash of the recovery code, if one was made.
    """

    id: str
    name: str
    bot: bool
    created_ms: int
    name_key: str | None = None
    claimed_ms: int | None = None
    first_day: int | None = None
    hidden: bool = False
    recovery: str | None = None

    @property
    def guest(self) -> bool:
        """Has no claimed name."""
        return self.name_key is None

    @property
    def is_deleted(self) -> bool:
        """Was deleted at their own wish: hidden, and no code recovers them."""
        return self.hidden and self.recovery == ""


class Claim(Enum):
    """What became of claiming a name."""

    DONE = "done"
    TAKEN = "taken"
    CLAIMED_ALREADY = "claimed_already"
    UNKNOWN_PLAYER = "unknown_player"


class PlayerStore:
    """Reads and changes players."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def create(self, row: PlayerRow, token_hash: str) -> None:
        """Makes a player with a first token, for `GUEST_MS`: `renew` begins that anew, `keep` ends it."""
        key, tokens = keys.player(row.id), keys.player(row.id, "tokens")
        fields = ("name", row.name, "bot", int(row.bot), "created_ms", row.created_ms)
        await asyncio.gather(
            self._link.call("HSET", key, *fields),
            self._link.call("PEXPIRE", key, GUEST_MS),
            self._link.call("SADD", tokens, token_hash),
            self._link.call("PEXPIRE", tokens, GUEST_MS),
            self._link.call("SET", keys.token(token_hash), row.id, "PX", GUEST_MS),
        )

    async def renew(self, player: str, token_hash: str) -> None:
        """A guest who would be forgotten is, with this token, remembered for `GUEST_MS` from now."""
        mortal = (keys.player(player), keys.player(player, "tokens"), keys.token(token_hash))
        await asyncio.gather(*(self._link.call("PEXPIRE", key, GUEST_MS, "XX") for key in mortal))

    async def keep(self, player: str) -> None:
        """Remembers a player for good: there is an attempt, or a claimed name. The row comes last, so that this is
        done again when it was interrupted."""
        if await self._link.call("PTTL", keys.player(player)) < 0:
            return
        tokens = keys.player(player, "tokens")
        held: list[str] = await self._link.call("SMEMBERS", tokens)
        await asyncio.gather(*(self._link.call("PERSIST", key) for key in (tokens, *map(keys.token, held))))
        await self._link.call("PERSIST", keys.player(player))

    async def add_token(self, player: str, token_hash: str) -> None:
        """Adds a token; noted with the player first, so that none is left when all are dropped."""
        await self._link.call("SADD", keys.player(player, "tokens"), token_hash)
        await self._link.call("SET", keys.token(token_hash), player)

    async def drop_tokens(self, player: str, *, but: str | None = None) -> None:
        """Drops all tokens of a player, but for one."""
        held: list[str] = await self._link.call("SMEMBERS", keys.player(player, "tokens"))
        for token_hash in held:
            if token_hash != but:
                await self._link.call("DEL", keys.token(token_hash))
                await self._link.call("SREM", keys.player(player, "tokens"), token_hash)

    async def void_tokens(self, token_hashes: Collection[str]) -> set[str]:
        """Those of these that are nobody's, in one write."""
        known = await asyncio.gather(*(self._link.call("EXISTS", keys.token(one)) for one in token_hashes))
        return {token_hash for token_hash, exists in zip(token_hashes, known, strict=True) if not exists}

    async def by_token(self, token_hash: str) -> PlayerRow | None:
        """Whose token it is."""
        player: str | None = await self._link.call("GET", keys.token(token_hash))
        return None if player is None else await self.get(player)

    async def get(self, player: str) -> PlayerRow | None:
        """A player, None if there is none."""
        return (await self.get_many([player]))[player]

    async def get_many(self, players: Iterable[str]) -> Mapping[str, PlayerRow | None]:
        """Players by id, in one write."""
        ids = list(dict.fromkeys(players))
        replies = await asyncio.gather(*(self._link.call("HMGET", keys.player(one), *_FIELDS) for one in ids))
        return {one: _row(one, reply) for one, reply in zip(ids, replies, strict=True)}

    async def claim_name(self, player: str, name_key: str, name: str, now_ms: int) -> Claim:
        """Claims a name for good; `name_key` is equal for names that look alike.

        The row says first what is being claimed, then the name is taken, then the row gets it: a claim that was
        interrupted is completed by the same claim, and its name freed by the player's next other one.
        """
        row = keys.player(player)
        match await self._link.fcall("player_claim", (row,), name_key):
            case ["claimed", held]:
                if held != name_key:
                    return Claim.CLAIMED_ALREADY
                await self.keep(player)
                return Claim.DONE
            case ["claiming", before]:
                if before:
                    await self._link.fcall("swap", (keys.name(before),), player, "")
            case _:
                return Claim.UNKNOWN_PLAYER
        taken = await self._link.fcall("swap", (keys.name(name_key),), "", player)
        ended = await self._link.fcall("player_claimed", (row,), name_key, name if taken else "", now_ms)
        if not taken:
            return Claim.TAKEN
        if not ended:
            await self._link.fcall("swap", (keys.name(name_key),), player, "")
            return Claim.CLAIMED_ALREADY
        await self.keep(player)
        return Claim.DONE

    async def by_name(self, name_key: str) -> PlayerRow | None:
        """Who has a name, None also while it is only being claimed."""
        player: str | None = await self._link.call("GET", keys.name(name_key))
        row = None if player is None else await self.get(player)
        return row if row is not None and row.name_key == name_key else None

    async def set_recovery(self, player: str, recovery_hash: str) -> None:
        """Sets the hash of the recovery code; the one before is void."""
        await self._link.call("HSET", keys.player(player), "recovery", recovery_hash)

    async def set_bot(self, player: str) -> None:
        """Marks a player as a bot, for ever (boards are told one by one)."""
        await self._link.call("HSET", keys.player(player), "bot", 1)

    async def set_hidden(self, player: str, *, hidden: bool) -> None:
        """Marks a player as hidden everywhere (boards are told one by one: `BoardStore.hide_everywhere`)."""
        await self._link.call("HSET", keys.player(player), "hidden", int(hidden))

    async def attempt_closed(self, player: str, day: int) -> None:
        """Notes a closed daily or quick match; the earliest day stays."""
        await self._link.fcall("player_first_day", (keys.player(player),), day)

    async def created_key(self, player: str, key: str, candidate: str) -> str:
        """What a client-made key stands for: the first candidate that was given for it."""
        before: str | None = await self._link.call(
            "SET", keys.player(player, f"key:{key}"), candidate, "NX", "GET", "PX", CREATED_MS
        )
        return candidate if before is None else before

    async def live(self, player: str) -> str | None:
        """The race started together that the player is in, as last set."""
        race: str | None = await self._link.call("GET", keys.player(player, "live"))
        return race

    async def set_live(self, player: str, race_id: str, *, expected: str | None = None) -> bool:
        """Sets it if it is as expected (or this race already)."""
        done: int = await self._link.fcall("swap", (keys.player(player, "live"),), expected or "", race_id)
        return done == 1

    async def clear_live(self, player: str, race_id: str) -> None:
        """Clears it if it is this race."""
        await self._link.fcall("swap", (keys.player(player, "live"),), race_id, "")

    async def add_attempt(self, player: str, attempt_id: str, at_ms: int) -> None:
        """Notes an attempt in the player's list, whose oldest give way; who has one is remembered."""
        attempts = keys.player(player, "attempts")
        await asyncio.gather(
            self._link.call("ZADD", attempts, "NX", at_ms, attempt_id),
            self._link.call("ZREMRANGEBYRANK", attempts, 0, -1 - ATTEMPTS_KEPT),
            self.keep(player),
        )

    async def attempts(self, player: str, since_ms: int = 0) -> list[str]:
        """The player's attempts that are listed, of those first opened since, the latest first."""
        found: list[str] = await self._link.call(
            "ZRANGE", keys.player(player, "attempts"), "+inf", since_ms, "BYSCORE", "REV"
        )
        return found

    async def with_attempts(self) -> list[str]:
        """All players who ever opened an attempt. It walks over all that is stored."""
        found: set[str] = set()
        first, last = keys.player("*", "attempts").split("*")
        cursor = "0"
        while True:
            cursor, some = await self._link.call("SCAN", cursor, "MATCH", f"{first}*{last}", "COUNT", _WALK)
            found |= {key.removeprefix(first).removesuffix(last) for key in some}
            if cursor == "0":
                return sorted(found)

    async def note_mark(self, kind: str, digest: str, player: str, now_ms: int) -> None:
        """Notes with which device or from which address (as a salted hash) a player was seen."""
        await self._link.fcall("mark_note", (keys.mark(kind, digest),), player, now_ms, MARK_MS, MARKED_MAX)

    async def marked(self, kind: str, digest: str, now_ms: int) -> list[str]:
        """Who was seen with it within a day, the latest first; of very many the latest `MARKED_MAX`."""
        seen: list[str] = await self._link.call(
            "ZRANGE", keys.mark(kind, digest), "+inf", now_ms - MARK_MS, "BYSCORE", "REV", "LIMIT", 0, MARKED_MAX
        )
        return seen


def _row(player: str, reply: Any) -> PlayerRow | None:
    name, bot, created_ms, name_key, claimed_ms, first_day, hidden, recovery = reply
    if name is None:
        return None
    return PlayerRow(
        id=player,
        name=name,
        bot=bot == "1",
        created_ms=int(created_ms),
        name_key=name_key,
        claimed_ms=None if claimed_ms is None else int(claimed_ms),
        first_day=None if first_day is None else int(first_day),
        hidden=hidden == "1",
        recovery=recovery,
    )
