"""Which searches are used: the C kernel where it was built, the Python reference otherwise; both count alike."""

from solver import native
from solver.complete import Complete
from solver.games import Game, State
from solver.searching import Mode, Search, Weights
from solver.shortest import Shortest
from solver.streamlined import Streamlined


def complete(game: Game, state: State, mode: Mode) -> Search:
    """A depth-first search that leaves out nothing that could win."""
    return native.NativeComplete(game, state, mode) if native.is_built() else Complete(game, state, mode)


def streamlined(game: Game, state: State, mode: Mode, weights: Weights, *, exact: bool) -> Search:
    """A best-first search that finds wins."""
    made = native.NativeStreamlined if native.is_built() else Streamlined
    return made(game, state, mode, weights, exact=exact)


def shortest(game: Game, state: State, weight: int, most: int) -> "native.NativeShortest | Shortest":
    """A search for short lines."""
    return (native.NativeShortest if native.is_built() else Shortest)(game, state, weight, most)
