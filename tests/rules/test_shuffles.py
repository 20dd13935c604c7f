from __future__ import annotations

import hashlib
import random
import re
from pathlib import Path

import pytest

from rules.cards import format_cards
from rules.errors import SeedOutOfRange, UnknownGenerator
from rules.shuffles import check_seed, deck, r1_seed, seed_key

DOCUMENT = Path(__file__).parents[2] / "docs" / "deals.md"
REJECTING_SEED = "aaaaaaaaaaaaaaaaaaaaagghna"


def written_decks() -> list[str]:
    """The decks that stand in the document as test vectors."""
    vectors = DOCUMENT.read_text("utf-8").split("### Test vectors")[1]
    return [" ".join(block.split()) for block in re.findall(r"^```\n(.*?)^```", vectors, re.DOTALL | re.MULTILINE)]


def test_r1_deals_the_decks_of_the_document() -> None:
    seed = r1_seed(bytes(range(16)))
    assert seed == "aaaqeayeaudaocajbifqydiob4"
    dealt = [deck("r1", seed, 1), deck("r1", seed, 2), deck("r1", REJECTING_SEED, 1)]
    assert [format_cards(cards) for cards in dealt] == written_decks()


def test_the_document_has_a_deal_that_throws_a_word_away() -> None:
    digest = hashlib.sha256(f"ramparts r1\n{REJECTING_SEED}\n2".encode()).digest()
    assert int.from_bytes(digest[28:32], "big") >= 2**32 - 2**32 % 29


@pytest.mark.parametrize("seed", [32_000, 2**32, 2**64 + 5, 10**20])
def test_pysol_uses_the_twister_that_python_has(seed: int) -> None:
    twister = random.Random(seed)
    cards = [f"{rank}{suit}" for suit in "CSHD" for rank in "A23456789TJQK"]
    for last in range(51, 0, -1):
        other = int(twister.random() * (last + 1))
        cards[last], cards[other] = cards[other], cards[last]
    assert format_cards(deck("pysol", str(seed), 1)) == " ".join(reversed(cards))


@pytest.mark.parametrize(("generator", "seed"), [("ms", "7"), ("pysol", "77777"), ("r1", r1_seed(bytes(16)))])
@pytest.mark.parametrize("decks", [1, 2, 3])
def test_a_deck_holds_each_card_once_a_pack(generator: str, seed: str, decks: int) -> None:
    assert sorted(deck(generator, seed, decks)) == sorted(list(range(52)) * decks)


@pytest.mark.parametrize(
    ("generator", "seed"),
    [
        ("ms", "0"),
        ("ms", "2147483648"),
        ("ms", "01"),
        ("ms", "-1"),
        ("ms", "+1"),
        ("ms", "1.0"),
        ("ms", ""),
        ("ms", "١"),
        ("ms", "9" * 5000),
        ("pysol", "0"),
        ("pysol", "100000000000000000001"),
        ("r1", "a" * 25),
        ("r1", "a" * 27),
        ("r1", "A" * 26),
        ("r1", "a" * 25 + "b"),
        ("r1", "a" * 25 + "1"),
        ("r1", "7"),
    ],
)
def test_a_seed_out_of_range_is_refused(generator: str, seed: str) -> None:
    with pytest.raises(SeedOutOfRange) as caught:
        deck(generator, seed, 1)
    assert caught.value.code == "seed_out_of_range"


@pytest.mark.parametrize(
    ("generator", "seed"),
    [("ms", "1"), ("ms", "2147483647"), ("pysol", "100000000000000000000"), ("r1", "z" * 25 + "y")],
)
def test_the_ends_of_a_range_are_in_it(generator: str, seed: str) -> None:
    check_seed(generator, seed, 1)
    assert len(deck(generator, seed, 1)) == 52


def test_an_unknown_generator_is_refused_by_name() -> None:
    with pytest.raises(UnknownGenerator, match="'xx'"):
        deck("xx", "1", 1)


def test_small_pysol_seeds_are_the_ms_deals() -> None:
    assert seed_key("pysol", "31999") == seed_key("ms", "31999") == "ms:31999"
    assert deck("pysol", "31999", 2) == deck("ms", "31999", 2)
    assert seed_key("pysol", "32000") == "pysol:32000"
    assert deck("pysol", "32000", 1) != deck("ms", "32000", 1)


def test_an_r1_seed_is_made_of_sixteen_bytes() -> None:
    assert r1_seed(b"\xff" * 16) == "7" * 25 + "4"
    with pytest.raises(ValueError, match="16 bytes"):
        r1_seed(b"short")
