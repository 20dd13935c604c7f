"""Cards as small numbers, and their two-letter texts."""

from typing import Final, NewType

from rules.errors import MalformedText

Card = NewType("Card", int)
"""13 * suit + rank - 1; suits C S H D are 0 to 3, so `suit >> 1` is the colour. Two decks use each number twice."""

UNKNOWN: Final = Card(-1)
"""A card whose face may not be known. As an index it picks the last row of a table of 53, which fits nothing."""

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CSHD"
PACK: Final = tuple(Card(number) for number in range(52))

_TEXTS: Final = (*(rank + suit for suit in SUITS for rank in RANKS), "??")
_CARDS: Final = {text: Card(number) for number, text in enumerate(_TEXTS[:-1])} | {"??": UNKNOWN}


def rank(card: Card) -> int:
    """Ace is 1, king 13."""
    return card % 13 + 1


def suit(card: Card) -> int:
    """Clubs, spades, hearts, diamonds are 0 to 3."""
    return card // 13


def parse_rank(text: str) -> int:
    """`A` is 1, `T` 10, `K` 13. Raises MalformedText."""
    if len(text) != 1 or text not in RANKS:
        raise MalformedText("rank", text)
    return RANKS.index(text) + 1


def format_rank(number: int) -> str:
    """The letter of a rank from 1 to 13."""
    return RANKS[number - 1]


def parse_card(text: str) -> Card:
    """`TD` is the ten of diamonds, `??` an unknown card. Raises MalformedText."""
    card = _CARDS.get(text)
    if card is None:
        raise MalformedText("card", text)
    return card


def format_card(card: Card) -> str:
    """The two letters of a card, `??` for UNKNOWN."""
    return _TEXTS[card]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards separated by white space."""
    return tuple(parse_card(word) for word in text.split())


def format_cards(cards: tuple[Card, ...]) -> str:
    """Cards separated by single spaces."""
    return " ".join(_TEXTS[card] for card in cards)
