"""Verdicts against facts of the outside world: two lists of solved deals."""

from collections import Counter
from typing import Any

import pytest

from rules.cards import parse_card
from rules.deals import DealCode, deal, deal_deck
from rules.positions import Position
from rules.variants import find_record, find_variant, make_variant
from solver import native
from solver.verdicts import DEFAULT_BUDGET, Verdict, solve
from tests.rules import facts

BUDGET = 120_000 if native.is_built() else 10_000
DEALS = 1000 if native.is_built() else 6
"""Of each list; the slow tests take all."""
WHOLE = (None, DEFAULT_BUDGET) if native.is_built() else (DEALS, BUDGET)
NUMBERED = sorted(facts.load("winnable.json")["ranges"])
REFUTED = {("chessboard", 4)}
"""Called lost by both programs that the facts come from; our line, replayed by the rules, wins it on the twos."""
LEAST_DECIDED = {"flower-garden": 0.7, "castle-of-indolence": 0.8, "brigade": 0.92, "streets-and-alleys": 0.92}


def dealt(fact: dict[str, Any]) -> Position:
    game = fact["game"]
    variant = find_variant(facts.SOLVED_UNDER.get(game, game))
    if game == "cruel":
        variant = make_variant(find_record("cruel") | {"redeal": None, "options": {}})
    return deal_deck(variant, tuple(map(parse_card, facts.deck_of(fact))))


@pytest.mark.parametrize("name", facts.verdict_names())
def test_verdicts_agree_with_solved_deals(name: str) -> None:
    found = _agree_with_solved_deals(name, DEALS, BUDGET)
    if native.is_built():
        assert found[Verdict.UNKNOWN] <= found.total() * (1 - LEAST_DECIDED.get(name, 0.97))


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", facts.verdict_names())
def test_verdicts_agree_with_solved_deals_at_the_whole_budget(name: str) -> None:
    found = _agree_with_solved_deals(name, *WHOLE)
    if native.is_built():
        assert found[Verdict.UNKNOWN] <= found.total() * 0.05


def _agree_with_solved_deals(name: str, deals: int | None, budget: int) -> Counter[Verdict]:
    found: Counter[Verdict] = Counter()
    for fact in facts.verdicts(name)[:deals]:
        verdict = solve(dealt(fact), budget).verdict
        found[verdict] += 1
        expected = {True: Verdict.WINNABLE, False: Verdict.LOST, None: verdict}[fact["winnable"]]
        if (name, fact["seed"]) in REFUTED:
            expected = Verdict.WINNABLE
        assert verdict in (expected, Verdict.UNKNOWN), fact["seed"]
    return found


@pytest.mark.parametrize("name", NUMBERED)
def test_verdicts_agree_on_numbered_deals(name: str) -> None:
    undecided, deals = _agree_on_numbered_deals(name, DEALS, BUDGET)
    if native.is_built():
        assert undecided <= deals * (1 - LEAST_DECIDED.get(name, 0.97))


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", NUMBERED)
def test_verdicts_agree_on_numbered_deals_at_the_whole_budget(name: str) -> None:
    undecided, deals = _agree_on_numbered_deals(name, *WHOLE)
    if native.is_built():
        assert undecided <= deals * 0.05


def _agree_on_numbered_deals(name: str, deals: int | None, budget: int) -> tuple[int, int]:
    """How many are undecided, of how many."""
    letters = facts.load("winnable.json")["ranges"][name][:deals]
    undecided = 0
    for number, letter in enumerate(letters, 1):
        verdict = solve(deal(DealCode(name, "ms", str(number))), budget).verdict
        undecided += verdict is Verdict.UNKNOWN
        expected = {"w": Verdict.WINNABLE, "u": Verdict.LOST, "?": verdict}[letter]
        assert verdict in (expected, Verdict.UNKNOWN), number
    return undecided, len(letters)


@pytest.mark.parametrize(
    ("name", "number", "plain", "worrying"),
    [("beleaguered-castle", 52, "lost", "winnable"), ("citadel", 92, "lost", "winnable")],
)
def test_worrying_back_wins_what_is_lost_without(name: str, number: int, plain: str, worrying: str) -> None:
    if not native.is_built():
        pytest.skip("too long in Python")
    fact = next(each for each in facts.verdicts(name) if each["seed"] == number)
    position = dealt(fact)
    assert solve(position, 4_000_000).verdict == plain
    free = find_variant(f"{name}+worry-back")
    assert solve(deal_deck(free, tuple(map(parse_card, facts.deck_of(fact)))), 4_000_000).verdict == worrying
