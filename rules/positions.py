"""Where every card lies; what a player may know of it; the JSON-able form. The plain text is in `position_texts`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.cards import UNKNOWN, Card, format_card, format_rank, parse_card, parse_rank
from rules.errors import MalformedText
from rules.schema import Variant

Pile = tuple[Card, ...]
"""Bottom card first; the last is the available one (of the stock: the next to be turned)."""


@dataclass(frozen=True, slots=True)
class Position:
    """All piles in the order of `variant.tables.names`, and the little else that the rules ask for."""

    variant: Variant
    piles: tuple[Pile, ...]
    down: tuple[int, ...]
    """How many cards of each tableau pile, from the bottom, lie face down."""
    passes: int = 0
    """How often the waste was turned over."""
    redeals: int = 0
    base: int = 0
    """The rank of a base that was dealt; 0 where bases are not dealt."""

    @property
    def tableau(self) -> tuple[Pile, ...]:
        """The tableau piles."""
        return self.piles[: self.variant.tables.tableau_end]

    @property
    def foundations(self) -> tuple[Pile, ...]:
        """The foundation piles."""
        tables = self.variant.tables
        return self.piles[tables.tableau_end : tables.foundation_end]

    @property
    def cells(self) -> tuple[Card | None, ...]:
        """The card of each cell, None for an empty one."""
        tables = self.variant.tables
        return tuple(pile[0] if pile else None for pile in self.piles[tables.foundation_end : tables.cell_end])

    @property
    def reserve(self) -> tuple[Pile, ...]:
        """The reserve piles."""
        tables = self.variant.tables
        return self.piles[tables.cell_end : tables.reserve_end]

    @property
    def stock(self) -> Pile:
        """The stock, next card to be turned last; empty in a variant without one."""
        return self.piles[-2] if self.variant.stock else ()

    @property
    def waste(self) -> Pile:
        """The waste; empty in a variant without a stock."""
        return self.piles[-1] if self.variant.stock else ()

    @property
    def progress(self) -> int:
        """Cards on the foundations."""
        return sum(map(len, self.foundations))

    @property
    def cards_left(self) -> int:
        """Cards that are not on a foundation yet."""
        tables, piles = self.variant.tables, self.piles
        return sum(map(len, piles[: tables.tableau_end])) + sum(map(len, piles[tables.foundation_end :]))

    @property
    def common_base(self) -> int:
        """The rank that every foundation starts with, dealt or chosen; 0 while undecided or where each has its own."""
        if self.base or self.variant.foundations[0].base != "chosen-rank":
            return self.base
        return next((pile[0] % 13 + 1 for pile in self.foundations if pile), 0)

    def pile(self, name: str) -> Pile:
        """The cards of the pile with this text. Raises KeyError."""
        return self.piles[self.variant.tables.index[name]]

    @property
    def stock_is_hidden(self) -> bool:
        """The order of the stock may not be known: it has not been gone through yet."""
        return self.variant.has_hidden_cards and self.variant.stock is not None and not self.passes


Turned = tuple[tuple[str, Pile], ...]
"""For each pile, the cards at its end that a move turned up."""


def view(position: Position) -> Position:
    """What the player may know: UNKNOWN for face-down cards and for a stock that has not been gone through."""
    variant = position.variant
    if not variant.has_hidden_cards:
        return position
    piles = list(position.piles)
    for number, down in enumerate(position.down):
        if down:
            piles[number] = (UNKNOWN,) * down + piles[number][down:]
    if position.stock_is_hidden:
        piles[variant.tables.stock] = (UNKNOWN,) * len(position.stock)
    return replace(position, piles=tuple(piles))


def turned(before: Position, after: Position) -> Turned:
    """The cards that one move from `before` to `after` made known, by pile."""
    if not before.variant.has_hidden_cards:
        return ()
    names, news = before.variant.tables.names, []
    for number, (down_before, down_after) in enumerate(zip(before.down, after.down, strict=True)):
        if down_after < down_before:
            news.append((names[number], after.piles[number][down_after:down_before]))
    drawn = len(before.stock) - len(after.stock)
    if before.stock_is_hidden and drawn > 0:
        to_waste = len(after.waste) - len(before.waste)
        for number, pile in enumerate(after.tableau):
            if drawn > max(to_waste, 0) and len(pile) == 1 and pile != before.piles[number]:
                news.append((names[number], pile))
        if to_waste > 0:
            news.append(("w", after.waste[-to_waste:]))
    return tuple(news)


def reveal(known: Position, news: Turned) -> Position:
    """A view with the turned cards at the ends of their piles."""
    if not news:
        return known
    piles = list(known.piles)
    for name, cards in news:
        number = known.variant.tables.index[name]
        piles[number] = piles[number][: len(piles[number]) - len(cards)] + cards
    return replace(known, piles=tuple(piles))


def encode_position(position: Position) -> dict[str, Any]:
    """JSON-able: lists of card texts, bottom first; what is empty or zero throughout is left out."""
    encoded: dict[str, Any] = {
        "tableau": [_texts(pile) for pile in position.tableau],
        "foundations": [_texts(pile) for pile in position.foundations],
    }
    if any(position.down):
        encoded["down"] = list(position.down)
    if position.variant.cells:
        encoded["cells"] = [None if card is None else format_card(card) for card in position.cells]
    if position.variant.reserve:
        encoded["reserve"] = [_texts(pile) for pile in position.reserve]
    if position.variant.stock:
        encoded |= {"stock": _texts(position.stock), "waste": _texts(position.waste), "passes": position.passes}
    if position.variant.redeal:
        encoded["redeals"] = position.redeals
    if position.base:
        encoded["base"] = format_rank(position.base)
    return encoded


def decode_position(variant: Variant, encoded: Mapping[str, Any]) -> Position:
    """The position that `encode_position` wrote. Raises MalformedText."""
    tables = variant.tables
    allowed = {"tableau", "foundations", "down", "cells", "reserve", "stock", "waste", "passes", "redeals", "base"}
    if encoded.keys() - allowed:
        raise MalformedText("position", str(encoded))
    cells = encoded.get("cells", [])
    if not isinstance(cells, list):
        raise MalformedText("position", str(cells), "cells")
    piles = (
        *_piles(encoded, "tableau", tables.tableau_end),
        *_piles(encoded, "foundations", tables.foundation_end - tables.tableau_end),
        *_piles({"cells": [[] if card is None else [card] for card in cells]}, "cells", variant.cells),
        *_piles(encoded, "reserve", len(variant.reserve)),
    )
    if variant.stock:
        piles += (_pile(encoded.get("stock"), "stock"), _pile(encoded.get("waste"), "waste"))
    position = Position(
        variant,
        piles,
        _down(encoded.get("down"), piles[: tables.tableau_end]),
        _whole(encoded.get("passes", 0), "passes"),
        _whole(encoded.get("redeals", 0), "redeals"),
        _base(variant, encoded.get("base")),
    )
    check_copies(position)
    return position


def check_copies(position: Position) -> None:
    """Raises MalformedText when a known card lies in more places than there are decks."""
    known = [card for pile in position.piles for card in pile if card != UNKNOWN]
    for card in set(known):
        if known.count(card) > position.variant.decks:
            raise MalformedText("position", format_card(card), "this card lies in too many places")


def _texts(pile: Pile) -> list[str]:
    return [format_card(card) for card in pile]


def _piles(encoded: Mapping[str, Any], key: str, count: int) -> tuple[Pile, ...]:
    piles = encoded.get(key, [])
    if not isinstance(piles, list) or len(piles) != count:
        raise MalformedText("position", str(piles), f"{key} must be a list of {count} piles")
    return tuple(_pile(pile, key) for pile in piles)


def _pile(cards: object, key: str) -> Pile:
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise MalformedText("position", str(cards), f"{key} must hold lists of cards")
    return tuple(parse_card(card) for card in cards)


def _down(counts: object, tableau: tuple[Pile, ...]) -> tuple[int, ...]:
    if counts is None:
        return (0,) * len(tableau)
    if not isinstance(counts, list) or len(counts) != len(tableau):
        raise MalformedText("position", str(counts), "down must have one number a pile")
    down = tuple(_whole(count, "down") for count in counts)
    if any(count and count >= len(pile) for count, pile in zip(down, tableau, strict=True)):
        raise MalformedText("position", str(counts), "the end card of a pile lies face up")
    return down


def _base(variant: Variant, text: object) -> int:
    """The rank of a dealt base; given exactly where bases are dealt."""
    if text is None and variant.foundations[0].base != "dealt":
        return 0
    if not isinstance(text, str) or variant.foundations[0].base != "dealt":
        raise MalformedText("position", str(text), "base must be a rank where bases are dealt, and absent elsewhere")
    return parse_rank(text)


def _whole(number: object, key: str) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise MalformedText("position", str(number), f"{key} must be a whole number")
    return number
