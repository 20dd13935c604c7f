"""Coming to a race, going away from it, being removed: nobody is lost, and everyone is told."""

from playwright.async_api import Browser, expect

from tests.browser.players import Guest
from tests.browser.test_race import GAME, race_of_two
from tests.e2e.deals import Won, won
from tests.web.site import Site


async def lobby_of_two(browser: Browser, site: Site) -> tuple[Guest, Guest]:
    """A private race that nobody is ready for: the host and a guest who came by the link."""
    host = await Guest.come(browser, site)
    await host.page.get_by_role("button", name="Make a link").click()
    link = await host.page.locator("#link").input_value()
    guest = await Guest.come(browser, site, link.removeprefix(site.http))
    await expect(guest.page.locator(".seat:not(.is-free)")).to_have_count(2)
    return host, guest


async def test_the_ready_button_stays_where_it_is_when_somebody_sits_down(browser: Browser, site: Site) -> None:
    host = await Guest.come(browser, site)
    await host.page.get_by_role("button", name="Make a link").click()
    link = await host.page.locator("#link").input_value()
    button = host.page.get_by_role("button", name="I’m ready")
    before = await button.bounding_box()
    guest = await Guest.come(browser, site, link.removeprefix(site.http))
    await expect(host.page.locator(".seat:not(.is-free)")).to_have_count(2)
    assert await button.bounding_box() == before
    await host.leave()
    await guest.leave()


async def test_who_is_removed_is_told_why_and_led_home(browser: Browser, site: Site) -> None:
    host, guest = await lobby_of_two(browser, site)
    await host.page.get_by_role("button", name="Remove").click()
    await host.page.locator("dialog").get_by_role("button", name="Remove").click()
    for _ in range(2):
        await expect(guest.page.get_by_role("heading", name="You are not in this race any more")).to_be_visible()
        await expect(guest.page.locator(".note")).to_contain_text("The host has removed you")
        await expect(guest.page.locator(".lobby")).to_have_count(0)
        await guest.page.reload()
    await guest.page.get_by_role("link", name="Home").click()
    await expect(guest.page.get_by_role("heading", name="Same cards")).to_be_visible()
    await expect(guest.page.locator(".is-live")).to_have_count(0)
    await expect(host.page.locator(".seat:not(.is-free)")).to_have_count(1)
    await host.leave()
    await guest.leave()


async def test_leaving_a_race_asks_once_and_every_page_leads_back(browser: Browser, site: Site) -> None:
    game = won(GAME)
    site.deals.codes.append(game.code)
    host, guest = await race_of_two(browser, site, oneTap=False)
    await host.play(game.line[0])
    shown = await host.shown()
    page = host.page
    table = page.url
    await page.go_back()
    await page.locator("dialog").get_by_role("button", name="Keep playing").click()
    assert page.url == table
    await page.get_by_role("link", name="Leave the table").click()
    await page.locator("dialog").get_by_role("button", name="Keep playing").click()
    assert await host.shown() == shown
    await page.get_by_role("link", name="Leave the table").click()
    await page.locator("dialog").get_by_role("button", name="Leave").click()
    await expect(page.get_by_role("heading", name="Same cards")).to_be_visible()
    for name in ("Boards", "Games"):
        await page.locator("nav").get_by_role("link", name=name).click()
        await expect(page.get_by_role("heading", name=name).first).to_be_visible()
        await expect(page.locator(".is-live")).to_contain_text("You are in a race")
    await page.goto(f"{site.http}/about")
    await page.get_by_role("link", name="Back to the race").click()
    await host.wait_for_table()
    assert await host.shown() == shown
    await page.get_by_role("link", name="Settings").click()
    await expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    await page.go_back()
    await host.wait_for_table()
    await host.leave()
    await guest.leave()


async def test_being_ready_is_a_switch_that_keeps_its_name(browser: Browser, site: Site) -> None:
    host, guest = await lobby_of_two(browser, site)
    ready = host.page.get_by_role("button", name="I’m ready", exact=True)
    await expect(ready).to_have_attribute("aria-pressed", "false")
    await ready.click()
    await expect(ready).to_have_attribute("aria-pressed", "true")
    await ready.click()
    await expect(ready).to_have_attribute("aria-pressed", "false")
    await host.leave()
    await guest.leave()


async def test_who_looks_elsewhere_is_brought_to_the_countdown(browser: Browser, site: Site) -> None:
    host, guest = await lobby_of_two(browser, site)
    await host.page.get_by_role("button", name="I’m ready").click()
    await host.page.evaluate("history.pushState(null, '', '/games'), dispatchEvent(new PopStateEvent('popstate'))")
    await expect(host.page.locator(".is-live")).to_contain_text("You have a seat")
    await guest.page.get_by_role("button", name="I’m ready").click()
    await host.wait_for_table()
    await guest.wait_for_table()
    assert await host.shown() == await guest.shown()
    await host.leave()
    await guest.leave()


