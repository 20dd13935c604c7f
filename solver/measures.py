"""What the queues of the streamlined search weigh, and the order of cards on their foundations.

The reference for kernel/measures.h.
"""

from typing import NamedTuple

from solver.board import Board


class Measures(NamedTuple):
    """All small is good, but `free`."""

    left: int
    """Cards that are not up."""
    own: int
    """Cards above a lower one of their suit in the same pile."""
    lower: int
    """Cards above any lower one in the same pile."""
    loose: int
    """Tableau cards that are not built on the card under them."""
    free: int
    """Two for a space, one for an empty cell."""
    cover: int
    """Cards lying on cards that could go up next."""


def order_of(board: Board, card: int) -> int:
    """The place of a card in its foundation's order, from 0; -1 while that is open."""
    game = board.game
    if game.groups > 1:
        return -1
    if not game.chosen:
        return (card % 13 + 13 - game.first_rank) % 13
    base = board.base
    if game.chosen == 2:
        own = board.piles[game.tableau + card // 13]
        base = own[0] % 13 + 1 if own else 0
    return (card % 13 + 14 - base) % 13 if base else -1


def measure(board: Board) -> Measures:
    """The measures of a board."""
    game = board.game
    own = lower = loose = free = cover = 0
    orders = [order_of(board, card) for card in range(52)]
    wanted = _wanted(board)
    for number, pile in enumerate(board.piles):
        if game.tableau <= number < game.foundation_end:
            continue
        if not pile:
            free += 2 if number < game.tableau else number < game.cell_end
            continue
        lowest, low = 99, [99] * 4
        for place, card in enumerate(pile):
            order, suit = orders[card], card // 13
            if order >= 0:
                own += low[suit] < order
                lower += lowest < order
                low[suit] = min(order, low[suit])
                lowest = min(order, lowest)
            if place and number < game.tableau and not game.takes[card] >> pile[place - 1] & 1:
                loose += 1
            if wanted >> card & 1:
                cover += len(pile) - 1 - place
    return Measures(board.left, own, lower, loose, free, cover)


def _wanted(board: Board) -> int:
    """The cards that could go up now if they were free, as a mask."""
    game, wanted = board.game, 0
    for index, pile in enumerate(board.piles[game.tableau : game.foundation_end]):
        if not pile:
            wanted |= game.starts[index][board.base]
        elif len(pile) < game.size[index]:
            wanted |= game.builds[index][pile[-1]]
    return wanted
