"""What is said after an attempt: of a win, of one that built nothing, of a practice; and what a day's times come to."""

import asyncio
from pathlib import Path

from playwright.async_api import Browser, Page, Route, expect

from server.race.daily import Daily, day_of, format_day
from tests.browser.filled import GAME, Past, id_of
from tests.browser.players import Guest
from tests.browser.test_race import race_of_two
from tests.e2e.deals import committed, numbered, won
from tests.e2e.times import forward_to, now_ms
from tests.web.site import Site, serving

CHART_OF_TWELVE = """async () => {
    const { chartOf } = await import('/js/play/chart.js');
    const { render } = await import('/vendor/lit-html/lit-html.js');
    const at = (atMs, cards) => ({ atMs, cards, position: { variant: { cards: 52 } } });
    const attempts = Array.from({ length: 12 }, (_, n) => ({
        replay: { player: { id: `${n}`, name: `Player ${n}` }, cards: n, at_ms: 1000, end: 'resigned', end_ms: 2000 },
        steps: [at(0, 0), at(1000, n)],
    }));
    render(chartOf(attempts, '11'), document.body);
    const looks = (selector) => [...document.querySelectorAll(selector)].map((line) => {
        const { stroke, strokeDasharray } = getComputedStyle(line);
        return [stroke, strokeDasharray];
    });
    return { lines: looks('.chart polyline'), legend: looks('.legend line') };
}"""
"""Colour and dashes of the lines and of what stands for them in the legend, mine last."""


async def end(guest: Guest, button: str) -> None:
    """Ends the attempt by the menu."""
    await guest.page.get_by_role("button", name="More").click()
    await guest.page.get_by_role("button", name=button).click()
    await guest.page.locator("dialog .is-main, dialog .is-danger").first.click()


async def test_a_daily_that_built_nothing_says_at_once_why_it_has_no_place(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site)
    await guest.page.get_by_role("link", name="Play today’s deal").click()
    await guest.wait_for_table()
    await end(guest, "Resign")
    day = guest.page.get_by_role("region", name="How the day has gone")
    await expect(day).to_contain_text("No place. You brought no card to the foundations.")
    await expect(day).not_to_contain_text("as soon as")
    await expect(guest.page.locator(".figures")).to_contain_text("Moves0")
    await expect(guest.page.locator(".figures")).not_to_contain_text("Best reached")
    await guest.go("/")
    await expect(guest.page.get_by_role("link", name="See your result")).to_be_visible()
    await guest.leave()


async def test_a_daily_that_has_built_is_promised_its_place_as_long_as_that_is_not_known(
    browser: Browser, redis_url: str, tmp_path: Path
) -> None:
    is_known = asyncio.Event()

    async def answer(route: Route) -> None:
        await is_known.wait()
        await route.continue_()

    async with serving(redis_url, tmp_path, [won(GAME).code]) as site:
        await committed(site)
        guest = await Guest.come(browser, site, settings={"oneTap": False})
        await guest.page.route("**/result", answer)
        await guest.page.get_by_role("link", name="Play today’s deal").click()
        await guest.wait_for_table()
        await guest.play(won(GAME).line[0])
        await end(guest, "Resign")
        day = guest.page.get_by_role("region", name="How the day has gone")
        await expect(day).to_contain_text("Your place shows as soon as the board has it.")
        is_known.set()
        await expect(day).to_contain_text("No. 1 of 1")
        await guest.leave()


async def test_dailies_played_on_another_device_are_marked_on_home_and_among_the_dailies(
    browser: Browser, site: Site
) -> None:
    past = Past(site)
    first = await Guest.come(browser, site)
    me = await id_of(first)
    result = {"end": "finished", "end_ms": 65_500, "cards": 52, "at_ms": 65_500}
    await past.played(me, Daily(past.today, GAME), **result)
    await past.contest.open(me, Daily(past.today, "citadel").race_id)
    token = await first.page.evaluate("localStorage.getItem('ramparts.token')")
    other = await Guest.come(browser, site, "/about")
    assert await id_of(other) != me
    await other.page.evaluate("(token) => localStorage.setItem('ramparts.token', token)", token)
    await other.go("/")
    daily = other.page.get_by_role("region", name="Today’s daily")
    await expect(daily).to_contain_text("Finished in 1:05.5.")
    await expect(daily.get_by_role("link", name="See your result")).to_be_visible()
    await expect(daily.get_by_role("link", name="Citadel: your attempt is running")).to_be_visible()
    await expect(daily.get_by_role("link", name="Stronghold", exact=True)).to_be_visible()
    await other.go("/daily")
    for name, state, way in (
        ("Beleaguered Castle", "finished in 1:05.5", "Result"),
        ("Citadel", "your attempt is running", "Back to it"),
        ("Fortress", "Open", "Play"),
    ):
        tile = other.page.locator(".tile", has=other.page.get_by_role("heading", name=name, exact=True))
        await expect(tile).to_contain_text(state)
        await expect(tile.get_by_role("link", name=way)).to_be_visible()
    await first.leave()
    await other.leave()


