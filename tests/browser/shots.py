"""Pictures of every page in every state worth looking at: `make shots`.

`python -m tests.browser.shots WORD …` takes those whose names have one of the words in them. They are to be looked at;
nothing is compared.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, async_playwright

from server.race import race as racing
from server.race.daily import format_day
from server.store.embedded import start_embedded
from tests.browser.chromium import ARGUMENTS, install_chromium
from tests.browser.filled import match_of_programs
from tests.browser.players import Guest
from tests.browser.town import GAME, Town, deals, settle
from tests.e2e.deals import committed, numbered, won
from tests.e2e.racing import play_line
from tests.e2e.times import now_ms
from tests.processes import working
from tests.web.site import Player, Site, serving

OUT = Path(__file__).parents[2] / "build" / "shots"
SETTLE_MS = 350
LONG_COUNTDOWN_MS, COUNTDOWN_MS = 20_000, 1_000
HOST_MOVES = 52
PHONE, DESK, TURNED = (390, 844), (1440, 900), (640, 360)
CROWD = 100


@dataclass(frozen=True)
class Look:
    """How a picture is taken."""

    name: str
    size: tuple[int, int]
    settings: dict[str, str]


MAIN = [
    Look(f"{form}-{theme}", size, {"theme": theme})
    for form, size in (("phone", PHONE), ("desk", DESK))
    for theme in ("dark", "light")
]
LOW = [Look(f"turned-{theme}", TURNED, {"theme": theme}) for theme in ("dark", "light")]
OTHERS = [
    Look("phone-contrast", PHONE, {"theme": "contrast"}),
    Look("desk-german", DESK, {"theme": "dark", "language": "de"}),
    Look("phone-german", PHONE, {"theme": "light", "language": "de"}),
    Look("phone-mirror", PHONE, {"theme": "dark", "language": "x-rtl"}),
]
IN_OTHERS = ("home", "guide-klondike", "table", "result", "settings", "lobby", "day-board")


@dataclass
class Studio:
    """Takes the pictures whose names are wanted."""

    browser: Browser
    site: Site
    words: list[str]
    taken: list[str] = field(default_factory=list)

    def wants(self, *names: str) -> bool:
        """Whether one of these pictures is asked for."""
        return not self.words or any(word in name or name in word for word in self.words for name in names)

    async def shoot(self, guest: Guest, name: str, *, whole: bool = True) -> None:
        """The page as it is, in all looks; what is not shown `whole`, on a phone that is turned, too."""
        if not self.wants(name):
            return
        for look in [*MAIN, *([] if whole else LOW), *(OTHERS if name.endswith(IN_OTHERS) else [])]:
            await guest.page.set_viewport_size({"width": look.size[0], "height": look.size[1]})
            await guest.page.evaluate(
                "async (settings) => { const { app } = await import(document.querySelector('script[type=module]').src);"
                " await app.choose({ language: 'en', ...settings }); }",
                look.settings,
            )
            await guest.page.wait_for_timeout(SETTLE_MS)
            await guest.page.screenshot(path=OUT / f"{name}.{look.name}.png", full_page=whole)
        self.taken.append(name)

    @asynccontextmanager
    async def guest(self, path: str, **how: Any) -> AsyncIterator[Guest]:
        """Someone at a page, by the server's date."""
        come = await Guest.come(self.browser, self.site, "/about", size=DESK, **how)
        await come.page.clock.set_system_time(datetime.fromtimestamp(now_ms(self.site) / 1000, UTC))
        await come.go(path)
        try:
            yield come
        finally:
            await come.context.close()

    async def pages(self, paths: dict[str, str], prefix: str, token: str = "") -> None:
        """Pages that their address alone brings up, for a new guest or for whose token it is."""
        if self.wants(*(prefix + name for name in paths)):
            async with self.guest("/") as guest:
                if token:
                    await guest.page.evaluate(
                        "(token) => localStorage.setItem('ramparts.token', token)", json.dumps(token)
                    )
                for name, path in paths.items():
                    if self.wants(prefix + name):
                        await guest.go(path)
                        await guest.page.wait_for_selector("main h1, main h2, .card[data-card]")
                        await guest.page.wait_for_timeout(SETTLE_MS)
                        await self.shoot(guest, prefix + name)


EMPTY = {
    "home": "/",
    "daily": "/daily",
    "boards": "/boards",
    "practice": "/practice",
    "games": "/games",
    "games-none": "/games?q=zzz",
    "guide-castle": "/games/beleaguered-castle",
    "guide-klondike": "/games/klondike-draw1",
    "guide-none": "/games/nothing",
    "player-none": "/player/nobody-here",
    "settings": "/settings",
    "about": "/about",
    "race-none": "/race/nothing-here",
    "day-none": "/daily/2001-01-01",
}


RACE = ("lobby", "countdown", "table", "menu", "help", "report", "resign", "offline", "waiting", "result", "watching")


