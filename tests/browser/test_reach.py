"""Said exactly and only when true: that no card can get to a foundation any more."""

import random
from collections import Counter, deque
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from rules.deals import deal, parse_deal_code
from rules.moves import is_blocked, legal_moves, parse_move, play
from rules.positions import Position, decode_position, encode_position, view
from rules.variants import find_variant
from tests.browser.players import Guest
from tests.browser.test_rules import ask
from tests.web.site import Site

GAMES = ("beleaguered-castle", "fortress", "brigade", "cruel", "freecell", "king-albert", "wildflower", "bisley")
MOST = 2_000


def up(position: Position) -> Counter[int]:
    """How often each card lies on the foundations."""
    tables = position.variant.tables
    return Counter(
        card for name, pile in zip(tables.names, position.piles, strict=True) if name[0] == "f" for card in pile
    )


def further_card_up(position: Position) -> tuple[str, int]:
    """Python's own answer, position by position without regard to which are alike; and at which distance."""
    before = up(position)
    waiting, seen = deque([(position, 0)]), {position}
    while waiting:
        here, steps = waiting.popleft()
        for move in legal_moves(here):
            after = play(here, move)
            if up(after) - before:
                return "open", steps + 1
            if after in seen:
                continue
            if len(seen) >= MOST:
                return "unknown", steps
            seen.add(after)
            waiting.append((after, steps + 1))
    return "shut", 0


def late_positions(variant: str, games: int) -> list[Position]:
    """Where random games have come to after a while; few of them can be won."""
    found = []
    for number in range(games):
        code = f"{variant}:ms:{300 + number}"
        chance = random.Random(code)
        position = deal(parse_deal_code(code))
        for _ in range(chance.randrange(12, 60)):
            moves = legal_moves(position)
            if not moves:
                break
            position = play(position, chance.choice(moves))
        found.append(position)
    return found


def wire(position: Position, most: int | None = None) -> dict[str, Any]:
    return {"variant": position.variant.id, "position": encode_position(view(position)), "most": most}


async def test_the_page_says_what_an_independent_search_says(page: Page, files: str) -> None:
    positions = [position for game in GAMES for position in late_positions(game, 8)]
    here = [further_card_up(position) for position in positions]
    there = await ask(page, files, "reaches", [wire(position) for position in positions])
    assert {"open", "shut"} <= {word for word, _ in here}
    assert max(steps for word, steps in here if word == "open") >= 3
    told = [
        (one, other)
        for (one, _), other in zip(here, there, strict=True)
        if one != other and "unknown" not in (one, other)
    ]
    assert told == []
    assert sum("shut" in pair for pair in zip(there, (word for word, _ in here), strict=True)) >= 10


def castle(*tableau: str) -> Position:
    """Beleaguered Castle with the black suits and the red aces up, and these piles, bottom first."""
    foundations = [[f"{rank}{suit}" for rank in "A23456789TJQK"] for suit in "CS"] + [["AH"], ["AD"]]
    encoded = {"tableau": [pile.split() for pile in tableau], "foundations": foundations}
    return decode_position(find_variant("beleaguered-castle"), encoded)


SHUT = castle(
    "2H TH 9D", "2D TD", "4H 6H 8H 9H KH", "JH QH 3D 4D KD", "5D 6D 7H", "8D 5H", "JD 3H", "QD 7D"
)  # fmt: skip
"""The 9♦ can go to and fro between the red tens for ever, and nothing else can move."""
FAR = castle(
    "2H TH 9D", "2D TD", "4H 6H 9H KH 8H", "JH QH 3D KD 4D 7D", "5D 6D 7H", "8D 5H", "JD 3H", "QD"
)  # fmt: skip
"""7♦ to the 8♥, 3♥ to the 4♦, 10♦ to the J♦, 2♦ up."""


async def test_a_card_that_goes_to_and_fro_for_ever_is_no_way_up(page: Page, files: str) -> None:
    assert not is_blocked(SHUT)
    assert further_card_up(SHUT) == ("shut", 0)
    assert await ask(page, files, "reaches", [wire(SHUT)]) == ["shut"]


async def test_a_way_up_at_the_end_of_a_shuffle_is_seen(page: Page, files: str) -> None:
    assert further_card_up(FAR) == ("open", 4)
    assert await ask(page, files, "reaches", [wire(FAR)]) == ["open"]


async def test_what_was_not_looked_at_to_the_end_is_not_told(page: Page, files: str) -> None:
    wide = deal(parse_deal_code("streets-and-alleys:ms:27"))
    assert further_card_up(wide)[0] == "unknown"
    assert await ask(page, files, "reaches", [wire(SHUT, 1), wire(wide)]) == ["unknown", "unknown"]


async def test_cards_that_lie_face_down_change_nothing_in_the_answer(page: Page, files: str) -> None:
    games = [position for game in ("klondike-draw1", "four-seasons") for position in late_positions(game, 6)]
    seen = [wire(position) for position in games]
    known = [one | {"position": encode_position(position)} for one, position in zip(seen, games, strict=True)]
    assert known != seen
    told = await ask(page, files, "reaches", seen)
    assert await ask(page, files, "reaches", known) == told
    turning = deal(parse_deal_code("klondike-draw1:ms:2"))
    assert await ask(page, files, "reaches", [wire(turning)]) != ["shut"]


async def test_the_player_is_told_after_the_move_and_no_longer_after_an_undo(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, "/practice/beleaguered-castle:ms:6", settings={"oneTap": False})
    await guest.wait_for_table()
    position = deal(parse_deal_code("beleaguered-castle:ms:6"))
    told = guest.page.locator(".blocked")
    for text in ("t4-t1", "t2-t4"):
        await expect(told).to_have_count(0)
        position = play(position, parse_move(text))
        await guest.play(parse_move(text))
    assert further_card_up(position)[0] == "shut"
    await expect(told).to_have_text("No card can get to a foundation from here. Undo or restart.")
    await guest.page.keyboard.press("z")
    await expect(told).to_have_count(0)
    await guest.page.wait_for_timeout(1_500)
    await expect(told).to_have_count(0)
    await guest.leave()


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("fortress:ms:21", "No card can get to a foundation from here."),
        ("beleaguered-castle:ms:18", "No card can move."),
    ],
)
async def test_who_has_played_nothing_is_not_sent_back(browser: Browser, site: Site, code: str, told: str) -> None:
    guest = await Guest.come(browser, site, f"/practice/{code}")
    await guest.wait_for_table()
    await expect(guest.page.locator(".blocked")).to_have_text(told)
    await guest.leave()
