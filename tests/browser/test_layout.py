"""Where the cards lie: rank and suit of every card can be read, nothing overlaps, nothing lies outside the view."""

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
