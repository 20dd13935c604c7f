"""From every page something odd or an idea can be told, and whoever runs the server reads it."""

import json
from typing import Any

from playwright.async_api import Browser, expect

from tests.browser.players import Guest
from tests.browser.test_race import race_of_two
from tests.web.site import Site

PATHS = ("/", "/daily", "/practice", "/boards", "/games", "/games/fortress", "/settings", "/about", "/player/nobody")


async def told(site: Site) -> list[dict[str, Any]]:
    """What the operator reads, oldest first."""
    return [json.loads(report) for report in reversed(await site.app.state.contest.players.reports(100))]


async def tell(guest: Guest, text: str, kind: str) -> None:
    """Opens the report on the page as it is, sends it, and closes it."""
    await guest.page.get_by_role("button", name="Report something").click()
    dialog = guest.page.locator("dialog")
    await dialog.get_by_label("What is it?").select_option(label=kind)
    await dialog.get_by_label("In your words").fill(text)
    await dialog.get_by_role("button", name="Send").click()
    await expect(dialog).to_contain_text("Thank you")
    await dialog.get_by_role("button", name="Close").click()
    await expect(dialog).to_have_count(0)


async def test_something_can_be_told_from_every_page_that_is_read(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site)
    await expect(guest.page.get_by_role("link", name="You are")).to_be_visible()
    for path in PATHS:
        await guest.go(path)
        await tell(guest, f"on {path}", "An idea, or anything else")
    kept = await told(site)
    assert [report["reason"] for report in kept] == ["other"] * len(PATHS)
    for report, path in zip(kept, PATHS, strict=True):
        assert report["text"].startswith(f"on {path}\n\n{path} · ")
    await guest.leave()


async def test_what_was_written_is_still_there_when_it_could_not_be_sent(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, "/about")
    dialog = guest.page.locator("dialog")
    await guest.page.get_by_role("button", name="Report something").click()
    await dialog.get_by_label("In your words").fill("three long paragraphs")
    await guest.context.set_offline(True)
    await dialog.get_by_role("button", name="Send").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("could not be sent")
    await expect(dialog.get_by_label("In your words")).to_have_value("three long paragraphs")
    await guest.context.set_offline(False)
    await dialog.get_by_role("button", name="Send").click()
    await expect(dialog).to_contain_text("Thank you")
    assert [report["text"].split("\n")[0] for report in await told(site)] == ["three long paragraphs"]
    await guest.leave()


async def test_a_report_from_lobby_table_and_result_names_the_race(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site)
    await guest.page.get_by_role("button", name="Make a link").click()
    await guest.page.wait_for_selector(".lobby")
    await tell(guest, "the lobby", "Something odd")
    host, other = await race_of_two(browser, site)
    await host.page.get_by_role("button", name="More").click()
    await tell(host, "the table", "Something odd")
    for each in (host, other):
        await each.page.get_by_role("button", name="More").click()
        await each.page.get_by_role("button", name="Resign").click()
        await each.page.locator("dialog").get_by_role("button", name="Resign").click()
    await host.page.wait_for_selector(".chart .line")
    await tell(host, "the result", "Something odd")
    lobby, table, result = await told(site)
    assert lobby["race"] == await guest.when("Object.keys(app.state.races)[0]")
    assert [table["race"], result["race"]] == [await host.when("Object.keys(app.state.races)[0]")] * 2
    assert {report["reason"] for report in (lobby, table, result)} == {"fault"}
    for each in (guest, host, other):
        await each.leave()