async def test_who_has_lost_the_connection_is_marked_away_until_back(browser: Browser, site: Site) -> None:
    host, guest = await race_of_two(browser, site)
    rival = host.page.locator(".rival:not(.is-me)")
    await expect(rival).not_to_contain_text("away")
    path = guest.page.url.removeprefix(site.http)
    await guest.go("/healthz")
    await expect(rival).to_contain_text("away")
    await guest.go(path)
    await guest.wait_for_table()
    await expect(rival).not_to_contain_text("away")
    await host.leave()
    await guest.leave()


async def watcher_of(browser: Browser, site: Site, host: Guest) -> Guest:
    """Somebody who comes by the address of the host's race when all its seats are taken."""
    return await Guest.come(browser, site, host.page.url.removeprefix(site.http))


async def watched_race(browser: Browser, site: Site) -> tuple[Won, Guest, Guest, Guest]:
    """A private race on a known deal that has started: its game, its host and guest, and who watches it."""
    game = won(GAME)
    site.deals.codes.append(game.code)
    host, guest = await race_of_two(browser, site, oneTap=False)
    watcher = await watcher_of(browser, site, host)
    await expect(watcher.page.locator(".watching")).to_be_visible()
    return game, host, guest, watcher


async def test_a_watcher_of_a_private_race_goes_on_watching_after_a_drop(browser: Browser, site: Site) -> None:
    game, host, guest, watcher = await watched_race(browser, site)
    cards = watcher.page.locator(".rival-cards")
    await expect(cards).to_have_text(["4", "4"])
    await watcher.drop()
    for move in game.line[:20]:
        await host.press_move(move)
    await expect(cards).not_to_have_text(["4", "4"])
    await watcher.page.get_by_role("link", name="Settings").click()
    await expect(watcher.page.get_by_role("heading", name="Settings")).to_be_visible()
    before = await cards_of(host)
    for move in game.line[20:40]:
        await host.press_move(move)
    await watcher.page.go_back()
    assert await cards_of(host) > before
    await expect(cards.first).to_have_text(str(await cards_of(host)))
    await watcher.page.reload()
    await expect(cards.first).to_have_text(str(await cards_of(host)))
    for each in (host, guest, watcher):
        await each.leave()


async def cards_of(guest: Guest) -> int:
    """How many cards are on the guest's foundations by what the page says, at best."""
    return int(await guest.page.locator(".rival.is-me .rival-cards").inner_text())


async def test_a_watcher_of_a_private_race_sees_its_result_and_asks_for_no_replay(browser: Browser, site: Site) -> None:
    host, guest = await race_of_two(browser, site)
    watcher = await watcher_of(browser, site, host)
    await expect(watcher.page.locator(".watching")).to_be_visible()
    refused: list[str] = []
    watcher.page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    for each in (host, guest):
        await each.page.get_by_role("button", name="More").click()
        await each.page.get_by_role("button", name="Resign").click()
        await each.page.locator("dialog").get_by_role("button", name="Resign").click()
    for _ in range(2):
        await expect(watcher.page.locator(".list tbody tr")).to_have_count(2)
        await watcher.page.reload(wait_until="networkidle")
    await expect(watcher.page.locator(".result a[href^='/replay/']")).to_have_count(0)
    await expect(guest.page.locator(".result a[href^='/replay/']")).not_to_have_count(0)
    assert refused == []
    for each in (host, guest, watcher):
        await each.leave()


async def test_who_watches_sees_how_far_each_foundation_of_a_rival_is(browser: Browser, site: Site) -> None:
    game, host, guest, watcher = await watched_race(browser, site)
    for move in game.line[: next(number for number, move in enumerate(game.line) if move.target[0] == "f") + 1]:
        await host.press_move(move)
    await expect(watcher.page.locator(".gauges")).to_have_count(1)
    tops = [pile[-1] for pile in await host.shown() if pile and pile[0][0] == "A"]
    signs = str.maketrans("CSHD", "♣♠♥♦")
    await expect(watcher.page.locator(".gauges > span")).to_have_text([top.translate(signs) for top in tops])
    for each in (host, guest, watcher):
        await each.leave()


async def test_who_comes_to_a_full_lobby_watches_and_may_take_a_seat_that_is_given_up(
    browser: Browser, site: Site
) -> None:
    host, guest = await lobby_of_two(browser, site)
    third = await watcher_of(browser, site, host)
    await expect(third.page.locator(".lobby-start")).to_contain_text("All seats are taken. You are watching.")
    await expect(third.page.get_by_role("link", name="Give up the seat")).to_have_count(0)
    await guest.page.get_by_role("link", name="Give up the seat").click()
    await third.page.get_by_role("button", name="Take the free seat").click()
    await expect(third.page.get_by_role("button", name="I’m ready")).to_be_visible()
    await expect(host.page.locator(".seat:not(.is-free)")).to_have_count(2)
    for each in (host, guest, third):
        await each.leave()


