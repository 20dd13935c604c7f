"""Whether anything is left to do: `is_blocked`, which looks past redeals and passes through the stock."""

from collections.abc import Iterator

from rules.cards import UNKNOWN
from rules.legality import changes, may_redeal, moves_of_cards, refusal
from rules.notation import DRAW, REDEAL
from rules.play import is_won, play_unchecked
from rules.positions import Position


def is_blocked(position: Position) -> bool:
    """No legal move changes the position (names of spaces and cells aside), before or after a redeal or a pass.

    A won position is not blocked. A view whose stock is not known is not called blocked while a card can be drawn.
    """
    if is_won(position):
        return False
    for drawn in _through_the_stock(position):
        if UNKNOWN in drawn.stock:
            return False
        for tried in _with_redeal(drawn):
            if any(changes(tried, move) for move in moves_of_cards(tried)):
                return False
    return True


def _through_the_stock(position: Position) -> Iterator[Position]:
    """The position after each number of draws, until stock and waste come round again."""
    yield position
    if position.variant.stock is None:
        return
    seen = {position.piles}
    while refusal(position, DRAW) is None:
        position = play_unchecked(position, DRAW)
        if position.piles in seen:
            return
        seen.add(position.piles)
        yield position


def _with_redeal(position: Position) -> Iterator[Position]:
    """One redeal is enough: a second without a move between finds the same order of cards."""
    yield position
    if may_redeal(position):
        yield play_unchecked(position, REDEAL)
