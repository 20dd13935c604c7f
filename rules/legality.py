"""What a position allows: the one place where the rules of moving are applied. Playing is in `play`."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from rules.notation import DRAW, REDEAL, Move
from rules.positions import Pile, Position
from rules.refusals import Refusal
from rules.tables import FoundationTable

_NO_TARGET: Final = {
    "f": Refusal.FROM_FOUNDATION,
    "r": Refusal.TO_RESERVE,
    "s": Refusal.TO_STOCK,
    "w": Refusal.TO_WASTE,
}


def refusal(position: Position, move: Move) -> Refusal | None:
    """Why this move may not be played, or None if it may."""
    tables = position.variant.tables
    source, target = tables.index.get(move.source), tables.index.get(move.target)
    if source is None or target is None:
        return _redeal_refusal(position) if move == REDEAL else Refusal.NO_SUCH_PILE
    kind, to = tables.kinds[source], tables.kinds[target]
    if kind == "s":
        return _draw_refusal(position) if move == DRAW else Refusal.NOT_AVAILABLE
    if to in "rsw":
        return _NO_TARGET[to]
    if source == target:
        return Refusal.SAME_PILE
    pile = position.piles[source]
    if not pile:
        return Refusal.EMPTY_PILE
    if kind == "f" and (to != "t" or not tables.foundations[source - tables.tableau_end].worry_back):
        return Refusal.FROM_FOUNDATION
    if move.count != 1:
        return _run_refusal(position, source, target, move.count)
    if to == "t":
        return _tableau_refusal(position, target, pile[-1])
    if to == "c":
        return Refusal.FULL if position.piles[target] else None
    foundation = tables.foundations[target - tables.tableau_end]
    if foundation.complete_run:
        return Refusal.COUNT
    return _foundation_refusal(position, foundation, position.piles[target], pile[-1])


def _tableau_refusal(position: Position, target: int, card: int, count: int = 1) -> Refusal | None:
    variant, pile = position.variant, position.piles[target]
    if pile:
        refused = variant.tables.fits[pile[-1]][card]
    elif count > 1 and variant.tableau.one_card_to_space:
        return Refusal.TOO_MANY
    else:
        refused = variant.tables.fills[position.common_base][card]
    if refused is None and variant.tableau.cap is not None and len(pile) + count > variant.tableau.cap:
        return Refusal.CAPPED
    return refused


def _foundation_refusal(position: Position, foundation: FoundationTable, pile: Pile, card: int) -> Refusal | None:
    if not pile:
        return foundation.starts[position.common_base][card]
    if len(pile) >= foundation.size:
        return Refusal.FULL
    return foundation.builds[pile[-1]][card]


def _run_refusal(position: Position, source: int, target: int, count: int) -> Refusal | None:
    """For a count other than one: a run that lifts, whose bottom card fits, or a complete one that goes up."""
    variant, tables = position.variant, position.variant.tables
    kind, to = tables.kinds[source], tables.kinds[target]
    if count < 1 or kind != "t" or to == "c" or count > len(position.piles[source]):
        return Refusal.COUNT
    if not variant.tableau.lifts_runs:
        return Refusal.TOO_MANY
    if count > len(position.piles[source]) - position.down[source]:
        return Refusal.NOT_AVAILABLE
    run = position.piles[source][-count:]
    if not is_run(position, run):
        return Refusal.NOT_A_RUN
    if to == "f":
        return _complete_run_refusal(position, target, run)
    refused = _tableau_refusal(position, target, run[0], count)
    if refused is None and variant.tableau.bounded_by_spaces and count > lift_bound(position, target):
        return Refusal.TOO_MANY
    return refused


def is_run(position: Position, cards: Pile) -> bool:
    """Each card is built on the one under it, all in one direction."""
    direction, links = 3, position.variant.tables.links
    for under, card in pairwise(cards):
        direction &= links[under][card]
    return direction != 0


def lift_bound(position: Position, target: int) -> int:
    """How many cards can be carried to this pile; spaces double it only where any card may fill them."""
    tables, piles = position.variant.tables, position.piles
    one_by_one = 1 + piles[tables.foundation_end : tables.cell_end].count(())
    if position.variant.tableau.space != "any":
        return one_by_one
    spaces = piles[: tables.tableau_end].count(())
    return one_by_one << (spaces - (not piles[target]))


def _complete_run_refusal(position: Position, target: int, run: Pile) -> Refusal | None:
    tables = position.variant.tables
    foundation = tables.foundations[target - tables.tableau_end]
    if not foundation.complete_run or len(run) != foundation.size:
        return Refusal.COUNT
    if position.piles[target]:
        return Refusal.FULL
    refused = foundation.starts[position.common_base][run[-1]]
    for card, under in pairwise(run):
        refused = refused or foundation.builds[under][card]
    return refused


def _draw_refusal(position: Position) -> Refusal | None:
    if position.stock:
        return None
    if not position.waste:
        return Refusal.NO_STOCK
    rules = position.variant.stock
    if rules is None or (rules.passes is not None and position.passes + 1 >= rules.passes):
        return Refusal.NO_PASSES
    return None


def may_redeal(position: Position) -> bool:
    """A redeal is left and there are cards to gather; whether it must wait until blocked is not asked."""
    rules = position.variant.redeal
    if rules is None or (rules.times is not None and position.redeals >= rules.times):
        return False
    return any(position.tableau)


def _redeal_refusal(position: Position) -> Refusal | None:
    rules = position.variant.redeal
    if rules is None or not may_redeal(position):
        return Refusal.NO_REDEALS
    if rules.only_when_blocked and any(changes(position, move) for move in moves_of_cards(position)):
        return Refusal.NOT_BLOCKED
    return None


def legal_moves(position: Position) -> list[Move]:
    """Every move that may be played, by source, target and count; draw and redeal last."""
    moves = list(moves_of_cards(position))
    if position.variant.stock and _draw_refusal(position) is None:
        moves.append(DRAW)
    if position.variant.redeal and _redeal_refusal(position) is None:
        moves.append(REDEAL)
    return moves


def moves_of_cards(position: Position) -> Iterator[Move]:
    """The legal moves but draw and redeal."""
    variant, tables, piles = position.variant, position.variant.tables, position.piles
    fits, fills = tables.fits, tables.fills[position.common_base]
    cap, lifts_runs = variant.tableau.cap, variant.tableau.lifts_runs
    names, kinds, tableau = tables.names, tables.kinds, range(tables.tableau_end)
    cells = [cell for cell in range(tables.foundation_end, tables.cell_end) if not piles[cell]]
    for source, pile in enumerate(piles):
        kind = kinds[source]
        if not pile or kind == "s":
            continue
        if kind == "f" and not tables.foundations[source - tables.tableau_end].worry_back:
            continue
        card, name = pile[-1], names[source]
        heads = _run_heads(position, source) if lifts_runs and kind == "t" else ()
        for target in tableau:
            under = piles[target]
            refused = fits[under[-1]][card] if under else fills[card]
            if refused is None and target != source and (cap is None or len(under) < cap):
                yield Move(name, names[target])
            if heads and target != source:
                yield from _runs(position, source, target, heads)
        if kind == "f":
            continue
        yield from _builds(position, source)
        for target in cells:
            yield Move(name, names[target])


def _builds(position: Position, source: int) -> Iterator[Move]:
    """Moves to the foundations."""
    tables, piles = position.variant.tables, position.piles
    card, name = piles[source][-1], tables.names[source]
    for target, foundation in enumerate(tables.foundations, tables.tableau_end):
        if foundation.complete_run:
            if _run_refusal(position, source, target, foundation.size) is None:
                yield Move(name, tables.names[target], foundation.size)
        elif _foundation_refusal(position, foundation, piles[target], card) is None:
            yield Move(name, tables.names[target])


def _run_heads(position: Position, source: int) -> Pile:
    """The bottom cards of the runs of two, three … that lift from this pile."""
    links, pile, direction = position.variant.tables.links, position.piles[source], 3
    heads = []
    for count in range(2, len(pile) - position.down[source] + 1):
        direction &= links[pile[-count]][pile[-count + 1]]
        if not direction:
            break
        heads.append(pile[-count])
    return tuple(heads)


def _runs(position: Position, source: int, target: int, heads: Pile) -> Iterator[Move]:
    """Runs of two and more cards that may be moved."""
    names = position.variant.tables.names
    for count, head in enumerate(heads, 2):
        if _tableau_refusal(position, target, head, count) is None:
            if position.variant.tableau.bounded_by_spaces and count > lift_bound(position, target):
                return
            yield Move(names[source], names[target], count)


def changes(position: Position, move: Move) -> bool:
    """A legal move of cards changes more than the names of spaces and cells.

    A whole pile moved into a space only renames spaces, unless piles have an order that a redeal reads.
    """
    tables = position.variant.tables
    source, target = tables.index[move.source], tables.index[move.target]
    if tables.kinds[target] == "c":
        return tables.kinds[source] != "c"
    if tables.kinds[source] != "t" or tables.kinds[target] != "t" or position.piles[target]:
        return True
    return move.count < len(position.piles[source]) or may_redeal(position)
