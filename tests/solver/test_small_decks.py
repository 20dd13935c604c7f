"""Small decks of every variant, solved by the solver and by a naive search that shares nothing with it."""

from collections import Counter
from itertools import islice

import pytest

from rules.positions import Position, encode_position
from solver import native
from solver.complete import Complete
from solver.games import compile_position
from solver.searching import Mode, Status
from solver.verdicts import Verdict, solve
from tests.solver.decks import small_positions
from tests.solver.oracle import TooWide, is_winnable

MOST = 1_500
"""Positions that the naive search visits at most; a deck with more is passed over."""


def _compare(count: int, seed: int) -> Counter[bool]:
    found: Counter[bool] = Counter()
    for name, position in small_positions(seed):
        try:
            expected = is_winnable(position, MOST)
        except TooWide:
            continue
        verdict, status = solve(position, 300_000).verdict, _complete(position)
        right = verdict is (Verdict.WINNABLE if expected else Verdict.LOST)
        if not right or status is (Status.EXHAUSTED if expected else Status.WON):
            raise AssertionError(f"{name} {verdict} {status} {encode_position(position)} {position.variant.record}")
        found[expected] += 1
        if found.total() == count:
            break
    return found


def _complete(position: Position) -> Status:
    """The proving search by itself, in Python, with a choice of base left open; long before a win it may give up."""
    game, state = compile_position(position)
    return Complete(game, state, Mode.WORRY | Mode.CARRY).run(3_000)


def _assert_both_are_seen(found: Counter[bool], count: int) -> None:
    assert found[True] > count / 5
    assert found[False] > count / 5


@pytest.mark.parametrize("seed", range(8))
def test_small_decks_have_the_verdicts_of_a_naive_search(seed: int) -> None:
    _assert_both_are_seen(_compare(250, seed), 250)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("seed", range(100, 150))
def test_fifty_thousand_small_decks_have_the_verdicts_of_a_naive_search(seed: int) -> None:
    _assert_both_are_seen(_compare(1000, seed), 1000)


@pytest.mark.skipif(not native.is_built(), reason="the kernel is not built")
def test_both_kernels_met_the_same_number_of_positions_on_small_decks() -> None:
    for name, position in islice(small_positions(99), 200):
        game, state = compile_position(position)
        mode = Mode.WORRY | Mode.CARRY
        python, kernel = Complete(game, state, mode), native.NativeComplete(game, state, mode)
        assert python.run(2_000) == kernel.run(2_000), name
        assert (python.states, python.arrivals) == (kernel.states, kernel.arrivals), name
