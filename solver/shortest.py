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
    """No line from here is shorter: cards left, cards above a lower one of their suit, cards that lock each other.

    Where runs move as one, a pile counts once at most, and locks don't count.
    """
    game, least = board.game, board.left
    if not game.one_each or game.groups > 1:
        return least
    orders = [order_of(board, card) for card in range(52)]
    waiting: list[_Waiting] = []
    for number, pile in enumerate(board.piles):
        if number < game.tableau or number >= game.cell_end:
            found = _waiting(number, pile, orders)
            own = sum(orders[card] >= 0 for card in pile) - len(found)
            least += bool(own) if game.lifts else own
            waiting += found[1:] if pile and orders[pile[0]] >= 0 else found
    return least if game.lifts else least + _locks(waiting)


_Waiting = tuple[int, int, int, tuple[int, ...]]
"""Pile, suit and order of a card above no lower one of its suit, and the lowest order of each suit under it."""


def _waiting(number: int, pile: list[int], orders: list[int]) -> list[_Waiting]:
    low, waiting = [99] * 4, []
    for card in pile:
        order, suit = orders[card], card // 13
        if order >= 0 and low[suit] > order:
            waiting.append((number, suit, order, tuple(low)))
            low[suit] = order
    return waiting


def _locks(waiting: list[_Waiting]) -> int:
    """Pairs of cards of which one must give way, because each lies on what the other waits for; no card is in two."""
    taken, total = set[int](), 0
    for one, (pile, suit, order, low) in enumerate(waiting):
        if one in taken:
            continue
        for other in range(one + 1, len(waiting)):
            other_pile, other_suit, other_order, other_low = waiting[other]
            apart = other not in taken and other_pile != pile
            if apart and other_low[suit] < order and low[other_suit] < other_order:
                taken.add(other)
                total += 1
                break
    return total
