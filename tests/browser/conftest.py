"""One real Chromium for all browser tests of a worker, a fresh context for each test."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, async_playwright
from structlog.testing import capture_logs

from server.race import race as racing
from server.service import pairing
from tests.browser.chromium import ARGUMENTS, install_chromium
from tests.browser.site import serve_files
from tests.e2e.deals import committed
from tests.web.site import Site, serving

COUNTDOWN_MS = 1_200


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All browser tests share one event loop, as the browser is bound to it, and one worker."""
    for item in items:
        if "tests/browser" in str(item.path):
            if item.get_closest_marker("asyncio") is not None:
                item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def files() -> Iterator[str]:
    """The address of the client's files, without a contest."""
    with serve_files() as address:
        yield address


@pytest_asyncio.fixture(loop_scope="session")
async def site(redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Site]:
    """A whole server with a short countdown; what is logged as an error fails the test."""
    monkeypatch.setattr(racing, "COUNTDOWN_MS", COUNTDOWN_MS)
    monkeypatch.setattr(pairing, "COUNTDOWN_MS", COUNTDOWN_MS)
    with capture_logs() as logged:
        async with serving(redis_url, tmp_path, commands_per_second=10_000) as running:
            await committed(running)
            yield running
    assert [entry for entry in logged if entry["log_level"] in ("error", "critical")] == []


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
