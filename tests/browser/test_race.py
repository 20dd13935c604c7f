"""Races in real browsers, from the link to the rematch, and what people do in between."""

import re
from pathlib import Path

from playwright.async_api import Browser, WebSocketRoute, expect

from client.connection import connect
from rules.moves import Move, legal_moves
from rules.positions import Position
from tests.browser.players import PATIENCE_MS, Address, Guest, Place
from tests.e2e.deals import won
from tests.processes import ServerProcess
from tests.web.site import Site

GAME = "beleaguered-castle"


async def race_of_two(
    browser: Browser, site: Place, size: tuple[int, int] = (1000, 700), **settings: object
) -> tuple[Guest, Guest]:
    """A private race that has started: the host and a guest who came by the link."""
    host = await Guest.come(browser, site, settings=settings, size=size)
    await host.page.get_by_role("button", name="Make a link").click()
    link = await host.page.locator("#link").input_value()
    guest = await Guest.come(browser, site, link.removeprefix(site.http), settings=settings, size=size)
    for each in (host, guest):
        await each.page.get_by_role("button", name="I’m ready").click()
    for each in (host, guest):
        await each.wait_for_table()
    return host, guest


async def test_two_people_race_from_the_link_to_the_rematch(browser: Browser, site: Site) -> None:
    game = won(GAME)
    site.deals.codes.append(game.code)
    host, guest = await race_of_two(browser, site, oneTap=False)
    first = game.line[0]
    await host.play(first)
    await expect(guest.page.locator(".rival:not(.is-me) .rival-cards")).not_to_have_text("4", timeout=PATIENCE_MS)
    await expect(guest.page.locator(".rail-deal")).to_contain_text("perhaps it can’t be won")
    for move in game.line[1:]:
        await host.press_move(move)
    await expect(host.page.locator(".ended")).to_contain_text("No. 1")
    await expect(guest.page.locator(".rival.is-done")).to_contain_text(":")
    await expect(guest.page.locator(".rail-deal")).to_have_text("Fresh deal, and it has been won")
    await guest.page.get_by_role("button", name="More").click()
    await guest.page.get_by_role("button", name="Resign").click()
    await guest.page.locator("dialog").get_by_role("button", name="Resign").click()
    await expect(host.page.locator(".headline-place")).to_have_text("No. 1")
    for each in (host, guest):
        await expect(each.page.locator(".headline")).to_contain_text("Fresh deal, and it has been won")
    await expect(host.page.locator(".chart polyline")).to_have_count(2)
    await the_result_is_offered_where_the_clipboard_is_shut(host)
    await host.page.get_by_role("button", name="Rematch").click()
    await host.page.wait_for_selector(".lobby")
    await guest.page.get_by_role("button", name="rematch").click()
    await expect(guest.page.locator(".seat:not(.is-free)")).to_have_count(2)
    await host.leave()
    await guest.leave()


async def the_result_is_offered_where_the_clipboard_is_shut(guest: Guest) -> None:
    """Over plain HTTP a page has no clipboard."""
    await guest.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await guest.page.get_by_role("button", name="Copy the result").click()
    await expect(guest.page.locator("dialog textarea")).to_have_value(re.compile(r"Ramparts .+\nFinished in 0:\d\d"))
    await guest.page.keyboard.press("Escape")


async def test_cards_are_dragged_by_mouse_and_refused_with_the_reason(browser: Browser, site: Site) -> None:
    game = won(GAME)
    site.deals.codes.append(game.code)
    host, guest = await race_of_two(browser, site)
    first = game.line[0]
    await host.drag(first)
    await expect(host.page.locator(".bar-place")).to_contain_text("5/52" if first.target[0] == "f" else "4/52")
    assert await host.state("link.phase") == "open"
    before = await host.shown()
    await host.drag(Move(*no_move_of(game.positions[1])))
    await expect(host.page.locator(".reason")).to_be_visible()
    assert await host.shown() == before
    await host.leave()
    await guest.leave()


def no_move_of(position: Position) -> tuple[str, str]:
    """Two tableau piles between which no card moves."""
    legal = {(move.source, move.target) for move in legal_moves(position)}
    return next((f"t{a}", f"t{b}") for a in range(8) for b in range(8) if a != b and (f"t{a}", f"t{b}") not in legal)


async def test_a_reload_and_a_second_tab_come_back_to_the_same_attempt(browser: Browser, site: Site) -> None:
    game = won(GAME)
    site.deals.codes.append(game.code)
    host, guest = await race_of_two(browser, site, oneTap=False)
    await host.play(game.line[0])
    await host.play(game.line[1])
    await expect(guest.page.locator(".rival:not(.is-me)")).to_be_visible()
    shown = await host.shown()
    await host.page.wait_for_timeout(300)
    await host.page.reload()
    await host.wait_for_table()
    assert await host.shown() == shown
    second = await host.context.new_page()
    host.watch(second)
    await second.goto(host.page.url)
    await second.wait_for_selector(".card[data-card]")
    await expect(host.page.locator(".link-state")).to_contain_text("another tab")
    await host.leave()
    await guest.leave()


