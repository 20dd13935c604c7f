"""The engine against the outside facts: boards, playouts and solved deals."""

from __future__ import annotations

from typing import Any

import pytest

from rules.cards import format_cards, parse_cards
from rules.collect import full_collect
from rules.deals import deal, deal_deck, deck, parse_deal_code
from rules.moves import format_move, is_won, parse_move, play
from rules.position_texts import format_position, parse_position
from rules.positions import Position
from rules.variants import Variant, find_record, find_variant, make_variant
from tests.rules import facts, oracle
from tests.rules.bridge import BASE_IDS, dealt, legal_texts, record_of, state_of

DEALS = facts.load("deals.json")
PLAYOUTS = facts.load("moves.json")["games"]
LINES = facts.load("winning-lines.json")


def two_decks(variant: Variant) -> bool:
    return variant.decks == 2


@pytest.mark.parametrize("decks", [1, 2])
def test_the_numberings_shuffle_as_the_outside_world_does(decks: int) -> None:
    expected = DEALS[f"decks_{decks}"]
    got = {}
    for key in expected:
        generator, seed = key.split(":")
        got[key] = format_cards(deck(generator, seed, decks))
    assert got == expected


@pytest.mark.parametrize("game", DEALS["boards"])
def test_every_numbered_board_is_laid_out_as_outside(game: str) -> None:
    boards = DEALS["boards"][game]
    got = {key: format_position(deal(parse_deal_code(f"{game}:{key}"))) for key in boards}
    assert got == boards


@pytest.mark.parametrize("game", DEALS["boards"])
def test_a_board_text_reads_back_as_the_deal(game: str) -> None:
    variant = find_variant(game)
    for key, text in DEALS["boards"][game].items():
        assert parse_position(variant, text) == deal(parse_deal_code(f"{game}:{key}"))


def playout_variants(game: str) -> list[Variant]:
    """The variant under PySolFC's rules, as raw patch and, where there is one, as option."""
    found = []
    if game in facts.PYSOL_PATCHES:
        found.append(make_variant(oracle.merged(find_record(game), facts.PYSOL_PATCHES[game])))
    if game in facts.PYSOL_OPTIONS:
        found.append(find_variant(facts.PYSOL_OPTIONS[game]))
    return found or [find_variant(game)]


def playout_start(variant: Variant, key: str) -> Position:
    generator, seed = key.split(":")
    position = deal_deck(variant, deck(generator, seed, variant.decks))
    return play(position, parse_move("draw")) if variant.stock else position


@pytest.mark.parametrize("game", PLAYOUTS)
def test_legal_moves_along_playouts_are_those_outside(game: str) -> None:
    checked = 0
    for variant in playout_variants(game):
        for playout in PLAYOUTS[game]:
            position = playout_start(variant, playout["deal"])
            for ply in playout["plies"]:
                by_label = {
                    facts.move_label(text, two_decks=two_decks(variant)): text for text in legal_texts(position)
                }
                assert sorted(by_label) == ply["legal"], (playout["deal"], checked)
                checked += 1
                if ply["played"] is None:
                    break
                position = play(position, parse_move(by_label[ply["played"]]))
                if "after" in ply:
                    assert [format_cards(pile) for pile in position.tableau] == ply["after"]
            if "final" in playout:
                assert final_piles(position, playout["final"]) == playout["final"]
    assert checked >= len(PLAYOUTS[game])


def final_piles(position: Position, labels: dict[str, str]) -> dict[str, str]:
    """The piles of a position under the labels that the vectors use, face-down cards in angle brackets."""
    piles = {}
    for label in labels:
        name = facts.pile_named(label, two_decks=two_decks(position.variant))
        cards = format_cards(position.pile(name)).split()
        down = position.down[int(name[1:])] if name[0] == "t" else 0
        piles[label] = " ".join(f"<{card}>" if i < down else card for i, card in enumerate(cards))
    return piles


def solved_variant(verdict: dict[str, Any]) -> Variant:
    return find_variant(facts.SOLVED_UNDER.get(verdict["game"], verdict["game"]))


def check_options(verdict: dict[str, Any], variant: Variant) -> None:
    """The options a verdict was solved under say the same as the variant's record."""
    record, options = record_of(variant), verdict["options"]
    match = {"any-suit": "any", "same-suit": "suit", "red-black": "alt"}[options["build"]]
    assert record["tableau"]["match"] == match
    assert record["tableau"]["build"] == ("both" if options["build_updown"] else "down")
    assert record["tableau"]["wrap"] == options["tableau_wrap"]
    assert record["tableau"]["space"] == options["spaces"]
    assert record["cells"] == options["cells"]
    assert record["foundations"]["worry_back"] == options["worrying_back"]


def check_verdict(verdict: dict[str, Any]) -> int:
    """Lay the verdict's deal out and play its line, if it has one; how many moves were played."""
    variant = solved_variant(verdict)
    check_options(verdict, variant)
    position = dealt(variant, facts.deck_of(verdict))
    assert [format_cards(pile).split() for pile in position.tableau] == verdict["piles"]
    if not verdict.get("solution"):
        return 0
    played = 0
    for text in facts.line_of(verdict, state_of(position)):
        assert not is_won(position)
        position = play(position, parse_move(text))
        played += 1
    assert is_won(position)
    assert full_collect(position) == ()
    return played


@pytest.mark.parametrize("name", facts.verdict_names())
def test_solved_deals_are_laid_out_and_every_line_wins(name: str) -> None:
    verdicts = facts.verdicts(name)
    won = [verdict for verdict in verdicts if verdict.get("solution")]
    played = [check_verdict(verdict) for verdict in verdicts]
    assert sum(map(bool, played)) == len(won)


@pytest.mark.parametrize("game", BASE_IDS)
def test_the_kept_line_of_every_variant_wins_it(game: str) -> None:
    kept = LINES[game]
    position = deal_deck(find_variant(game), parse_cards(kept["deck"]))
    for text in kept["line"].split():
        move = parse_move(text)
        assert format_move(move) == text
        position = play(position, move)
    assert is_won(position)


def test_a_line_is_kept_for_all_variants_and_no_other() -> None:
    assert list(LINES) == BASE_IDS
