"""Every page: nothing serious for axe, no text cut off by the window, and a way back with the keyboard."""

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped] # it has no types
from playwright.async_api import Browser, Page, Response, expect

from rules.cards import format_card
from rules.deals import deal, parse_deal_code, r1_seed
from server.service.dealing import PRACTICE
from tests.browser.players import Guest
from tests.browser.test_race import GAME, race_of_two
from tests.e2e.deals import won
from tests.web.site import Site, serving

PAGES = {
    "/": "Same cards",
    "/daily": "Today’s deals",
    "/practice": "Practice",
    "/boards": "Boards",
    "/archive": "Archive of dailies",
    "/me": "Statistics",
    "/games": "Games",
    "/games/beleaguered-castle": "Beleaguered Castle",
    "/settings": "Settings",
    "/about": "About",
    "/race/nothing-here": "This race can’t be opened",
}
GRAVE = ("serious", "critical")
FIRST_VIEW_MOST = 155_000
"""Bytes, heads and bodies as they are sent; what a service worker keeps for later comes after the view."""
ZOOMED = (640, 400)
"""A window of 1280 by 800 at 200 %."""
NARROW = (320, 568)
LOOKS = [((390, 844), "dark"), ((1440, 900), "light"), (ZOOMED, "dark"), (NARROW, "light")]
CUT = """() => {
    const name = (element) => `${element.tagName}.${element.className}: ${element.textContent.trim().slice(0, 40)}`;
    const scrolls = (element) => element && (['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
        || scrolls(element.parentElement));
    const cut = [];
    for (const element of document.querySelectorAll('#app *')) {
        if (!element.checkVisibility() || element.closest('svg, .unseen, .felt, .deck-still')) continue;
        const box = element.getBoundingClientRect();
        const isOut = box.width && (box.right > innerWidth + 1 || box.left < -1);
        if (isOut && getComputedStyle(element).position !== 'absolute' && !scrolls(element.parentElement))
            cut.push(`outside: ${name(element)}`);
        const hides = getComputedStyle(element).overflowX !== 'visible' && !scrolls(element);
        const isEllipsis = element.classList.contains('cut');
        if (hides && !isEllipsis && element.scrollWidth > element.clientWidth + 1) cut.push(`cut: ${name(element)}`);
        const isButton = element.matches('button, a.button');
        if (isButton && element.scrollWidth > element.clientWidth + 1) cut.push(`too wide: ${name(element)}`);
    }
    return cut;
}"""
"""Texts and buttons that lie outside the window or do not fit into their box; names may end in an ellipsis."""


async def grave_faults(page: Page) -> list[str]:
    """What axe calls serious or critical, by WCAG 2.2 AA."""
    options: dict[str, Any] = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    results = await Axe().run(page, options=options)
    return [
        f"{fault['id']}: {fault['help']}: {[node['html'][:160] for node in fault['nodes'][:3]]}"
        for fault in results.response["violations"]
        if fault["impact"] in GRAVE
    ]


async def faults(page: Page) -> list[str]:
    """What is wrong on this page, for axe and for who needs it large."""
    wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [*await grave_faults(page), *await page.evaluate(CUT), *(["it scrolls sideways"] if wide > 0 else [])]


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
async def test_every_page_has_no_serious_fault_and_fits_the_window(
    browser: Browser, site: Site, size: tuple[int, int], scheme: str
) -> None:
    guest = await Guest.come(browser, site, size=size, color_scheme=scheme)
    for path, heading in PAGES.items():
        await guest.go(path)
        await expect(guest.page.get_by_role("heading", name=heading).first).to_be_visible()
        await expect(guest.page.locator(".loading")).to_have_count(0)
        assert await faults(guest.page) == [], path
    await guest.leave()


@pytest.mark.parametrize(
    ("locale", "language", "date"),
    [("en-GB", "", "27 February 2026"), ("en-US", "", "February 27, 2026"), ("en-GB", "de", "27. Februar 2026")],
)
async def test_dates_are_written_as_in_the_region_of_the_browser_if_its_language_is_the_chosen_one(
    browser: Browser, site: Site, locale: str, language: str, date: str
) -> None:
    guest = await Guest.come(browser, site, "/daily/2026-02-27", locale=locale, settings={"language": language})
    await expect(guest.page.locator("main")).to_contain_text(date)
    guest.errors = [error for error in guest.errors if "status of 4" not in error]
    await guest.leave()


