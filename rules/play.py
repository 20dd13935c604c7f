"""Playing a move: the next position, the redeal, the piles that fill themselves."""

from rules.errors import IllegalMove
from rules.legality import refusal
from rules.notation import DRAW, REDEAL, Move, format_move
from rules.positions import Pile, Position
from rules.schema import RedealRules


def play(position: Position, move: Move) -> Position:
    """The position after a legal move. Raises IllegalMove."""
    refused = refusal(position, move)
    if refused is not None:
        raise IllegalMove(format_move(move), refused)
    return play_unchecked(position, move)


def play_unchecked(position: Position, move: Move) -> Position:
    """The position after a move that is known to be legal; on a view, a card it turns up stays UNKNOWN."""
    variant = position.variant
    if move == REDEAL:
        return _redealt(position)
    if move == DRAW:
        return _drawn(position)
    tables, count = variant.tables, move.count
    source, target = tables.index[move.source], tables.index[move.target]
    piles = list(position.piles)
    moved = piles[source][-count:]
    piles[source] = piles[source][:-count]
    piles[target] += moved[::-1] if count > 1 and tables.kinds[target] == "f" else moved
    down = position.down
    if source < tables.tableau_end and down[source] and down[source] == len(piles[source]):
        down = (*down[:source], down[source] - 1, *down[source + 1 :])
    if variant.tableau.fills_itself:
        _fill_spaces(position, piles)
    return Position(variant, tuple(piles), down, position.passes, position.redeals, position.base)


def _drawn(position: Position) -> Position:
    variant, piles, passes = position.variant, list(position.piles), position.passes
    stock, waste = piles[-2], piles[-1]
    if stock and variant.stock:
        turn = min(variant.stock.turn, len(stock))
        piles[-2:] = [stock[:-turn], waste + stock[: -turn - 1 : -1]]
    else:
        piles[-2:] = [waste[::-1], ()]
        passes += 1
    if variant.tableau.fills_itself:
        _fill_spaces(position, piles)
    return Position(variant, tuple(piles), position.down, passes, position.redeals, position.base)


def _fill_spaces(position: Position, piles: list[Pile]) -> None:
    """Every space takes the next card: of the stock, or of the waste and then the stock."""
    sources = (-2,) if position.variant.tableau.space == "auto-stock" else (-1, -2)
    for space in range(position.variant.tables.tableau_end):
        for source in sources:
            if not piles[space] and piles[source]:
                piles[space], piles[source] = piles[source][-1:], piles[source][:-1]


def _redealt(position: Position) -> Position:
    rules, tables = position.variant.redeal, position.variant.tables
    if rules is None:
        return position
    packets = _packets(rules, position.tableau)
    piles = (*packets, *position.piles[tables.tableau_end :])
    return Position(position.variant, piles, position.down, position.passes, position.redeals + 1, position.base)


def _packets(rules: RedealRules, tableau: tuple[Pile, ...]) -> list[Pile]:
    """Piles read in order and cut into packets; cards too many for that make the first packets one longer."""
    order = [card for pile in tableau for card in (pile[::-1] if rules.top_first else pile)]
    extra = max(0, len(order) - rules.packet * len(tableau))
    packets, start = [], 0
    for number in range(len(tableau)):
        size = rules.packet + extra // len(tableau) + (number < extra % len(tableau))
        packet = tuple(order[start : start + size])
        packets.append(packet[::-1] if rules.top_first else packet)
        start += size
    return packets


def is_won(position: Position) -> bool:
    """All cards are on the foundations."""
    return position.cards_left == 0
