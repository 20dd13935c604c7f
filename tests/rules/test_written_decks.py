"""Deal codes that write their deck out: `variant:cards:<104 letters>`."""

from __future__ import annotations

import pytest

from rules.cards import format_cards
from rules.deals import deal, deck, format_deal_code, parse_deal_code
from rules.errors import SeedOutOfRange
from tests.rules import facts
from tests.rules.bridge import BASE_IDS

LINES = facts.load("winning-lines.json")


def written(game: str) -> str:
    return f"{game}:cards:{LINES[game]['deck'].replace(' ', '')}"


@pytest.mark.parametrize("game", BASE_IDS)
def test_a_written_deck_deals_the_board_it_names(game: str) -> None:
    code = parse_deal_code(written(game))
    assert format_deal_code(code) == written(game)
    assert sum(map(len, deal(code).piles)) == len(LINES[game]["deck"].split())


@pytest.mark.parametrize("seed", ["ms:617", "pysol:123456789", "r1:aaaaaaaaaaaaaaaaaaaaaaaaaa"])
def test_a_shuffle_written_out_deals_the_same_board(seed: str) -> None:
    generator, number = seed.split(":")
    text = format_cards(deck(generator, number, 1)).replace(" ", "")
    assert deal(parse_deal_code(f"citadel:cards:{text}")) == deal(parse_deal_code(f"citadel:{seed}"))


@pytest.mark.parametrize("spoil", [str.lower, lambda seed: seed[2:], lambda seed: seed[:2] + seed[:-2], lambda _: ""])
def test_a_deck_that_is_not_whole_is_refused(spoil: object) -> None:
    assert callable(spoil)
    seed = LINES["fortress"]["deck"].replace(" ", "")
    with pytest.raises(SeedOutOfRange):
        parse_deal_code(f"fortress:cards:{spoil(seed)}")


def test_one_deck_does_not_deal_a_variant_of_two() -> None:
    seed = LINES["fortress"]["deck"].replace(" ", "")
    with pytest.raises(SeedOutOfRange):
        parse_deal_code(f"castle-of-indolence:cards:{seed}")
