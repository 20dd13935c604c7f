"""Watching a match from home, and looking back: a daily's result, boards of every span, my results, the archive."""

import json

from playwright.async_api import Browser, expect

from server.race.daily import Daily, format_day
from server.race.standing import standing_key
from server.service.board_names import Side, best_board, day_board, points_boards
from tests.browser.filled import GAME, Past, id_of, match_of_programs
from tests.browser.players import PATIENCE_MS, Guest
from tests.browser.test_pages import grave_faults
from tests.e2e.deals import won
from tests.web.site import Site

OTHERS = 60


async def test_a_match_is_watched_from_home_to_its_result(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site)
    page = guest.page
    await expect(page.get_by_text("No quick match is being played right now")).to_be_visible()
    site.deals.codes.append(won(GAME).code)
    one, other = await match_of_programs(site)
    seats = [entrant["player"] for entrant in one.state["entrants"]]
    mine, others = (next(seat["name"] for seat in seats if seat["id"] == each.player.id) for each in (one, other))
    for move in won(GAME).line[:12]:
        await one.play(move)
    await guest.go("/")
    live = page.get_by_role("link", name="Watch")
    await expect(live).to_contain_text(mine)
    await expect(live).to_contain_text(others)
    await expect(live).to_contain_text("left")
    await live.click()
    await expect(page.get_by_text("You are watching")).to_be_visible()
    counts = page.locator(".rival", has_text=mine).locator(".rival-cards"), page.locator(".rival", has_text=others)
    await expect(counts[0].locator("xpath=../*[@class='rival-place']")).to_have_text("1")
    await expect(counts[1].locator(".rival-place")).to_have_text("–")
    before = await counts[0].inner_text()
    for move in won(GAME).line[12:40]:
        await one.play(move)
    for move in won(GAME).line[:60]:
        await other.play(move)
    await expect(counts[0]).to_have_text(str(won(GAME).positions[40].progress))
    await expect(counts[1].locator(".rival-cards")).to_have_text(str(won(GAME).positions[60].progress))
    assert before != await counts[0].inner_text()
    assert await page.locator(".card").count() == 0
    for move in won(GAME).line[40:]:
        await one.play(move)
    await expect(page.locator(".rival", has_text=mine).locator(".mark.is-finished")).to_be_visible()
    await other.send("resign")
    await expect(page.get_by_role("heading", name="Results")).to_be_visible()
    await expect(page.locator(".result tbody tr").first).to_contain_text(mine)
    await expect(page.get_by_role("button", name="Rematch")).to_have_count(0)
    await page.get_by_role("link", name="Home").last.click()
    await expect(page.get_by_text("No quick match is being played right now")).to_be_visible(timeout=PATIENCE_MS)
    await guest.leave()


async def test_a_dailys_result_counts_everyone_and_the_boards_show_my_row(browser: Browser, site: Site) -> None:
    past = Past(site)
    daily = Daily(past.today, GAME)
    await past.crowd(daily, OTHERS)
    await past.crowd(daily, OTHERS, Side.RANKED, seed=2)
    guest = await Guest.come(browser, site, path=f"/race/{daily.race_id}", size=(390, 844))
    page, me = guest.page, await id_of(guest)
    await guest.wait_for_table()
    boards = past.contest.store.boards
    row = json.dumps({"race": daily.race_id, "end": "resigned", "end_ms": 5_000})
    await boards.post_best(day_board(daily, Side.OPEN), me, standing_key(51, 3_000), row)
    await page.get_by_role("button", name="More").click()
    await page.get_by_role("button", name="Resign").click()
    await page.locator("dialog").get_by_role("button", name="Resign").click()
    result = page.get_by_role("region", name="How the day has gone")
    await expect(result).to_contain_text(f"No. {OTHERS + 1} of {OTHERS + 1}")
    await expect(result).to_contain_text("on the open board")
    await expect(result).not_to_contain_text("Better than")
    await expect(result).to_contain_text("1 day in a row")
    told = await past.contest.day_results.of(daily, me)
    label = await result.get_by_role("img").get_attribute("aria-label") or ""
    assert label.startswith(f"Finished: {told.finished} of {told.total}. Most of them took")
    await expect(page.locator(".headline")).to_contain_text("Fresh deal, and it has been won")
    await result.get_by_text("Times of those who finished").click()
    counts = await result.locator("tbody td:last-child").all_inner_texts()
    assert sum(map(int, counts)) == told.finished
    assert await grave_faults(page) == []

    await guest.go("/boards")
    await expect(page.get_by_text(f"You: No. {OTHERS + 1} of {OTHERS + 1}")).to_be_visible()
    rows = page.locator(".list tbody tr")
    await expect(rows).to_have_count(51)
    await expect(page.locator(".is-apart")).to_contain_text(str(OTHERS + 1))
    await page.get_by_role("button", name="More").click()
    await expect(rows).to_have_count(OTHERS + 1)
    await expect(page.locator(".is-apart")).to_have_count(0)
    await expect(page.locator(".list .is-me")).to_have_count(1)
    for board in points_boards(daily, Side.RANKED):
        await boards.post_points(board, me, 123, "once", "{}")
    await boards.post_best(best_board(GAME, Side.RANKED, 3), me, 77_700, "{}")
    for span, text in (("Week", "123"), ("Month", "123"), ("All time", "1:17.7")):
        await page.get_by_text(span, exact=True).click()
        await expect(page.locator(".list .is-me").first).to_contain_text(text)
        await expect(page.get_by_text("Open", exact=True)).to_have_count(0)
    await page.get_by_text("Day", exact=True).click()
    await expect(rows).to_have_count(50)
    await expect(page.locator(".is-me")).to_have_count(0)
    await guest.leave()


