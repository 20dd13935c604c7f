"""Where the cards lie: rank and suit of every card can be read, nothing overlaps, nothing lies outside the view."""

from itertools import product

import pytest
from playwright.async_api import Page

# The window, and what is left of it for the table beside bar, rivals and controls.
SIZES = {
    (320, 568): (312, 436),
    (360, 640): (352, 508),
    (640, 360): (540, 290),
    (1000, 700): (736, 560),
    (1920, 1080): (1640, 930),
}


@pytest.mark.parametrize("window", SIZES)
@pytest.mark.parametrize("wish", [{}, {"isMirrored": True}, {"form": "columns"}, {"form": "wings"}])
async def test_the_longest_piles_of_every_game_can_be_read(
    page: Page, files: str, window: tuple[int, int], wish: dict[str, object]
) -> None:
    await page.goto(f"{files}/tests/blank.html")
    width, height = SIZES[window]
    problems = await page.evaluate(
        "async ([width, height, wish]) => (await import('/tests/layout_check.js')).problemsAt(width, height, wish)",
        [width, height, wish],
    )
    assert problems == []


@pytest.mark.parametrize("box", [(300, 190), (420, 300), (640, 420)])
async def test_the_small_picture_of_every_game_holds_all_of_its_cards(
    page: Page, files: str, box: tuple[int, int]
) -> None:
    await page.goto(f"{files}/tests/blank.html")
    cut = await page.evaluate(
        "async ([width, height]) => (await import('/tests/layout_check.js')).cutOff(width, height)", list(box)
    )
    assert cut == []


@pytest.mark.parametrize("box", [(300, 300), (320, 180), (200, 120)])
async def test_a_table_too_small_for_a_game_is_laid_to_be_scrolled(
    page: Page, files: str, box: tuple[int, int]
) -> None:
    await page.goto(f"{files}/tests/blank.html")
    widths = await page.evaluate(
        "async ([width, height]) => (await import('/tests/layout_check.js')).widthsAt(width, height)", list(box)
    )
    assert len(widths) >= 23
    assert min(widths.values()) >= 24


async def test_on_a_phone_a_deal_reaches_well_below_the_middle(page: Page, files: str) -> None:
    await page.goto(f"{files}/tests/blank.html")
    reach = await page.evaluate("async () => (await import('/tests/layout_check.js')).reachAt(384, 720)")
    growing = {"klondike-draw1", "klondike-draw3"}
    assert {game: share for game, share in reach.items() if share < 0.6 and game not in growing} == {}


LAYOUTS: list[dict[str, object]] = [
    {"form": "columns"},
    {"form": "wings"},
    {"form": "columns", "isMirrored": True, "isLarge": True},
    {"form": "wings", "isMirrored": True, "isLarge": True},
]
COLOURS = [("dark", "two"), ("light", "four"), ("contrast", "two"), ("contrast", "four"), ("light", "two")]
EVERY_LOOK = [layout | {"theme": theme, "colours": colours} for layout, (theme, colours) in product(LAYOUTS, COLOURS)]


async def problems_of_tables(page: Page, files: str, window: tuple[int, int], looks: list[dict[str, object]]) -> int:
    """Draws every game in these looks and finds nothing wrong; how many open cards were looked at."""
    await page.goto(f"{files}/tests/blank.html")
    width, height = SIZES[window]
    found = await page.evaluate(
        "async ([width, height, looks]) =>"
        " (await import('/tests/table_check.js')).problemsOfTables(width, height, looks)",
        [width, height, looks],
    )
    assert found["problems"] == []
    looked: int = found["looked"]
    return looked


@pytest.mark.parametrize("window", [(320, 568), (1920, 1080)])
async def test_rank_and_suit_of_every_open_card_are_seen_where_they_are_drawn(
    page: Page, files: str, window: tuple[int, int]
) -> None:
    looked = await problems_of_tables(page, files, window, [EVERY_LOOK[0], EVERY_LOOK[-3]])
    assert looked > 1_500


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("window", SIZES)
async def test_rank_and_suit_of_every_open_card_are_seen_in_every_look(
    page: Page, files: str, window: tuple[int, int]
) -> None:
    looked = await problems_of_tables(page, files, window, EVERY_LOOK)
    assert looked > 15_000
