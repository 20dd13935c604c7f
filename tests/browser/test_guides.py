"""The guides: every game has words of its own and the numbers that were measured, and is found by any of its names."""

import asyncio
import json
from pathlib import Path

import httpx2
from playwright.async_api import Browser, Page, expect

from rules.variants import variants
from tests.browser.players import Guest
from tests.browser.test_words import catalogue
from tests.browser.town import GAME, quick_match
from tests.e2e.deals import won
from tests.web.site import PATIENCE_S, Player, Site

SHARES = json.loads((Path(__file__).parents[2] / "docs" / "winnable-share.json").read_text("utf-8"))["games"]


async def test_every_game_has_tips_and_questions_of_its_own_and_every_history_its_source(
    page: Page, files: str
) -> None:
    words = await catalogue(page, files, "en")
    for variant in variants():
        own = [key.removeprefix(f"guide.{variant.id}.") for key in words if key.startswith(f"guide.{variant.id}.")]
        assert {"tip.1", "tip.2", "tip.3", "q.1", "a.1"} <= set(own), variant.id
        assert ("history" in own) == ("source" in own), variant.id
        assert {key[2:] for key in own if key.startswith("q.")} == {key[2:] for key in own if key.startswith("a.")}


async def test_nothing_is_said_of_a_game_that_there_is_not(page: Page, files: str) -> None:
    words = await catalogue(page, files, "en")
    ids = {variant.id for variant in variants()}
    named = {key.split(".")[1] for key in words if key.startswith("guide.") and key.endswith(".tip.1")}
    assert named - ids == set()


async def test_a_guide_shows_the_share_that_was_measured(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, "/games/fortress")
    counts = SHARES["fortress"]
    share = guest.page.locator(".odds > div").first
    percent = 100 * counts["winnable"] / (counts["winnable"] + counts["lost"])
    await expect(share.locator(".odds-figure")).to_have_text(f"{percent:.1f}%")
    await expect(share).to_contain_text(f"Of {counts['deals']:,} deals {counts['winnable']:,} can be won")
    await expect(guest.page.get_by_text("Find where those two lie")).to_be_visible()
    await expect(guest.page.get_by_role("link", name="The classic: Klondike")).to_be_visible()
    missing = next(variant for variant in variants() if variant.id not in SHARES)
    await guest.go(f"/games/{missing.id}")
    await expect(guest.page.locator(".odds > div").first).to_contain_text("Not measured yet")
    await guest.leave()


async def test_the_finish_rate_counts_what_people_did_beside_what_could_be_done(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, f"/games/{GAME}")
    rate = guest.page.locator(".odds > div").nth(1)
    await expect(rate).to_contain_text("Nobody has raced it yet")
    await quick_match(site, await Player.join(site), await Player.join(site), won(GAME))
    async with asyncio.timeout(PATIENCE_S), httpx2.AsyncClient(base_url=site.http) as http:
        while (await http.get(f"/api/v1/variants/{GAME}/finishes")).json()["attempts"] < 2:
            await asyncio.sleep(0.1)
    await guest.page.reload()
    await expect(rate.locator(".odds-figure")).to_have_text("50.0%")
    await expect(rate).to_contain_text("1 of 2 attempts")
    counts = SHARES[GAME]
    percent = 100 * counts["winnable"] / (counts["winnable"] + counts["lost"])
    await expect(guest.page.locator(".odds > div").first.locator(".odds-figure")).to_have_text(f"{percent:.1f}%")
    await guest.leave()


async def test_the_finish_rate_is_told_by_difficulty_where_there_are_enough_attempts(
    browser: Browser, site: Site
) -> None:
    finishes = site.app.state.contest.store.finishes
    await finishes.note(GAME, "r1", "1", 40, 30)
    await finishes.note(GAME, "r2", "5", 3, 1)
    await finishes.note(GAME, "r3", "ungraded", 7, 0)
    guest = await Guest.come(browser, site, f"/games/{GAME}")
    rate = guest.page.locator(".odds > div").nth(1)
    await expect(rate.locator(".odds-figure")).to_have_text("62.0%")
    await expect(rate.get_by_role("listitem")).to_have_text(
        ["Difficulty 1: 75.0% (30 of 40)", "Difficulty 5: too few attempts for a rate (1 of 3)"]
    )
    await guest.leave()


async def test_a_guide_changes_its_language_with_the_page(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, "/games/fortress", locale="de-DE")
    await expect(guest.page.get_by_text("Such, wo sie liegen")).to_be_visible()
    await guest.page.get_by_role("link", name="Einstellungen").click()
    await guest.page.get_by_label("Sprache").select_option("en")
    await guest.page.get_by_role("link", name="Games").click()
    await guest.page.get_by_role("link", name="Fortress").first.click()
    await expect(guest.page.get_by_text("Find where those two lie")).to_be_visible()
    await guest.leave()


async def test_a_game_is_found_by_any_of_its_names(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, "/games")
    search = guest.page.get_by_role("searchbox")
    for variant in variants():
        for name in (variant.name, *variant.aka):
            await search.fill(name.upper())
            await expect(guest.page.get_by_role("heading", name=variant.name, exact=True)).to_be_visible()
    await search.fill("no such game")
    await expect(guest.page.get_by_role("heading", level=2)).to_have_count(0)
    await guest.leave()
