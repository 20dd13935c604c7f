"""What the workers have in store and what waits for them: numbers for whoever runs the server."""

import asyncio
from dataclasses import dataclass

from rules.variants import variants
from server.store import Store
from server.store.pool import GRADES, UNGRADED


@dataclass(frozen=True, slots=True)
class Stock:
    """`deals` by variant and grade, 0 for none; how many `analyses` wait; whether any worker `is_worked`."""

    deals: dict[tuple[str, int], int]
    analyses: int
    is_worked: bool


async def take_stock(store: Store) -> Stock:
    """Counts it all, in one go."""
    grades = (UNGRADED, *GRADES)
    names = [variant.id for variant in variants() if variant.ranked_by_default]
    sizes, analyses, is_worked = await asyncio.gather(
        asyncio.gather(*(store.pool.sizes(name, grades) for name in names)),
        store.analyses.waiting(),
        store.workers.is_running(),
    )
    deals = {
        (name, grade): size
        for name, found in zip(names, sizes, strict=True)
        for grade, size in zip(grades, found, strict=True)
    }
    return Stock(deals, analyses, is_worked)
