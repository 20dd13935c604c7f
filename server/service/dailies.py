"""Choosing, committing and opening the daily challenges. Closing them is `settling`'s."""

from protocol.codes import Kind
from rules.deals import format_deal_code
from rules.variants import Variant, variants
from server.clock import Clock
from server.race.daily import LIMIT_MS, Daily, day_of
from server.race.events import Created
from server.service.chance import DealSource, new_nonce
from server.service.races import Races, commitment, is_iron
from server.store import Store
from server.store.races import Secret


class Dailies:
    """The dailies of today and tomorrow: what was chosen is stored and never computed again."""

    def __init__(self, store: Store, clock: Clock, races: Races, deals: DealSource) -> None:
        self._store = store
        self._clock = clock
        self._races = races
        self._deals = deals
        self._committed_until = -1

    async def commit(self) -> None:
        """Commits every variant's deal of today and tomorrow, once; today's only if it was not done yesterday."""
        today = day_of(self._clock.now_ms())
        if self._committed_until > today:
            return
        await self._store.races.note_first_day(today)
        for variant in variants():
            if variant.ranked_by_default:
                for day in (today, today + 1):
                    await self._commit(Daily(day, variant.id), variant)
        self._committed_until = today + 1

    async def _commit(self, challenge: Daily, variant: Variant) -> None:
        if await self._store.races.load(challenge.race_id):
            return
        code = await self._deals.take(variant)
        secret = Secret(format_deal_code(code), new_nonce())
        now = self._clock.now_ms()
        created = Created(
            kind=Kind.DAILY,
            variant=variant.id,
            limit_ms=LIMIT_MS,
            iron=is_iron(variant, asked=False),
            seats=0,
            commitment=commitment(secret),
            committed_before=now < challenge.opens_ms,
            created_ms=now,
            start_ms=challenge.opens_ms,
            closes_ms=challenge.closes_ms,
        )
        await self._races.make(challenge.race_id, secret, created)
