"""A game that neither server nor client has seen: one record more, and it is explained, dealt, played and raced."""

import json
import shutil
from pathlib import Path

from playwright.async_api import Browser, expect

import rules
from tests.browser.players import Address, Guest
from tests.processes import ServerProcess

RECORD = {
    "id": "twelve-towers",
    "name": "Twelve Towers",
    "aka": [],
    "ranked": True,
    "decks": 1,
    "deal": {
        "steps": [
            {"to": "tableau", "sizes": [4] * 12},
            {"to": "cells", "sizes": [1, 1]},
            {"to": "reserve", "sizes": [1, 1]},
        ]
    },
    "foundations": {"count": 4, "base": "A", "dir": "up", "match": "suit", "start": "empty", "worry_back": True},
    "tableau": {"piles": 12, "build": "both", "match": "color", "wrap": True, "lift": "one", "space": "any"},
    "cells": 3,
    "reserve": [1, 1],
}
A_MOVE = """async () => {
    const { app } = await import(document.querySelector('script[type=module]').src);
    const { table } = app.page.screen;
    for (const source of Object.keys(table.piles).filter((name) => name[0] === 't')) {
        const target = table.game.targets(source, 1).find((name) => name[0] === 't');
        if (target) return [source, target];
    }
    return null;
}"""


def server_with(record: dict[str, object], folder: Path) -> ServerProcess:
    """A server whose data holds one record more."""
    copied = folder / "code" / "rules"
    shutil.copytree(Path(rules.__file__).parent, copied, ignore=shutil.ignore_patterns("__pycache__"))
    data = copied / "variants.json"
    known = json.loads(data.read_text("utf-8"))
    data.write_text(json.dumps(known | {"variants": [*known["variants"], record]}), "utf-8")
    return ServerProcess(folder, PYTHONPATH=str(folder / "code"), PYTHONSAFEPATH="1")


async def test_a_record_more_is_a_game_more(browser: Browser, tmp_path: Path) -> None:
    server = server_with(RECORD, tmp_path)
    await server.start()
    guest = await Guest.come(browser, Address(server.url), "/games/twelve-towers", settings={"oneTap": False})
    await expect(guest.page.get_by_role("heading", name="Twelve Towers").first).to_be_visible()
    await guest.go("/practice/twelve-towers:ms:7")
    await guest.wait_for_table()
    before = await guest.shown()
    assert sum(map(len, before)) == 52
    source, target = await guest.page.evaluate(A_MOVE)
    await guest.tap(source)
    await guest.tap(target)
    after = await guest.shown()
    assert after != before
    assert sorted(card for pile in after for card in pile) == sorted(card for pile in before for card in pile)
    await guest.when("Object.values(app.state.races)[0].attempt.version === 1")
    await guest.page.reload()
    await guest.wait_for_table()
    assert await guest.shown() == after
    for page, games in (("/", "#quick-variant"), ("/boards", "#board-variant"), ("/archive", "#archive-variant")):
        await guest.go(page)
        await expect(guest.page.locator(f"{games} option")).to_have_count(19)
    await guest.go("/daily")
    await expect(guest.page.get_by_role("heading", name="Twelve Towers")).to_be_visible()
    await guest.leave()
    await server.stop()
