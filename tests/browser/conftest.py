"""One real Chromium for all browser tests of a worker, a fresh context for each test."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from tests.browser.chromium import ARGUMENTS, install_chromium
from tests.browser.site import serve_files


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All browser tests share one event loop, as the browser is bound to it, and one worker."""
    for item in items:
        if "tests/browser" in str(item.path):
            if item.get_closest_marker("asyncio") is not None:
                item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    with serve_files() as address:
        yield address


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    chromium = install_chromium()
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield launched
        await launched.close()


@pytest_asyncio.fixture(loop_scope="session")
async def context(browser: Browser) -> AsyncIterator[BrowserContext]:
    fresh = await browser.new_context(viewport={"width": 1000, "height": 700}, locale="en-GB")
    yield fresh
    await fresh.close()


@pytest_asyncio.fixture(loop_scope="session")
async def page(context: BrowserContext) -> AsyncIterator[Page]:
    """A page whose errors fail the test."""
    errors: list[str] = []
    opened = await context.new_page()
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield opened
    assert errors == []
