"""The proof of a loss: depth first over every position that can't be shown to be as good as another.

The reference for kernel/complete.h. It leaves out nothing that could win (see docs/solver.md): EXHAUSTED means lost.
"""

from dataclasses import dataclass

from solver.board import Board, Undo
from solver.games import Game, State
from solver.generation import list_moves
from solver.searching import Mode, Status


@dataclass(slots=True)
class _Frame:
    undo: Undo | None
    moves: list[int]
    next: int = 0


class Complete:
    """Depth first, in steps."""

    def __init__(self, game: Game, state: State, mode: Mode) -> None:
        self._board = Board(game, state, tuple(range(52)))
        self._mode = mode
        self._seen = {self._board.key}
        self._frames: list[_Frame] = []
        self.status = Status.OPEN
        self.states = 0
        self.arrivals = 0
        self._enter(None)

    def run(self, states: int) -> Status:
        """Searches on until so many states have been met in all."""
        while self.status is Status.OPEN and self.states < states:
            self._step()
        return self.status

    def line(self) -> list[int]:
        """The moves to the win that was found."""
        return [frame.undo.move for frame in self._frames if frame.undo]

    def _enter(self, undo: Undo | None) -> None:
        self._frames.append(_Frame(undo, list_moves(self._board, self._mode)))
        self.states += 1
        if not self._board.left:
            self.status = Status.WON

    def _step(self) -> None:
        frame, board = self._frames[-1], self._board
        if frame.next == len(frame.moves):
            self._frames.pop()
            if not self._frames:
                self.status = Status.EXHAUSTED
            elif frame.undo:
                board.unmake(frame.undo)
            return
        move = frame.moves[frame.next]
        frame.next += 1
        self.arrivals += 1
        key, undo = board.key_after(move), None
        if key is None:
            undo = board.make(move)
            key = board.key
        if key not in self._seen:
            self._seen.add(key)
            self._enter(undo or board.make(move))
        elif undo:
            board.unmake(undo)
