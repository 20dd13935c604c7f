"""The finder of wins: best first, several queues taking turns over one store of positions.

The reference for kernel/streamlined.h. What it finds is a line of play; that it finds none proves nothing.
"""

from dataclasses import dataclass

from solver.board import Board
from solver.games import Game, State
from solver.generation import list_moves
from solver.measures import measure
from solver.queues import Queue
from solver.searching import Mode, Status, Weights

MOST_PLAYED = 65000
"""Lines are not followed further."""


@dataclass(slots=True)
class Node:
    """A position kept, and how it was reached."""

    state: State
    talon: tuple[tuple[int, int], ...]
    parent: int
    move: int
    played: int
    expanded: bool = False


def node_of(board: Board, parent: int, move: int, played: int) -> Node:
    """The board kept as a node."""
    return Node(board.save(), tuple(board.talon), parent, move, played)


def load_node(board: Board, node: Node) -> None:
    """Sets the board to a node; the talon keeps its first numbering."""
    board.load(node.state)
    board.talon = list(node.talon)


def line_to(nodes: list[Node], number: int) -> list[int]:
    """The moves from the root to a node."""
    moves = []
    while nodes[number].played:
        moves.append(nodes[number].move)
        number = nodes[number].parent
    return moves[::-1]


class Streamlined:
    """Best first, in steps. With `exact`, positions that differ in suits only are kept apart."""

    def __init__(self, game: Game, state: State, mode: Mode, weights: Weights, *, exact: bool) -> None:
        self._board = Board(game, state, tuple(range(52)) if exact else game.code)
        self._mode, self._weights = mode, weights
        self._queues = [Queue() for _ in weights]
        self._turn = 0
        self._seen = {self._board.key}
        self._nodes: list[Node] = []
        self._won = 0
        self.status = Status.OPEN
        self.states = 0
        self.arrivals = 0
        self._keep(0, 0, 0)

    def run(self, states: int) -> Status:
        """Searches on until so many states have been met in all."""
        while self.status is Status.OPEN and self.states < states:
            self._step()
        return self.status

    def line(self) -> list[int]:
        """The moves to the win that was found."""
        return line_to(self._nodes, self._won)

    def _keep(self, parent: int, move: int, played: int) -> None:
        number, board = len(self._nodes), self._board
        self._nodes.append(node_of(board, parent, move, played))
        self.states += 1
        if not board.left:
            self._won, self.status = number, Status.WON
        left, own, lower, loose, free, cover = measure(board)
        for queue, w in zip(self._queues, self._weights, strict=True):
            sum_ = w[0] + w[1] * left + w[2] * own + w[3] * lower + w[4] * loose - w[5] * free
            queue.put(sum_ + w[6] * cover + w[7] * played, number)

    def _step(self) -> None:
        queue = self._queues[self._turn]
        number = queue.take()
        while number is not None and self._nodes[number].expanded:
            number = queue.take()
        if number is None:
            self.status = Status.EXHAUSTED
            return
        node, board = self._nodes[number], self._board
        node.expanded = True
        self._turn = (self._turn + 1) % len(self._queues)
        load_node(board, node)
        moves = list_moves(board, self._mode)
        if node.played + 1 > MOST_PLAYED:
            return
        for move in moves:
            self.arrivals += 1
            key, undo = board.key_after(move), None
            if key is None:
                undo = board.make(move)
                key = board.key
            if key not in self._seen:
                self._seen.add(key)
                undo = undo or board.make(move)
                self._keep(number, move, node.played + 1)
            if undo:
                board.unmake(undo)
            if self.status is not Status.OPEN:
                return