async def empty(studio: Studio) -> None:
    """A server on which nobody has played."""
    await studio.pages(EMPTY, "empty-")


async def full(studio: Studio, town: Town) -> None:
    """The same after a day and a hundred rivals, to a stranger and to one who has played."""
    yesterday, ada, iris = town.yesterday, town.named[0], town.named[3]
    replays = f"/replay/{yesterday.race_id}.{ada.id}"
    await studio.pages(
        {
            "home": "/",
            "daily": "/daily",
            "day-closed": "/daily/" + format_day(yesterday.day),
            "boards": "/boards",
            "day-board": f"/boards/day:{format_day(yesterday.day)}:{GAME}:open",
            "guide-castle": f"/games/{GAME}",
            "archive": f"/archive/{GAME}",
            "player": "/player/Ada",
            "player-long": "/player/WWWWWWWWWWWWWWWWWWWW",
            "daily-others": f"/race/{yesterday.race_id}",
            "replay": replays,
            "replay-two": f"{replays},{yesterday.race_id}.{iris.id}",
        },
        "full-",
    )
    mine = {
        "home": "/",
        "archive": f"/archive/{GAME}",
        "player": "/me",
        "daily-result": f"/race/{town.today.race_id}",
        "day-result": f"/race/{yesterday.race_id}",
        "settings": "/settings",
    }
    await studio.pages(mine, "mine-", ada.token)


async def tables(studio: Studio) -> None:
    """Tables that differ in what lies on them."""
    for variant in (
        GAME,
        "klondike-draw3",
        "castle-of-indolence",
        "four-seasons",
        "cruel",
        "flower-garden",
        "freecell",
        "chessboard",
        "bisley",
    ):
        if studio.wants(f"table-{variant}"):
            async with studio.guest(f"/practice/{variant}:ms:11982") as guest:
                await guest.wait_for_table()
                await studio.shoot(guest, f"table-{variant}", whole=False)


async def solved(studio: Studio, redis_url: str, folder: Path) -> None:
    """What the solver says: a hint on the table, and where a practice was lost."""
    if not studio.wants("hint", "analysis", "analysis-line"):
        return
    async with working(redis_url, folder), studio.guest("/about", settings={"oneTap": False}) as guest:
        page = guest.page
        await guest.go(f"/practice/{numbered().code}")
        await guest.wait_for_table()
        for move in numbered().line[:6]:
            await guest.press_move(move)
        while not await studio.site.app.state.contest.store.workers.is_running():
            await asyncio.sleep(0.1)
        await page.keyboard.press("h")
        await page.locator(".card.is-hinted").first.wait_for()
        await studio.shoot(guest, "hint", whole=False)
        await _look_plain((guest,))
        for key in ("1", "6"):
            await page.keyboard.press(key)
        await page.get_by_role("button", name="More").click()
        await page.get_by_role("button", name="End this attempt").click()
        await page.locator("dialog").get_by_role("button", name="End it").click()
        await page.get_by_role("link", name="Where was it lost?").click()
        await page.locator(".loss").first.wait_for()
        await page.keyboard.press("m")
        await studio.shoot(guest, "analysis", whole=False)
        await page.keyboard.press("w")
        await studio.shoot(guest, "analysis-line", whole=False)


