"""What makes a table pleasant: drops that count, cards that stay where one put them, an end without busywork."""

from playwright.async_api import Browser, expect

from rules.collect import full_collect, safe_collect
from rules.moves import format_move, legal_moves, parse_move, play
from rules.positions import Position
from tests.browser.players import Guest
from tests.browser.test_input import GAME, practise
from tests.e2e.deals import won
from tests.web.site import Site

PULLED = "brigade:ms:1"
"""Here the ace of clubs can be taken back at once, and would be safe to go up again."""

PULLED_BESIDE = "brigade:ms:21"
"""The same, and a move later the two of hearts is safe, too."""


def up(position: Position) -> int:
    """Cards on the foundations."""
    return position.variant.cards - position.cards_left


async def boxes(guest: Guest, source: str, target: str) -> list[dict[str, float]]:
    """Where the end card of one pile and the whole of another lie on the page."""
    found: list[dict[str, float]] = await guest.page.evaluate(
        """async ([source, target]) => {
            const { app } = await import(document.querySelector('script[type=module]').src);
            const { table } = app.page.screen;
            const area = table.surface.getBoundingClientRect();
            const card = table.find(source, table.size(source) - 1);
            const pile = table.pileBox(target);
            return [{ x: area.x + card.x, y: area.y + card.y, width: table.layout.w, height: table.layout.h },
                { x: area.x + pile.x, y: area.y + pile.y, width: pile.width, height: pile.height }];
        }""",
        [source, target],
    )
    return found


async def test_a_drop_counts_where_the_card_lies_not_where_the_pointer_is(browser: Browser, site: Site) -> None:
    guest = await practise(browser, site, settings={"form": "columns"})
    position = won(GAME).start
    move = next(
        move for move in legal_moves(position) if move.target[0] == "t" and int(move.source[1:]) > int(move.target[1:])
    )
    card, pile = await boxes(guest, move.source, move.target)
    # Held by its right edge, the card is let go partly over the pile at its left, with the pointer beside that pile.
    grip = (card["x"] + card["width"] - 3, card["y"] + card["height"] / 2)
    left = pile["x"] + pile["width"] * 0.6
    end = (left + card["width"] - 3, pile["y"] + pile["height"] - card["height"] / 2)
    assert end[0] > pile["x"] + pile["width"]
    await guest.page.mouse.move(*grip)
    await guest.page.mouse.down()
    await guest.page.mouse.move((grip[0] + end[0]) / 2, end[1], steps=3)
    await guest.page.mouse.move(*end, steps=3)
    await guest.page.mouse.up()
    shown = await guest.shown()
    index = position.variant.tables.index
    assert len(shown[index[move.target]]) == len(position.pile(move.target)) + 1
    assert len(shown[index[move.source]]) == len(position.pile(move.source)) - 1
    await guest.leave()


async def test_a_left_hand_has_the_buttons_at_its_side_of_a_phone_that_is_turned(browser: Browser, site: Site) -> None:
    guest = await practise(browser, site, settings={"leftHanded": True}, size=(640, 360))
    table = await guest.page.locator(".table").bounding_box()
    assert table
    for button in await guest.page.locator(".controls button:visible").all():
        box = await button.bounding_box()
        assert box and box["width"] > 60 and box["height"] > 30
        assert box["x"] + box["width"] <= table["x"]
    await guest.page.get_by_role("button", name="More").click()
    menu = await guest.page.locator(".menu").bounding_box()
    assert menu and menu["x"] >= 0 and menu["x"] + menu["width"] <= 640
    await guest.leave()


