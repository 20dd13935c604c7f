"""Par against proved minima, and the two kernels against each other."""

import pytest

from rules.deals import DealCode, deal
from rules.moves import play_unchecked
from solver import native
from solver.games import compile_position
from solver.par import find_par
from solver.searching import Mode, Status
from solver.shortest import EXACT_WEIGHT, Shortest, least_moves
from solver.streamlined import Streamlined
from solver.verdicts import solve
from solver.weighing import FINDERS
from tests.rules import facts
from tests.solver.test_facts import dealt

PROVED = ["beleaguered-castle", "beleaguered-fortress", "brigade", "citadel", "fortress", "siegecraft"]


@pytest.mark.parametrize("name", PROVED)
def test_par_is_never_above_nor_below_a_proved_minimum(name: str) -> None:
    facts_with_minimum = [fact for fact in facts.verdicts(name) if fact.get("min_moves")]
    budget = 100_000 if native.is_built() else 2_000
    for fact in facts_with_minimum[: 12 if native.is_built() else 2]:
        position, shortest = dealt(fact), fact["min_moves"]
        line = solve(position, 2_000_000).line
        assert line is not None
        par = find_par(position, line, budget)
        assert par.least <= shortest <= par.moves
        if par.is_proved:
            assert par.moves == shortest


def test_the_bound_never_falls_behind_a_line_that_wins() -> None:
    for number in (3, 4, 6, 10):
        position = deal(DealCode("citadel", "ms", str(number)))
        line = solve(position, 100_000).line
        assert line is not None
        for left, move in zip(range(len(line), 0, -1), line, strict=True):
            game, state = compile_position(position)
            assert least_moves(Shortest(game, state, EXACT_WEIGHT, 999)._board) <= left
            position = play_unchecked(position, move)


def test_par_does_not_depend_on_the_line_it_starts_from() -> None:
    position = dealt(next(fact for fact in facts.verdicts("beleaguered-fortress") if fact["winnable"]))
    line = solve(position, 400_000).line
    assert line is not None
    par = find_par(position, line, 50_000)
    assert par.is_proved
    assert find_par(position, par.line, 50_000).moves == par.moves


@pytest.mark.skipif(not native.is_built(), reason="the kernel is not built")
@pytest.mark.parametrize(
    "name",
    ["beleaguered-castle", "brigade+open-reserve", "chessboard", "cruel", "freecell", "klondike-draw3", "four-seasons"],
)
def test_both_kernels_count_alike_on_whole_decks(name: str) -> None:
    for number in (3, 7):
        game, state = compile_position(deal(DealCode(name, "ms", str(number))))
        for finder in FINDERS:
            python = Streamlined(game, state, finder.mode, finder.weights, exact=finder.exact)
            kernel = native.NativeStreamlined(game, state, finder.mode, finder.weights, exact=finder.exact)
            assert python.run(800) == kernel.run(800)
            assert (python.states, python.arrivals) == (kernel.states, kernel.arrivals)
            if python.status is Status.WON:
                assert python.line() == kernel.line()
        for weight in (EXACT_WEIGHT, 6):
            slow, fast = Shortest(game, state, weight, 300), native.NativeShortest(game, state, weight, 300)
            assert slow.run(800) == fast.run(800)
            assert (slow.states, slow.arrivals, slow.bound) == (fast.states, fast.arrivals, fast.bound)


def test_a_search_can_be_asked_again_after_it_has_ended() -> None:
    game, state = compile_position(deal(DealCode("fortress", "ms", "1")))
    search = Streamlined(game, state, Mode.FORCE, FINDERS[0].weights, exact=False)
    assert search.run(10**6) is search.run(10**6)
