from __future__ import annotations

import pytest

from rules.cards import format_card, format_cards, parse_cards
from rules.deals import DealCode, deal, deal_deck, deal_keys, deck, format_deal_code, parse_deal_code
from rules.errors import MalformedText, SeedOutOfRange, UnknownGenerator, UnknownOption, UnknownVariant
from rules.position_texts import format_position
from rules.positions import Position
from rules.schema import Variant
from rules.variants import find_variant, variants
from tests.rules.builders import patched

PACK = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS "
PACK += "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD"


def laid_out(variant: Variant, *first: str) -> Position:
    """The deal of a deck that starts with these cards; the others follow by suit and rank."""
    rest = [card for card in PACK.split() if card not in first]
    return deal_deck(variant, parse_cards(" ".join((*first, *rest))))


@pytest.mark.parametrize(
    "text",
    ["cruel:ms:1", "cruel+bottom-first+worry-back:pysol:99999", "fortress:r1:aaaqeayeaudaocajbifqydiob4"],
)
def test_a_deal_code_reads_back(text: str) -> None:
    assert format_deal_code(parse_deal_code(text)) == str(parse_deal_code(text)) == text


def test_a_deal_code_sorts_its_options() -> None:
    assert parse_deal_code("cruel+relaxed+bottom-first:ms:1") == DealCode("cruel+bottom-first+relaxed", "ms", "1")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", MalformedText),
        ("cruel", MalformedText),
        ("cruel:ms", MalformedText),
        ("cruel:ms:1:2", MalformedText),
        ("cruel:ms:1" + "0" * 700, MalformedText),
        ("Cruel:ms:1", MalformedText),
        ("tetris:ms:1", UnknownVariant),
        ("cruel+flying:ms:1", UnknownOption),
        ("cruel:dice:1", UnknownGenerator),
        ("cruel:ms:0", SeedOutOfRange),
        ("cruel:ms: 1", SeedOutOfRange),
    ],
)
def test_a_wrong_deal_code_is_refused_by_its_fault(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        parse_deal_code(text)


def keys(text: str) -> set[str]:
    return set(deal_keys(parse_deal_code(text)))


def test_deals_of_one_shuffle_share_a_key_whatever_the_variant_and_numbering() -> None:
    assert keys("cruel:ms:5") & keys("fortress:pysol:5") & keys("cruel+relaxed:ms:5") == {"ms:5"}
    assert not keys("cruel:ms:5") & keys("cruel:ms:6")
    assert not keys("cruel:pysol:50000") & keys("cruel:ms:50000")


def test_a_layout_written_out_shares_a_key_with_the_deal_it_is() -> None:
    cards = "".join(format_card(card) for card in deck("ms", "617", 1))
    aces_last = "".join(sorted((cards[at : at + 2] for at in range(0, 104, 2)), key=lambda card: card[0] == "A"))
    for text in (cards, aces_last):
        assert keys(f"beleaguered-castle:cards:{text}") & keys("beleaguered-castle:ms:617")


@pytest.mark.parametrize("variant", variants(), ids=lambda variant: variant.id)
def test_a_deal_lays_out_every_card(variant: Variant) -> None:
    for name in (variant.id, *(f"{variant.id}+{option}" for option in variant.options)):
        position = deal(parse_deal_code(f"{name}:ms:617"))
        cards = [card for pile in position.piles for card in pile]
        assert sorted(cards) == sorted(list(range(52)) * variant.decks)
        assert position.progress + position.cards_left == variant.cards


@pytest.mark.parametrize("cards", ["", "AC", PACK + " AC", PACK.replace("KD", "AC")])
def test_only_a_whole_deck_is_dealt(cards: str) -> None:
    with pytest.raises(MalformedText, match="dealt from 52 cards"):
        deal_deck(find_variant("cruel"), parse_cards(cards))


def test_longer_piles_get_the_last_cards() -> None:
    position = laid_out(find_variant("fortress"))
    assert [format_cards(pile[-2:]) for pile in position.tableau[:3]] == ["2D QD", "3D KD", "7H 4D"]


def test_a_card_that_goes_up_during_the_deal_leaves_its_slot_short() -> None:
    position = laid_out(find_variant("citadel"), "3C", "2C", "5C")
    assert format_cards(position.foundations[0]) == "AC 2C"
    assert [format_cards(pile[:1]) for pile in position.tableau[:3]] == ["3C", "JC", "5C"]


def test_a_replaced_ace_gives_its_slot_to_the_next_card() -> None:
    position = laid_out(find_variant("citadel+aces-in-pack-replaced"), "9D", "AH", "2H", "AC", "AS", "5C")
    assert format_cards(position.tableau[0][:1]) == "9D"
    assert format_cards(position.foundations[2][:2]) == "AH 2H"
    assert format_cards(position.tableau[2][:1]) == "5C"


def test_the_dealt_card_fixes_the_base() -> None:
    position = laid_out(find_variant("four-seasons"), "9H", "2C")
    assert format_position(position).splitlines()[1:4] == ["Base: 9", "Foundations: H-9", "2C"]
    assert position.base == position.common_base == 9


def test_the_sixth_card_is_the_base_under_the_option() -> None:
    position = laid_out(find_variant("four-seasons+base-sixth"), "9H", "2C", "3C", "4C", "5C", "JD")
    assert (position.base, format_cards(position.foundations[3])) == (11, "JD")


@pytest.mark.parametrize(("mode", "pile"), [("swap", "KC KS 3C 2C"), ("slide", "KC KS 2C 3C")], ids=["swapped", "slid"])
def test_kings_sink_to_the_bottom(mode: str, pile: str) -> None:
    deal_of_piles = {
        "set_aside": None,
        "sink": "K",
        "sink_mode": mode,
        "steps": [{"to": "tableau", "sizes": [4] * 13}],
    }
    variant = patched(
        "cruel",
        {"deal": deal_of_piles, "foundations": {"start": "empty"}, "tableau": {"piles": 13}, "redeal": None},
    )
    rest = [card for card in PACK.split() if card not in ("2C", "3C", "KC", "KS")]
    rows = ["2C", *rest[:12], "KC", *rest[12:24], "3C", *rest[24:36], "KS", *rest[36:]]
    position = deal_deck(variant, parse_cards(" ".join(rows)))
    assert format_cards(position.tableau[0]) == pile


def test_only_so_many_are_set_aside_as_the_record_says() -> None:
    steps = [{"to": "tableau", "sizes": [5] * 10}]
    variant = patched("beleaguered-castle", {"deal": {"set_aside_count": 2, "steps": steps}, "tableau": {"piles": 10}})
    position = deal_deck(variant, deck("ms", "1", 1))
    first_two = [card for card in deck("ms", "1", 1) if card % 13 == 0][:2]
    assert sorted(card for pile in position.foundations for card in pile) == sorted(first_two)
