"""Collecting: what is safe by hand, and by exhaustive search that safe moves never lose a win."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from rules.cards import Card
from rules.collect import full_collect, is_safe, safe_collect
from rules.deals import deal, parse_deal_code
from rules.moves import format_move, is_won, legal_moves, play, play_unchecked
from rules.patches import merge_patch
from rules.positions import Position
from rules.schema import Variant
from rules.variants import find_record, make_variant, variants
from tests.rules.builders import board, patched

POSITIONS, MANY_POSITIONS = 15, 300
MOST_STATES = 1200


def safe(position: Position) -> list[str]:
    return [format_move(move) for move in safe_collect(position)]


def full(position: Position) -> list[str]:
    return [format_move(move) for move in full_collect(position)]


def test_any_suit_building_waits_for_the_other_suits() -> None:
    kings = ["KC 9C", "KD", "KS"]
    assert safe(board("beleaguered-castle", "Foundations: H-4 C-4 D-4 S-2", "5H", *kings, "4S 3S 9S")) == []
    assert safe(board("beleaguered-castle", "Foundations: H-4 C-4 D-4 S-3", "5H", *kings, "4S 9S")) == ["t0-f2"]
    assert safe(board("beleaguered-castle", "Foundations: H-4 C-3 D-3 S-3", "5H", "9C 4C KC")) == ["t0-f2"]


def test_alternating_colours_wait_for_the_other_colour_alone() -> None:
    rest = ["8C KC", "8S KS"]
    assert safe(board("freecell", "Foundations: H-5 D-4 C-4 S-4", "6H", *rest, "5D KD")) == ["t0-f2"]
    assert safe(board("freecell", "Foundations: H-5 D-2 C-4 S-4", "6H", *rest, "3D KD")) == []
    assert safe(board("freecell", "Foundations: H-5 D-4 C-4 S-3", "6H", *rest, "4S 9S")) == []


def test_in_suit_building_never_waits() -> None:
    position = board("fortress", "Foundations: H-5", "KH 6H", "AC KC")
    assert safe(position) == ["t0-f2"]


def test_a_base_that_is_not_chosen_is_left_to_the_player() -> None:
    assert full(board("chessboard", "5H", "6H")) == []
    assert full(board("chessboard", "Base: 5", "Foundations: H-5", "6H", "5C", "KD")) == ["t0-f2", "t1-f0"]
    assert full(board("selective-castle", "Foundation-3: 5H", "6H", "5C", "KD")) == ["t0-f2"]


def test_with_a_redeal_left_nothing_is_safe_unless_it_wins() -> None:
    position = board("cruel", "Foundations: H-5 C-K D-K S-K", "8H 6H", "7H 9H KH")
    assert full(position) == ["t0-f2"]
    assert safe(position) == []
    spent = patched("cruel", {"redeal": {"times": 1}})
    assert safe(board(spent, "Redeals: 1", "Foundations: H-5 C-K D-K S-K", "8H 6H", "7H 9H KH")) == ["t0-f2"]


def test_what_wins_at_once_is_safe_in_every_variant() -> None:
    position = board("cruel", "Foundations: H-J C-K D-K S-K", "KH QH")
    assert safe(position) == full(position) == ["t0-f2", "t0-f2"]


def test_a_card_of_the_waste_waits_while_three_are_turned() -> None:
    lines = ["Waste: 9C 2H", "Foundations: H-A C-A D-A S-A", "KC", "3C 8C"]
    assert safe(board("klondike-draw3", *lines)) == []
    assert safe(board("klondike-draw1", *lines)) == ["w-f2"]
    assert safe(board("klondike-draw3+one-pass", *lines)) == ["w-f2"]


def test_a_pile_that_would_be_filled_waits() -> None:
    lines = ["Base: A", "Foundations: H-A C-A D-A S-A", "2H", "9C", "9D", "9H", "9S"]
    assert safe(board("four-seasons", "Talon: 8C", *lines)) == ["t0-f2"]
    assert safe(board("four-seasons+czarina", "Talon: 8C", *lines)) == []
    assert safe(board("four-seasons+czarina", *lines)) == ["t0-f2"]


def test_all_of_a_rank_must_be_up_before_any_suit_foundations_go_on() -> None:
    aces = [f"Foundation-{number}: A{suit}" for number, suit in enumerate("CSHDCSH", 1)]
    assert safe(board("castle-of-indolence", *aces, "2H", "AD 9C")) == []
    assert safe(board("castle-of-indolence", *aces, "Foundation-8: AD", "2H KC", "3C 2C")) == ["t1-f0"]


@pytest.mark.parametrize("variant", variants(), ids=lambda variant: variant.id)
def test_safe_moves_are_among_all_that_fit(variant: Variant) -> None:
    chance, found = random.Random(variant.id), 0
    for seed in range(1, 6):
        position = deal(parse_deal_code(f"{variant.id}:ms:{seed}"))
        for _ in range(40):
            moves = legal_moves(position)
            if not moves:
                break
            after = position
            for move in full_collect(position):
                assert move in legal_moves(after)
                after = play(after, move)
                found += 1
            assert not full_collect(after)
            for move in safe_collect(position):
                assert move in legal_moves(position)
                position = play(position, move)
            moves = legal_moves(position)
            if moves:
                position = play(position, chance.choice(moves))
    assert found > 0


NAMES = [(v.id, option) for v in variants() for option in (None, *v.options)]
ODD: dict[str, tuple[str, dict[str, Any]]] = {
    "any-suit foundations of one deck": ("freecell", {"foundations": {"match": "any"}}),
    "foundations of alternate colours": ("freecell", {"foundations": {"match": "alt"}}),
    "builds up": ("fortress", {"tableau": {"build": "up", "match": "alt"}}),
    "runs both ways": ("fortress", {"tableau": {"lift": "run"}}),
    "runs both ways, worry back": ("fortress", {"tableau": {"lift": "run"}, "foundations": {"worry_back": True}}),
    "kings in spaces, wrap": (
        "brigade",
        {"tableau": {"space": "K", "wrap": True}, "foundations": {"worry_back": False}},
    ),
    "one colour": ("stronghold", {"tableau": {"match": "color"}}),
    "any other suit": ("stronghold", {"tableau": {"match": "other", "cap": 6}}),
    "meeting foundations, any suit": ("bisley", {"tableau": {"match": "any", "space": "any"}}),
    "meeting foundations, runs": ("bisley", {"tableau": {"match": "alt", "space": "any", "lift": "run"}}),
    "fills from the waste": ("four-seasons", {"tableau": {"space": "auto-waste"}}),
    "spent redeal": ("cruel", {"redeal": {"times": 1}}),
}


def narrow(record: dict[str, Any], piles: int) -> Variant:
    """The same rules on few piles, so that every line can be searched."""
    cards = 52 * record["decks"] - (4 if record["deal"].get("set_aside") else 0)
    reserve = record["reserve"][:3] if record.get("reserve") else None
    stock = bool(record.get("stock"))
    left = cards - sum(reserve or []) - (record["foundations"] is not None and is_dealt(record))
    sizes = [1] * piles if stock else [left // piles + (number < left % piles) for number in range(piles)]
    steps: list[dict[str, Any]] = [{"to": "foundation", "sizes": [1]}] if is_dealt(record) else []
    steps += [{"to": "reserve", "sizes": reserve}] if reserve else []
    hidden = any(step.get("face") == "down" and step["to"] == "tableau" for step in record["deal"]["steps"])
    steps += [{"to": "tableau", "sizes": [1] * piles, "face": "down"}] if hidden else []
    steps += [{"to": "tableau", "sizes": sizes}]
    steps += [{"to": "stock", "rest": True, "face": "down"}] if stock else []
    patch = {
        "cells": min(record.get("cells", 0), 2),
        "reserve": reserve,
        "deal": {"steps": steps},
        "tableau": {"piles": piles},
        "options": None,
    }
    return make_variant(merge_patch(record, patch))


def is_dealt(record: dict[str, Any]) -> bool:
    return isinstance(record["foundations"], dict) and record["foundations"]["base"] == "dealt"


def late_position(variant: Variant, chance: random.Random) -> Position:
    """Nearly everything is on the foundations; the rest lies anywhere."""
    tables, group = variant.tables, variant.foundations[0]
    piles: list[list[Card]] = [[] for _ in tables.names]
    pool = [Card(number) for number in range(52) for _ in range(variant.decks)]
    base = group.base_rank or chance.randrange(1, 14)
    bases = [chance.randrange(1, 14) if group.base == "chosen-each" else base for _ in tables.foundations]
    left = chance.randrange(5, 12)
    while len(pool) > left:
        number = chance.randrange(len(tables.foundations))
        foundation, pile = tables.foundations[number], piles[tables.tableau_end + number]
        if len(pile) >= min(foundation.size, 5 + min(map(len, built_piles(variant, piles)))):
            continue
        fitting = [
            card
            for card in sorted(set(pool))
            if (foundation.builds[pile[-1]][card] if pile else foundation.starts[group.base_rank and base][card])
            is None
            and (pile or group.base_rank or card % 13 + 1 == bases[number])
        ]
        if fitting:
            pile.append(chance.choice(fitting))
            pool.remove(pile[-1])
    chance.shuffle(pool)
    for card in pool:
        piles[chance.choice(places(variant, piles))].append(card)
    for pile in piles[: tables.tableau_end] if variant.tableau.fills_itself else []:
        if not pile and piles[tables.stock]:
            pile.append(piles[tables.stock].pop())
    tableau = piles[: tables.tableau_end]
    down = [chance.randrange(len(pile)) if pile and variant.has_face_down_tableau else 0 for pile in tableau]
    spent = variant.redeal.times or 0 if variant.redeal else 0
    dealt = base if group.base == "dealt" else 0
    return Position(variant, tuple(map(tuple, piles)), tuple(down), 0, spent, dealt)


def built_piles(variant: Variant, piles: list[list[Card]]) -> list[list[Card]]:
    """The foundations, as far as they must keep step; those that meet from both ends need not."""
    first = piles[variant.tables.tableau_end : variant.tables.foundation_end]
    return first if len(variant.foundations) == 1 else [[Card(0)] * 13]


def places(variant: Variant, piles: list[list[Card]]) -> list[int]:
    """Where one more card may lie; the tableau comes up more often."""
    tables, found = variant.tables, []
    for number, kind in enumerate(tables.kinds):
        room = {
            "t": variant.tableau.cap or 99,
            "c": 1,
            "r": variant.reserve[number - tables.cell_end] if kind == "r" else 0,
            "s": 99,
            "w": 99,
        }
        if len(piles[number]) < room.get(kind, 0):
            found += [number] * (3 if kind == "t" else 1)
    return found


def winnable(position: Position) -> bool | None:
    """By exhaustive search; None when there is too much of it."""
    seen, waiting = set[tuple[object, ...]](), [position]
    while waiting:
        here = waiting.pop()
        if is_won(here):
            return True
        for move in sorted(legal_moves(here), key=lambda move: move.target[0] == "f"):
            after = play_unchecked(here, move)
            key = (*after.piles, after.down, after.passes if limits_passes(after) else 0, after.redeals)
            if key not in seen:
                seen.add(key)
                waiting.append(after)
        if len(seen) > MOST_STATES:
            return None
    return False


def limits_passes(position: Position) -> bool:
    return position.variant.stock is not None and position.variant.stock.passes is not None


def judged(record: dict[str, Any], seed: str, positions: int = POSITIONS) -> Counter[str]:
    """Over random late positions: how often a safe and an unsafe move kept or lost a win."""
    chance, counts = random.Random(seed), Counter[str]()
    for _ in range(positions):
        position = late_position(narrow(record, chance.choice((2, 3))), chance)
        for move in [move for move in legal_moves(position) if move.target[0] == "f" and move.count == 1]:
            if not position.pile(move.target) and position.variant.foundations[0].base.startswith("chosen"):
                continue
            kind = "safe" if is_safe(position, move) else "unsafe"
            counts[kind] += 1
            if winnable(play_unchecked(position, move)) is False and winnable(position):
                counts[f"{kind} but lost"] += 1
    return counts


def is_never_safe(record: dict[str, Any]) -> bool:
    """Unlimited redeals shift all that follows; a chosen base that can be taken back can be chosen anew."""
    redeal, foundations = record.get("redeal"), record["foundations"]
    if redeal and redeal["times"] is None:
        return True
    return isinstance(foundations, dict) and foundations["worry_back"] and foundations["base"].startswith("chosen")


@pytest.mark.parametrize(("base", "option"), NAMES, ids=["+".join(filter(None, name)) for name in NAMES])
def test_a_safe_move_never_loses_a_win(base: str, option: str | None) -> None:
    record = find_record(base)
    record = merge_patch(record, record["options"][option]) if option else record
    counts = judged(record, f"{base}+{option}")
    assert counts["safe but lost"] == 0
    assert (counts["safe"] == 0) == is_never_safe(record)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("base", "option"), NAMES, ids=["+".join(filter(None, name)) for name in NAMES])
def test_a_safe_move_never_loses_a_win_in_many_positions(base: str, option: str | None) -> None:
    record = find_record(base)
    record = merge_patch(record, record["options"][option]) if option else record
    counts = judged(record, f"{base}+{option}", MANY_POSITIONS)
    assert counts["safe but lost"] == 0
    assert (counts["safe"] == 0) == is_never_safe(record)


@pytest.mark.parametrize("name", ODD)
def test_a_safe_move_never_loses_a_win_under_odd_rules(name: str) -> None:
    base, patch = ODD[name]
    counts = judged(merge_patch(find_record(base), patch), name, 3 * POSITIONS)
    assert counts["safe but lost"] == 0
    assert counts["safe"] > 0


def test_the_search_would_see_a_win_that_is_lost() -> None:
    """Of the moves that are not called safe, some do lose a win: the search tells them apart."""
    assert sum(judged(find_record("castle-of-indolence"), seed)["unsafe but lost"] for seed in "abcdef") > 0
