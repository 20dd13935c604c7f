"""People at the page: each has a browser context of their own, and plays by mouse, finger or keys."""

import json
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from playwright.async_api import Browser, BrowserContext, Locator, Page

from rules.moves import DRAW, REDEAL, Move

PATIENCE_MS = 15_000
FORGIVEN = (
    "WebSocket connection",
    "ERR_FAILED",
    "ERR_INTERNET_DISCONNECTED",
    "ERR_CONNECTION",
    "status of 404",
    "status of 409",
)
"""What the browser itself logs of lost connections and of things that are not there yet."""


class Place(Protocol):
    """Where a server answers."""

    @property
    def http(self) -> str:
        """Its address."""


@dataclass(frozen=True)
class Address:
    """A server that runs in a process of its own."""

    http: str


@dataclass
class Guest:
    """One person with a page. `errors` are what the page threw or logged."""

    context: BrowserContext
    page: Page
    site: Place
    errors: list[str] = field(default_factory=list)

    @classmethod
    async def come(cls, browser: Browser, site: Place, path: str = "/", **context: Any) -> Self:
        """Opens a page of the site. `settings` are those of the page."""
        settings = context.pop("settings", {})
        size = context.pop("size", (1000, 700))
        opened = await browser.new_context(
            viewport={"width": size[0], "height": size[1]}, locale=context.pop("locale", "en-GB"), **context
        )
        opened.set_default_timeout(PATIENCE_MS)
        page = await opened.new_page()
        guest = cls(opened, page, site)
        guest.watch(page)
        await guest.choose({"motion": "off"} | settings)
        await guest.go(path)
        return guest

    def watch(self, page: Page) -> None:
        """Notes what goes wrong on the page."""
        page.on("pageerror", lambda error: self.errors.append(str(error)))

        def note(message: Any) -> None:
            if message.type == "error" and not any(text in message.text for text in FORGIVEN):
                self.errors.append(message.text)

        page.on("console", note)

    async def choose(self, settings: dict[str, Any]) -> None:
        """Settings as this device keeps them; before the page is opened."""
        kept = json.dumps(json.dumps(settings))
        await self.context.add_init_script(
            f"localStorage.getItem('ramparts.settings') ?? localStorage.setItem('ramparts.settings', {kept})"
        )

    async def go(self, path: str) -> None:
        """To a page of the site."""
        await self.page.goto(self.site.http + path)

    async def leave(self) -> None:
        """Closes the page; nothing may have gone wrong on it."""
        await self.context.close()
        assert self.errors == [], self.errors

    async def state(self, path: str) -> Any:
        """A part of the page's state, such as `link.phase`."""
        return await self.page.evaluate(
            "async (path) => { const { app } = await import(document.querySelector('script[type=module]').src);"
            " return path.split('.').reduce((part, name) => part?.[name], app.state) ?? null; }",
            path,
        )

    async def when(self, claim: str) -> Any:
        """What an expression over `app` comes to once it is true. Not a promise: that would count as true."""
        app = await self.page.evaluate_handle(
            "async () => (await import(document.querySelector('script[type=module]').src)).app"
        )
        found = await self.page.wait_for_function(f"(app) => {claim}", arg=app)
        return await found.json_value()

    async def drop(self) -> None:
        """Loses the connection; returns when another is made."""
        session = await self.state("link.session")
        await self.page.evaluate(
            "async () =>"
            " (await import(document.querySelector('script[type=module]').src)).app.connection.socket.close()"
        )
        await self.when(f"app.state.link.session > {session} && app.state.link.phase === 'open'")

    async def wait_for_table(self) -> None:
        """Until the cards lie."""
        await self.page.wait_for_selector(".card[data-card]")

    def pile(self, name: str) -> Locator:
        """A pile's element."""
        return self.page.locator(f'.pile[data-pile="{name}"]')

    async def tap(self, name: str) -> None:
        """Clicks the end card of a pile, or the empty pile."""
        x, y = await self.end_of(name)
        await self.page.mouse.click(x, y)

    async def end_of(self, name: str, count: int = 1) -> tuple[float, float]:
        """A point on the visible part of the end card of a pile, or of the lowest of so many at its end."""
        x, y = await self.page.evaluate(
            """async ([name, count]) => {
                const { app } = await import(document.querySelector('script[type=module]').src);
                const table = app.page.screen.table;
                const size = table.size(name);
                const area = table.surface.getBoundingClientRect();
                const { w, h } = table.layout;
                if (!size) {
                    const box = table.pileBox(name);
                    return [area.x + box.x + box.width / 2, area.y + box.y + box.height / 2];
                }
                const card = table.find(name, size - count);
                const spot = table.layout.spots[name];
                const next = count > 1 ? table.find(name, size - count + 1) : null;
                const dx = next ? next.x - card.x : 0;
                const left = dx < 0 ? w + dx / 2 : dx > 0 ? dx / 2 : w / 2;
                const top = next && next.y > card.y ? (next.y - card.y) / 2 : h / 2;
                return [area.x + card.x + left, area.y + card.y + top];
            }""",
            [name, count],
        )
        return x, y

    async def play(self, move: Move) -> None:
        """Plays a move by two taps, a draw or redeal by its key."""
        if move == DRAW:
            await self.page.keyboard.press("d")
        elif move == REDEAL:
            await self.page.keyboard.press("x")
        else:
            x, y = await self.end_of(move.source, move.count)
            await self.page.mouse.click(x, y)
            await self.tap(move.target)

    async def drag(self, move: Move) -> None:
        """Plays a move by the mouse."""
        start, end = await self.end_of(move.source, move.count), await self.end_of(move.target)
        await self.page.mouse.move(*start)
        await self.page.mouse.down()
        await self.page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
        await self.page.mouse.move(*end, steps=3)
        await self.page.mouse.up()

    async def press_move(self, move: Move) -> None:
        """Plays a move of the tableau and the foundations by keys alone."""
        await self.page.keyboard.press(str((int(move.source[1:]) + 1) % 10))
        await self.page.keyboard.press("f" if move.target[0] == "f" else str((int(move.target[1:]) + 1) % 10))

    async def shown(self) -> list[list[str]]:
        """The cards as the table shows them, pile by pile in the order of the variant."""
        cards: list[list[str]] = await self.page.evaluate(
            """async () => {
                const { app } = await import(document.querySelector('script[type=module]').src);
                const { table } = app.page.screen;
                return Object.keys(table.piles).map((name) =>
                    table.from(name, 0).map((card) => (card.isUp ? card.root.dataset.card : '??')));
            }"""
        )
        return cards
