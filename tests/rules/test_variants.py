from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from rules.deals import deal_deck, deck
from rules.errors import BadVariant, ContradictingOptions, MalformedText, UnknownOption, UnknownVariant
from rules.patches import contradiction, merge_patch
from rules.variants import (
    Variant,
    featured_variant,
    find_record,
    find_variant,
    make_variant,
    parse_variant_id,
    variants,
)

IDS = [variant.id for variant in variants()]
CONTRADICTING = {
    "citadel": [("aces-in-pack", "aces-in-pack-replaced")],
    "klondike-draw1": [("one-pass", "three-passes")],
    "klondike-draw3": [("one-pass", "three-passes")],
}


def test_the_family_comes_first_and_is_ranked() -> None:
    assert len(IDS) == 23
    assert [variant.id for variant in variants() if variant.ranked_by_default] == IDS[:18]
    assert featured_variant().id == IDS[0]
    assert IDS[18:] == ["king-albert", "bakers-game", "bisley", "somerset", "eight-off"]


@pytest.mark.parametrize("variant", variants(), ids=IDS)
def test_each_record_carries_a_source_and_neighbours_that_exist(variant: Variant) -> None:
    assert variant.sources
    assert variant.related
    assert set(variant.related) <= set(IDS) - {variant.id}


@pytest.mark.parametrize("variant", variants(), ids=IDS)
def test_each_option_makes_another_game(variant: Variant) -> None:
    for option in variant.options:
        changed = find_variant(f"{variant.id}+{option}")
        assert (changed.id, changed.base_id) == (f"{variant.id}+{option}", variant.id)
        assert changed != variant


@pytest.mark.parametrize("variant", variants(), ids=IDS)
def test_two_options_go_together_unless_they_contradict(variant: Variant) -> None:
    refused = []
    for pair in combinations(variant.options, 2):
        try:
            assert find_variant("+".join((variant.id, *pair))).id == "+".join((variant.id, *pair))
        except ContradictingOptions:
            refused.append(pair)
    assert refused == CONTRADICTING.get(variant.id, [])


def test_hidden_cards_are_known_from_the_record() -> None:
    hidden = [name for name in IDS if find_variant(name).has_hidden_cards]
    assert hidden == ["four-seasons", "klondike-draw1", "klondike-draw3"]
    assert not find_variant("klondike-draw1+thoughtful").has_hidden_cards


def test_options_come_out_sorted() -> None:
    assert find_variant("cruel+worry-back+bottom-first").id == "cruel+bottom-first+worry-back"
    assert find_variant("cruel+worry-back+bottom-first") is find_variant("cruel+bottom-first+worry-back")


@pytest.mark.parametrize(
    "text", ["", "Cruel", "cruel+", "+cruel", "cruel++relaxed", "cruel relaxed", "a" * 201, "cruel-"]
)
def test_what_is_no_variant_id_is_malformed(text: str) -> None:
    with pytest.raises(MalformedText):
        find_variant(text)


def test_an_option_named_twice_is_refused() -> None:
    with pytest.raises(MalformedText, match="named twice"):
        parse_variant_id("cruel+relaxed+relaxed")


def test_an_unknown_variant_is_refused_by_name() -> None:
    with pytest.raises(UnknownVariant, match="'tetris'"):
        find_variant("tetris")
    with pytest.raises(UnknownVariant):
        find_record("tetris")


def test_an_unknown_option_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownOption, match="it has: worry-back"):
        find_variant("fortress+relaxed")


def test_contradicting_options_are_refused_with_the_field() -> None:
    with pytest.raises(ContradictingOptions, match=r"one-pass, three-passes \(both set stock.passes\)"):
        find_variant("klondike-draw1+three-passes+one-pass")


def test_options_that_make_no_valid_record_together_are_refused() -> None:
    record = find_record("freecell")
    record["options"] = {
        "single": {"tableau": {"lift": "one", "lift_bound": "none"}},
        "no-bound": {"tableau": {"lift_bound": "none", "lift": "run"}},
        "few": {"cells": 1},
        "full": {"deal": {"steps": [{"to": "tableau", "sizes": [6] * 8}, {"to": "cells", "sizes": [1] * 4}]}},
    }
    assert make_variant(record, ["few"]).cells == 1
    assert make_variant(record, ["full"]).id == "freecell+full"
    with pytest.raises(ContradictingOptions, match="a cell holds one card"):
        make_variant(record, ["few", "full"])