async def test_moves_made_offline_are_played_when_the_network_is_back(browser: Browser, site: Site) -> None:
    game = won(GAME)
    site.deals.codes.append(game.code)
    host, guest = await race_of_two(browser, site, oneTap=False)
    await host.play(game.line[0])
    await host.page.wait_for_timeout(200)
    await host.page.evaluate(
        "async () => { const { app } = await import(document.querySelector('script[type=module]').src);"
        " app.connection.retryNow = () => undefined; const pause = app.connection.start;"
        " app.connection.start = () => undefined; app.connection.socket.close();"
        " setTimeout(() => { app.connection.start = pause; app.connection.start(); }, 2500); }"
    )
    await expect(host.page.locator(".link-state")).to_be_visible()
    await host.play(game.line[1])
    await host.play(game.line[2])
    shown = await host.shown()
    await expect(host.page.locator(".link-state")).to_be_hidden()
    await host.page.wait_for_timeout(400)
    assert await host.shown() == shown
    race = (await host.state("wanted"))[0]
    assert (
        await host.page.evaluate(
            "async (race) => (await import(document.querySelector('script[type=module]').src))"
            ".app.state.races[race].attempt.version",
            race,
        )
        == 3
    )
    await host.leave()
    await guest.leave()


async def test_a_line_that_falls_silent_under_a_move_is_given_up_in_seconds_and_the_move_is_played_over_the_next(
    browser: Browser, site: Site
) -> None:
    game, is_silent = won(GAME), False
    guest = await Guest.come(browser, site)

    def carry(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        was_silent = is_silent
        socket.on_message(lambda text: None if is_silent and not was_silent else server.send(text))
        server.on_message(lambda text: None if is_silent and not was_silent else socket.send(text))

    await guest.context.route_web_socket("**/*", carry)
    await guest.go(f"/practice/{game.code}")
    await guest.page.wait_for_url("**/race/*")
    await guest.wait_for_table()
    session = await guest.state("link.session")
    is_silent = True
    await guest.play(game.line[0])
    shown = await guest.shown()
    await guest.when(f"app.state.link.session > {session} && Object.values(app.state.races)[0].attempt.version === 1")
    assert await guest.shown() == shown
    await guest.leave()


async def test_a_daily_is_played_from_home_to_its_board(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site)
    await guest.page.get_by_role("link", name="Play today’s deal").click()
    await guest.wait_for_table()
    await guest.page.keyboard.press("c")
    for pile in range(8):
        await guest.tap(f"t{pile}")
        await guest.page.wait_for_timeout(300)
    await guest.page.get_by_role("button", name="More").click()
    await guest.page.get_by_role("button", name="Resign").click()
    await guest.page.locator("dialog").get_by_role("button", name="Resign").click()
    await expect(guest.page.locator(".headline-place")).to_have_text("Ended")
    await guest.page.get_by_role("link", name="Home").click()
    await guest.page.get_by_role("link", name="Boards", exact=True).click()
    await expect(guest.page.get_by_role("heading", name="Boards")).to_be_visible()
    await guest.leave()


async def test_a_name_with_markup_is_text(browser: Browser, site: Site) -> None:
    host, guest = await race_of_two(browser, site)
    wicked = "<img src=x onerror=alert(1)>"
    await guest.page.evaluate(
        """async (name) => {
            const { app } = await import(document.querySelector('script[type=module]').src);
            const race = Object.values(app.state.races)[0];
            app.store.dispatch({ type: 'told', message: { type: 'entered', race: race.id, seq: race.seq + 1, now_ms: 0,
                player: { id: 'x', name, guest: true, bot: false } } });
        }""",
        wicked,
    )
    await expect(guest.page.locator(".rail")).to_contain_text(wicked)
    assert await guest.page.locator("img").count() == 0
    await host.leave()
    await guest.leave()


async def test_a_race_survives_a_restart_of_the_server(browser: Browser, tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    await server.start()
    async with connect(server.url) as maker:
        made = await maker.create("private", deal="beleaguered-castle:ms:1", seats=3)
        link = f"/r/{made.state.link}"
        host = await Guest.come(browser, Address(server.url), link, settings={"oneTap": False}, size=(1000, 700))
        guest = await Guest.come(browser, Address(server.url), link, settings={"oneTap": False}, size=(1000, 700))
        await made.leave()
    for each in (host, guest):
        await each.page.get_by_role("button", name="I’m ready").click()
    for each in (host, guest):
        await each.wait_for_table()
    await server.kill()
    await host.play(Move("t5", "t3"))
    shown = await host.shown()
    await server.start()
    for each in (host, guest):
        await expect(each.page.locator(".link-state")).to_be_hidden(timeout=PATIENCE_MS)
    await host.page.wait_for_timeout(500)
    assert await host.shown() == shown
    await host.page.reload()
    await host.wait_for_table()
    assert await host.shown() == shown
    await host.leave()
    await guest.leave()
    await server.stop()
