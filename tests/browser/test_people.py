"""People: strangers who are matched, a name on another device, two attempts side by side, a link as a picture."""

import asyncio
import base64

import zxingcpp
from playwright.async_api import Browser, Locator, Page, expect

from server.service.names import LENGTH_MAX
from tests.browser.players import Guest
from tests.browser.test_race import GAME
from tests.e2e.deals import won
from tests.web.site import Site

TABS = 60
SCAN = """async ([png, scale]) => {
    const bytes = Uint8Array.from(atob(png), (each) => each.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width * scale, bitmap.height * scale);
    const context = canvas.getContext('2d');
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let grey = '';
    for (let at = 0; at < data.length; at += 4)
        grey += String.fromCharCode((data[at] + data[at + 1] + data[at + 2]) / 3);
    return [btoa(grey), canvas.width, canvas.height];
}"""
"""The grey of each pixel of a picture."""


async def tab_to(page: Page, target: Locator) -> None:
    """Walks there by the Tab key, as who has no mouse does."""
    for _ in range(TABS):
        if await target.evaluate("(element) => element === document.activeElement"):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not lead to {target}")


async def press(page: Page, name: str, within: str = "body") -> None:
    """Presses a button that the Tab key leads to."""
    button = page.locator(within).get_by_role("button", name=name, exact=True)
    await expect(button).to_be_visible()
    await tab_to(page, button)
    await page.keyboard.press("Enter")


async def test_strangers_are_matched_and_race_by_keys_alone(browser: Browser, site: Site) -> None:
    game = won(GAME)
    site.deals.codes.append(game.code)
    one, other = [await Guest.come(browser, site, settings={"oneTap": False}) for _ in range(2)]
    for each in (one, other):
        await press(each.page, "Find an opponent")
    for each in (one, other):
        await each.wait_for_table()
    assert await one.shown() == await other.shown()
    for move in game.line:
        await one.press_move(move)
    await expect(one.page.locator(".ended")).to_contain_text("No. 1")
    await press(other.page, "More")
    await press(other.page, "Resign", ".menu")
    await press(other.page, "Resign", "dialog")
    await expect(one.page.locator(".headline-place")).to_have_text("No. 1")
    await expect(other.page.locator(".headline-place")).to_be_visible()
    await one.page.locator(".result a[href*=',']").click()
    await both_replays_keep_one_clock(one, won(GAME).positions[0].variant.cards)
    await one.leave()
    await other.leave()


async def both_replays_keep_one_clock(guest: Guest, cards: int) -> None:
    """The winner's table and the one of who resigned: both start from the deal; at the end one is empty."""
    page = guest.page
    await expect(page.locator(".replay-side")).to_have_count(2)

    async def up() -> list[int]:
        tables: list[int] = await page.locator(".replay-side .table").evaluate_all(
            "(tables) => tables.map((table) => table.querySelectorAll('.card[data-pile^=f]').length)"
        )
        return sorted(tables)

    await page.wait_for_selector(".card[data-card]")
    dealt = await up()
    assert dealt[0] == dealt[1] < cards
    await page.keyboard.press("End")
    await expect(page.locator(".bar .clock")).to_have_text(await page.locator(".bar-place").inner_text())
    assert await up() == [dealt[0], cards]
    await page.keyboard.press("Home")
    await expect(page.locator(".bar .clock")).to_have_text("0:00")
    assert await up() == dealt


async def test_a_name_that_is_too_long_is_refused_in_words_and_none_of_it_is_lost(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, "/settings")
    field = guest.page.get_by_label("Name").first
    await field.fill("R" * 64)
    await guest.page.get_by_role("button", name="Claim the name").click()
    await expect(guest.page.get_by_role("alert")).to_have_text("This name is too long: it can have 20 letters at most.")
    await expect(field).to_have_value("R" * 64)
    await field.fill("R")
    await expect(guest.page.get_by_role("alert")).to_have_count(0)
    await field.fill("R" * LENGTH_MAX)
    await guest.page.get_by_role("button", name="Claim the name").click()
    await expect(guest.page.get_by_text(f"You are {'R' * LENGTH_MAX}.")).to_be_visible()
    await guest.leave()


