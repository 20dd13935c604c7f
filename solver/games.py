"""From a variant to the masks and numbers that both searches read, and from a position to a state of them.

A `Game` is what the C kernel gets as one row of words; `Game.words` fixes their order.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final

from rules.cards import PACK, UNKNOWN, Card
from rules.moves import DRAW, REDEAL, Move
from rules.positions import Position
from rules.variants import Variant
from solver.errors import OutsideReach

WASTE: Final = 254
"""The source of a move from the talon; its draws are counted in the move."""
REDEAL_WORD: Final = 0xFFFF
_CELL_SALT: Final = 100
_RESERVE_SALT: Final = 101
_FOUNDATION_SALT: Final = 110


class Safe(IntEnum):
    """When a card may go to its foundation at once without losing a win or a move: `docs/solver.md` proves each."""

    NEVER = 0
    ALWAYS = 1
    BUT_BASE = 2
    ANY = 3
    ALT = 4
    LEVEL = 5
    UNBUILT = 6


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """The rules of one variant as the searches read them; masks have one bit a card."""

    variant: Variant
    tableau: int
    foundation_end: int
    cell_end: int
    reserve_end: int
    lifts: bool
    bounded: bool
    space_any: bool
    one_to_space: bool
    cap: int
    ordered: bool
    """Piles have an order that a redeal reads: no space stands for another."""
    turn: int
    passes: int
    packet: int
    top_first: bool
    redeals: int
    only_blocked: bool
    safe: Safe
    groups: int
    cards: int
    chosen: int
    """0 bases are fixed, 1 one rank for all (dealt, preset or chosen), 2 each foundation its own."""
    fixed_base: bool
    """The common base is known from the start and never leaves."""
    has_down: bool
    first_rank: int
    one_each: bool
    """One deck, one foundation a suit, no redeal: the bound of par holds."""
    takes: tuple[int, ...]
    """For each card, the cards that it may be placed on."""
    links_down: tuple[int, ...]
    links_up: tuple[int, ...]
    fills: tuple[int, ...]
    size: tuple[int, ...]
    worry: tuple[bool, ...]
    group: tuple[int, ...]
    starts: tuple[tuple[int, ...], ...]
    builds: tuple[tuple[int, ...], ...]
    code: tuple[int, ...]
    """What tells two cards apart for the streamlined search: suits fall away where building ignores them."""
    foundation_code: tuple[int, ...]
    salts: tuple[int, ...]
    holds: tuple[int, ...]
    """For each card, the cards that may be placed on it: `takes` turned round."""

    def words(self) -> list[int]:
        """One row of 64-bit words, in the order in which kernel.c reads them."""
        row = [
            *(self.tableau, self.foundation_end, self.cell_end, self.reserve_end, self.lifts, self.bounded),
            *(self.space_any, self.one_to_space, self.cap, self.ordered, self.turn, self.passes, self.packet),
            *(self.top_first, self.redeals, self.only_blocked, self.safe, self.groups, self.cards, self.chosen),
            *(self.fixed_base, self.has_down, self.first_rank, self.one_each),
            *(*self.takes, *self.links_down, *self.links_up, *self.fills),
        ]
        for number in range(self.foundation_end - self.tableau):
            row += [self.size[number], self.worry[number], self.group[number]]
            row += [*self.starts[number], *self.builds[number]]
        return [int(word) & (1 << 64) - 1 for word in (*row, *self.code, *self.foundation_code, *self.salts)]


@dataclass(frozen=True, slots=True)
class State:
    """A position as the searches take it."""

    base: int
    redeals: int
    piles: tuple[tuple[int, ...], ...]
    down: tuple[int, ...]
    """Face-down cards of each pile, tableau or not."""
    talon: tuple[int, ...]
    """The waste from its bottom, then the stock in the order of turning."""
    waste: int
    passes: int

    def words(self, game: Game) -> list[int]:
        """One row of numbers, in the order in which kernel.c reads them."""
        row = [self.base, self.redeals]
        for pile, down in zip(self.piles, self.down, strict=True):
            row += [len(pile), down, *pile]
        return [*row, len(self.talon), self.waste, self.passes, *self.talon] if game.turn else row


def compile_position(position: Position, preset: int = 0) -> tuple[Game, State]:
    """The game and the state of a position. With `preset`, the rank that the first card played up must have.

    Raises OutsideReach for hidden cards and for what the searches don't know.
    """
    variant = position.variant
    if any(UNKNOWN in pile for pile in position.piles):
        raise OutsideReach(variant.id, "some cards are not known")
    base = position.common_base or preset
    has_down = any(position.down)
    preset_or_dealt = bool(position.base or (preset and variant.foundations[0].base == "chosen-rank"))
    game = _compile(variant, preset_or_dealt, has_down, sum(map(len, position.piles)))
    piles = position.piles[: game.reserve_end]
    down = (*position.down, *(0,) * (game.reserve_end - game.tableau))
    talon: tuple[int, ...] = (*position.waste, *reversed(position.stock))
    return game, State(base, position.redeals, piles, down, talon, len(position.waste), position.passes)


def line_of(game: Game, moves: list[int]) -> tuple[Move, ...]:
    """The moves of the rules behind the numbers that a search gives; draws stand out one by one."""
    names, line = game.variant.tables.names, list[Move]()
    for move in moves:
        if move & 0xFFFF == REDEAL_WORD:
            line.append(REDEAL)
            continue
        source, target, count = move & 255, move >> 8 & 255, move >> 16 & 255
        line += [DRAW] * (move >> 24)
        line.append(Move("w" if source == WASTE else names[source], names[target], count))
    return tuple(line)


def _mask(cards: list[Card]) -> int:
    return sum(1 << card for card in cards)


@cache
def _compile(variant: Variant, fixed_base: bool, has_down: bool, cards: int) -> Game:
    tables, tableau, groups = variant.tables, variant.tableau, variant.foundations
    if tableau.fills_itself:
        raise OutsideReach(variant.id, "its piles fill themselves")
    if any(group.complete_run for group in groups):
        raise OutsideReach(variant.id, "only complete runs go up")
    group_of = tuple(number for number, group in enumerate(groups) for _ in range(group.count))
    rank_only = [group.match == "any" and not group.worry_back for group in groups]
    redeal, stock = variant.redeal, variant.stock
    base = groups[0].base
    takes = tuple(_mask([under for under in PACK if tables.fits[under][card] is None]) for card in PACK)
    return Game(
        variant=variant,
        tableau=tables.tableau_end,
        foundation_end=tables.foundation_end,
        cell_end=tables.cell_end,
        reserve_end=tables.reserve_end,
        lifts=tableau.lifts_runs,
        bounded=tableau.bounded_by_spaces,
        space_any=tableau.space == "any",
        one_to_space=tableau.one_card_to_space,
        cap=tableau.cap or 0,
        ordered=redeal is not None,
        turn=stock.turn if stock else 0,
        passes=-1 if stock is None or stock.passes is None else stock.passes,
        packet=redeal.packet if redeal else 0,
        top_first=bool(redeal and redeal.top_first),
        redeals=-1 if redeal is None or redeal.times is None else redeal.times,
        only_blocked=bool(redeal and redeal.only_when_blocked),
        safe=_safe(variant),
        groups=1 if len(groups) == 1 and groups[0].up else 2,
        cards=cards,
        chosen={"rank": 0, "dealt": 1, "chosen-rank": 1, "chosen-each": 2}[base],
        fixed_base=fixed_base,
        has_down=has_down,
        first_rank=max(groups[0].base_rank - 1, 0),
        one_each=variant.decks == 1 and len(groups) == 1 and groups[0].fixed_suits and redeal is None,
        takes=takes,
        links_down=tuple(_mask([over for over in PACK if tables.links[under][over] & 1]) for under in PACK),
        links_up=tuple(_mask([over for over in PACK if tables.links[under][over] & 2]) for under in PACK),
        fills=tuple(_mask([card for card in PACK if row[card] is None]) for row in tables.fills),
        size=tuple(table.size for table in tables.foundations),
        worry=tuple(table.worry_back for table in tables.foundations),
        group=group_of,
        starts=tuple(
            tuple(_mask([card for card in PACK if row[card] is None]) for row in table.starts)
            for table in tables.foundations
        ),
        builds=tuple(
            tuple(_mask([card for card in PACK if table.builds[under][card] is None]) for under in PACK)
            for table in tables.foundations
        ),
        code=tuple(_code(variant, card) for card in PACK),
        foundation_code=tuple(card % 13 if all(rank_only) else card for card in PACK),
        salts=(
            *(range(tables.tableau_end) if redeal else (0,) * tables.tableau_end),
            *(_FOUNDATION_SALT + number for number in group_of),
            *(_CELL_SALT,) * (tables.cell_end - tables.foundation_end),
            *(_RESERVE_SALT,) * (tables.reserve_end - tables.cell_end),
        ),
        holds=tuple(sum(1 << over for over in PACK if takes[over] >> card & 1) for card in PACK),
    )


def _code(variant: Variant, card: Card) -> int:
    if variant.tableau.match == "any":
        return card % 13
    return card % 13 + 13 * (card // 26) if variant.tableau.match in ("alt", "color") else card


def _safe(variant: Variant) -> Safe:
    tableau, group = variant.tableau, variant.foundations[0]
    plain = len(variant.foundations) == 1 and group.up and group.size == 13 and variant.redeal is None
    if not plain or group.match == "alt":
        return Safe.NEVER
    one_each = variant.decks == 1 and group.fixed_suits
    from_ace = group.base == "rank" and group.base_rank == 1 and not tableau.wrap
    if from_ace:
        return _safe_from_ace(variant, one_each)
    if group.worry_back or not one_each:
        return Safe.NEVER
    return Safe.BUT_BASE if tableau.match == "suit" or tableau.build == "none" else Safe.UNBUILT


def _safe_from_ace(variant: Variant, one_each: bool) -> Safe:
    tableau = variant.tableau
    down = tableau.build in ("down", "none")
    if not one_each:
        level = variant.foundations[0].match in ("any", "suit") and variant.foundations[0].count == 4 * variant.decks
        return Safe.LEVEL if down and level else Safe.NEVER
    if tableau.match == "suit" or tableau.build == "none":
        return Safe.ALWAYS
    if not down:
        return Safe.NEVER
    return Safe.ALT if tableau.match == "alt" else Safe.ANY