async def test_autoplay_leaves_alone_what_the_player_has_taken_back(browser: Browser, site: Site) -> None:
    guest = await Guest.come(browser, site, f"/practice/{PULLED}", settings={"autoplay": True, "oneTap": False})
    await guest.wait_for_table()
    ace = (await guest.shown())[7][0]
    assert ace == "AC"
    await guest.play(parse_move("f0-t5"))
    place = guest.page.locator('.card[data-card="AC"]')
    await guest.page.wait_for_timeout(500)
    await expect(place).to_have_attribute("data-pile", "t5")
    await guest.page.get_by_role("link", name="Settings").click()
    await expect(guest.page.get_by_role("heading", name="Settings")).to_be_visible()
    await guest.page.reload()
    await guest.page.go_back()
    await guest.wait_for_table()
    await guest.play(parse_move("f1-t6"))
    await guest.page.wait_for_timeout(500)
    await expect(place).to_have_attribute("data-pile", "t5")
    await guest.play(parse_move("t5-f0"))
    await expect(place).to_have_attribute("data-pile", "f0")
    await guest.leave()


async def test_autoplay_sends_up_all_that_is_safe_but_what_the_player_has_taken_back(
    browser: Browser, site: Site
) -> None:
    guest = await Guest.come(browser, site, f"/practice/{PULLED_BESIDE}", settings={"autoplay": True, "oneTap": False})
    await guest.wait_for_table()
    await guest.play(parse_move("f0-t6"))
    await guest.play(parse_move("t0-t3"))
    await expect(guest.page.locator('.card[data-card="2H"]')).to_have_attribute("data-pile", "f2")
    await guest.page.wait_for_timeout(500)
    await expect(guest.page.locator('.card[data-card="AC"]')).to_have_attribute("data-pile", "t6")
    await guest.leave()


async def test_autoplay_sends_up_what_is_safe_and_nothing_after_an_undo(browser: Browser, site: Site) -> None:
    game = won(GAME)
    guest = await practise(browser, site, settings={"autoplay": True, "oneTap": False})
    at = next(number for number, position in enumerate(game.positions) if number and safe_collect(position))
    for move in game.line[:at]:
        await guest.press_move(move)
    collected = game.positions[at]
    for move in safe_collect(collected):
        collected = play(collected, move)
    places = guest.page.locator(".card[data-pile^=f]")
    await expect(places).to_have_count(up(collected))
    assert up(collected) > up(game.positions[at])
    await guest.page.keyboard.press("z")
    await expect(places).to_have_count(up(game.positions[at]))
    await guest.page.wait_for_timeout(500)
    await expect(places).to_have_count(up(game.positions[at]))
    await guest.leave()


async def test_collect_takes_what_is_safe_and_collect_all_what_fits(browser: Browser, site: Site) -> None:
    game = won(GAME)
    at = next(
        n for n, p in enumerate(game.positions) if safe_collect(p) and len(full_collect(p)) > len(safe_collect(p))
    )
    position = game.positions[at]
    guest = await practise(browser, site, settings={"oneTap": False})
    for move in game.line[:at]:
        await guest.press_move(move)
    places = guest.page.locator(".card[data-pile^=f]")
    await guest.page.get_by_role("button", name="Collect").click()
    await expect(places).to_have_count(up(position) + len(safe_collect(position)))
    await guest.page.get_by_role("button", name="Undo").click()
    await expect(places).to_have_count(up(position))
    await guest.page.get_by_role("button", name="More").click()
    await guest.page.get_by_role("button", name="Collect all that fits").click()
    await expect(places).to_have_count(up(position) + len(full_collect(position)))
    await guest.leave()


async def test_the_rest_is_offered_when_it_is_forced_and_wins_at_one_press(browser: Browser, site: Site) -> None:
    game = won(GAME)
    forced = next(n for n, p in enumerate(game.positions) if len(full_collect(p)) == p.cards_left)
    assert forced < len(game.line) - 5, [format_move(move) for move in game.line]
    guest = await practise(browser, site, settings={"oneTap": False})
    offer = guest.page.get_by_role("button", name="Finish")
    for move in game.line[:forced]:
        await expect(offer).to_have_count(0)
        await guest.press_move(move)
    await offer.click()
    await expect(guest.page.locator(".headline-place")).to_have_text("Won")
    await guest.leave()
