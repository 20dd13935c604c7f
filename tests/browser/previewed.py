"""Makes `client/web/preview.png`, the picture that links show: a table as it is dealt, and the name."""

import asyncio
import base64
import tempfile
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from server.store.embedded import start_embedded
from server.web.previews import IMAGE_SIZE
from tests.browser.chromium import ARGUMENTS, install_chromium
from tests.browser.players import Guest
from tests.browser.site import WEB
from tests.web.site import Site, serving

TABLE = (700, 620)
SHEET = """<!doctype html><meta charset="utf-8"><style>
body { margin: 0; width: 1200px; height: 630px; display: flex; align-items: center; justify-content: space-between;
  overflow: hidden; background: #12382d; color: #eaf2ee; font-family: system-ui, sans-serif; }
div { padding-left: 60px; flex: none; }
svg { color: #f2b233; display: block; margin-bottom: 18px; }
b { font-size: 68px; letter-spacing: -0.02em; line-height: 1; }
p { font-size: 32px; line-height: 1.35; margin: 22px 0 0; color: #b3c7be; }
img { width: 660px; padding-right: 40px; }
</style><div><svg viewBox="0 0 24 24" width="84" height="84" fill="currentColor">
<path d="M2 21V6h4v3h4V6h4v3h4V6h4v15z"/></svg>
<b>Ramparts</b><p>Same cards.<br>Same clock.<br>Who is faster?</p></div>
<img alt="" src="data:image/png;base64,%s">"""


async def main() -> None:
    """Deals, looks, and lays the picture out."""
    with tempfile.TemporaryDirectory() as folder:
        valkey = start_embedded(Path(folder) / "valkey")
        try:
            async with serving(valkey.url, Path(folder)) as site, async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=install_chromium(), args=ARGUMENTS)
                page = await browser.new_page(viewport={"width": IMAGE_SIZE[0], "height": IMAGE_SIZE[1]})
                await page.set_content(SHEET % base64.b64encode(await _table(browser, site)).decode())
                await page.screenshot(path=WEB / "preview.png")
                await browser.close()
        finally:
            valkey.stop()


async def _table(browser: Browser, site: Site) -> bytes:
    settings = {"theme": "dark", "form": "wings"}
    guest = await Guest.come(
        browser,
        site,
        "/practice/beleaguered-castle:ms:11982",
        size=TABLE,
        settings=settings,
        device_scale_factor=2,
    )
    await guest.wait_for_table()
    taken = await guest.page.locator(".table").screenshot()
    await guest.context.close()
    return taken


if __name__ == "__main__":
    asyncio.run(main())