@pytest.mark.parametrize("path", ["/nope", "/players/x", "/boards/a/b"])
async def test_an_address_without_a_page_says_so_and_leads_home(browser: Browser, site: Site, path: str) -> None:
    guest = await Guest.come(browser, site, path)
    await expect(guest.page.get_by_role("heading", name="There is nothing here under this name.")).to_be_visible()
    await guest.page.get_by_role("link", name="Home", exact=True).click()
    await expect(guest.page.get_by_role("button", name="Make a link")).to_be_visible()
    await guest.leave()


@pytest.mark.parametrize("language", ["en", "de"])
async def test_on_a_phone_that_is_turned_the_head_of_a_page_is_one_row(
    browser: Browser, site: Site, language: str
) -> None:
    guest = await Guest.come(browser, site, "/about", size=(640, 360), settings={"language": language})
    head = await guest.page.locator(".head").bounding_box()
    assert head is not None
    assert head["height"] < 80
    assert await guest.page.evaluate(CUT) == []
    await guest.leave()


async def test_the_head_fits_a_small_phone_in_german_too(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, "/about", size=NARROW, settings={"language": "de"})
    await expect(guest.page.get_by_role("link", name="Ranglisten")).to_be_visible()
    assert await guest.page.evaluate(CUT) == []
    await guest.leave()


@pytest.mark.parametrize("size", [(390, 844), (700, 900), (640, 360), (1440, 900)])
async def test_who_watches_is_told_once_of_the_deal(browser: Browser, site: Site, size: tuple[int, int]) -> None:
    host, other = await race_of_two(browser, site)
    link = await host.when("Object.values(app.state.races)[0].state.link")
    watcher = await Guest.come(browser, site, f"/r/{link}", size=size)
    await expect(watcher.page.locator(".watching")).to_be_visible()
    told = watcher.page.locator(".bar-deal, .rail-deal").filter(visible=True)
    await expect(told).to_have_count(1)
    for each in (host, other, watcher):
        await each.leave()


async def test_the_dailies_of_a_day_that_no_calendar_has_are_said_to_be_of_no_day(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, "/daily/2026-02-30")
    await expect(guest.page.locator("main")).to_contain_text("No calendar has this day.")
    await expect(guest.page.locator("main")).to_contain_text("2026-02-30")
    await expect(guest.page.locator("main")).not_to_contain_text("March")
    await expect(guest.page.get_by_role("link", name="The day before")).to_have_count(0)
    guest.errors = [error for error in guest.errors if "status of 4" not in error]
    await guest.leave()


@pytest.mark.parametrize("path", ["/boards/day:2026-99-99:fortress:open", "/boards/month:2026-99:fortress:ranked"])
async def test_of_a_day_that_no_calendar_has_the_boards_say_that_it_is_not_there(
    browser: Browser, site: Site, path: str
) -> None:
    guest = await Guest.come(browser, site, path)
    await expect(guest.page.get_by_role("alert")).to_contain_text("There is nothing here under this name.")
    guest.errors = [error for error in guest.errors if "status of 4" not in error]
    await guest.leave()


