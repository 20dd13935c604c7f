"""Positions as plain texts: header lines, then one line a tableau pile, as the solitaire programs write them.

Where their format can't say all (other foundations, waste, passes, redeals), further header lines of the same kind do.
"""

import re
from collections.abc import Iterator
from typing import Final

from rules.cards import Card, format_card, format_cards, format_rank, parse_card, parse_cards, parse_rank
from rules.errors import MalformedText
from rules.positions import Pile, Position, check_copies
from rules.schema import Variant

_SUIT_ORDER: Final = (("H", 2), ("C", 0), ("D", 3), ("S", 1))
_HEADER: Final = re.compile(r"([A-Z][a-z]+)(?:-([1-9][0-9]?))?: ?(.*)")


def format_position(position: Position) -> str:
    """The position as text, each line ended."""
    return "".join(f"{line}\n" for line in (*_header(position), *_tableau(position)))


def _header(position: Position) -> Iterator[str]:
    variant = position.variant
    if position.stock:
        yield f"Talon: {format_cards(position.stock[::-1])}"
    if position.waste:
        yield f"Waste: {format_cards(position.waste)}"
    if position.passes:
        yield f"Passes: {position.passes}"
    if position.redeals:
        yield f"Redeals: {position.redeals}"
    if position.common_base:
        yield f"Base: {format_rank(position.common_base)}"
    yield from _foundation_lines(position)
    if variant.cells:
        cells = ["-" if card is None else format_card(card) for card in position.cells]
        yield f"Freecells: {'-' if not any(card != '-' for card in cells) else ' '.join(cells)}"
    if len(variant.reserve) == 1 and position.reserve[0]:
        yield f"Reserve: {format_cards(position.reserve[0])}"
    elif _is_spread(variant) and any(position.reserve):
        yield "Reserve: " + " ".join(format_card(pile[0]) if pile else "-" for pile in position.reserve)
    elif len(variant.reserve) > 1:
        for number, pile in enumerate(position.reserve, 1):
            if pile:
                yield f"Reserve-{number}: {format_cards(pile)}"


def _foundation_lines(position: Position) -> Iterator[str]:
    if _says_all_by_tops(position.variant):
        tops = [
            f"{letter}-{format_rank(pile[-1] % 13 + 1)}"
            for letter, number in _SUIT_ORDER
            if (pile := position.foundations[number])
        ]
        if tops:
            yield f"Foundations: {' '.join(tops)}"
        return
    for number, pile in enumerate(position.foundations, 1):
        if pile:
            yield f"Foundation-{number}: {format_cards(pile)}"


def _says_all_by_tops(variant: Variant) -> bool:
    """One group in suit with a common base, one lap of 13: the top rank tells the whole pile."""
    group = variant.foundations[0]
    return len(variant.foundations) == 1 and group.fixed_suits and group.size <= 13 and group.base != "chosen-each"


def _is_spread(variant: Variant) -> bool:
    return len(variant.reserve) > 1 and max(variant.reserve) == 1


def _tableau(position: Position) -> Iterator[str]:
    for pile, down in zip(position.tableau, position.down, strict=True):
        hidden = [f"<{format_card(card)}>" for card in pile[:down]]
        yield " ".join([*hidden, *(format_card(card) for card in pile[down:])])


def parse_position(variant: Variant, text: str) -> Position:
    """The position of a text. Raises MalformedText."""
    lines = text.splitlines()
    headers: dict[tuple[str, int], str] = {}
    while lines and (found := _HEADER.fullmatch(lines[0])):
        key = (found[1], int(found[2] or 0))
        if key in headers:
            raise MalformedText("position", lines[0], "this line comes twice")
        headers[key] = found[3]
        lines.pop(0)
    if len(lines) > variant.tableau.piles:
        raise MalformedText("position", text, f"{variant.name} has {variant.tableau.piles} tableau piles")
    lines += [""] * (variant.tableau.piles - len(lines))
    tableau = [_parse_pile(line) for line in lines]
    dealt = variant.foundations[0].base == "dealt"
    if dealt and ("Base", 0) not in headers:
        raise MalformedText("position", text, f"{variant.name} has a line for its base")
    stated_base = parse_rank(headers.pop(("Base", 0), "A"))
    piles = [pile for pile, _ in tableau]
    piles += _parse_foundations(variant, headers, variant.foundations[0].base_rank or stated_base)
    piles += _parse_cells(variant, headers.pop(("Freecells", 0), "-"))
    piles += _parse_reserve(variant, headers)
    if variant.stock:
        piles += [parse_cards(headers.pop(("Talon", 0), ""))[::-1], parse_cards(headers.pop(("Waste", 0), ""))]
    passes, redeals = (_parse_count(headers.pop((key, 0), "0")) for key in ("Passes", "Redeals"))
    if headers:
        raise MalformedText("position", next(iter(headers))[0], f"{variant.name} has no such line")
    down = tuple(hidden for _, hidden in tableau)
    position = Position(variant, tuple(piles), down, passes, redeals, stated_base if dealt else 0)
    check_copies(position)
    return position


def _parse_pile(line: str) -> tuple[Pile, int]:
    words = line.split()
    down = next((number for number, word in enumerate(words) if not word.startswith("<")), len(words))
    hidden = [word[1:-1] if word.endswith(">") else word for word in words[:down]]
    if words and down == len(words):
        raise MalformedText("tableau pile", line, "its end card lies face up")
    return tuple(parse_card(word) for word in (*hidden, *words[down:])), down


def _parse_foundations(variant: Variant, headers: dict[tuple[str, int], str], base: int) -> list[Pile]:
    count = sum(group.count for group in variant.foundations)
    if not _says_all_by_tops(variant):
        return [parse_cards(headers.pop(("Foundation", number), "")) for number in range(1, count + 1)]
    piles: list[Pile] = [()] * count
    step = 1 if variant.foundations[0].up else -1
    suits = dict(_SUIT_ORDER)
    for word in headers.pop(("Foundations", 0), "").split():
        letter, dash, top = word.partition("-")
        if letter not in suits or not dash or piles[suits[letter]]:
            raise MalformedText("foundation", word)
        length = (parse_rank(top) - base) * step % 13 + 1
        ranks = [(base - 1 + step * number) % 13 for number in range(length)]
        piles[suits[letter]] = tuple(Card(13 * suits[letter] + rank) for rank in ranks)
    return piles


def _parse_cells(variant: Variant, text: str) -> list[Pile]:
    words = text.split()
    if words == ["-"] or not words:
        words = ["-"] * variant.cells
    if len(words) != variant.cells:
        raise MalformedText("position", text, f"{variant.name} has {variant.cells} cells")
    return [() if word == "-" else (parse_card(word),) for word in words]


def _parse_reserve(variant: Variant, headers: dict[tuple[str, int], str]) -> list[Pile]:
    if len(variant.reserve) == 1:
        return [parse_cards(headers.pop(("Reserve", 0), ""))]
    if not _is_spread(variant):
        return [parse_cards(headers.pop(("Reserve", number + 1), "")) for number in range(len(variant.reserve))]
    words = headers.pop(("Reserve", 0), "").split() or ["-"] * len(variant.reserve)
    if len(words) != len(variant.reserve):
        raise MalformedText("position", " ".join(words), f"the reserve has {len(variant.reserve)} places")
    return [() if word == "-" else (parse_card(word),) for word in words]


def _parse_count(text: str) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,5}", text):
        raise MalformedText("number", text)
    return int(text)