async def test_the_archive_leads_by_keys_to_each_day(browser: Browser, site: Site) -> None:
    past = Past(site)
    today = past.today
    last = today - int(format_day(today)[8:])
    await past.begin(today - 70)
    for day in range(today - 70, today):
        if day != last - 2:
            await past.hold(day)
    guest = await Guest.come(browser, site, path="/about", size=(390, 844))
    page, me = guest.page, await id_of(guest)
    await past.played(me, Daily(last, GAME), end="finished", end_ms=65_500, cards=52, at_ms=65_500, place=2, of=7)
    await past.played(me, Daily(last - 1, GAME), end="resigned", end_ms=9_000, cards=31, at_ms=8_000, place=5, of=7)
    await guest.go("/daily")
    await page.get_by_role("link", name="Archive").click()
    shown = page.locator(".archive-day")
    await expect(shown).to_contain_text("Open to play")
    await expect(shown.get_by_role("link", name="Practise this deal")).to_have_count(0)
    await expect(page.get_by_role("button", name="Month after")).to_be_disabled()
    await page.get_by_role("button", name="Month before").click()
    await page.locator(f'.calendar [data-date="{format_day(last)}"]').click()
    told = ("Finished in 1:05.5. No. 2 of 7", "Played, 31 cards. No. 5 of 7", "Not played")
    for text in told:
        await expect(shown).to_contain_text(text)
        await page.keyboard.press("ArrowLeft")
    assert await page.evaluate("document.activeElement.dataset.date") == format_day(last - 4)
    await expect(page.locator(f'.calendar [data-date="{format_day(last - 2)}"]')).to_have_count(0)
    await expect(shown.get_by_role("link", name="Practise this deal")).to_be_visible()
    assert await grave_faults(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    await page.locator("#archive-month").select_option(index=0)
    await expect(page.get_by_role("button", name="Month before")).to_be_disabled()
    await expect(page).to_have_url(f"{site.http}/archive/{GAME}/{format_day(today - 70)[:7]}")
    await page.locator(".calendar button").last.click()
    await shown.get_by_role("link", name="Practise this deal").click()
    await guest.wait_for_table()
    await guest.leave()


async def test_my_results_lead_to_each_race_and_say_what_they_come_to(browser: Browser, site: Site) -> None:
    past = Past(site)
    guest = await Guest.come(browser, site, path="/about", size=(390, 844))
    page, me = guest.page, await id_of(guest)
    done = await past.hold(past.today - 1)
    await past.played(me, done, end="finished", end_ms=65_500, cards=52, at_ms=65_500, place=2, of=7)
    for number in range(25):
        long_ago = Daily(past.today - 20 - number, GAME)
        await past.played(me, long_ago, end="resigned", end_ms=9_000, cards=20, at_ms=8_000)
    await page.get_by_role("contentinfo").get_by_role("link", name="You are").click()
    statistics = page.get_by_role("region", name="Statistics")
    await expect(statistics.locator("tbody tr")).to_contain_text("1 of 26")
    await expect(statistics.locator("tbody tr")).to_contain_text("1:05.5")
    await expect(statistics.locator("dl")).to_contain_text("Days in a row1")
    await expect(statistics.locator("dl")).to_contain_text("Longest run of days25")
    rows = page.get_by_role("region", name="Results").locator("tbody tr")
    await expect(rows).to_have_count(20)
    await expect(rows.first).to_contain_text("2 of 7")
    await page.route("**/results?*cursor=*", lambda route: route.abort())
    await page.get_by_role("button", name="Earlier results").click()
    await expect(page.get_by_role("alert")).to_contain_text("The server can’t be reached just now.")
    await expect(rows).to_have_count(20)
    await page.unroute("**/results?*cursor=*")
    await page.get_by_role("button", name="Try again").click()
    await expect(rows).to_have_count(26)
    await expect(page.get_by_role("button", name="Earlier results")).to_have_count(0)
    assert await grave_faults(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    await rows.first.get_by_role("link").click()
    await expect(page.get_by_text("The race is over")).to_be_visible()
    await guest.leave()
