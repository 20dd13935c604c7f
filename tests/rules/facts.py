"""The outside facts of `data/`, read and brought into our own words: decks in dealing order, moves as text."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests.rules import oracle

DATA = Path(__file__).parent / "data"
SUITS = "CSHD"

CASTLE_RUNS = {"tableau": {"lift": "run", "lift_bound": "spaces"}}
WORRY_BACK = {"foundations": {"worry_back": True}}
PYSOL_PATCHES: dict[str, Any] = {
    "beleaguered-castle": CASTLE_RUNS,
    "citadel": CASTLE_RUNS,
    "streets-and-alleys": CASTLE_RUNS,
    "siegecraft": CASTLE_RUNS,
    "stronghold": CASTLE_RUNS,
    "selective-castle": {"foundations": {"base": "chosen-rank"}, "tableau": {"lift": "run"}},
    "fortress": WORRY_BACK,
    "freecell": WORRY_BACK,
    "cruel": WORRY_BACK,
}
PYSOL_OPTIONS = {
    "selective-castle": "selective-castle+pysol",
    "fortress": "fortress+worry-back",
    "freecell": "freecell+worry-back",
    "cruel": "cruel+worry-back",
    "brigade": "brigade+open-reserve",
}
SOLVED_UNDER = {
    "beleaguered-fortress": "beleaguered-fortress+no-worry-back",
    "selective-castle": "selective-castle+common-rank",
}


@cache
def load(name: str) -> Any:
    """One JSON file of the data folder."""
    return json.loads((DATA / name).read_text())


@cache
def verdicts(name: str) -> tuple[dict[str, Any], ...]:
    """The solved deals of one game."""
    lines = gzip.decompress((DATA / "verdicts" / f"{name}.jsonl.gz").read_bytes()).decode().splitlines()
    return tuple(json.loads(line) for line in lines)


def verdict_names() -> list[str]:
    return sorted(path.name.removesuffix(".jsonl.gz") for path in (DATA / "verdicts").glob("*.jsonl.gz"))


def pile_label(pile: str, *, two_decks: bool) -> str:
    if pile == "w":
        return "W"
    kind, number = pile[0], int(pile[1:])
    if kind == "f" and not two_decks:
        return "F" + SUITS[number]
    return f"{kind.upper()}{number + 1}"


def move_label(move: str, *, two_decks: bool) -> str:
    """A move in our text as the vectors write it."""
    if move in {"draw", "redeal"}:
        return move
    ends, star, count = move.partition("*")
    source, _, target = ends.partition("-")
    labels = (pile_label(pile, two_decks=two_decks) for pile in (source, target))
    return ">".join(labels) + star + count


def pile_named(label: str, *, two_decks: bool) -> str:
    """Our name of a pile that the vectors name."""
    if label == "W":
        return "w"
    if label[0] == "F" and not two_decks:
        return f"f{SUITS.index(label[1])}"
    return f"{label[0].lower()}{int(label[1:]) - 1}"


def row_by_row(piles: Sequence[Sequence[str]]) -> list[str]:
    return [pile[row] for row in range(max(map(len, piles))) for pile in piles if len(pile) > row]


def citadel_deck(piles: Sequence[Sequence[str]], up: Sequence[str]) -> list[str]:
    """A deck that deals these piles, found by trying where the cards that went up were dealt."""
    slots = [(row, i) for row in range(6) for i in range(len(piles))]
    gone = {card[1]: oracle.RANKS.index(card[0]) for card in up}

    def lay(at: int, tops: dict[str, int], taken: list[int], dealt: list[str]) -> list[str] | None:
        if at == len(slots):
            return dealt if tops == gone else None
        row, i = slots[at]
        if taken[i] < len(piles[i]):
            card = piles[i][taken[i]]
            if oracle.rank(card) != tops[card[1]] + 1:
                found = lay(at + 1, tops, [n + (k == i) for k, n in enumerate(taken)], [*dealt, card])
                if found:
                    return found
        if row - taken[i] < 6 - len(piles[i]):
            for suit in SUITS:
                if tops[suit] < gone[suit]:
                    card = oracle.RANKS[tops[suit] + 1] + suit
                    found = lay(at + 1, {**tops, suit: tops[suit] + 1}, taken, [*dealt, card])
                    if found:
                        return found
        return None

    deck = lay(0, dict.fromkeys(SUITS, 0), [0] * len(piles), [])
    assert deck is not None
    return ["A" + suit for suit in SUITS] + deck


def deck_of(verdict: dict[str, Any]) -> list[str]:
    """The deck, first dealt first, that lays this verdict's piles out."""
    piles, reserve, game = verdict["piles"], verdict["reserve"], verdict["game"]
    if game == "citadel":
        return citadel_deck(piles, verdict["foundations"])
    tableau = row_by_row(piles)
    if game == "castle-of-indolence":
        return row_by_row(reserve) + tableau
    return sorted(verdict["foundations"]) + tableau + list(reserve)


def line_of(verdict: dict[str, Any], state: oracle.State) -> Iterator[str]:
    """The verdict's line in our text, played by the oracle as it goes."""
    tableau = len(verdict["piles"])
    for card, source_label, target_label in verdict["solution"]:
        source = next(
            name
            for name, cards in state["piles"].items()
            if cards and cards[-1] == card and names_pile(source_label, name, tableau)
        )
        target = next(
            name
            for name in state["piles"]
            if names_pile(target_label, name, tableau) and oracle.allowed(state, source, name, 1)
        )
        move = oracle.move_text(source, target, 1)
        state = oracle.play(state, move)
        yield move
    assert oracle.cards_left(state) == 0


def names_pile(label: str, pile: str, tableau: int) -> bool:
    """Whether a solver's label means this pile (one of them, where it names a kind); reserves count on."""
    if label[0] != "P":
        return label.lower() == pile[0]
    number = int(label[1:])
    return pile == (f"t{number}" if number < tableau else f"r{number - tableau}")
