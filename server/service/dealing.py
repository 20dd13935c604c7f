"""The deals of secret races: certified ones of the wanted difficulty as long as the pool has any, fresh ones otherwise.

A deal is handed out once. No race waits for one, but a daily that is opened before the pool of a new server has its
weekday's.
"""

import asyncio
import contextlib
import secrets
from dataclasses import dataclass
from typing import Final, Protocol

from rules.deals import DealCode, r1_seed
from rules.variants import Variant
from server.race.daily import grade_of_day
from server.store.pool import GRADES, UNGRADED, PoolStore

LOOK_AGAIN_S: Final = 0.2


@dataclass(frozen=True, slots=True)
class SecretDeal:
    """A deal that nobody knows. Certified: a solver has won it. `grade`: 1 (easy) to 5, None if it was not graded."""

    code: DealCode
    certified: bool = False
    grade: int | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """Which grades are wanted, the best first, and how many of each must be left for those who come before."""

    grades: tuple[int, ...]
    leave: int = 0

    def in_order(self) -> tuple[int, ...]:
        """All grades: the wanted ones, then those nearest to the best, the easier first, and what has no grade."""
        best = self.grades[0]
        others = [grade for grade in GRADES if grade not in self.grades]
        return (*self.grades, *sorted(others, key=lambda grade: (abs(grade - best), grade)), UNGRADED)


MIDDLE: Final = (3, 2, 4)
QUICK: Final = Wish(MIDDLE, leave=1)
PRIVATE: Final = Wish(MIDDLE, leave=4)
PRACTICE: Final = Wish((2, 1, 3), leave=6)
"""Dailies come first, then quick matches, then private races, then practice: each may be asked for more freely than
the one before, and no flood of requests for it takes the others' deals."""


def daily_wish(day: int) -> Wish:
    """What a day's challenges want: easy on Monday, hard on Sunday."""
    return Wish((grade_of_day(day),))


class DealSource(Protocol):
    """Where secret deals come from, each handed out once."""

    async def take(self, variant: Variant, wish: Wish) -> SecretDeal:
        """A deal that nobody knows and that is never handed out again: the best that there is now."""
        ...

    async def has(self, variant: Variant, wish: Wish) -> bool:
        """Is there a deal of the best wanted grade? If not, waiting for one makes sense while a worker runs."""
        ...

    async def await_best(self, variant: Variant, wish: Wish, within_s: float) -> None:
        """Returns when there is a deal of the best wanted grade, or after so many seconds."""
        ...


class FreshDeals:
    """Fresh, uncertified deals of generator `r1`: 128 random bits each."""

    async def take(self, variant: Variant, wish: Wish) -> SecretDeal:  # noqa: ARG002 - none is better than another
        """A fresh deal of the variant."""
        return SecretDeal(DealCode(variant.id, "r1", r1_seed(secrets.token_bytes(16))))

    async def has(self, variant: Variant, wish: Wish) -> bool:  # noqa: ARG002 - nothing better will come
        """Always."""
        return True

    async def await_best(self, variant: Variant, wish: Wish, within_s: float) -> None:
        """At once: none will come."""


class PoolDeals:
    """Certified deals from the pool; fresh ones while it has none."""

    def __init__(self, pool: PoolStore) -> None:
        self._pool = pool
        self._fresh = FreshDeals()

    async def take(self, variant: Variant, wish: Wish) -> SecretDeal:
        """A certified deal of the wanted grades, of the nearest, of no grade; a fresh one if there is none at all."""
        taken = await self._pool.take(variant.id, wish.in_order(), leave=wish.leave)
        if taken is None:
            return await self._fresh.take(variant, wish)
        seed, grade = taken
        return SecretDeal(DealCode(variant.id, "r1", seed), certified=True, grade=grade or None)

    async def has(self, variant: Variant, wish: Wish) -> bool:
        """Does one of the best wanted grade wait, or, in a variant that is not graded, any?"""
        wanted = (wish.grades[0], UNGRADED)
        return any(size > wish.leave for size in await self._pool.sizes(variant.id, wanted))

    async def await_best(self, variant: Variant, wish: Wish, within_s: float) -> None:
        """Has the workers try this variant next; returns when there is one, or after so many seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while not await self.has(variant, wish):
                    await self._pool.hurry(variant.id)
                    await asyncio.sleep(LOOK_AGAIN_S)
