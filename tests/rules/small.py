"""Small positions of any game, and all that can be reached from one: for claims that only exhaustion shows.

A small game is the record with fewer piles; its deal is cut to fit and not used. Positions are made directly: late
ones, where most cards lie on the foundations, and early ones of a deck of few ranks.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.cards import Card
from rules.moves import is_won, legal_moves, play_unchecked
from rules.positions import Position
from rules.variants import Variant, make_variant
from tests.rules import oracle
from tests.rules.bridge import record_of

Piles = list[list[Card]]


def small_variant(variant: Variant, piles: int, reserve: int = 2) -> Variant:
    """The game with this many tableau piles, and not more reserve piles or cells than `reserve`."""
    record = record_of(variant)
    deal, decks = record["deal"], record["decks"]
    left = 52 * decks
    if deal.get("set_aside"):
        left -= deal.get("set_aside_count") or 4 * decks
    steps: list[dict[str, Any]] = [step for step in deal["steps"] if step["to"] == "foundation"]
    left -= len(steps)
    if record.get("reserve"):
        record["reserve"] = record["reserve"][:reserve]
        steps.append({"to": "reserve", "sizes": record["reserve"]})
        left -= sum(record["reserve"])
    record["cells"] = min(record.get("cells", 0), reserve)
    record["tableau"]["piles"] = piles
    record["options"] = {}
    if record.get("stock"):
        if any(step["to"] == "tableau" and step.get("face") == "down" for step in deal["steps"]):
            steps.append({"to": "tableau", "sizes": [1] * piles, "face": "down"})
        steps += [
            {"to": "tableau", "sizes": [1] * piles},
            {"to": "stock", "rest": True, "face": "down"},
        ]
    else:
        sizes = [left // piles + (i < left % piles) for i in range(piles)]
        steps.append({"to": "tableau", "sizes": sizes})
    record["deal"] = {key: value for key, value in deal.items() if key != "steps"} | {"steps": steps}
    return make_variant(record)


def number(rank: int, suit: int) -> Card:
    """The card of a rank counted from 0, cyclically."""
    return Card(13 * suit + rank % 13)


def late_foundations(variant: Variant, left: int, chance: random.Random) -> tuple[Piles, list[Card], int]:
    """Foundations of unequal heights, the cards not on them, and a common base that was dealt."""
    groups = variant.foundations
    if not groups[0].fixed_suits:
        return late_by_position(variant, left, chance)
    common = chance.randrange(13) if groups[0].base_rank == 0 else groups[0].base_rank - 1
    missing = [0] * 4
    while sum(missing) < left:
        suit = chance.randrange(4)
        missing[suit] = min(13, missing[suit] + 1)
    piles: Piles = []
    rest: list[Card] = []
    taken = [0] * 4
    for count, group in enumerate(groups):
        for suit in range(4):
            base = chance.randrange(13) if group.base == "chosen-each" else common
            base = base if group.base_rank == 0 else group.base_rank - 1
            height = 13 - missing[suit]
            if len(groups) == 2:
                height = chance.randint(0, height) if count == 0 else height - taken[suit]
                taken[suit] += height
            step = 1 if group.up else -1
            piles.append([number(base + step * i, suit) for i in range(height)])
    lying = {card for pile in piles for card in pile}
    rest = [Card(card) for card in range(52) if card not in lying]
    return piles, rest, common + 1 if groups[0].base == "dealt" else 0


def late_by_position(variant: Variant, left: int, chance: random.Random) -> tuple[Piles, list[Card], int]:
    """Two decks, foundations that stand for no suit, from the ace up."""
    group = variant.foundations[0]
    heights = [13] * group.count
    while 13 * group.count - sum(heights) < left:
        i = chance.randrange(group.count)
        heights[i] = max(0, heights[i] - 1)
    piles: Piles = [[] for _ in heights]
    rest: list[Card] = []
    for rank in range(13):
        copies = [number(rank, suit) for suit in range(4)] * 2
        chance.shuffle(copies)
        for i, pile in enumerate(piles):
            if rank < heights[i]:
                pile.append(next(card for card in copies if follows(group.match, i, pile, card)))
                copies.remove(pile[-1])
        rest += copies
    return piles, rest, 0


def follows(match: str, pile_number: int, pile: Sequence[Card], card: Card) -> bool:
    suit = card // 13
    if match == "suit":
        return suit == pile_number % 4
    if match == "alt":
        return suit // 2 == (pile_number + len(pile)) % 2
    return True


def early_foundations(variant: Variant, ranks: int) -> tuple[Piles, list[Card], int]:
    """A deck of few ranks: only the bases lie where the game sets them aside or deals one."""
    group = variant.foundations[0]
    base = group.base_rank - 1 if group.base_rank else 0
    step = 1 if group.up else -1
    decks = 1 if group.fixed_suits else variant.decks
    piles: Piles = [[] for each in variant.foundations for _ in range(each.count)]
    rest = [number(base + step * i, suit) for i in range(ranks) for suit in range(4)] * decks
    if group.starts_with_base:
        for i, suit in enumerate(list(range(4)) * decks):
            piles[i] = [number(base, suit)]
            rest.remove(number(base, suit))
    if group.base == "dealt":
        piles[0] = [number(base, 0)]
        rest.remove(number(base, 0))
    return piles, rest, base + 1 if group.base == "dealt" else 0


def scattered(variant: Variant, made: tuple[Piles, list[Card], int], chance: random.Random) -> Position:
    """The cards that are left, laid at random where the game has room for them."""
    foundations, rest, base = made
    tables = variant.tables
    piles: Piles = [[] for _ in tables.names]
    piles[tables.tableau_end : tables.foundation_end] = foundations
    rest = list(rest)
    chance.shuffle(rest)
    for cell in range(tables.foundation_end, tables.cell_end):
        if rest and chance.random() < 0.7:
            piles[cell].append(rest.pop())
    for i, size in enumerate(variant.reserve):
        room = min(size, len(rest) // 2, 4)
        for _ in range(chance.randint(0, room)):
            piles[tables.cell_end + i].append(rest.pop())
    if variant.stock:
        for _ in range(chance.randint(0, len(rest) // 2)):
            piles[tables.stock].append(rest.pop())
        if piles[tables.stock] and chance.random() < 0.3:
            piles[tables.stock + 1].append(rest.pop())
    open_piles = [i for i in range(tables.tableau_end) if i == 0 or chance.random() < 0.95]
    if variant.tableau.fills_itself:
        open_piles = list(range(tables.tableau_end))
    for i, card in enumerate(rest):
        piles[open_piles[i] if i < len(open_piles) else chance.choice(open_piles)].append(card)
    down = [0] * tables.tableau_end
    if variant.has_face_down_tableau:
        down = [chance.randint(0, max(0, len(pile) - 1)) for pile in piles[: tables.tableau_end]]
    if variant.tableau.fills_itself and not all(piles[: tables.tableau_end]):
        piles[0].extend(piles[tables.stock] + piles[tables.stock + 1])
        piles[tables.stock : tables.stock + 2] = [[], []]
    return Position(variant, tuple(map(tuple, piles)), tuple(down), base=base)


Key = tuple[object, ...]


def same_for_play(position: Position) -> Key:
    """Equal for positions that play alike: names of piles aside, and counts that nothing asks for."""
    variant = position.variant
    tableau = list(zip(position.tableau, position.down, strict=True))
    reserve = list(position.reserve)
    if variant.redeal is None:
        tableau.sort()
    if not variant.reserve or max(variant.reserve) == 1:
        reserve.sort()
    foundations = list(position.foundations)
    if not variant.foundations[0].fixed_suits:
        foundations.sort()
    return (
        tuple(tableau),
        tuple(foundations),
        tuple(sorted(-1 if card is None else card for card in position.cells)),
        tuple(reserve),
        position.stock,
        position.waste,
        position.passes if variant.stock and variant.stock.passes is not None else 0,
        position.redeals if variant.redeal and variant.redeal.times is not None else 0,
    )


@dataclass
class Graph:
    """Every position that can be reached, and the ones from which a win can."""

    positions: list[Position] = field(default_factory=list)
    places: dict[Key, int] = field(default_factory=dict)
    earlier: list[list[int]] = field(default_factory=list)
    winnable: set[int] = field(default_factory=set)

    def place(self, position: Position) -> int:
        return self.places[same_for_play(position)]


def explore(start: Position, limit: int) -> Graph | None:
    """All positions reached from here; None when there are more than the limit."""
    graph = Graph([start], {same_for_play(start): 0}, [[]])
    here = 0
    while here < len(graph.positions):
        position = graph.positions[here]
        for move in legal_moves(position):
            after = play_unchecked(position, move)
            key = same_for_play(after)
            there = graph.places.get(key)
            if there is None:
                there = len(graph.positions)
                if there >= limit:
                    return None
                graph.places[key] = there
                graph.positions.append(after)
                graph.earlier.append([])
            graph.earlier[there].append(here)
        here += 1
    waiting = [i for i, position in enumerate(graph.positions) if is_won(position)]
    graph.winnable.update(waiting)
    while waiting:
        for before in graph.earlier[waiting.pop()]:
            if before not in graph.winnable:
                graph.winnable.add(before)
                waiting.append(before)
    return graph


def small_start(variant: Variant, seed: int) -> Position:
    """One small position of a game: late or early, of a size that can often be searched through, often hard."""
    chance = random.Random(f"{variant.id} {seed}")
    goes_back = any(group["worry_back"] for group in oracle.foundation_groups(record_of(variant)))
    by_position = not variant.foundations[0].fixed_suits
    piles = chance.choice([1, 1, 2] if by_position else [2, 2, 3, 3] if goes_back else [2, 2, 3, 3, 3, 4])
    small = small_variant(variant, piles, chance.choice([1, 1, 2]))
    if chance.random() < (0.7 if goes_back and not by_position else 0.1):
        made = early_foundations(small, chance.choice([2, 3, 3, 4]))
    elif goes_back or by_position:
        made = late_foundations(small, chance.randint(5, 9), chance)
    else:
        made = late_foundations(small, chance.randint(7, 12) + (3 if piles > 2 else 0), chance)
    return scattered(small, made, chance)