async def watched(studio: Studio) -> None:
    """Matches that are being played, and a race of a hundred."""
    game = won(GAME)
    if studio.wants("lives"):
        for played in (8, 30, 52):
            studio.site.deals.codes.append(game.code)
            for attempt, moves in zip(await match_of_programs(studio.site), (played, played // 2), strict=True):
                await play_line(attempt, game.line[:moves])
        async with studio.guest("/") as guest:
            await guest.page.locator(".live").first.wait_for()
            await studio.shoot(guest, "lives")
    if studio.wants("crowd", "crowd-lobby", "crowd-open"):
        studio.site.deals.codes.append(game.code)
        async with studio.guest("/") as host:
            await host.page.get_by_label("Seats").select_option(str(CROWD))
            await host.page.get_by_role("button", name="Make a link").click()
            link = (await host.page.locator("#link").input_value()).rpartition("/")[2]
            attempts = [await (await Player.join(studio.site)).enter(link) for _ in range(CROWD - 1)]
            await studio.shoot(host, "crowd-lobby")
            await _look_plain((host,))
            for attempt in attempts:
                await attempt.player.say("ready", race=attempt.race, ready=True)
            await host.page.get_by_role("button", name="I’m ready").click()
            await host.wait_for_table()
            for number, attempt in enumerate(attempts):
                attempt.take((await attempt.player.hear("started"))["position"])
                await play_line(attempt, game.line[: number + 1])
            for move in game.line[:HOST_MOVES]:
                await host.press_move(move)
            await studio.shoot(host, "crowd", whole=False)
            await host.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
            await host.page.locator(".thin").click()
            await studio.shoot(host, "crowd-open", whole=False)


async def race(studio: Studio) -> None:
    """A race of four from its lobby to its result, seen by its host and by someone who watches."""
    if not studio.wants(*RACE):
        return
    studio.site.deals.codes.append(won(GAME).code)
    async with studio.guest("/") as host:
        await host.page.get_by_label("Seats").select_option("4")
        await host.page.get_by_role("button", name="Make a link").click()
        link = (await host.page.locator("#link").input_value()).removeprefix(studio.site.http)
        await studio.shoot(host, "lobby")
        async with studio.guest(link) as ida, studio.guest(link) as joe, studio.guest(link) as kim:
            people = (host, ida, joe, kim)
            await kim.page.get_by_role("button", name="I’m ready").wait_for()
            await studio.shoot(host, "lobby-full")
            await _look_plain(people)
            racing.COUNTDOWN_MS = LONG_COUNTDOWN_MS if studio.wants("countdown") else COUNTDOWN_MS
            for each in people:
                await each.page.get_by_role("button", name="I’m ready").click()
            if studio.wants("countdown"):
                await studio.shoot(host, "countdown", whole=False)
            for each in people:
                await each.page.locator(".card[data-card]").first.wait_for(timeout=2 * LONG_COUNTDOWN_MS)
            await _look_plain(people)
            for count, each in ((60, ida), (44, joe), (30, kim), (HOST_MOVES, host)):
                for move in won(GAME).line[:count]:
                    await each.press_move(move)
            await host.page.evaluate("document.activeElement.blur()")
            await studio.shoot(host, "table", whole=False)
            await _over(studio, host, "menu")
            await _over(studio, host, "help", "Rules and keys")
            await _over(studio, host, "report", "Report something")
            await _over(studio, host, "resign", "Resign")
            async with studio.guest(link) as eve:
                await eve.page.locator(".watching").wait_for()
                for count, each in ((60, ida), (44, joe), (30, kim)):
                    for move in won(GAME).line[count : count + 8]:
                        await each.press_move(move)
                await studio.shoot(eve, "watching", whole=False)
            await host.context.set_offline(True)
            await host.page.locator(".link-state").wait_for()
            await studio.shoot(host, "offline", whole=False)
            await host.context.set_offline(False)
            await host.page.locator(".link-state").wait_for(state="hidden")
            await _look_plain(people)
            for move in won(GAME).line[HOST_MOVES:]:
                await host.press_move(move)
            await host.page.locator(".ended, .headline-place").first.wait_for()
            await studio.shoot(host, "waiting", whole=False)
            for each in (ida, joe, kim):
                await each.page.get_by_role("button", name="More").click()
                await each.page.get_by_role("button", name="Resign").click()
                await each.page.locator("dialog").get_by_role("button", name="Resign").click()
            await host.page.locator(".chart .line").first.wait_for()
            await studio.shoot(host, "result")
            await studio.shoot(kim, "result-last")


async def _over(studio: Studio, guest: Guest, name: str, button: str = "") -> None:
    """The menu over the table, or what one of its buttons brings up."""
    if studio.wants(name):
        await _look_plain((guest,))
        await guest.page.get_by_role("button", name="More").click()
        if button:
            await guest.page.get_by_role("button", name=button).click()
        await studio.shoot(guest, name, whole=False)
        await guest.page.keyboard.press("Escape")
        await _look_plain((guest,))


async def _look_plain(guests: tuple[Guest, ...]) -> None:
    """Back to one size and to English, which the steps go by."""
    for guest in guests:
        await guest.page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
        await guest.page.evaluate(
            "async () => { const { app } = await import(document.querySelector('script[type=module]').src);"
            " await app.choose({ language: 'en', theme: 'dark' }); }"
        )


async def main(words: list[str]) -> None:
    """Takes the pictures into `build/shots/`."""
    OUT.mkdir(parents=True, exist_ok=True)
    racing.COUNTDOWN_MS = COUNTDOWN_MS
    with tempfile.TemporaryDirectory() as folder:
        valkey = start_embedded(Path(folder) / "valkey")
        try:
            async with (
                serving(valkey.url, Path(folder), deals(), commands_per_second=100_000) as site,
                async_playwright() as playwright,
            ):
                await committed(site)
                browser = await playwright.chromium.launch(executable_path=install_chromium(), args=ARGUMENTS)
                studio = Studio(browser, site, words)
                await empty(studio)
                await tables(studio)
                await race(studio)
                await solved(studio, valkey.url, Path(folder))
                await watched(studio)
                if studio.wants("full-", "mine-"):
                    await full(studio, await settle(site))
                await browser.close()
        finally:
            valkey.stop()
    print(f"{len(studio.taken)} pages in {OUT}: {', '.join(studio.taken)}")  # noqa: T201 - a command


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
