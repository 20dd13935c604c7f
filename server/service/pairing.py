"""Quick match: one queue per variant; a pair is recorded in the queue's slot first, the race is made from it."""

import json

from protocol.codes import ErrorCode, Kind
from protocol.parts import PlayerRef
from rules.deals import format_deal_code
from rules.variants import Variant, variants
from server.clock import Clock
from server.race.events import CountdownBegun, Created, Entered
from server.race.race import COUNTDOWN_MS
from server.service.chance import new_nonce, new_race_id
from server.service.dealing import QUICK, DealSource
from server.service.errors import ContestError
from server.service.players import Players
from server.service.races import Races, commitment, is_iron
from server.service.seats import Seats
from server.store import Store
from server.store.keys import player_channel
from server.store.queues import Pair
from server.store.races import Secret

QUICK_LIMIT_MS = 30 * 60_000


class Pairing:
    """Pairs waiting players and makes their races."""

    def __init__(
        self, store: Store, clock: Clock, races: Races, seats: Seats, players: Players, deals: DealSource
    ) -> None:
        self._store = store
        self._clock = clock
        self._races = races
        self._seats = seats
        self._players = players
        self._deals = deals

    async def queue(self, player: PlayerRef, variant_id: str) -> str | None:
        """Waits for an opponent: None while waiting, or the race when a pair was made at once."""
        variant = quick_variant(variant_id)
        if await self._seats.live(player.id) is not None:
            raise ContestError(ErrorCode.BUSY)
        pair = await self._store.queues.join(variant.id, player.id, self._clock.now_ms(), new_race_id())
        return None if pair is None else await self.settle(variant, pair)

    async def unqueue(self, player: str, variant_id: str) -> str | None:
        """Stops waiting; the race if a pair had been made before."""
        variant = quick_variant(variant_id)
        pair = await self._store.queues.leave(variant.id, player)
        return None if pair is None else await self.settle(variant, pair)

    async def beat(self, player: str, variant_id: str) -> bool:
        """Says that who waits is still connected; entries without it disappear. False: this player does not wait."""
        return await self._store.queues.beat(variant_id, player, self._clock.now_ms())

    async def settle(self, variant: Variant, pair: Pair) -> str | None:
        """Makes the race of a pair, once however often it is called, and tells both; its id.

        None if one of them is in another race by now: then there is no race, and the other one waits again.
        """
        if not await self._store.races.load(pair.race):
            busy = [player for player in pair.players if not await self._take_live(player, pair.race)]
            if busy:
                await self._part(variant, pair, busy)
                return None
            await self._make(variant, pair)
        for player in pair.players:
            matched = {"matched": {"variant": variant.id, "race": pair.race}}
            await self._store.races.publish(player_channel(player), json.dumps(matched))
        await self._store.queues.settle(variant.id, pair.race)
        return pair.race

    async def _take_live(self, player: str, race_id: str) -> bool:
        try:
            await self._seats.take_live(player, race_id)
        except ContestError as error:
            if error.code is not ErrorCode.BUSY:
                raise
            return False
        return True

    async def _part(self, variant: Variant, pair: Pair, busy: list[str]) -> None:
        await self._store.queues.settle(variant.id, pair.race)
        for player in pair.players:
            if player not in busy:
                await self._store.players.clear_live(player, pair.race)
                again = await self._store.queues.join(variant.id, player, self._clock.now_ms(), new_race_id())
                if again is not None:
                    await self.settle(variant, again)

    async def _make(self, variant: Variant, pair: Pair) -> None:
        refs = await self._players.refs(pair.players)
        dealt = await self._deals.take(variant, QUICK)
        secret = Secret(format_deal_code(dealt.code), new_nonce())
        now = self._clock.now_ms()
        created = Created(
            kind=Kind.QUICK,
            variant=variant.id,
            limit_ms=QUICK_LIMIT_MS,
            iron=is_iron(variant, asked=False),
            seats=2,
            commitment=commitment(secret),
            certified=dealt.certified,
            grade=dealt.grade,
            created_ms=now,
        )
        seats = (Entered(player=refs[player]) for player in pair.players)
        await self._races.make(pair.race, secret, created, *seats, CountdownBegun(start_ms=now + COUNTDOWN_MS))

    async def sweep(self) -> None:
        """Makes the races of pairs that were recorded and then interrupted."""
        for variant in variants():
            if variant.ranked_by_default:
                for pair in await self._store.queues.pairs(variant.id):
                    await self.settle(variant, pair)


def quick_variant(variant_id: str) -> Variant:
    """The variant of a queue; quick matches are for the ranked variants, without options."""
    for variant in variants():
        if variant.id == variant_id and variant.ranked_by_default:
            return variant
    raise ContestError(ErrorCode.UNKNOWN_VARIANT, "variant")