async def test_an_attempt_that_runs_on_past_midnight_is_led_back_to(browser: Browser, site: Site) -> None:
    past = Past(site)
    guest = await Guest.come(browser, site)
    yesterday = Daily(past.today, GAME)
    forward_to(site, yesterday.last_start_ms - 60_000)
    await past.contest.open(await id_of(guest), yesterday.race_id)
    forward_to(site, yesterday.last_start_ms + 60_000)
    await guest.go(f"/daily/{format_day(yesterday.day)}")
    tile = guest.page.locator(".tile", has=guest.page.get_by_role("heading", name="Beleaguered Castle", exact=True))
    await expect(tile).to_contain_text("your attempt is running")
    await expect(tile.get_by_role("link", name="Back to it")).to_be_visible()
    await guest.leave()


async def test_a_practice_has_no_place_and_leads_to_its_replay_and_to_par(browser: Browser, site: Site) -> None:
    game = numbered()
    guest = await Guest.come(browser, site, f"/practice/{game.code}", settings={"oneTap": False})
    page = guest.page
    await guest.wait_for_table()
    for move in game.line:
        await guest.press_move(move)
    await expect(page.locator(".headline-place")).to_have_text("Won")
    await expect(page.locator(".headline")).to_contain_text("Practice has no places.")
    await expect(page.get_by_role("heading", name="Results")).to_have_count(0)
    par = page.get_by_role("link", name="Compare with par")
    await expect(par).to_have_accessible_description("Par is the fewest moves that win this deal.")
    await page.get_by_role("link", name="Watch the replay").click()
    await expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    await guest.leave()


async def test_who_leads_is_told_so_and_who_is_alone_is_compared_with_nobody(page: Page, files: str) -> None:
    assert await said(page, files, "[100, null, 99.96, 0.4].map((percent) => day.comparedWords(percent, false))") == [
        "Ahead of everybody so far.",
        "So far nobody else has a place.",
        "Better than 99 % of all others.",
        "",
    ]


async def test_most_times_are_more_than_half_of_them_in_the_fewest_neighbours(page: Page, files: str) -> None:
    counts = "[[5], [1, 4, 1], [2, 3, 3, 2, 0], [1, 0, 0, 1], [3, 0, 3, 4]]"
    script = f"{counts}.map((all) => day.mostOf(all.map((count, at) => ({{ count, at }}))).map(({{ at }}) => at))"
    assert await said(page, files, script) == [[0], [1], [1, 2], [0, 1, 2, 3], [2, 3]]


async def test_twelve_lines_of_a_chart_can_be_told_apart(page: Page, files: str) -> None:
    await page.goto(f"{files}/tests/blank.html")
    await page.add_style_tag(url=f"{files}/css/base.css")
    await page.add_style_tag(url=f"{files}/css/race.css")
    drawn = await page.evaluate(CHART_OF_TWELVE)
    lines, legend = drawn["lines"], drawn["legend"]
    assert len({tuple(look) for look in lines}) == 12
    assert lines == legend


async def said(page: Page, files: str, script: str) -> object:
    """What a script comes to over the module of a day's result."""
    await page.goto(f"{files}/tests/blank.html")
    told: object = await page.evaluate(f"import('/js/play/dailyresult.js').then((day) => {script})")
    return told


async def test_a_chart_whose_replays_could_not_be_reached_is_drawn_once_the_connection_is_back(
    browser: Browser, site: Site
) -> None:
    host, other = await race_of_two(browser, site)
    refused = asyncio.Event()

    async def refuse(route: Route) -> None:
        await route.abort()
        refused.set()

    await host.context.route("**/replay", refuse)
    for each in (host, other):
        await end(each, "Resign")
    await expect(host.page.get_by_role("heading", name="Results")).to_be_visible()
    await refused.wait()
    await host.context.unroute("**/replay")
    await host.drop()
    await expect(host.page.locator(".chart polyline")).to_have_count(2)
    await host.leave()
    await other.leave()


async def test_a_day_that_has_not_opened_is_called_by_its_date_and_leads_to_no_race_yet(
    browser: Browser, site: Site
) -> None:
    tomorrow = format_day(day_of(now_ms(site)) + 1)
    guest = await Guest.come(browser, site, f"/daily/{tomorrow}")
    await expect(guest.page.locator(".tile").first).to_contain_text("Not open yet")
    await expect(guest.page.get_by_role("heading", level=1)).to_contain_text(tomorrow[:4])
    await expect(guest.page.locator(".tile a")).to_have_count(0)
    await guest.leave()
