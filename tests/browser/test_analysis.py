"""Where an attempt was lost, on the replay: asked for, found by a real worker, seen, and won on the table."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from rules.moves import format_move
from rules.positions import Position
from rules.record import parse_record, verify
from server.workers.keeping import Keeper
from tests.browser.filled import match_of_programs
from tests.browser.players import Guest
from tests.browser.test_pages import grave_faults
from tests.e2e.deals import lines, numbered, won
from tests.processes import working
from tests.web.site import Site

GAME = numbered()
LOSING = ("1", "6")
"""The piles of a move that loses the deal after six moves of the line."""
LONG_MS = 60_000


async def lost_practice(guest: Guest) -> None:
    """Six good moves, one that loses, an undo, the same again, and ended: at the result."""
    await guest.go(f"/practice/{GAME.code}")
    await guest.wait_for_table()
    for move in GAME.line[:6]:
        await guest.press_move(move)
    for key in (*LOSING, "z", *LOSING):
        await guest.page.keyboard.press(key)
    await guest.page.get_by_role("button", name="More").click()
    await guest.page.get_by_role("button", name="End this attempt").click()
    await guest.page.locator("dialog").get_by_role("button", name="End it").click()


def verified(file: Path) -> Position:
    """The last position of a record that holds."""
    return verify(parse_record(file.read_text("utf-8"))).position


async def test_a_lost_attempt_is_analysed_by_a_worker_and_won_on_the_table(
    browser: Browser, site: Site, redis_url: str, tmp_path: Path
) -> None:
    guest = await Guest.come(browser, site, settings={"oneTap": False})
    page = guest.page
    await lost_practice(guest)
    await page.get_by_role("link", name="Where was it lost?").click()
    await expect(page.get_by_role("alert")).to_have_text("No solver runs on this server just now.")
    assert [error for error in guest.errors if "status of 503" not in error] == []
    guest.errors.clear()
    async with working(redis_url, tmp_path):
        await site.app.state.contest.store.workers.beat()
        await page.get_by_role("button", name="Ask again").click()
        await expect(page.locator(".losses-waiting")).to_be_visible()
        losses = page.locator(".loss")
        await expect(losses).to_have_count(2, timeout=LONG_MS)
    await expect(losses.first).to_have_text(
        re.compile(r"Step 7 \(3♦ onto the 4♥\) lost it; an undo at 0:\d\d mended it\.")
    )
    await expect(losses.last).to_have_text("Step 9 (3♦ onto the 4♥) lost it.")
    strip = page.get_by_role("img", name="Verdicts over time.")
    assert await strip.locator(".strip-mark").count() == 2
    assert (await strip.get_attribute("aria-label") or "").count("Lost from") == 2
    assert await grave_faults(page) == []

    await page.keyboard.press("m")
    await expect(page.locator(".replay-side h2")).to_contain_text("step 7 of 10")
    await page.get_by_role("button", name="To the move that lost it").click()
    await expect(page.locator(".replay-side h2")).to_contain_text("step 9 of 10")

    await page.get_by_role("button", name="Show the line that would have won").click()
    await expect(page.locator(".losses-side")).to_contain_text("Move 1 of")
    assert await grave_faults(page) == []
    await page.get_by_label("Speed").select_option("30×")
    await expect(page.locator(".losses-side")).to_contain_text("Won after", timeout=LONG_MS)
    assert await page.locator('.card[data-pile^="f"]').count() == 52
    await page.keyboard.press("w")
    await expect(page.locator(".replay-side h2")).to_contain_text("step 9 of 10")
    await expect(strip).to_be_visible()

    await page.reload()
    await expect(losses).to_have_count(2)
    await guest.leave()


async def test_a_win_is_told_against_par_beside_another_replay(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, settings={"oneTap": False}, size=(390, 844))
    page = guest.page
    await guest.go(f"/practice/{GAME.code}")
    await guest.wait_for_table()
    for move in GAME.line:
        await guest.press_move(move)
    store = site.app.state.contest.store
    await store.workers.beat()
    link = page.get_by_role("link", name="Compare with par")
    attempt = (await link.get_attribute("href") or "").removeprefix("/replay/").partition("?")[0]
    await guest.go(f"/replay/{attempt},{attempt}?analysis")
    with ThreadPoolExecutor(1) as threads:
        while not await Keeper(store, threads, [], 0).answer_one():
            await asyncio.sleep(0.05)
    await expect(page.locator(".losses").get_by_text("more than needed.")).to_have_count(2, timeout=LONG_MS)
    assert await page.locator(".strip").count() == 2
    assert await page.get_by_role("button", name="Show the line").count() == 0
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    assert await grave_faults(page) == []
    await guest.leave()


async def test_of_a_deal_written_out_card_by_card_it_is_said_why_the_solver_says_nothing(
    browser: Browser, site: Site
) -> None:
    guest = await Guest.come(browser, site)
    page = guest.page
    await guest.go(f"/practice/{won('beleaguered-castle').code}")
    await guest.wait_for_table()
    await page.get_by_role("button", name="More").click()
    await page.get_by_role("button", name="End this attempt").click()
    await page.locator("dialog").get_by_role("button", name="End it").click()
    await expect(page.locator(".headline")).to_contain_text("Ended")
    await expect(page.locator(".result .hash")).to_contain_text(":cards:")
    assert await page.get_by_role("link", name="Where was it lost?").count() == 0
    attempt = f"{page.url.rpartition('/')[2]}.{await guest.state('player.id')}"
    await guest.go(f"/replay/{attempt}?analysis")
    await expect(page.locator(".losses")).to_contain_text("ramparts analyse")
    assert await page.locator(".losses").get_by_role("button").all_inner_texts() == ["Save the record"]
    assert await grave_faults(page) == []
    async with page.expect_download() as download:
        await page.get_by_role("button", name="Save the record").click()
    saved = await download.value
    assert saved.suggested_filename == f"{attempt}.record"
    assert verified(Path(await saved.path())) == won("beleaguered-castle").start
    await guest.leave()


async def test_while_others_race_the_deal_it_is_refused_and_not_offered_again(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, settings={"oneTap": False})
    await lost_practice(guest)
    ask = guest.page.get_by_role("link", name="Where was it lost?")
    await ask.wait_for()
    site.deals.codes.append(GAME.code)
    await match_of_programs(site)
    await ask.click()
    await expect(guest.page.get_by_role("alert")).to_have_text(re.compile("^This deal is being raced now"))
    await expect(guest.page.get_by_role("button", name="Ask again")).to_have_count(0)
    await guest.leave()


VERDICTS = {"w": "winnable", "l": "lost", "u": "unknown"}


@pytest.mark.parametrize(
    ("strip", "losses", "finished", "told"),
    [
        ("l4", [], False, ["This deal could not be won at all."]),
        ("u4", [], False, ["Whether this deal could be won, the solver did not find out."]),
        ("w4", [], False, ["It could still be won at the end."]),
        ("w2 u2", [], False, ["It could be won until step 1; what came after stayed open."]),
        ("w4", [], True, ["Won in as few moves as are known."]),
        (
            "w1 u1 l1 w1",
            [{"after": 0, "at": 2, "at_ms": 2000, "mended": {"at": 3, "at_ms": 65_000, "what": "restart"}}],
            False,
            [
                "It was lost between step 0 and step 2; a restart at 1:05 mended it.",
                "It could still be won at the end.",
            ],
        ),
        (
            "w1 l3",
            [{"after": 0, "at": 1, "at_ms": 0, "what": "t7-f3"}],
            False,
            ["Step 1 (2♦ to its foundation) lost it."],
        ),
    ],
)
async def test_every_outcome_is_told_in_a_sentence(
    page: Page, files: str, strip: str, losses: list[dict[str, object]], finished: bool, told: list[str]
) -> None:
    await page.goto(f"{files}/tests/blank.html")
    stretches, first = [], 0
    for part in strip.split():
        last = first + int(part[1:]) - 1
        stretches.append({"first": first, "last": last, "verdict": VERDICTS[part[0]]})
        first = last + 1
    winnable = [stretch["last"] for stretch in stretches if stretch["verdict"] == "winnable"]
    analysis: dict[str, object] = {
        "verdicts": stretches,
        "losses": losses,
        "finished": finished,
        "moves": 3,
        "cards": [],
    }
    if winnable:
        analysis["last_winnable"] = winnable[-1]
    words = await page.evaluate(
        """async ([analysis, code]) => {
            const { catalogue } = await import('/tests/layout_check.js');
            const { deal } = await import('/js/rules.js');
            const { lossWords, verdictWords } = await import('/js/play/losswords.js');
            const position = deal(catalogue, code);
            const steps = [0, 1000, 2000, 3000].map((atMs) => ({ atMs, position, cards: 0, what: '' }));
            return [...analysis.losses.map((loss) => lossWords(loss, steps)), verdictWords(analysis)].filter(Boolean);
        }""",
        [analysis, won("beleaguered-castle").code],
    )
    assert words == told


async def test_every_move_of_every_game_has_words(page: Page, files: str) -> None:
    await page.goto(f"{files}/tests/blank.html")
    games = [[won(variant).code, [format_move(move) for move in won(variant).line]] for variant in lines()]
    odd = await page.evaluate(
        """async (games) => {
            const { catalogue } = await import('/tests/layout_check.js');
            const { deal, isWon } = await import('/js/rules.js');
            const { lineSteps } = await import('/js/play/replays.js');
            const { entryWords } = await import('/js/play/losswords.js');
            const odd = [];
            for (const [code, line] of games) {
                const steps = lineSteps(deal(catalogue, code), line);
                if (!isWon(steps.at(-1).position)) odd.push(`${code}: not won at the end`);
                line.forEach((what, number) => {
                    const words = entryWords(steps[number].position, what);
                    if (/entry\\.|[{}?]|undefined/.test(words)) odd.push(`${code} ${what}: ${words}`);
                });
            }
            return odd;
        }""",
        games,
    )
    assert len(games) > 18
    assert odd == []
