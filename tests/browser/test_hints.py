"""Hints at the table: the ring is on the right cards, the words agree, the result says how many; no race has them."""

import asyncio
import re
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest_asyncio
from playwright.async_api import Browser, expect

from rules.cards import format_card
from rules.deals import deal, parse_deal_code
from rules.moves import Move, parse_move, play
from rules.positions import Position
from server.race.daily import Daily, day_of
from server.workers.hinting import Adviser
from solver.verdicts import solve
from tests.browser.players import Guest
from tests.web.site import Site
from tests.workers.questions import lose_question

DEAL = "citadel:ms:3"
LOST = "beleaguered-castle:ms:1"


@pytest_asyncio.fixture(loop_scope="session")
async def solver(site: Site) -> AsyncIterator[None]:
    """A worker that answers hints, beside the site."""
    store = site.app.state.contest.store
    await store.workers.beat()
    with ThreadPoolExecutor(1) as threads:
        running = asyncio.create_task(Adviser(store, threads).run())
        yield
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def practising(browser: Browser, site: Site, code: str = DEAL, **context: Any) -> Guest:
    guest = await Guest.come(browser, site, f"/practice/{code}", **context)
    await guest.wait_for_table()
    await guest.page.wait_for_url("**/race/*")
    return guest


async def hint_of(guest: Guest) -> Move:
    """The move that the page was told."""
    text = await guest.page.evaluate(
        """async () => {
            const { app } = await import(document.querySelector('script[type=module]').src);
            return app.page.screen.attempt().hint?.move ?? null;
        }"""
    )
    return parse_move(text)


async def ringed(guest: Guest) -> set[str]:
    cards = guest.page.locator(".card.is-hinted")
    return {str(await card.get_attribute("data-card")) for card in await cards.all()}


def cards_of(position: Position, move: Move) -> set[str]:
    """The card that moves, and the one that it goes onto."""
    ends = [position.pile(move.source)[-1:], position.pile(move.target)[-1:]]
    return {format_card(card) for end in ends for card in end}


async def play_out(guest: Guest, position: Position) -> None:
    """Plays a win as quickly as the page takes it."""
    line = solve(position).line or ()
    await guest.page.evaluate(
        """async (moves) => {
            const { app } = await import(document.querySelector('script[type=module]').src);
            for (const move of moves) app.page.screen.act(move);
        }""",
        [{"type": "move", "source": move.source, "target": move.target, "count": move.count} for move in line],
    )


async def test_a_hint_rings_the_cards_says_the_move_and_is_told_in_the_result(
    browser: Browser, site: Site, solver: None
) -> None:
    guest = await practising(browser, site, settings={"oneTap": False})
    page, position = guest.page, deal(parse_deal_code(DEAL))
    for number in (1, 2):
        await page.keyboard.press("h")
        await expect(page.locator(".card.is-hinted").first).to_be_visible()
        move = await hint_of(guest)
        assert await ringed(guest) == cards_of(position, move)
        await expect(page.locator(".reason")).to_have_text(re.compile(r"moves to the win"))
        await expect(page.locator(".bar-place")).to_contain_text(f"{number} hint")
        await guest.play(move)
        await expect(page.locator(".card.is-hinted")).to_have_count(0)
        position = play(position, move)
    await page.keyboard.press("z")
    await page.keyboard.press("y")
    await play_out(guest, position)
    await expect(page.locator(".figures")).to_contain_text("Hints2")
    await guest.leave()


async def test_still_winnable_tells_the_verdict_and_no_move_and_asking_twice_counts_once(
    browser: Browser, site: Site, solver: None
) -> None:
    guest = await practising(browser, site, LOST, settings={"language": "de"})
    page = guest.page
    await page.get_by_role("button", name="Mehr").click()
    await page.get_by_role("button", name="Noch zu gewinnen?").click()
    await expect(page.locator(".reason")).to_have_text("Mit diesen Karten kann niemand gewinnen.")
    await page.keyboard.press("h")
    await expect(page.locator(".bar-place")).to_contain_text("1 Tipp")
    assert await ringed(guest) == set()
    await guest.leave()


async def test_without_a_solver_the_page_says_so_and_nothing_is_marked(browser: Browser, site: Site) -> None:
    guest = await practising(browser, site)
    await guest.page.get_by_role("button", name="Hint").click()
    await expect(guest.page.locator(".reason")).to_have_text("No solver runs on this server just now.")
    await expect(guest.page.locator(".bar-place")).not_to_contain_text("hint")
    await guest.leave()


async def test_a_daily_shows_no_hints_and_its_keys_ask_for_none(browser: Browser, site: Site, solver: None) -> None:
    contest = site.app.state.contest
    daily = Daily(day_of(contest.clock.now_ms()), "beleaguered-castle").race_id
    guest = await Guest.come(browser, site, f"/race/{daily}")
    page = guest.page
    await guest.wait_for_table()
    for key in ("h", "Shift+H"):
        await page.keyboard.press(key)
    await page.get_by_role("button", name="More").click()
    assert re.search(r"hint|winnable", await page.locator("body").inner_html(), re.IGNORECASE) is None
    await page.get_by_role("button", name="Rules and keys").click()
    await expect(page.locator("dialog[open] .keys")).to_be_visible()
    assert re.search(r"\bhint", await page.locator("dialog[open]").inner_html(), re.IGNORECASE) is None
    assert await contest.store.hints.waiting() == 0
    await guest.leave()


async def test_that_a_hint_is_looked_for_is_said_as_long_as_it_is(browser: Browser, site: Site) -> None:
    await site.app.state.contest.store.workers.beat()
    guest = await practising(browser, site)
    await guest.page.keyboard.press("h")
    said = guest.page.locator(".reason")
    await expect(said).to_have_text("Looking …")
    await guest.page.wait_for_timeout(5_000)
    await expect(said).to_have_text("Looking …")
    await expect(said).to_have_text("No answer came. Ask again.")
    await guest.leave()


async def test_who_looks_for_a_hint_that_will_not_come_after_all_is_told_why_at_once(
    browser: Browser, site: Site
) -> None:
    store = site.app.state.contest.store
    await store.workers.beat()
    guest = await practising(browser, site)
    await guest.page.keyboard.press("h")
    await guest.when("app.page.screen.attempt().version === 1")
    await lose_question(store, (await guest.state("wanted"))[0], await guest.state("player.id"))
    await guest.drop()
    # What is seen goes after a moment; what was said to who listens stays.
    await expect(guest.page.locator("#polite")).to_have_text("That was many hints. Wait a moment.")
    await guest.leave()
