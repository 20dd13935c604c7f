"""Collecting: which cards may go to the foundations without losing a win, and all that fit.

The definition of safe, and why it can't lose a win, stands in `docs/variants.md`. It is derived from the fields of the
record; nothing here knows any one variant.
"""

from collections.abc import Iterator
from functools import cache

from rules.cards import PACK, Card
from rules.legality import moves_of_cards, refusal
from rules.notation import DRAW, Move
from rules.play import is_won, play_unchecked
from rules.positions import Position
from rules.schema import FoundationGroup, Variant

Chain = tuple[Card, ...]
"""What must be up before a card can go up, nearest first."""


def full_collect(position: Position) -> tuple[Move, ...]:
    """All that fits, one after the other; a base that is still to be chosen is left to the player."""
    moves: list[Move] = []
    while (move := next(_builds(position), None)) is not None:
        moves.append(move)
        position = play_unchecked(position, move)
    return tuple(moves)


def safe_collect(position: Position) -> tuple[Move, ...]:
    """The moves, one after the other, that can never lose a win; all that fits where that wins at once."""
    whole = full_collect(position)
    ahead = position
    for move in whole:
        ahead = play_unchecked(ahead, move)
    if is_won(ahead):
        return whole
    moves: list[Move] = []
    while (safe := next((move for move in _builds(position) if is_safe(position, move)), None)) is not None:
        moves.append(safe)
        position = play_unchecked(position, safe)
    return tuple(moves)


def _builds(position: Position) -> Iterator[Move]:
    """Moves to the foundations that choose no base."""
    tables = position.variant.tables
    undecided = position.variant.foundations[0].base == "chosen-each" or (
        position.variant.foundations[0].base == "chosen-rank" and not position.common_base
    )
    for move in moves_of_cards(position):
        target = tables.index[move.target]
        if tables.kinds[target] == "f" and (position.piles[target] or not undecided):
            yield move


def is_safe(position: Position, move: Move) -> bool:
    """This legal move of one card to a foundation can't lose a win: if there is a win now, there is one after it."""
    return (
        _is_provable(position.variant)
        and not _order_matters(position, move)
        and _Ledger(position).allows(position.pile(move.source)[-1])
    )


@cache
def _is_provable(variant: Variant) -> bool:
    """The proof covers these foundations; where it does not, nothing is called safe unless it wins at once."""
    groups = variant.foundations
    if any(group.complete_run for group in groups):
        return False
    if len(groups) > 1:
        return variant.decks == 1 and len(groups) == 2 and _meet_in_the_middle(*groups)
    group = groups[0]
    if group.size != 13 or group.count != 4 * variant.decks:
        return False
    if group.base == "chosen-each" and not group.fixed_suits:
        return False
    # A foundation taken back to nothing could choose another base, and equal foundations could be taken back apart.
    one_way = group.base in ("rank", "dealt") and group.fixed_suits
    return one_way or not group.worry_back


def _meet_in_the_middle(first: FoundationGroup, second: FoundationGroup) -> bool:
    return all(
        group.fixed_suits
        and group.size == 13
        and not group.worry_back
        and not group.wrap
        and group.base_rank == (1 if group.up else 13)
        for group in (first, second)
    ) and (first.up != second.up)


def _order_matters(position: Position, move: Move) -> bool:
    """Taking a card away shifts what comes after it: packets of a redeal, cards that fill spaces, every third card."""
    redeal, stock = position.variant.redeal, position.variant.stock
    if redeal is not None and (redeal.times is None or position.redeals < redeal.times):
        return True
    if position.variant.tableau.fills_itself and (position.stock or position.waste):
        return True
    return stock is not None and stock.turn > 1 and move.source == "w" and refusal(position, DRAW) is None


@cache
def _placeable(variant: Variant) -> tuple[tuple[Card, ...], ...]:
    """For each card, the cards that the tableau takes on it."""
    fits = variant.tables.fits
    return tuple(tuple(card for card in PACK if fits[under][card] is None) for under in PACK)


class _Ledger:
    """What is up, and what must be up before a card can go up, in one position."""

    def __init__(self, position: Position) -> None:
        self._variant = position.variant
        built = [card for pile in position.foundations for card in pile]
        self._up = {card for card in built if built.count(card) == position.variant.decks}
        self._up_somewhere = set(built)
        self._bases = self._base_ranks(position)

    def _base_ranks(self, position: Position) -> tuple[int, ...]:
        """The base of each suit, 0 while it is not decided."""
        group = position.variant.foundations[0]
        if group.base == "chosen-each":
            return tuple(pile[0] % 13 + 1 if pile else 0 for pile in position.foundations)
        return (group.base_rank or position.common_base,) * 4

    def allows(self, card: Card) -> bool:
        """No card can ever need `card` as the place to lie on, or each that could goes up at once itself.

        `sent` are the cards that a player who has sent `card` up may have sent up beyond another who has not.
        """
        chains = self._chains(card)
        if not any(self._up.issuperset(chain) for chain in chains if chain is not None):
            return False
        worry_back = any(group.worry_back for group in self._variant.foundations)
        sent, waiting = {card}, [card]
        while waiting:
            host = waiting.pop()
            guests = set(_placeable(self._variant)[host])
            if not worry_back:
                guests -= self._up
            if not all(self._follows(card, host, guest) for guest in guests - self._up):
                return False
            if worry_back:
                guests.update(*(chain for chain in self._chains(host) if chain is not None))
            waiting.extend(guests - sent)
            sent |= guests
        return True

    def _follows(self, card: Card, host: Card, guest: Card) -> bool:
        """Whichever way `host` went up, `guest` can go up instead of lying on it."""
        return all(self._is_ready(guest, self._certainly_up(card, chain)) for chain in self._ways_up(host))

    def _ways_up(self, host: Card) -> list[Chain]:
        return [(host, *chain) for chain in self._chains(host) if chain is not None]

    def _certainly_up(self, card: Card, chain: Chain) -> set[Card]:
        """What is up once the host at the head of `chain` is; in a run that moves, nothing but what was up before."""
        one_copy = self._variant.decks == 1
        up = set(self._up)
        if one_copy or card in self._up_somewhere:
            up.add(card)
        if not self._variant.tableau.lifts_runs:
            up.update(chain if one_copy else chain[1:])
        return up

    def _is_ready(self, guest: Card, up: set[Card]) -> bool:
        if guest in up:
            return True
        matched_by_suit = self._variant.foundations[0].match == "suit"
        for chain in self._chains(guest):
            if chain is not None and up.issuperset(chain[:1] if matched_by_suit else chain[:4]):
                return True
        return False

    def _chains(self, card: Card) -> tuple[Chain | None, ...]:
        """For each group, every card that must lie under `card` on a foundation, nearest first; None: not decided."""
        return tuple(self._chain(card, group) for group in self._variant.foundations)

    def _chain(self, card: Card, group: FoundationGroup) -> Chain | None:
        suit, place = divmod(card, 13)
        base = group.base_rank or self._bases[suit]
        if not base:
            return None
        step = 1 if group.up else -1
        suits = (suit,) if group.match == "suit" else range(4)
        ranks = [(place - step * back) % 13 for back in range(1, (place + 1 - base) * step % 13 + 1)]
        return tuple(Card(13 * each + number) for number in ranks for each in suits)
