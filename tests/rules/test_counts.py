"""How many positions there are at each depth: golden numbers, counted by the oracle and by the engine.

Written anew by `python -m tests.rules.test_counts` from the oracle alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

import pytest

from rules.deals import deal, parse_deal_code
from rules.moves import legal_moves, play_unchecked
from rules.positions import Position
from rules.variants import find_variant
from tests.rules import facts, oracle
from tests.rules.bridge import option_ids, record_of

T = TypeVar("T")
SEEDS = range(1, 7)
"""The liveliest of these deals is counted."""
ENOUGH = 300
"""The last depth of a deal is the first that brings the positions up to so many."""
DEEPEST = 6


def by_depth(
    start: T, key: Callable[[T], Hashable], after: Callable[[T], Iterable[T]], depths: int, enough: int
) -> list[int]:
    """The number of positions first reached at depth 0, 1, 2, …"""
    seen, layer, counts, total = {key(start)}, [start], [1], 1
    while len(counts) < depths and total < enough:
        fresh: list[T] = []
        for here in layer:
            for there in after(here):
                if key(there) not in seen:
                    seen.add(key(there))
                    fresh.append(there)
        layer = fresh
        counts.append(len(layer))
        total += len(layer)
    return counts


def counted_by_engine(name: str, seed: int, depths: int) -> list[int]:
    def after(position: Position) -> list[Position]:
        return [play_unchecked(position, move) for move in legal_moves(position)]

    def key(position: Position) -> Hashable:
        return position

    return by_depth(deal(parse_deal_code(f"{name}:ms:{seed}")), key, after, depths, 10**9)


def counted_by_oracle(name: str, seed: int, depths: int, enough: int = 10**9) -> list[int]:
    def after(state: oracle.State) -> list[oracle.State]:
        return [oracle.play(state, move) for move in sorted(oracle.moves(state))]

    variant = find_variant(name)
    start = oracle.deal(record_of(variant), oracle.ms_deck(seed, variant.decks))
    return by_depth(start, oracle.key, after, depths, enough)


def golden(name: str) -> tuple[int, list[int]]:
    """The seed of the deal that is counted, and its numbers."""
    kept = facts.load("counts.json")[name]
    return kept["ms"], kept["positions"]


@pytest.mark.parametrize("name", option_ids())
def test_the_engine_reaches_as_many_positions_at_each_depth(name: str) -> None:
    seed, expected = golden(name)
    assert counted_by_engine(name, seed, len(expected)) == expected


@pytest.mark.parametrize("name", option_ids())
def test_the_oracle_reaches_as_many_positions_in_one_move(name: str) -> None:
    seed, expected = golden(name)
    assert counted_by_oracle(name, seed, 2) == expected[:2]


@pytest.mark.slow
@pytest.mark.timeout(1000)
@pytest.mark.parametrize("name", option_ids())
def test_the_oracle_reaches_as_many_positions_at_each_depth(name: str) -> None:
    seed, expected = golden(name)
    assert counted_by_oracle(name, seed, len(expected)) == expected


def write() -> None:
    """Count all anew."""
    lines = []
    for name in option_ids():
        _, seed = max((sum(counted_by_oracle(name, seed, 3, 60)), seed) for seed in SEEDS)
        kept = {"ms": seed, "positions": counted_by_oracle(name, seed, DEEPEST, ENOUGH)}
        lines.append(f"{json.dumps(name)}: {json.dumps(kept)}")
    (facts.DATA / "counts.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    write()
