"""Deal codes (`variant:generator:seed`) and how a shuffled deck is laid out. The shuffles are in `shuffles`."""

from dataclasses import dataclass
from hashlib import sha256

from rules.cards import Card, format_cards, rank
from rules.errors import MalformedText
from rules.positions import Position
from rules.schema import Step, Variant
from rules.shuffles import check_seed, deck, r1_seed, seed_key
from rules.variants import find_variant

__all__ = [
    "DealCode",
    "deal",
    "deal_deck",
    "deal_keys",
    "deck",
    "format_deal_code",
    "parse_deal_code",
    "r1_seed",
]


@dataclass(frozen=True, slots=True)
class DealCode:
    """A variant's canonical id, a generator (`ms`, `pysol`, `r1`, `cards`) and a seed text."""

    variant: str
    generator: str
    seed: str

    def __str__(self) -> str:
        return format_deal_code(self)

    @property
    def is_written_out(self) -> bool:
        """Was the layout written out card by card, as `cards:`, and not dealt from a seed?

        Who could choose every card could choose those of a race with suits or piles exchanged, and nothing would tell:
        of such a deal the server lets its solver say nothing, neither in hints nor in an analysis.
        """
        return self.generator == "cards"


def parse_deal_code(text: str) -> DealCode:
    """Checks variant, options, generator and seed; options come out sorted. Raises the error that names the fault."""
    parts = text.split(":")
    if len(parts) != 3 or len(text) > 700:
        raise MalformedText("deal code", text, "it reads variant:generator:seed")
    variant = find_variant(parts[0])
    check_seed(parts[1], parts[2], variant.decks)
    return DealCode(variant.id, parts[1], parts[2])


def format_deal_code(code: DealCode) -> str:
    """The text that `parse_deal_code` reads."""
    return f"{code.variant}:{code.generator}:{code.seed}"


def deal_keys(code: DealCode) -> tuple[str, str]:
    """What two codes share if one is a rehearsal for the other: the shuffle, whatever the variant, or the layout.

    `pysol:5` and `ms:5` are the same shuffle; a layout written out as `cards:` is the same, however it came about.
    """
    piles = "/".join(format_cards(pile) for pile in deal(code).piles)
    return seed_key(code.generator, code.seed), f"layout:{sha256(piles.encode()).hexdigest()}"


def deal(code: DealCode) -> Position:
    """The first position of a deal code."""
    variant = find_variant(code.variant)
    return deal_deck(variant, deck(code.generator, code.seed, variant.decks))


def deal_deck(variant: Variant, cards: tuple[Card, ...]) -> Position:
    """The layout of a deck, its first card dealt first. Raises MalformedText if it is not a whole deck."""
    if sorted(cards) != sorted(Card(number) for number in range(52) for _ in range(variant.decks)):
        raise MalformedText("deck", format_cards(cards), f"{variant.name} is dealt from {variant.cards} cards")
    table = _Table(variant, list(reversed(cards)))
    table.set_aside()
    for step in variant.layout.steps:
        table.take(step)
    table.play_up_the_rest()
    table.sink()
    return table.position()


class _Table:
    """A layout in the making; cards are taken from the end of what is left."""

    def __init__(self, variant: Variant, left: list[Card]) -> None:
        self._variant, self._left = variant, left
        self._piles: list[list[Card]] = [[] for _ in variant.tables.names]
        self._down = [0] * variant.tableau.piles
        self._base = 0

    def set_aside(self) -> None:
        """Base cards leave the pack and start their foundations, in the order of suits."""
        layout = self._variant.layout
        if not layout.set_aside:
            return
        dealt_order = [card for card in reversed(self._left) if rank(card) == layout.set_aside]
        for card in sorted(dealt_order[: layout.set_aside_count or None]):
            self._left.reverse()
            self._left.remove(card)
            self._left.reverse()
            self._play_up(card)

    def take(self, step: Step) -> None:
        """One step of the deal."""
        tables = self._variant.tables
        if step.to == "stock":
            self._piles[tables.stock] = self._left
            self._left = []
            return
        if step.to == "foundation":
            card = self._left.pop()
            self._base = rank(card)
            self._play_up(card)
            return
        first = {"tableau": 0, "cells": tables.foundation_end, "reserve": tables.cell_end}[step.to]
        slots = range(len(step.sizes))
        for row in range(max(step.sizes)):
            for number in reversed(slots) if step.from_right else slots:
                if row < step.sizes[number]:
                    self._fill_slot(step, first + number)
                    if step.face_down:
                        self._down[number] = len(self._piles[number])

    def _fill_slot(self, step: Step, number: int) -> None:
        card = self._left.pop()
        if step.play_up and self._play_up(card):
            while step.replace and rank(card) == step.replace:
                card = self._left.pop()
                if not self._play_up(card):
                    self._piles[number].append(card)
                    return
            return
        self._piles[number].append(card)

    def play_up_the_rest(self) -> None:
        """Bases at the very end of a pack that replaces them: no slot is left to replace them on, and they go up."""
        while self._left:
            self._play_up(self._left.pop())

    def _play_up(self, card: Card) -> bool:
        """Puts the card on the first foundation that takes it."""
        tables = self._variant.tables
        for number, foundation in enumerate(tables.foundations, tables.tableau_end):
            pile = self._piles[number]
            row = foundation.builds[pile[-1]] if pile else foundation.starts[self._base]
            if len(pile) < foundation.size and row[card] is None:
                pile.append(card)
                return True
        return False

    def sink(self) -> None:
        """Cards of the sinking rank go to the bottom of their piles."""
        layout = self._variant.layout
        for pile in self._piles[: self._variant.tableau.piles] if layout.sink else ():
            if layout.sink_mode == "slide":
                pile.sort(key=lambda card: rank(card) != layout.sink)
                continue
            for number, card in enumerate(pile):
                lowest = next((low for low in range(number) if rank(pile[low]) != layout.sink), None)
                if rank(card) == layout.sink and lowest is not None:
                    pile[number], pile[lowest] = pile[lowest], card

    def position(self) -> Position:
        """The finished layout."""
        return Position(self._variant, tuple(map(tuple, self._piles)), tuple(self._down), base=self._base)
