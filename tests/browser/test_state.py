"""The reducer, in the browser: what is shown, what is on its way, and what remains after drops and refusals."""

from playwright.async_api import Page


async def test_every_story_of_the_reducer_ends_as_told(page: Page, files: str) -> None:
    await page.goto(f"{files}/tests/blank.html")
    told = await page.evaluate(
        """async () => {
            const { names, holds } = await import('/tests/state_check.js');
            return names().map((name) => [name, holds(name)]);
        }"""
    )
    assert len(told) >= 16
    assert [name for name, does_hold in told if not does_hold] == []
