"""Refusals in words for the one who moved: why not, which card it was, and what would fit there.

Names only cards that lie open: nothing of the stock and nothing face down.
"""

from collections.abc import Iterable

from protocol.codes import MESSAGES, ErrorCode
from rules.cards import PACK, UNKNOWN, Card, format_card, format_rank, rank
from rules.moves import Move
from rules.positions import Position
from rules.refusals import PROSE, Refusal
from rules.tables import Row

_ABOUT_FITTING = frozenset({Refusal.RANK, Refusal.SUIT, Refusal.COLOUR, Refusal.BASE, Refusal.SPACE})


def refusal_words(code: Refusal | ErrorCode, what: object = None, position: Position | None = None) -> str:
    """One or two sentences; more than the code's own words only for a move onto a pile whose rule it breaks."""
    if isinstance(code, ErrorCode):
        return MESSAGES[code]
    words = PROSE[code]
    if code not in _ABOUT_FITTING or position is None or not isinstance(what, Move):
        return words
    tried, fitting = _tried(position, what), _fitting(position, what.target)
    if tried is None:
        return words
    would_fit = f" {fitting} would fit." if fitting else ""
    return f"{words[:-1]}: {tried}.{would_fit}"


def _tried(position: Position, move: Move) -> str | None:
    source = position.pile(move.source)
    if move.source == "s" or not 1 <= move.count <= len(source):
        return None
    card = source[-move.count]
    if card == UNKNOWN or _is_down(position, move):
        return None
    target = position.pile(move.target)
    where = f"onto {format_card(target[-1])}" if target else f"onto the empty {move.target}"
    return f"{format_card(card)} {where}"


def _is_down(position: Position, move: Move) -> bool:
    number = position.variant.tables.index[move.source]
    return number < len(position.down) and len(position.piles[number]) - move.count < position.down[number]


def _fitting(position: Position, target: str) -> str:
    tables = position.variant.tables
    number = tables.index[target]
    pile = position.piles[number]
    row: Row
    if number < tables.tableau_end:
        row = tables.fits[pile[-1]] if pile else tables.fills[position.common_base]
    elif number < tables.foundation_end:
        foundation = tables.foundations[number - tables.tableau_end]
        row = foundation.builds[pile[-1]] if pile else foundation.starts[position.common_base]
    else:
        return ""
    return _listed(card for card in PACK if row[card] is None)


def _listed(cards: Iterable[Card]) -> str:
    """`7H`, `7H or 7D`, `any 7`, `any 7 or any 9`; nothing where almost anything would do."""
    by_rank: dict[int, list[Card]] = {}
    for card in cards:
        by_rank.setdefault(rank(card), []).append(card)
    if len(by_rank) > 2:
        return ""
    texts = []
    for number, same in by_rank.items():
        texts += [f"any {format_rank(number)}"] if len(same) == 4 else [format_card(card) for card in same]
    text = " or ".join(texts)
    return text[:1].upper() + text[1:]