@pytest.mark.parametrize("size", [(1440, 900), NARROW])
async def test_lobby_table_and_result_have_no_serious_fault(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    site.deals.codes.append(won(GAME).code)
    guest = await Guest.come(browser, site, size=size)
    await guest.page.get_by_role("button", name="Make a link").click()
    await guest.page.wait_for_selector(".lobby")
    assert await faults(guest.page) == []
    await guest.page.get_by_role("link", name="Give up the seat").click()
    host, other = await race_of_two(browser, site, size=size)
    assert await faults(host.page) == []
    for each in (host, other):
        await each.page.get_by_role("button", name="More").click()
        await each.page.get_by_role("button", name="Resign").click()
        await each.page.locator("dialog").get_by_role("button", name="Resign").click()
    await host.page.wait_for_selector(".chart .line")
    assert await faults(host.page) == []
    for each in (guest, host, other):
        await each.leave()


async def test_practice_from_home_deals_the_game_chosen_beside_the_number(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site)
    form = guest.page.get_by_role("form", name="Practice")
    await form.get_by_label("Game").select_option(label="Fortress")
    await form.get_by_label("Number or code").fill("11982")
    await form.get_by_role("button", name="Practise").click()
    await guest.wait_for_table()
    piles = deal(parse_deal_code("fortress:ms:11982")).piles
    assert await guest.shown() == [[format_card(card) for card in pile] for pile in piles]
    await guest.leave()


@pytest.mark.parametrize("typed", ["0", "-5", "9" * 21])
async def test_who_types_a_number_that_no_deal_has_is_told_what_numbers_there_are(
    browser: Browser, site: Site, typed: str
) -> None:
    guest = await Guest.come(browser, site, "/practice")
    await guest.page.get_by_label("Number or code").fill(typed)
    await guest.page.get_by_role("button", name="Deal").click()
    await expect(guest.page.get_by_text("Numbers begin at 1 and have at most 20 digits")).to_be_visible()
    await guest.leave()


async def test_practice_without_a_number_is_on_a_deal_that_can_be_won_and_says_so(
    browser: Browser, redis_url: str, tmp_path: Path
) -> None:
    seeds = [r1_seed(bytes([number] * 16)) for number in range(2 * PRACTICE.leave)]
    async with serving(redis_url, tmp_path, pooled=True) as site:
        for seed in seeds:
            await site.app.state.contest.store.pool.add("fortress", PRACTICE.grades[0], seed)
        guest = await Guest.come(browser, site)
        form = guest.page.get_by_role("form", name="Practice")
        await form.get_by_label("Game").select_option(label="Fortress")
        await form.get_by_role("button", name="Practise").click()
        await guest.wait_for_table()
        await expect(guest.page.locator(".bar-deal")).to_have_text("Certified winnable · difficulty 2 of 5")
        deals = [deal(parse_deal_code(f"fortress:r1:{seed}")).piles for seed in seeds]
        assert await guest.shown() in [[[format_card(card) for card in pile] for pile in piles] for piles in deals]
        await guest.leave()


async def test_deals_that_were_drawn_on_the_day_itself_are_told_once_and_what_that_means(
    browser: Browser, site: Site
) -> None:
    guest = await Guest.come(browser, site, "/daily")
    await guest.page.get_by_text("These deals were drawn on the day itself").click()
    await expect(guest.page.get_by_text("fingerprint of a deal is published the day before")).to_be_visible()
    klondike = guest.page.get_by_role("listitem").filter(has_text="Klondike (draw 1)")
    await expect(klondike).to_contain_text("no undo")
    await guest.leave()


async def test_a_board_says_in_the_language_of_the_page_what_its_rows_are_ordered_by(
    browser: Browser, site: Site
) -> None:
    guest = await Guest.come(browser, site, "/boards", locale="de-DE")
    await expect(guest.page.get_by_text("Wer fertig ist, nach Zeit")).to_be_visible()
    await guest.page.get_by_text("Woche", exact=True).click()
    await expect(guest.page.get_by_text("Die Punkte aller Tagesrennen")).to_be_visible()
    await guest.leave()


async def test_boards_are_there_for_who_has_no_name_yet_and_asks_for_no_row_of_theirs(
    browser: Browser, site: Site
) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.route_web_socket("**/*", lambda _: None)
    await page.goto(f"{site.http}/boards")
    await expect(page.get_by_text("Finishers by time")).to_be_visible()
    assert [url for url in asked if "/api/v1/boards/" in url]
    assert not [url for url in asked if "around=me" in url]
    await context.close()


async def test_a_page_in_german_has_no_english(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, locale="de-DE")
    await expect(guest.page.get_by_role("heading", name="Gleiche Karten")).to_be_visible()
    assert await guest.page.evaluate("document.documentElement.lang") == "de"
    await guest.leave()


async def test_a_browser_that_knows_nothing_fetches_little_for_the_first_view(browser: Browser, site: Site) -> None:
    fresh = await browser.new_context()
    page = await fresh.new_page()
    loads: list[Response] = []
    page.on("response", lambda response: loads.append(response))  # noqa: PLW0108 - Playwright marks it
    await page.goto(site.http)
    await expect(page.get_by_role("heading", name="Same cards")).to_be_visible()
    await page.wait_for_load_state("networkidle")
    sizes = [await each.request.sizes() for each in loads]
    await fresh.close()
    received = sum(each["responseBodySize"] + each["responseHeadersSize"] for each in sizes)
    assert 100_000 < received < FIRST_VIEW_MOST
