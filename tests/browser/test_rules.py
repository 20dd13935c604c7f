"""The rules in the browser say what Python's say, on every variant and option; the numberings keep to the vectors."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page

from rules.cards import format_card
from rules.collect import full_collect, safe_collect
from rules.deals import deal, deck, parse_deal_code
from rules.moves import Move, format_move, is_blocked, legal_moves, play, refusal
from rules.positions import encode_position, turned, view
from rules.variants import find_record, find_variant, variants

DATA = Path(__file__).parent.parent / "rules" / "data"
EVERY_ID = [
    variant_id
    for variant in variants()
    for variant_id in (variant.id, *(f"{variant.id}+{option}" for option in find_record(variant.id).get("options", {})))
]


async def ask(page: Page, files: str, check: str, argument: object) -> Any:
    """What a check of `pages/rules_check.js` answers."""
    await page.goto(f"{files}/tests/blank.html")
    script = f"async (argument) => (await import('/tests/rules_check.js')).{check}(argument)"
    return await page.evaluate(script, argument)


def random_game(code: str, plies: int) -> dict[str, Any]:
    """A random playout with everything that the rules say on the way."""
    chance = random.Random(code)
    position = deal(parse_deal_code(code))
    names = [name for name in position.variant.tables.names if name != "s"]
    game: list[dict[str, Any]] = []
    for _ in range(plies):
        moves = legal_moves(position)
        if not moves:
            break
        tried = [Move(chance.choice(names), chance.choice(names), chance.choice((1, 1, 1, 2, 3))) for _ in range(12)]
        hidden = position.variant.has_hidden_cards
        move = chance.choice(moves)
        after = play(position, move)
        news = [{"pile": pile, "cards": [format_card(c) for c in cards]} for pile, cards in turned(position, after)]
        game.append(
            {
                "position": encode_position(position),
                "view": encode_position(view(position)) if hidden else None,
                "legal": sorted(map(format_move, moves)),
                "blocked": is_blocked(position),
                "refusals": {format_move(each): refusal(position, each) for each in tried},
                "safe": [format_move(each) for each in safe_collect(position)],
                "full": [format_move(each) for each in full_collect(position)],
                "move": format_move(move),
                "turned": news if hidden else None,
            }
        )
        position = after
    return {"deal": code, "plies": game}


async def test_decks_are_shuffled_as_in_python(page: Page, files: str) -> None:
    seeds = ["ms:1", "ms:617", "ms:2147483647", "pysol:31999", "pysol:32000", "pysol:1234567890123"]
    seeds += ["pysol:100000000000000000000", "r1:aaaaaaaaaaaaaaaaaaaaaaaaaa", "r1:7xk2mzq4h5c6b3a2lqwertyui4"]
    decks = {
        f"{generator}:{seed}:{count}": " ".join(map(format_card, deck(generator, seed, count)))
        for generator, seed in (text.split(":") for text in seeds)
        for count in (1, 2)
    }
    assert await ask(page, files, "checkDecks", decks) == []


async def test_decks_keep_to_the_outside_numberings(page: Page, files: str) -> None:
    facts = json.loads((DATA / "deals.json").read_text())
    decks = {f"{key}:{count}": cards for count in (1, 2) for key, cards in facts[f"decks_{count}"].items()}
    assert await ask(page, files, "checkDecks", decks) == []


async def test_every_variant_and_option_is_dealt_as_in_python(page: Page, files: str) -> None:
    codes = [
        f"{variant_id}:{seed}" for variant_id in EVERY_ID for seed in ("ms:1", "ms:31999", "pysol:98765432109876543")
    ]
    deals = {code: encode_position(deal(parse_deal_code(code))) for code in codes}
    assert await ask(page, files, "checkDeals", deals) == []


async def test_positions_of_random_games_are_as_in_python(page: Page, files: str) -> None:
    games = [random_game(f"{each}:ms:{number}", 24) for number, each in enumerate(EVERY_ID, 1)]
    assert sum(len(game["plies"]) for game in games) >= 1_200
    assert await ask(page, files, "checkGames", games) == []


@pytest.mark.slow
@pytest.mark.timeout(1_800)
async def test_ten_thousand_positions_of_random_games_are_as_in_python(page: Page, files: str) -> None:
    codes = [f"{each}:{seed}" for each in EVERY_ID for seed in ("ms:3", "ms:11982", "pysol:32123")]
    games = [random_game(code, 80) for code in codes]
    assert sum(len(game["plies"]) for game in games) >= 10_000
    for start in range(0, len(games), 20):
        assert await ask(page, files, "checkGames", games[start : start + 20]) == []


@pytest.mark.parametrize("code", ["klondike-draw3:ms:5", "four-seasons:ms:8"])
async def test_a_view_hides_what_lies_face_down(page: Page, files: str, code: str) -> None:
    variant = find_variant(code.split(":", maxsplit=1)[0])
    assert variant.has_hidden_cards
    assert await ask(page, files, "checkGames", [random_game(code, 200)]) == []
