"""Par: A* over all positions, with a bound that never says too much. The reference for kernel/shortest.h.

With weight 4 the first win is a shortest line; with more it comes sooner and may be longer.
"""

from solver.board import Board
from solver.games import Game, State
from solver.generation import list_moves
from solver.measures import order_of
from solver.queues import Queue
from solver.searching import Mode, Status
from solver.streamlined import Node, line_to, load_node, node_of

EXACT_WEIGHT = 4
_MOST_PLAYED = 60000


class Shortest:
    """A* in steps. Lines of `most` moves or more are not followed: EXHAUSTED says that there is none shorter."""

    def __init__(self, game: Game, state: State, weight: int, most: int) -> None:
        self._board = Board(game, state, tuple(range(52)))
        self._weight, self._most = weight, most
        self._nodes: list[Node] = []
        self._index: dict[int, int] = {self._board.key: -1}
        self._queue = Queue()
        self._won = 0
        self.status = Status.OPEN
        self.states = 0
        self.arrivals = 0
        self.bound = least_moves(self._board)
        self._keep(self._board.key, 0, 0, 0)

    def run(self, states: int) -> Status:
        """Searches on until so many states have been met in all."""
        while self.status is Status.OPEN and self.states < states:
            self._step()
        return self.status

    def line(self) -> list[int]:
        """The moves to the win that was found."""
        return line_to(self._nodes, self._won)

    def _keep(self, key: int, parent: int, move: int, played: int) -> None:
        least = least_moves(self._board)
        if played + least >= self._most:
            return
        number = len(self._nodes)
        self._nodes.append(node_of(self._board, parent, move, played))
        self.states += 1
        self._index[key] = number
        exact = self._weight == EXACT_WEIGHT
        self._queue.put(played + least if exact else 4 * played + self._weight * least, number)

    def _is_better(self, key: int, played: int) -> bool:
        number = self._index.get(key)
        if number is None:
            self._index[key] = -1
        elif number >= 0:
            if self._nodes[number].played <= played:
                return False
            self._nodes[number].expanded = True
        return True

    def _step(self) -> None:
        number = self._queue.take()
        while number is not None and self._nodes[number].expanded:
            number = self._queue.take()
        if number is None:
            self.status = Status.EXHAUSTED
            return
        if self._weight == EXACT_WEIGHT:
            self.bound = max(self.bound, self._queue.first)
        node, board = self._nodes[number], self._board
        node.expanded = True
        load_node(board, node)
        if not board.left:
            self._won, self.status = number, Status.WON
            return
        moves = list_moves(board, Mode.WORRY | Mode.CARRY)
        for move in moves if node.played + 1 <= _MOST_PLAYED else ():
            self.arrivals += 1
            key, undo = board.key_after(move), None
            if key is None:
                undo = board.make(move)
                key = board.key
            if self._is_better(key, node.played + 1):
                undo = undo or board.make(move)
                self._keep(key, number, move, node.played + 1)
            if undo:
                board.unmake(undo)


def least_moves(board: Board) -> int:
    """No line from here is shorter: cards left, cards above a lower one of their suit, piles that lock each other.

    Where runs move as one, a pile counts once at most, and locks don't count.
    """
    game, least = board.game, board.left
    if not game.one_each or game.groups > 1:
        return least
    orders = [order_of(board, card) for card in range(52)]
    for number, pile in enumerate(board.piles):
        if number < game.tableau or number >= game.cell_end:
            own = _above_lower(pile, orders)
            least += bool(own) if game.lifts else own
    return least if game.lifts else least + _locks(board, orders)


def _above_lower(pile: list[int], orders: list[int]) -> int:
    low, count = [99] * 4, 0
    for card in pile:
        order, suit = orders[card], card // 13
        if order >= 0:
            if low[suit] < order:
                count += 1
            else:
                low[suit] = order
    return count


_Waiting = tuple[int, int, tuple[int, ...]]
"""Suit and order of a card that lies above no lower one of its suit, and the lowest order of each suit under it."""


def _waiting(pile: list[int], orders: list[int]) -> list[_Waiting]:
    low, waiting = [99] * 4, []
    for card in pile:
        order, suit = orders[card], card // 13
        if order >= 0 and low[suit] > order:
            waiting.append((suit, order, tuple(low)))
            low[suit] = order
    return waiting


def _locks(board: Board, orders: list[int]) -> int:
    """Pairs of piles, each pile once, in which one card more must give way than is counted already."""
    piles = [_waiting(pile, orders) for pile in board.piles[: board.game.tableau] if len(pile) > 1]
    used, total = set[int](), 0
    for one, first in enumerate(piles):
        if one in used:
            continue
        for other in range(one + 1, len(piles)):
            if other not in used and _lock_each_other(first, piles[other]):
                used |= {one, other}
                total += 1
                break
    return total


def _lock_each_other(first: list[_Waiting], second: list[_Waiting]) -> bool:
    return any(
        suit != other_suit and other_low[suit] < order and low[other_suit] < other_order
        for suit, order, low in first
        for other_suit, other_order, other_low in second
    )