def test_a_patch_merges_removes_and_replaces() -> None:
    target = {"a": {"b": 1, "c": 2}, "d": [1, 2], "e": "x"}
    assert merge_patch(target, {"a": {"b": None, "f": {"g": None, "h": 3}}, "d": [3], "e": {"i": 4}}) == {
        "a": {"c": 2, "f": {"h": 3}},
        "d": [3],
        "e": {"i": 4},
    }
    assert target == {"a": {"b": 1, "c": 2}, "d": [1, 2], "e": "x"}


@pytest.mark.parametrize(
    ("first", "second", "path"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 2}}, "a.b"),
        ({"a": {"b": 1}}, {"a": 2}, "a"),
        ({"a": None}, {"a": {"b": 1}}, "a"),
        ({"a": 1}, {"a": True}, "a"),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, None),
        ({"a": {"b": 1}}, {"a": {"c": 1}}, None),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2}]}, None),
    ],
)
def test_patches_contradict_when_they_set_one_field_differently(
    first: dict[str, Any], second: dict[str, Any], path: str | None
) -> None:
    assert contradiction(first, second) == path
    assert contradiction(second, first) == path


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("freecell", {"tablaeu": {}}, "tablaeu"),
    ("freecell", {"id": "Free Cell"}, "id"),
    ("freecell", {"name": None}, "name"),
    ("freecell", {"aka": "Cells"}, "aka"),
    ("freecell", {"decks": 5}, "decks"),
    ("freecell", {"decks": True}, "decks"),
    ("freecell", {"decks": 2}, "foundations"),
    ("freecell", {"cells": -1}, "cells"),
    ("freecell", {"cells": "4"}, "cells"),
    ("freecell", {"visible": "some"}, "visible"),
    ("freecell", {"tableau": None}, "tableau"),
    ("freecell", {"tableau": {"piles": 9}}, r"deal.steps\[0\].sizes"),
    ("freecell", {"tableau": {"build": "sideways"}}, "tableau.build"),
    ("freecell", {"tableau": {"match": "red"}}, "tableau.match"),
    ("freecell", {"tableau": {"wrap": 1}}, "tableau.wrap"),
    ("freecell", {"tableau": {"lift": "all"}}, "tableau.lift"),
    ("freecell", {"tableau": {"lift": "one"}}, "tableau.lift_bound"),
    ("freecell", {"tableau": {"space": "rank"}}, "tableau.space"),
    ("freecell", {"tableau": {"space": "10"}}, "tableau.space"),
    ("freecell", {"tableau": {"space": "auto-stock"}}, "tableau.space"),
    ("freecell", {"tableau": {"cap": 0}}, "tableau.cap"),
    ("freecell", {"tableau": {"colour": "red"}}, "tableau.colour"),
    ("freecell", {"foundations": []}, "foundations"),
    ("freecell", {"foundations": {"base": "1"}}, "foundations.base"),
    ("freecell", {"foundations": {"base": "dealt"}}, "foundations.wrap"),
    ("freecell", {"foundations": {"base": "dealt", "wrap": True}}, "foundations.base"),
    ("freecell", {"foundations": {"base": "5"}}, "foundations.wrap"),
    ("freecell", {"foundations": {"match": "color"}}, "foundations.match"),
    ("freecell", {"foundations": {"size": 12}}, "foundations"),
    ("freecell", {"foundations": {"start": "base"}}, "deal.set_aside"),
    ("freecell", {"foundations": {"unit": "complete-run"}}, "foundations.unit"),
    ("freecell", {"foundations": {"unit": "complete-run", "worry_back": True}}, "foundations.unit"),
    ("freecell", {"reserve": [4]}, "reserve"),
    ("freecell", {"stock": {"turn": 1}}, "stock"),
    ("freecell", {"redeal": {"packet": 4, "gather": "top-first", "shuffle": True}}, "redeal.shuffle"),
    ("freecell", {"redeal": {"packet": 4, "gather": "middle"}}, "redeal.gather"),
    ("freecell", {"deal": {"steps": []}}, "deal.steps"),
    ("freecell", {"deal": {"steps": [{"to": "tableau", "sizes": [7, 7, 7, 7, 6, 6, 6, 5]}]}}, "deal.steps"),
    ("freecell", {"deal": {"steps": [{"to": "tableau", "rest": True}]}}, r"deal.steps\[0\].rest"),
    ("freecell", {"deal": {"steps": [{"to": "hand", "sizes": [52]}]}}, r"deal.steps\[0\].to"),
    ("freecell", {"deal": {"set_aside": "A"}}, "deal.set_aside"),
    ("freecell", {"deal": {"set_aside_count": 2}}, "deal.set_aside_count"),
    ("freecell", {"deal": {"sink_mode": "swap"}}, "deal.sink_mode"),
    ("freecell", {"options": {"Bad Name": {"cells": 3}}}, "options"),
    ("freecell", {"options": {"renamed": {"name": "Other"}}}, "options.renamed"),
    ("freecell", {"options": {"nothing": {}}}, "options.nothing"),
    ("citadel", {"deal": {"set_aside": "K"}}, "deal.set_aside"),
    ("citadel", {"deal": {"steps": [{"to": "tableau", "sizes": [6] * 8, "replace": "A"}]}}, r"deal.steps\[0\].replace"),
    ("four-seasons", {"stock": {"turn": 0}}, "stock.turn"),
    ("four-seasons", {"stock": {"passes": 0}}, "stock.passes"),
    ("four-seasons", {"foundations": {"base": "A", "wrap": False}}, "foundations.base"),
    ("klondike-draw1", {"redeal": {"packet": 4, "gather": "top-first"}}, "redeal"),
    ("klondike-draw1", {"deal": {"sink": "K"}}, "deal.sink"),
    ("bisley", {"tableau": {"space": "base-1"}}, "tableau.space"),
    ("selective-castle", {"tableau": {"space": "base-1"}}, "tableau.space"),
]


