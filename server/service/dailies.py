"""Choosing, committing and opening the daily challenges. Closing them is `settling`'s.

While a worker runs, what is not needed yet waits for a deal of the day's difficulty: tomorrow's until an hour before it
opens, today's (on the first day after an install, when the pool is empty) for some minutes. Whoever opens a daily that
has no deal yet waits some seconds for one of the day's difficulty, and then gets the best there is.
"""

import asyncio
from collections import defaultdict

from protocol.codes import Kind
from rules.deals import format_deal_code
from rules.variants import Variant, variants
from server.clock import Clock
from server.race.daily import LIMIT_MS, Daily, day_of, parse_daily_id
from server.race.events import Created
from server.service.chance import new_nonce
from server.service.dealing import DealSource, daily_wish
from server.service.races import Races, commitment, is_iron
from server.store import Store
from server.store.races import Secret

DECIDED_BEFORE_MS = 3_600_000
"""So long before a day opens its deals are committed, of whatever difficulty they can be had."""
FIRST_DAY_WAIT_MS = 10 * 60_000
OPENER_WAITS_S = 10.0
"""A daily too hard or too easy for its day is worse than this once; with a worker it is mostly a second or two."""


class Dailies:
    """The dailies of today and tomorrow: what was chosen is stored and never computed again."""

    def __init__(
        self, store: Store, clock: Clock, races: Races, deals: DealSource, *, expects_worker: bool = False
    ) -> None:
        self._store = store
        self._clock = clock
        self._races = races
        self._deals = deals
        self._expects_worker = expects_worker
        self._began_ms = clock.now_ms()
        self._committed_until = -1
        self._committing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        races.supply = self.supply

    async def commit(self) -> None:
        """Commits every variant's deal of today and tomorrow, once; today's only if it was not done yesterday."""
        today = day_of(self._clock.now_ms())
        if self._committed_until > today:
            return
        await self._store.races.note_first_day(today)
        waiting = False
        for variant in variants():
            if variant.ranked_by_default:
                for day in (today, today + 1):
                    waiting |= not await self._commit_in_time(Daily(day, variant.id), variant)
        if not waiting:
            self._committed_until = today + 1

    async def supply(self, race_id: str) -> bool:
        """Commits the daily of this id if it is open; False if it is none, or of another day."""
        challenge = parse_daily_id(race_id)
        if challenge is None or challenge.day != day_of(self._clock.now_ms()):
            return False
        for variant in variants():
            if variant.id == challenge.variant and variant.ranked_by_default:
                await self._commit(challenge, variant, is_opened=True)
                return True
        return False

    async def _commit_in_time(self, challenge: Daily, variant: Variant) -> bool:
        """Commits a daily unless it can wait for a better deal; is it committed?"""
        if not await self._is_committed(challenge):
            if await self._can_wait(challenge, variant):
                return False
            await self._commit(challenge, variant)
        return True

    async def _is_committed(self, challenge: Daily) -> bool:
        """Whether its race can be read does not matter: one that was damaged keeps no other from being committed."""
        return bool(await self._store.races.existing([challenge.race_id]))

    async def _can_wait(self, challenge: Daily, variant: Variant) -> bool:
        now = self._clock.now_ms()
        is_open = challenge.opens_ms <= now
        until = self._began_ms + FIRST_DAY_WAIT_MS if is_open else challenge.opens_ms - DECIDED_BEFORE_MS
        if now >= until or await self._deals.has(variant, daily_wish(challenge.day)):
            return False
        return await self._has_worker()

    async def _has_worker(self) -> bool:
        return self._expects_worker or await self._store.workers.is_running()

    async def _commit(self, challenge: Daily, variant: Variant, *, is_opened: bool = False) -> None:
        # One after the other: of those who open the same one at once, one takes a deal.
        async with self._committing[variant.id]:
            if await self._is_committed(challenge):
                return
            wish = daily_wish(challenge.day)
            is_new = self._clock.now_ms() < self._began_ms + FIRST_DAY_WAIT_MS
            if is_opened and is_new and await self._has_worker():
                await self._deals.await_best(variant, wish, OPENER_WAITS_S)
            dealt = await self._deals.take(variant, wish)
            secret = Secret(format_deal_code(dealt.code), new_nonce())
            now = self._clock.now_ms()
            created = Created(
                kind=Kind.DAILY,
                variant=variant.id,
                limit_ms=LIMIT_MS,
                iron=is_iron(variant, asked=False),
                seats=0,
                certified=dealt.certified,
                grade=dealt.grade,
                commitment=commitment(secret),
                committed_before=now < challenge.opens_ms,
                created_ms=now,
                start_ms=challenge.opens_ms,
                closes_ms=challenge.closes_ms,
            )
            await self._races.make(challenge.race_id, secret, created)