async def test_a_claimed_name_comes_back_on_another_device(browser: Browser, site: Site) -> None:
    first, second = [await Guest.come(browser, site, "/settings") for _ in range(2)]
    await first.page.get_by_label("Name").first.fill("Rook-Walker")
    await first.page.get_by_role("button", name="Claim the name").click()
    await expect(first.page.get_by_text("You are Rook-Walker.")).to_be_visible()
    code = await first.page.locator(".code-box .hash").inner_text()
    page = second.page
    await page.get_by_text("I have a name already").click()
    form = page.locator("details")
    await form.get_by_label("Name").fill("Rook-Walker")
    await form.get_by_label("Recovery code").fill("x" * len(code))
    await form.get_by_role("button", name="Come back").click()
    await expect(page.get_by_role("alert")).not_to_be_empty()
    await expect(page.get_by_text("You are Rook-Walker.")).to_have_count(0)
    await form.get_by_label("Recovery code").fill(code)
    await form.get_by_role("button", name="Come back").click()
    await expect(page.get_by_text("You are Rook-Walker.")).to_be_visible()
    await page.reload()
    await expect(page.get_by_text("You are Rook-Walker.")).to_be_visible()
    out = first.page.get_by_text("This device is signed out")
    await expect(out).to_be_visible()
    await first.go("/")
    await expect(out).to_be_visible()
    await expect(first.page.locator(".daily")).to_contain_text("This device’s player is not known any more.")
    await first.page.get_by_role("link", name="Recover the name").click()
    await expect(first.page.get_by_text("Other devices with this name are signed out then.")).to_be_visible()
    await expect(first.page.get_by_role("button", name="Delete me")).to_have_count(0)
    form = first.page.locator("details")
    await form.get_by_label("Name").fill("Rook-Walker")
    await form.get_by_label("Recovery code").fill(code)
    await form.get_by_role("button", name="Come back").click()
    await expect(first.page.get_by_text("You are Rook-Walker.")).to_be_visible()
    await expect(out).to_have_count(0)
    await second.page.get_by_role("button", name="Begin as a new guest").click()
    await expect(second.page.get_by_text(", a guest.")).to_be_visible()
    first.errors = [error for error in first.errors if "status of 4" not in error]
    second.errors = [error for error in second.errors if "status of 4" not in error]
    await first.leave()
    await second.leave()


async def test_the_picture_of_a_link_is_read_by_a_decoder(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, size=(390, 844))
    await guest.page.get_by_role("button", name="Make a link").click()
    link = await guest.page.locator("#link").input_value()
    picture = base64.b64encode(await guest.page.locator(".qr").screenshot()).decode()
    pixels, width, height = await guest.page.evaluate(SCAN, [picture, 2])
    grey = memoryview(base64.b64decode(pixels)).cast("B", (height, width))
    assert [found.text for found in zxingcpp.read_barcodes(grey)] == [link]
    await guest.leave()


async def test_a_crowd_of_finishers_does_not_drown_who_listens(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, f"/practice/{won(GAME).code}")
    await guest.wait_for_table()
    heard: list[str] = []
    await guest.page.expose_function("__heard", lambda said: heard.append(said))  # noqa: PLW0108 - Playwright marks it
    await guest.page.evaluate(
        """async () => {
            const said = () => document.getElementById('polite').textContent;
            new MutationObserver(() => said() && window.__heard(said()))
                .observe(document.getElementById('polite'), { childList: true, characterData: true, subtree: true });
            const { app } = await import(document.querySelector('script[type=module]').src);
            for (let number = 0; number < 100; number += 1) {
                app.sayNews(`${number} finished`);
                await new Promise((done) => setTimeout(done, 10));
            }
            app.say('the last word');
        }"""
    )
    async with asyncio.timeout(10):
        while "the last word" not in heard:
            await guest.page.wait_for_timeout(50)
    assert len(heard) <= 3, heard
    assert heard[0] == "0 finished"
    await guest.leave()