async def test_who_has_been_away_from_a_lobby_is_not_away_to_themselves(browser: Browser, site: Site) -> None:
    host, guest = await lobby_of_two(browser, site)
    await host.drop()
    await expect(host.page.locator(".seat:not(.is-free)")).to_have_count(2)
    await expect(host.page.locator(".seat-state")).to_have_text(["not ready yet", "not ready yet"])
    await host.leave()
    await guest.leave()


async def test_who_waits_for_an_opponent_goes_on_waiting_after_a_drop(browser: Browser, site: Site) -> None:
    one, other = [await Guest.come(browser, site) for _ in range(2)]
    await one.page.get_by_role("button", name="Find an opponent").click()
    await expect(one.page.get_by_role("button", name="Stop waiting")).to_be_visible()
    await one.drop()
    await expect(one.page.get_by_role("button", name="Stop waiting")).to_be_visible()
    await other.page.get_by_role("button", name="Find an opponent").click()
    for each in (one, other):
        await each.wait_for_table()
        await each.leave()


async def test_who_stops_waiting_while_the_line_is_down_does_not_wait_when_it_is_back(
    browser: Browser, site: Site
) -> None:
    guest = await Guest.come(browser, site)
    await guest.page.get_by_role("button", name="Find an opponent").click()
    await expect(guest.page.get_by_role("button", name="Stop waiting")).to_be_visible()
    await guest.context.set_offline(True)
    await guest.when("app.state.link.phase === 'waiting'")
    await guest.page.get_by_role("button", name="Stop waiting").click()
    await guest.context.set_offline(False)
    await guest.when("app.state.link.phase === 'open' && app.state.requests.length === 0")
    await expect(guest.page.get_by_role("button", name="Find an opponent")).to_be_visible()
    await guest.leave()


async def test_who_has_closed_the_lobby_finds_the_way_back_on_a_new_page_and_is_brought_to_the_start(
    browser: Browser, site: Site
) -> None:
    game = won(GAME)
    site.deals.codes.append(game.code)
    host, guest = await lobby_of_two(browser, site)
    await host.page.get_by_role("button", name="I’m ready").click()
    await expect(guest.page.locator(".seat.is-ready")).to_have_count(1)
    await host.go("/")
    await expect(host.page.locator(".is-live")).to_contain_text("You have a seat")
    await guest.page.get_by_role("button", name="I’m ready").click()
    await host.wait_for_table()
    await host.play(game.line[0])
    await host.when("app.state.link.phase === 'open' && Object.values(app.state.races)[0].attempt.version === 1")
    await host.leave()
    await guest.leave()


async def test_a_second_tab_tells_of_the_lobby_and_takes_nothing_over(browser: Browser, site: Site) -> None:
    host, guest = await lobby_of_two(browser, site)
    second = await host.context.new_page()
    await second.goto(site.http)
    await expect(second.locator(".is-live")).to_contain_text("You have a seat")
    await host.page.get_by_role("button", name="I’m ready").click()
    await expect(guest.page.locator(".seat.is-ready")).to_have_count(1)
    await expect(host.page.locator(".is-asking")).to_have_count(0)
    await second.get_by_role("link", name="To the race").click()
    await expect(second.locator(".seat.is-ready")).to_have_count(1)
    await host.leave()
    await guest.leave()


async def test_who_is_busy_in_another_tab_is_led_to_the_race_that_keeps_them(browser: Browser, site: Site) -> None:
    one, other = [await Guest.come(browser, site) for _ in range(2)]
    second = await one.context.new_page()
    await second.goto(site.http)
    await expect(second.get_by_role("button", name="Find an opponent")).to_be_enabled()
    for each in (one, other):
        await each.page.get_by_role("button", name="Find an opponent").click()
    for each in (one, other):
        await each.wait_for_table()
    await second.get_by_role("button", name="Find an opponent").click()
    await expect(second.get_by_role("alert")).to_contain_text("You are in another race")
    await second.get_by_role("link", name="Back to the race").click()
    await second.wait_for_selector(".card[data-card]")
    await expect(one.page.locator(".is-asking")).to_contain_text("in another tab")
    await one.leave()
    await other.leave()


async def test_who_has_a_seat_and_is_on_another_page_is_not_away(browser: Browser, site: Site) -> None:
    host, guest = await lobby_of_two(browser, site)
    states = host.page.locator(".seat-state")
    await guest.go("/healthz")
    await expect(states).to_have_text(["not ready yet", "away"])
    await guest.go("/games")
    await expect(guest.page.locator(".is-live")).to_contain_text("You have a seat")
    await expect(states).to_have_text(["not ready yet", "not ready yet"])
    await host.leave()
    await guest.leave()
