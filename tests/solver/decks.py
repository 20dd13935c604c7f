"""Small decks for every variant: its rules, but few ranks and few piles, so that a naive search reaches the end."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from random import Random
from typing import Any

from rules.cards import Card
from rules.moves import legal_moves, play_unchecked
from rules.positions import Position
from rules.variants import Variant, find_record, find_variant, make_variant, variants

OPTIONS = {
    "citadel+aces-in-pack-replaced", "citadel+aces-in-pack", "four-seasons+czarina", "four-seasons+base-sixth",
}  # fmt: skip
"""Options that change the deal only, and one whose piles fill themselves: not searched."""


@cache
def ids() -> tuple[str, ...]:
    """Every variant and every variant with one option that changes how it is played."""
    made = []
    for variant in variants():
        made.append(variant.id)
        made += [f"{variant.id}+{option}" for option in variant.options if option != "thoughtful"]
    return tuple(name for name in made if name not in OPTIONS)


@dataclass(frozen=True, slots=True)
class Shape:
    """How small a game is. Few differ: making the tables of a variant costs more than solving a small deck."""

    piles: int
    cells: int
    reserve: tuple[int, ...]
    packet: int
    worry_back: bool


@cache
def small_variant(variant_id: str, shape: Shape) -> Variant:
    """The rules of a variant on fewer piles; the deal of its record is any that is consistent."""
    record: dict[str, Any] = json.loads(find_variant(variant_id).record)
    record["options"] = {}
    groups = record["foundations"] if isinstance(record["foundations"], list) else [record["foundations"]]
    for group in groups:
        group["worry_back"] = shape.worry_back
    record["tableau"]["piles"] = shape.piles
    record["cells"] = shape.cells
    record["reserve"] = list(shape.reserve) or None
    if record.get("redeal"):
        record["redeal"]["packet"] = shape.packet
    left = 52 * record["decks"] - sum(shape.reserve)
    steps: list[dict[str, Any]] = [{"to": "reserve", "sizes": list(shape.reserve)}] if shape.reserve else []
    if record["deal"].get("set_aside"):
        left -= 4 * record["decks"]
    if any(step["to"] == "foundation" for step in record["deal"]["steps"]):
        steps.append({"to": "foundation", "sizes": [1]})
        left -= 1
    if record.get("stock"):
        steps += [{"to": "tableau", "sizes": [1] * shape.piles}, {"to": "stock", "rest": True, "face": "down"}]
    else:
        steps.append(
            {"to": "tableau", "sizes": [left // shape.piles + (n < left % shape.piles) for n in range(shape.piles)]}
        )
    record["deal"]["steps"] = steps
    return make_variant(record)


def small_position(variant_id: str, chance: Random) -> Position:
    """A small deck of a variant, shuffled and dealt, a few random moves later."""
    record = find_record(variant_id.split("+", maxsplit=1)[0])
    wide = record["tableau"]["match"] == "suit" or "wrap" in variant_id or record["tableau"]["wrap"]
    reserve: tuple[int, ...] = ()
    if record["reserve"]:
        squared = max(record["reserve"]) > 1 and "open" not in variant_id
        reserve = (chance.randint(2, 4),) * min(len(record["reserve"]), 2) if squared else (1,) * chance.randint(1, 3)
    shape = Shape(
        piles=chance.randint(3, 5) if wide else chance.randint(2, 4),
        cells=min(record["cells"], chance.randint(0, 2)) if record["cells"] else 0,
        reserve=reserve,
        packet=chance.randint(2, 4) if record["redeal"] else 0,
        worry_back=chance.random() < 0.5,
    )
    variant = small_variant(variant_id, shape)
    position = _dealt(variant, _deck(variant, chance), chance)
    for _ in range(chance.choice((0, 0, 2, 5, 10))):
        moves = legal_moves(position)
        if not moves:
            break
        position = play_unchecked(position, chance.choice(moves))
    return position


def small_positions(seed: int) -> Iterator[tuple[str, Position]]:
    """Small positions without end, the variants in turn."""
    chance = Random(seed)
    for name in cycle(ids()):
        yield name, small_position(name, chance)


def _deck(variant: Variant, chance: Random) -> list[Card]:
    """3 to 5 ranks from the base on; where ranks wrap, sometimes all thirteen of one suit or two."""
    group = variant.foundations[0]
    ranks = chance.randint(3, 5)
    suits = range(4)
    first = 0
    if group.base != "rank":
        first = chance.randrange(13)
        if chance.random() < 0.4:
            ranks, suits = 13, range(chance.choice((1, 1, 2)))
    if variant.decks == 2:
        ranks = 3
    numbers = [(first + step) % 13 for step in range(ranks)]
    if len(variant.foundations) > 1:  # one group builds up from the ace, the other down from the king
        numbers = [*range(ranks - 1), 12]
    cards = [Card(13 * suit + number) for suit in suits for number in numbers] * variant.decks
    chance.shuffle(cards)
    return cards


def _dealt(variant: Variant, cards: list[Card], chance: Random) -> Position:
    tables = variant.tables
    piles: list[list[Card]] = [[] for _ in tables.names]
    base = 0
    if variant.layout.set_aside:
        aces = sorted(card for card in cards if card % 13 == 0)
        for number, ace in enumerate(aces[: tables.foundation_end - tables.tableau_end]):
            piles[tables.tableau_end + (ace // 13 if variant.decks == 1 else number)].append(ace)
            cards.remove(ace)
    if variant.foundations[0].base == "dealt":
        base = cards[-1] % 13 + 1
        piles[tables.tableau_end + cards[-1] // 13].append(cards.pop())
    for number, size in enumerate(variant.reserve, tables.cell_end):
        for _ in range(min(size, len(cards) // 2)):
            piles[number].append(cards.pop())
    down = [0] * tables.tableau_end
    if variant.stock:
        dealt = chance.randint(3, max(3, len(cards) // 2))
        piles[tables.stock], cards = cards[:-dealt], cards[-dealt:]
    for place, card in enumerate(cards):
        piles[place % tables.tableau_end].append(card)
    if variant.base_id.startswith("klondike"):
        down = [max(len(pile) - 1, 0) for pile in piles[: tables.tableau_end]]
    return Position(variant, tuple(map(tuple, piles)), tuple(down), 0, 0, base)
