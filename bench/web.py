"""What a move costs in the browser: from the input to the committed change of style, and the first view's time.

Chromium's own trace is read: the time between a pointer-up and the end of the work that it set off.
"""

import asyncio
import statistics
import tempfile
from pathlib import Path

from playwright.async_api import async_playwright

from tests.browser.chromium import ARGUMENTS, install_chromium
from tests.browser.players import Address, Guest
from tests.e2e.deals import won
from tests.processes import ServerProcess

GAME = "beleaguered-castle"
LARGEST = """() => new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
        .observe({ type: 'largest-contentful-paint', buffered: true });
})"""
WATCH = """() => {
    window.__moves = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
            if (entry.name === 'pointerup') window.__moves.push(entry.processingEnd - entry.startTime);
        }
    }).observe({ type: 'event', durationThreshold: 0, buffered: false });
}"""


async def measure(url: str) -> None:
    """Plays a whole game by taps and prints what the moves and the first view took."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=install_chromium(), args=ARGUMENTS)
        guest = await Guest.come(browser, Address(url))
        await guest.page.get_by_role("heading", name="Same cards").wait_for()
        await guest.page.wait_for_timeout(500)
        print(f"first view, cold cache: {await guest.page.evaluate(LARGEST):.0f} ms to its largest paint")
        await guest.context.close()
        guest = await Guest.come(
            browser, Address(url), f"/practice/{won(GAME).code}", settings={"oneTap": False, "motion": "on"}
        )
        await guest.wait_for_table()
        await guest.page.evaluate(WATCH)
        for move in won(GAME).line:
            await guest.play(move)
        await guest.page.wait_for_timeout(300)
        moves = sorted(await guest.page.evaluate("window.__moves"))
        share = sum(each < 16 for each in moves) / len(moves)
        print(
            f"{len(moves)} taps, input to committed style: median {statistics.median(moves):.1f} ms, "
            f"95th {moves[int(0.95 * len(moves))]:.1f} ms, under 16 ms: {100 * share:.1f} %"
        )
        await browser.close()


async def main() -> None:
    """Starts a server of its own and measures there."""
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder))
        await server.start()
        try:
            await measure(server.url)
        finally:
            await server.stop()


if __name__ == "__main__":
    asyncio.run(main())
