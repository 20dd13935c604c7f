"""The C kernel, where it was built: the same searches as `complete`, `streamlined` and `shortest`, counting alike.

Nothing here is required: `is_built` says whether the library is there, and `kernels` falls back to Python.
"""

import ctypes
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from solver.games import Game, State
from solver.searching import Mode, Status, Weights

FORM: Final = 1
"""The form of words and calls that this file speaks; the library says its own."""
LIBRARY: Final = Path(__file__).with_name("_kernel.dll" if sys.platform == "win32" else "_kernel.so")


@cache
def _library() -> ctypes.CDLL | None:
    if os.environ.get("RAMPARTS_SOLVER") == "python" or not LIBRARY.exists():
        return None
    try:
        library = ctypes.CDLL(str(LIBRARY))
    except OSError:
        return None
    if library.ramparts_form() != FORM:
        return None
    pointer, whole, many = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
    library.ramparts_game.restype = pointer
    library.ramparts_game.argtypes = [pointer]
    for kind, extra in (
        ("complete", [whole]),
        ("streamlined", [whole, whole, pointer, whole]),
        ("shortest", [whole] * 2),
    ):
        start = getattr(library, f"ramparts_{kind}")
        start.restype, start.argtypes = pointer, [pointer, pointer, *extra]
        run = getattr(library, f"ramparts_{kind}_run")
        run.restype, run.argtypes = whole, [pointer, many]
        for name in ("counts", "line"):
            read = getattr(library, f"ramparts_{kind}_{name}")
            read.restype, read.argtypes = None, [pointer, pointer]
        free = getattr(library, f"ramparts_{kind}_free")
        free.restype, free.argtypes = None, [pointer]
    return library


def is_built() -> bool:
    """The library is there, loads and speaks this form; RAMPARTS_SOLVER=python says no to it."""
    return _library() is not None


@cache
def _game(game: Game) -> int:
    """Kept for the life of the process: one a variant and size."""
    library, words = _library(), game.words()
    if library is None:
        raise RuntimeError("the kernel is not built")
    handle: int | None = library.ramparts_game((ctypes.c_uint64 * len(words))(*words))
    if not handle:
        raise MemoryError
    return handle


class _Search:
    """A search in the kernel, run in steps; freed with the object."""

    _kind = ""

    def __init__(self, game: Game, state: State, *extra: object) -> None:
        library = _library()
        if library is None:
            raise RuntimeError("the kernel is not built")
        words = state.words(game)
        start: Callable[..., int | None] = getattr(library, f"ramparts_{self._kind}")
        self._call = {
            name: getattr(library, f"ramparts_{self._kind}_{name}") for name in ("run", "counts", "line", "free")
        }
        self._handle = start(_game(game), (ctypes.c_int32 * len(words))(*words), *extra)
        if not self._handle:
            raise MemoryError

    def run(self, states: int) -> Status:
        """Searches on until so many states have been met in all."""
        return Status(self._call["run"](self._handle, states))

    def _counts(self) -> list[int]:
        counts = (ctypes.c_int64 * 4)()
        self._call["counts"](self._handle, counts)
        return list(counts)

    @property
    def states(self) -> int:
        """Positions met for the first time."""
        return self._counts()[0]

    @property
    def arrivals(self) -> int:
        """Moves tried."""
        return self._counts()[1]

    def line(self) -> list[int]:
        """The moves to the win that was found."""
        length = self._counts()[2]
        moves = (ctypes.c_uint32 * max(length, 1))()
        self._call["line"](self._handle, moves)
        return list(moves)[:length]

    def __del__(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), None
        if handle:
            self._call["free"](handle)


class NativeComplete(_Search):
    """The twin of `complete.Complete`."""

    _kind = "complete"

    def __init__(self, game: Game, state: State, mode: Mode) -> None:
        super().__init__(game, state, int(mode))


class NativeStreamlined(_Search):
    """The twin of `streamlined.Streamlined`."""

    _kind = "streamlined"

    def __init__(self, game: Game, state: State, mode: Mode, weights: Weights, *, exact: bool) -> None:
        flat = [number for row in weights for number in row]
        super().__init__(game, state, int(mode), int(exact), (ctypes.c_int * len(flat))(*flat), len(weights))


class NativeShortest(_Search):
    """The twin of `shortest.Shortest`."""

    _kind = "shortest"

    def __init__(self, game: Game, state: State, weight: int, most: int) -> None:
        super().__init__(game, state, weight, most)

    @property
    def bound(self) -> int:
        """No line is shorter than this."""
        return self._counts()[3]
