"""Between the engine's positions and the oracle's, and the lists of games that the tests go through."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

from rules.cards import format_card
from rules.deals import deal_deck
from rules.errors import ContradictingOptions
from rules.moves import Move, format_move, legal_moves
from rules.positions import Position
from rules.variants import Variant, find_record, find_variant, make_variant, variants
from tests.rules import oracle

BASE_IDS = [variant.id for variant in variants()]

RAW_PATCHES: dict[str, tuple[str, dict[str, Any]]] = {
    "castle that lifts runs": (
        "beleaguered-castle",
        {"tableau": {"lift": "run", "lift_bound": "spaces"}, "cells": 2},
    ),
    "stronghold for kings": ("stronghold", {"tableau": {"space": "K", "lift": "run", "lift_bound": "spaces"}}),
    "penguin-like": ("four-seasons", {"tableau": {"space": "base-1", "match": "suit"}, "cells": 2}),
    "fortune-like": ("four-seasons", {"tableau": {"space": "auto-waste"}, "stock": {"passes": 3}}),
    "lasker": ("chessboard", {"tableau": {"lift": "run"}}),
    "morphy": ("chessboard", {"tableau": {"match": "alt", "lift": "run", "lift_match": "suit"}}),
    "morehead": ("somerset", {"tableau": {"match": "other", "lift": "one", "lift_bound": "none"}}),
    "one colour": ("fortress", {"tableau": {"match": "color", "build": "up", "wrap": True}}),
    "nothing builds": ("freecell", {"tableau": {"build": "none"}}),
    "shamrocks-like": ("fortress", {"tableau": {"match": "any", "cap": 8}}),
    "martha-like": ("wildflower", {"tableau": {"space_lift": "one", "match": "alt"}}),
    "perseverance": ("cruel", {"tableau": {"lift": "run", "space": "any"}, "redeal": {"times": 2, "packet": 5}}),
    "stuck and taken back": (
        "cruel",
        {"foundations": {"worry_back": True}, "redeal": {"when": "blocked"}, "tableau": {"space": "any"}},
    ),
    "foundations by colour": ("castle-of-indolence", {"foundations": {"match": "alt", "worry_back": True}}),
    "in suit, taken back": ("castle-of-indolence", {"foundations": {"match": "suit", "worry_back": True}}),
    "bases taken back": ("selective-castle", {"foundations": {"worry_back": True}}),
    "bisley taken back": (
        "bisley",
        {
            "foundations": [
                {
                    "count": 4,
                    "base": "A",
                    "dir": "up",
                    "match": "suit",
                    "start": "base",
                    "worry_back": True,
                    "wrap": False,
                },
                {
                    "count": 4,
                    "base": "K",
                    "dir": "down",
                    "match": "suit",
                    "start": "empty",
                    "worry_back": True,
                    "wrap": False,
                },
            ],
        },
    ),
    "kings first": (
        "king-albert",
        {"foundations": {"base": "K", "dir": "down", "wrap": False}, "tableau": {"build": "up"}},
    ),
    "kings sink": ("streets-and-alleys", {"deal": {"sink": "K", "sink_mode": "swap"}}),
    "kings slide": ("streets-and-alleys", {"deal": {"sink": "K", "sink_mode": "slide"}}),
}


@cache
def option_ids() -> tuple[str, ...]:
    """Every base variant with every set of its options that can hold together."""
    found = []
    for base in BASE_IDS:
        names = find_variant(base).options
        for size in range(len(names) + 1):
            for chosen in combinations(names, size):
                try:
                    found.append(find_variant("+".join((base, *chosen))).id)
                except ContradictingOptions:
                    continue
    return tuple(found)


@cache
def raw_variants() -> dict[str, Variant]:
    """Records that no variant has, by name, to reach what the registered ones leave out."""
    return {name: patched(base, patch) for name, (base, patch) in RAW_PATCHES.items()}


@cache
def all_variants() -> dict[str, Variant]:
    """Every variant with its options, and the patched ones."""
    return {**{name: find_variant(name) for name in option_ids()}, **raw_variants()}


def patched(base: str, patch: dict[str, Any]) -> Variant:
    return make_variant(oracle.merged(find_record(base), patch))


def record_of(variant: Variant) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(variant.record)
    return record


def state_of(position: Position) -> oracle.State:
    """The oracle's form of an engine's position."""
    state = oracle.empty_state(record_of(position.variant))
    names = position.variant.tables.names
    for name, pile in zip(names, position.piles, strict=True):
        state["piles"][name] = [format_card(card) for card in pile]
    if "s" in state["piles"]:
        state["piles"]["s"].reverse()
    state["down"] = {names[i]: down for i, down in enumerate(position.down) if down}
    state["turnovers"], state["redeals"] = position.passes, position.redeals
    state["base"] = oracle.RANKS[position.base - 1] if position.base else None
    return state


def dealt(variant: Variant, deck: list[str]) -> Position:
    from rules.cards import parse_cards

    return deal_deck(variant, parse_cards(" ".join(deck)))


def legal_texts(position: Position) -> list[str]:
    return [format_move(move) for move in legal_moves(position)]


def every_move(position: Position) -> Iterator[Move]:
    """The whole space of pile pairs and counts, far beyond what can be legal, with draw and redeal in it."""
    names = [*position.variant.tables.names, "t99", "redeal", "s", "w"]
    for source in names:
        for target in names:
            for count in (-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 30):
                yield Move(source, target, count)
