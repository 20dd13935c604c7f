from __future__ import annotations

import pytest

from rules.cards import (
    PACK,
    RANKS,
    UNKNOWN,
    Card,
    format_card,
    format_cards,
    format_rank,
    parse_card,
    parse_cards,
    parse_rank,
    rank,
    suit,
)
from rules.errors import MalformedText


def test_every_card_has_one_text_that_reads_back() -> None:
    texts = [format_card(card) for card in PACK]
    assert len(set(texts)) == 52
    assert [parse_card(text) for text in texts] == list(PACK)


def test_numbers_go_by_suit_and_rank() -> None:
    assert [format_card(Card(number)) for number in (0, 12, 13, 26, 39, 51)] == ["AC", "KC", "AS", "AH", "AD", "KD"]
    assert (rank(parse_card("TD")), suit(parse_card("TD"))) == (10, 3)


def test_an_unknown_card_has_a_text_of_its_own() -> None:
    assert parse_card("??") == UNKNOWN
    assert format_card(UNKNOWN) == "??"


@pytest.mark.parametrize("text", ["", "T", "10D", "td", "DT", "TD ", "1C", "?"])
def test_what_is_no_card_is_malformed(text: str) -> None:
    with pytest.raises(MalformedText):
        parse_card(text)


def test_lists_of_cards_read_back() -> None:
    assert format_cards(parse_cards(" 2C  ?? KD ")) == "2C ?? KD"
    assert parse_cards("") == ()


def test_ranks_read_back() -> None:
    assert [format_rank(parse_rank(letter)) for letter in RANKS] == list(RANKS)


@pytest.mark.parametrize("text", ["", "1", "10", "A2", "k"])
def test_what_is_no_rank_is_malformed(text: str) -> None:
    with pytest.raises(MalformedText):
        parse_rank(text)
