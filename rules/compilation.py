"""From the fields of a variant to the tables that the engine reads while playing."""

from collections.abc import Callable
from functools import cache, partial

from rules.cards import PACK, Card, rank, suit
from rules.refusals import Refusal
from rules.schema import Build, FoundationGroup, Match, TableauRules
from rules.tables import FoundationTable, Row, Tables

_FITS_NOTHING: Row = (Refusal.NOT_AVAILABLE,) * 53


def compile_tables(
    tableau: TableauRules, groups: tuple[FoundationGroup, ...], cells: int, reserve: int, has_stock: bool
) -> Tables:
    """The tables of a variant with these fields."""
    foundations = sum(group.count for group in groups)
    ends = (tableau.piles, tableau.piles + foundations, tableau.piles + foundations + cells)
    names = (
        *(f"t{number}" for number in range(tableau.piles)),
        *(f"f{number}" for number in range(foundations)),
        *(f"c{number}" for number in range(cells)),
        *(f"r{number}" for number in range(reserve)),
        *(("s", "w") if has_stock else ()),
    )
    return Tables(
        index={name: number for number, name in enumerate(names)},
        names=names,
        kinds="".join(name[0] for name in names),
        tableau_end=ends[0],
        foundation_end=ends[1],
        cell_end=ends[2],
        reserve_end=ends[2] + reserve,
        stock=ends[2] + reserve if has_stock else -1,
        fits=_fits(tableau.build, tableau.wrap, tableau.match),
        links=_links(tableau.build, tableau.wrap, tableau.match, tableau.lift_match),
        fills=tuple(_row(partial(_space_refusal, tableau, base)) for base in range(14)),
        foundations=tuple(
            _foundation_table(group, number if group.fixed_suits else None)
            for group in groups
            for number in range(group.count)
        ),
    )


def _row(refuse: Callable[[Card], Refusal | None]) -> Row:
    return (*(refuse(card) for card in PACK), Refusal.NOT_AVAILABLE)


def _grid(refuse: Callable[[Card, Card], Refusal | None]) -> tuple[Row, ...]:
    return (*(_row(partial(refuse, under)) for under in PACK), _FITS_NOTHING)


def _match_refusal(match: Match, under: Card, card: Card) -> Refusal | None:
    if match == "suit":
        return None if suit(under) == suit(card) else Refusal.SUIT
    if match == "other":
        return None if suit(under) != suit(card) else Refusal.SUIT
    if match == "alt":
        return None if suit(under) >> 1 != suit(card) >> 1 else Refusal.COLOUR
    if match == "color":
        return None if suit(under) >> 1 == suit(card) >> 1 else Refusal.COLOUR
    return None


def _follows(under: Card, card: Card, step: int, wrap: bool) -> bool:
    difference = rank(card) - rank(under) - step
    return difference % 13 == 0 if wrap else difference == 0


def _directions(build: Build, wrap: bool, under: Card, card: Card) -> int:
    """Bit 1 if `card` is one lower than `under` and the tableau builds down, bit 2 likewise up."""
    down = build in ("down", "both") and _follows(under, card, -1, wrap)
    up = build in ("up", "both") and _follows(under, card, 1, wrap)
    return down | up << 1


@cache
def _fits(build: Build, wrap: bool, match: Match) -> tuple[Row, ...]:
    def refuse(under: Card, card: Card) -> Refusal | None:
        return _match_refusal(match, under, card) if _directions(build, wrap, under, card) else Refusal.RANK

    return _grid(refuse)


@cache
def _links(build: Build, wrap: bool, match: Match, lift_match: Match) -> tuple[tuple[int, ...], ...]:
    def link(under: Card, card: Card) -> int:
        unmatched = _match_refusal(match, under, card) or _match_refusal(lift_match, under, card)
        return 0 if unmatched else _directions(build, wrap, under, card)

    return (*((*(link(under, card) for card in PACK), 0) for under in PACK), (0,) * 53)


@cache
def _builds(up: bool, wrap: bool, match: Match) -> tuple[Row, ...]:
    def refuse(under: Card, card: Card) -> Refusal | None:
        refused = _match_refusal(match, under, card)
        if refused:
            return refused
        return None if _follows(under, card, 1 if up else -1, wrap) else Refusal.RANK

    return _grid(refuse)


def _space_refusal(tableau: TableauRules, base: int, card: Card) -> Refusal | None:
    if tableau.space == "none":
        return Refusal.SPACE
    if tableau.space == "rank":
        return None if rank(card) == tableau.space_rank else Refusal.SPACE
    if tableau.space == "base-1":
        return None if base and rank(card) == (base - 2) % 13 + 1 else Refusal.SPACE
    return None


def _foundation_table(group: FoundationGroup, own_suit: int | None) -> FoundationTable:
    def start(base: int, card: Card) -> Refusal | None:
        if own_suit is not None and suit(card) != own_suit:
            return Refusal.SUIT
        wanted = group.base_rank or base
        return None if wanted in (0, rank(card)) else Refusal.BASE

    return FoundationTable(
        starts=tuple(_row(partial(start, base)) for base in range(14)),
        builds=_builds(group.up, group.wrap, group.match),
        size=group.size,
        worry_back=group.worry_back,
        complete_run=group.complete_run,
    )
