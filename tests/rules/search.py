"""A small best-first search for a win with all cards known, for tests that need a line of play.

It finds wins, it proves nothing: no line found says nothing of the deal. `python -m tests.rules.search VARIANT…` prints
an entry for `data/winning-lines.json`.
"""

from __future__ import annotations

import heapq
import itertools
import json
import sys
from collections.abc import Iterator

from rules.cards import Card, format_cards, rank, suit
from rules.collect import safe_collect
from rules.deals import deal_deck, deck
from rules.moves import Move, format_move, is_won, legal_moves, play_unchecked
from rules.positions import Position
from rules.variants import find_variant

Key = tuple[object, ...]


def find_win(start: Position, *, states: int, weight: int = 4, spread: int = 0) -> list[Move] | None:
    """A line that wins, or None after this many positions. `spread` varies the order among equals."""
    position, line = collected(start, ())
    seen = {position_key(position)}
    ticks = itertools.count()
    waiting = [(0, 0, position, line)]
    while waiting and len(seen) < states:
        _, _, position, line = heapq.heappop(waiting)
        if is_won(position):
            return unrolled(line)
        for move in legal_moves(position):
            after, longer = collected(play_unchecked(position, move), (line, move))
            key = position_key(after)
            if key in seen:
                continue
            seen.add(key)
            tick = next(ticks)
            order = (tick * 7919) % spread if spread else -tick
            heapq.heappush(waiting, (distance(after, weight), order * 10**9 + tick, after, longer))
    return None


def collected(position: Position, line: tuple[object, ...]) -> tuple[Position, tuple[object, ...]]:
    """The position after all safe moves to the foundations, and the line with them."""
    for move in safe_collect(position):
        position = play_unchecked(position, move)
        line = (line, move)
    return position, line


def unrolled(line: tuple[object, ...]) -> list[Move]:
    moves: list[Move] = []
    while line:
        earlier, move = line
        assert isinstance(earlier, tuple)
        assert isinstance(move, Move)
        moves.append(move)
        line = earlier
    return moves[::-1]


def position_key(position: Position) -> Key:
    """What tells positions apart for the search; where no redeal reads them in order, piles are alike."""
    tableau: tuple[object, ...] = tuple(zip(position.tableau, position.down, strict=True))
    if position.variant.redeal is None:
        tableau = tuple(sorted(tableau, key=repr))
    return (
        tableau,
        position.foundations,
        tuple(sorted(position.cells, key=repr)),
        position.reserve,
        position.waste,
        position.stock,
    )


def distance(position: Position, weight: int) -> int:
    """An estimate that is small near a win: cards left, and cards that lie on what is needed before them."""
    total = weight * position.cards_left
    bases = [rank(pile[0]) if pile else 0 for pile in position.foundations]
    known = next((base for base in bases if base), 1)
    for pile, down in zip(position.tableau, position.down, strict=True):
        total += sum(buried(pile, known)) + 3 * down - 3 * (not pile)
    for pile in position.reserve:
        total += sum(buried(pile, known))
    return total


def buried(pile: tuple[Card, ...], base: int) -> Iterator[int]:
    """Per card above one of its suit that must go up sooner: 2."""
    for i, card in enumerate(pile):
        need = (rank(card) - base) % 13
        for below in pile[:i]:
            if suit(below) == suit(card) and (rank(below) - base) % 13 < need:
                yield 2
                break


def line_entry(name: str, seeds: range) -> dict[str, str] | None:
    """The first of these numbered deals that a search wins: its deck and the line."""
    variant = find_variant(name)
    for seed in seeds:
        cards = deck("ms", str(seed), variant.decks)
        line = find_win(deal_deck(variant, cards), states=30_000)
        if line is not None:
            return {"deck": format_cards(cards), "line": " ".join(map(format_move, line))}
    return None


if __name__ == "__main__":
    sys.stdout.write(json.dumps({name: line_entry(name, range(1, 100)) for name in sys.argv[1:]}, indent=1))