@pytest.mark.parametrize(("base", "patch", "field"), BAD, ids=[f"{base} {patch}"[:60] for base, patch, _ in BAD])
def test_a_bad_record_is_refused_with_its_field(base: str, patch: dict[str, Any], field: str) -> None:
    with pytest.raises(BadVariant, match=rf"^{field}: ") as caught:
        make_variant(merge_patch(find_record(base), patch))
    assert caught.value.code == "bad_variant"


@pytest.mark.parametrize("record", [None, [], "freecell", 1, {}])
def test_what_is_no_record_is_refused(record: Any) -> None:
    with pytest.raises(BadVariant):
        make_variant(record)


def test_a_group_that_fails_in_a_list_is_named_by_its_number() -> None:
    record = find_record("bisley")
    record["foundations"][1]["base"] = "chosen-rank"
    record["foundations"][1]["wrap"] = True
    with pytest.raises(BadVariant, match="several groups"):
        make_variant(record)
    record["foundations"][1]["dir"] = "sideways"
    with pytest.raises(BadVariant, match=r"foundations\[1\].dir"):
        make_variant(record)


def test_a_new_record_needs_no_code() -> None:
    """Good Measure: ten piles of five, two aces up, kings at the bottom."""
    record = merge_patch(
        find_record("beleaguered-castle"),
        {
            "id": "good-measure",
            "name": "Good Measure",
            "options": None,
            "deal": {
                "set_aside_count": 2,
                "sink": "K",
                "sink_mode": "swap",
                "steps": [{"to": "tableau", "sizes": [5] * 10}],
            },
            "tableau": {"piles": 10, "space": "none"},
        },
    )
    position = deal_deck(make_variant(record), deck("ms", "1", 1))
    assert sum(map(len, position.foundations)) == 2
    kings = [pile.index(card) for pile in position.tableau for card in pile if card % 13 == 12]
    assert sorted(kings) == sorted(range_of_kings(position.tableau))


def range_of_kings(tableau: tuple[tuple[int, ...], ...]) -> list[int]:
    """Where kings lie when each pile has all of its own at the bottom."""
    return [place for pile in tableau for place in range(sum(card % 13 == 12 for card in pile))]


def test_a_copy_of_a_record_can_be_changed_without_changing_the_variant() -> None:
    find_record("freecell")["cells"] = 1
    assert find_variant("freecell").cells == 4
    assert find_record("freecell")["cells"] == 4


def test_variants_are_equal_by_what_they_say() -> None:
    assert make_variant(find_record("cruel")) == find_variant("cruel")
    assert hash(make_variant(find_record("cruel"))) == hash(find_variant("cruel"))
    assert make_variant(find_record("cruel"), ["relaxed"]) == find_variant("cruel+relaxed")
    assert find_variant("cruel") != "cruel"


def test_the_document_names_every_variant_with_its_options() -> None:
    text = (Path(__file__).parents[2] / "docs" / "variants.md").read_text("utf-8")
    for variant in variants():
        options = ", ".join(f"`{option}`" for option in variant.options)
        assert f"| `{variant.id}` | {options} |" in text
