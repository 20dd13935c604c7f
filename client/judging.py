"""How promising a position looks to the bot: a number made of what any player can see. No I/O."""

from functools import lru_cache

from rules.cards import UNKNOWN, Card
from rules.positions import Pile, Position
from rules.schema import Variant
from rules.tables import FoundationTable, Row

FAR = 13
"""Steps to the foundation for a card that none of them leads to."""

BUILT = 30
SPACE = 22
FREE_CELL = 12
RESERVE_LEFT = 4
FACE_DOWN = 14
LINKED = 4
BLOCKING = 7
DEEP = 3

Needs = tuple[int, ...]
"""For each card, how many others must be built before it can be; FAR for the unknown card at the end."""


def judge(position: Position) -> int:
    """Higher is better; comparable between positions of one deal only."""
    variant, tables = position.variant, position.variant.tables
    foundations = position.foundations
    needs = _needs(variant, position.common_base, tuple(_state(pile) for pile in foundations))
    score = BUILT * sum(map(len, foundations)) - FACE_DOWN * sum(position.down)
    spaces = 0
    for pile in position.tableau:
        if pile:
            score += _pile_score(variant, pile, needs)
        else:
            spaces += 1
    if variant.tableau.space != "none":
        score += SPACE * spaces
    score += FREE_CELL * position.piles[tables.foundation_end : tables.cell_end].count(())
    for pile in position.reserve:
        score -= RESERVE_LEFT * len(pile)
        if len(pile) > 1:
            score += _pile_score(variant, pile, needs)
    return score


@lru_cache(maxsize=65_536)
def _pile_score(variant: Variant, pile: Pile, needs: Needs) -> int:
    """Runs are good; a card that lies over one that is needed sooner is bad, the worse the sooner that is needed."""
    fits, score, soonest, under = variant.tables.fits, 0, FAR + 1, UNKNOWN
    for card in pile:
        need = needs[card]
        if under != UNKNOWN and fits[under][card] is None:
            score += LINKED
        if need > soonest:
            score -= BLOCKING + DEEP * (FAR - soonest) // 4
        else:
            soonest = need
        under = card
    return score


def _state(pile: Pile) -> tuple[int, int]:
    return (pile[-1] if pile else UNKNOWN, len(pile))


@lru_cache(maxsize=16_384)
def _needs(variant: Variant, common_base: int, foundations: tuple[tuple[int, int], ...]) -> Needs:
    needs = [FAR] * 53
    for number, (top, size) in enumerate(foundations):
        table = variant.tables.foundations[number]
        row = table.starts[common_base] if top == UNKNOWN else table.builds[top]
        level = _fitting(row)
        for steps in range(min(table.size - size, FAR)):
            fresh = [card for card in level if steps < needs[card]]
            for card in fresh:
                needs[card] = steps
            level = {after for card in fresh for after in _followers(table)[card]}
            if not level:
                break
    return tuple(needs)


def _fitting(row: Row) -> set[Card]:
    return {Card(number) for number, refused in enumerate(row[:52]) if refused is None}


@lru_cache(maxsize=256)
def _followers(table: FoundationTable) -> tuple[frozenset[Card], ...]:
    return tuple(frozenset(_fitting(row)) for row in table.builds[:52])
