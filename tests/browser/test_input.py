"""Mouse, finger and keys on the table, in practice: no card is lost whatever is done, and the rules decide."""

from typing import Any

import pytest
from playwright.async_api import Browser, CDPSession, expect

from rules.moves import format_move
from tests.browser.players import Guest
from tests.browser.test_pages import CUT
from tests.e2e.deals import lines, won
from tests.web.site import Site

GAME = "beleaguered-castle"
UNTOLD = ".card.is-down.is-top:not([data-pile=s])"
"""What a move turned up has been told by the server: until then nobody can see it, let alone play it."""
REPRESENTATIVE = ("freecell", "klondike-draw3", "brigade", "cruel")


async def practise(browser: Browser, site: Site, variant: str = GAME, **context: Any) -> Guest:
    """A practice of the known deal of a variant."""
    guest = await Guest.come(browser, site, f"/practice/{won(variant).code}", **context)
    await guest.wait_for_table()
    return guest


async def cards_of(guest: Guest) -> list[str]:
    return sorted(card for pile in await guest.shown() for card in pile)


async def touch(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


async def test_a_card_is_dragged_by_finger(browser: Browser, site: Site) -> None:
    guest = await practise(browser, site, size=(390, 844), has_touch=True)
    move = won(GAME).line[0]
    start, end = await guest.end_of(move.source), await guest.end_of(move.target)
    finger = await guest.context.new_cdp_session(guest.page)
    await touch(finger, "touchStart", start)
    for part in (0.3, 0.6, 1.0):
        at = (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)
        await touch(finger, "touchMove", at)
    assert await guest.page.locator(".card.is-held").count() == 1
    await touch(finger, "touchEnd")
    target = won(GAME).positions[1].pile(move.target)
    await expect(guest.page.locator(".card.is-last")).to_have_count(1)
    assert len(target) == len(won(GAME).start.pile(move.target)) + 1
    await guest.leave()


async def test_one_tap_sends_a_card_to_its_best_place_and_an_undo_brings_it_back(browser: Browser, site: Site) -> None:
    guest = await practise(browser, site)
    before = await guest.shown()
    await guest.tap(won(GAME).line[0].source)
    after = await guest.shown()
    assert after != before
    await guest.page.keyboard.press("z")
    assert await guest.shown() == before
    await guest.page.keyboard.press("y")
    assert await guest.shown() == after
    await guest.page.keyboard.press("r")
    assert await guest.shown() == before
    await guest.leave()


async def test_a_triple_click_a_resize_and_an_undo_in_mid_flight_lose_no_card(browser: Browser, site: Site) -> None:
    guest = await practise(browser, site, settings={"motion": "on"})
    cards = await cards_of(guest)
    for pile in range(8):
        x, y = await guest.end_of(f"t{pile}")
        await guest.page.mouse.click(x, y, click_count=3, delay=5)
        await guest.page.set_viewport_size({"width": 900 + 40 * pile, "height": 640 + 20 * pile})
        await guest.page.keyboard.press("z")
        await guest.page.keyboard.press("y")
    await guest.page.wait_for_timeout(400)
    assert await cards_of(guest) == cards
    places = await guest.page.evaluate(
        """async () => {
            const { app } = await import(document.querySelector('script[type=module]').src);
            const { table } = app.page.screen;
            return table.cards.filter((card) => card.pile === '' || card.root.classList.contains('is-held')).length;
        }"""
    )
    assert places == 0
    await guest.leave()


async def test_a_refused_drop_says_why_and_the_card_goes_back(browser: Browser, site: Site) -> None:
    guest = await practise(browser, site)
    before = await guest.shown()
    source, target = await guest.page.evaluate(
        """async () => {
            const { app } = await import(document.querySelector('script[type=module]').src);
            const { table } = app.page.screen;
            const piles = Object.keys(table.piles).filter((name) => name[0] === 't');
            for (const source of piles) {
                const target = piles.find((name) => name !== source && !table.game.targets(source, 1).includes(name));
                if (target) return [source, target];
            }
            return [];
        }"""
    )
    start, end = await guest.end_of(source), await guest.end_of(target)
    await guest.page.mouse.move(*start)
    await guest.page.mouse.down()
    await guest.page.mouse.move(*end, steps=4)
    await guest.page.mouse.up()
    await expect(guest.page.locator(".reason")).to_contain_text("one rank lower")
    assert await guest.shown() == before
    await guest.leave()


@pytest.mark.parametrize("size", [(640, 360), (360, 640), (1000, 700)])
async def test_a_reason_covers_no_card_and_goes_when_the_window_turns(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    guest = await Guest.come(browser, site, "/practice/chessboard:ms:11982", size=size)
    await guest.wait_for_table()
    reason = guest.page.locator(".reason")
    for pile in ("t0", "t4", "t9", "f0", ""):
        await guest.page.evaluate(
            "async (pile) => { const { app } = await import(document.querySelector('script[type=module]').src);"
            " app.page.screen.reason(pile, 'This deal is being raced now. Hints come when that race has closed.'); }",
            pile,
        )
        assert await reason.evaluate("(note) => note.scrollHeight <= note.offsetHeight")
        note = await reason.bounding_box()
        assert note and note["x"] >= 0 and note["x"] + note["width"] <= size[0]
        assert (
            await guest.page.locator(".card").evaluate_all(
                """(cards, note) => cards.filter((card) => {
                const box = card.getBoundingClientRect();
                return box.left < note.x + note.width && note.x < box.right
                    && box.top < note.y + note.height && note.y < box.bottom;
            }).length""",
                note,
            )
            == 0
        ), pile
    await guest.page.set_viewport_size({"width": size[1], "height": size[0]})
    await expect(reason).to_have_count(0)
    await guest.leave()


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
@pytest.mark.parametrize("size", [(320, 568), (360, 640), (640, 360)])
async def test_all_that_is_said_in_the_bar_of_a_phone_is_seen_whole_and_so_are_the_buttons(
    browser: Browser, site: Site, locale: str, size: tuple[int, int]
) -> None:
    guest = await Guest.come(browser, site, "/practice/klondike-draw3:ms:11982", size=size, locale=locale)
    await guest.wait_for_table()
    longer = await guest.page.evaluate(
        """async (language) => {
            const main = document.querySelector('script[type=module]').src;
            const { app } = await import(main);
            const words = await import(main.replace('main.js', `words/${language}/play.js`));
            const said = Object.entries(words.default).filter(([key]) => /^(refusal|hint)\\./.test(key));
            return said.filter(([, text]) => {
                app.page.screen.reason('', text.replace('{card}', '10♦'));
                const { scrollHeight, offsetHeight } = document.querySelector('.reason');
                return scrollHeight > offsetHeight;
            });
        }""",
        locale[:2],
    )
    assert longer == []
    assert await guest.page.evaluate(CUT) == []
    await guest.leave()


async def test_a_game_is_won_by_keys_alone_and_told_to_who_listens(browser: Browser, site: Site) -> None:
    guest = await practise(browser, site)
    heard: list[str] = []
    await guest.page.expose_function("__heard", lambda said: heard.append(said))  # noqa: PLW0108 - Playwright marks it
    await guest.page.evaluate(
        "new MutationObserver(() => { const said = document.getElementById('polite').textContent;"
        " if (said) window.__heard(said); })"
        ".observe(document.getElementById('polite'), { childList: true, characterData: true, subtree: true })"
    )
    for move in won(GAME).line:
        await guest.press_move(move)
    await expect(guest.page.locator(".headline-place")).to_have_text("Won")
    assert any(" of " in said for said in heard)
    await guest.leave()


async def win_by_taps(browser: Browser, site: Site, variant: str) -> str:
    """What the page says at the end."""
    guest = await practise(browser, site, variant, settings={"oneTap": False}, size=(1440, 900))
    for number, move in enumerate(won(variant).line):
        await guest.play(move)
        if won(variant).start.variant.has_hidden_cards:
            await expect(guest.page.locator(UNTOLD)).to_have_count(0)
        if number % 25 == 0:
            shown = await guest.shown()
            assert sum(len(pile) for pile in shown) == won(variant).start.variant.cards, format_move(move)
    await expect(guest.page.locator(".headline-place")).not_to_be_empty()
    said = await guest.page.locator(".headline-place").inner_text()
    await guest.leave()
    return said


@pytest.mark.parametrize("variant", REPRESENTATIVE)
async def test_a_game_is_dealt_and_won_by_taps(browser: Browser, site: Site, variant: str) -> None:
    assert await win_by_taps(browser, site, variant) == "Won"


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("variant", sorted(set(lines()) - set(REPRESENTATIVE)))
async def test_every_game_is_dealt_and_won_by_taps(browser: Browser, site: Site, variant: str) -> None:
    assert await win_by_taps(browser, site, variant) == "Won"


async def test_practice_goes_on_without_a_network(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, "/practice/fortress:ms:5")
    await guest.wait_for_table()
    await guest.page.evaluate("navigator.serviceWorker.ready")
    await guest.page.reload()
    await guest.wait_for_table()
    await guest.page.wait_for_timeout(500)
    await guest.context.set_offline(True)
    await guest.go("/practice/fortress:ms:11982")
    await guest.wait_for_table()
    await expect(guest.page.locator(".bar-place")).to_contain_text("Offline practice")
    before = await guest.shown()
    await guest.page.keyboard.press("c")
    for pile in range(10):
        await guest.tap(f"t{pile}")
        await guest.page.wait_for_timeout(280)
    assert await guest.shown() != before
    await guest.go("/practice/fortress")
    await guest.wait_for_table()
    fresh = await guest.shown()
    assert fresh != before
    await guest.page.reload()
    await guest.wait_for_table()
    assert await guest.shown() == fresh
    await guest.leave()


@pytest.mark.parametrize(
    ("variant", "named", "unnamed"),
    [
        ("klondike-draw3", {"d · w"}, {"q", "e", "x", "z · y", "r"}),
        ("freecell", {"q", "z · y", "r"}, {"d · w", "e", "x"}),
        ("cruel", {"x"}, {"d · w", "q", "e"}),
    ],
)
async def test_rules_and_keys_open_at_the_rules_and_name_the_keys_that_do_something(
    browser: Browser, site: Site, variant: str, named: set[str], unnamed: set[str]
) -> None:
    guest = await practise(browser, site, variant, size=(640, 360))
    await guest.page.get_by_role("button", name="More").click()
    await guest.page.get_by_role("button", name="Rules and keys").click()
    dialog = guest.page.get_by_role("dialog")
    await expect(dialog.get_by_role("heading").first).to_be_in_viewport()
    keys = set(await dialog.locator("kbd").all_inner_texts())
    assert named <= keys
    assert not unnamed & keys
    await guest.leave()


async def test_a_device_for_fingers_shows_the_rules_without_keys(browser: Browser, site: Site) -> None:
    guest = await practise(browser, site, size=(390, 844), has_touch=True, is_mobile=True)
    await guest.page.get_by_role("button", name="More").tap()
    await guest.page.get_by_role("button", name="Rules", exact=True).tap()
    await expect(guest.page.get_by_role("dialog").locator(".sentences")).to_be_visible()
    await expect(guest.page.get_by_role("dialog").locator("kbd")).to_have_count(0)
    await guest.leave()
