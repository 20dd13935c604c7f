"""What a link shows where it is pasted: title, text and picture in the head of the page, chosen by its address.

Only what the address itself opens to anyone is told, never a deal: a bot that asks is a stranger who has the link.
"""

import asyncio
import html
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from urllib.parse import quote

from protocol.codes import End, Kind, Phase
from protocol.parts import Standing
from rules.errors import RulesError
from rules.variants import find_variant
from server.race.daily import parse_daily_id, parse_day
from server.race.race import Race
from server.service.contest import Contest
from server.service.errors import ContestError
from server.service.queries import Queries
from server.store import StoreError

IMAGE: Final = "/preview.png"
IMAGE_SIZE: Final = (1200, 630)
IMAGE_ALT: Final = "Cards in rows on green felt, and the word Ramparts"
ANSWERS_WITHIN_S: Final = 1.0
"""A page never waits longer for what its link shows."""
_TEXT_MAX: Final = 200


@dataclass(frozen=True, slots=True)
class Preview:
    """What a link shows."""

    title: str
    text: str
    is_private: bool = False
    """Search engines are asked to leave it out."""


HOME: Final = Preview(
    "Ramparts: race your friends on the same deal of solitaire",
    "Same cards, same clock: who is faster? Beleaguered Castle and its family, no account needed.",
)
_PAGES: Final = {
    "daily": Preview("The daily deals · Ramparts", "One deal a day and game for everyone. The first try counts."),
    "archive": Preview(
        "The archive · Ramparts", "Every daily that was held, with its board, its deal and its replays."
    ),
    "boards": Preview("Boards · Ramparts", "Who is ahead today, this week, this month, and of all times."),
    "games": Preview("The games · Ramparts", "Every game with its rules, tips, and how often it can be won."),
    "practice": Preview("Practice · Ramparts", "Any deal by its code or number. Nothing is ranked."),
    "about": Preview("About · Ramparts", "What this is, how it ranks, what it keeps."),
    "replay": Preview(
        "A replay · Ramparts", "A race move by move, or two of its players side by side.", is_private=True
    ),
}


def head(preview: Preview, origin: str, path: str) -> bytes:
    """The lines for the page's head, every value escaped. `origin` has no slash at its end; `path` begins with one."""
    properties = {
        "og:site_name": "Ramparts",
        "og:type": "website",
        "og:title": preview.title,
        "og:description": preview.text,
        "og:url": origin + quote(path),
        "og:image": origin + IMAGE,
        "og:image:width": str(IMAGE_SIZE[0]),
        "og:image:height": str(IMAGE_SIZE[1]),
        "og:image:alt": IMAGE_ALT,
    }
    names = {"description": preview.text, "twitter:card": "summary_large_image"}
    if preview.is_private:
        names["robots"] = "noindex"
    lines = [f"<title>{html.escape(preview.title)}</title>"]
    lines += [f'<meta name="{name}" content="{html.escape(text)}">' for name, text in names.items()]
    lines += [f'<meta property="{name}" content="{html.escape(text)}">' for name, text in properties.items()]
    return "\n".join(lines).encode("utf-8", "replace")


async def find_preview(contest: Contest, path: str, may_ask: Callable[[], bool]) -> Preview:
    """What the link to this path shows. What can't be found, or not in time, is shown as the home page is, and so is
    what the store would have to be asked for when whoever wants to know may not: `may_ask` counts as asking."""
    kind, _, name = path.strip("/").partition("/")
    if kind not in _FINDERS or not name:
        return _PAGES.get(kind, HOME)
    if kind in _ASKING and not may_ask():
        return HOME
    try:
        async with asyncio.timeout(ANSWERS_WITHIN_S):
            return await _FINDERS[kind](contest, name)
    except (ContestError, StoreError, RulesError, TimeoutError):
        return HOME


async def _of_race(contest: Contest, name: str) -> Preview:
    queries = Queries(contest)
    daily = parse_daily_id(name)
    if daily is not None and daily.variant in queries.daily_variants():
        # Not looked up: on a new server that would choose the day's deal, for nobody who wants to play it.
        title = f"{find_variant(daily.variant).name}, the daily of {_date(daily.day)} · Ramparts"
        return Preview(title, _PAGES["daily"].text)
    race = await queries.race(None, name)
    variant = find_variant(race.created.variant)
    is_private = race.kind is Kind.PRIVATE
    if race.phase is Phase.CLOSED:
        page = await queries.standings(race, None, 3)
        return Preview(f"{variant.name}: the result · Ramparts", _result(page.rows, page.total), is_private)
    return Preview(f"A race on {variant.name} · Ramparts", _invitation(race), is_private)


def _invitation(race: Race) -> str:
    minutes = max(1, round(race.created.limit_ms / 60_000))
    if race.phase is Phase.OPEN:
        free = max(0, race.created.seats - len(race.seats))
        seats = "One seat is free" if free == 1 else f"{free} seats are free" if free else "All seats are taken"
        return f"{seats}. Everyone gets the same deal at the same instant; {minutes} minutes at most."
    return "The race is on. Everyone has the same deal."


def _result(rows: tuple[Standing, ...], total: int) -> str:
    told = [f"{row.place}. {row.player.name}{_how(row)}" for row in rows if row.place is not None]
    return _cut(f"{' · '.join(told)}. {total} raced." if told else f"{total} raced.")


def _how(row: Standing) -> str:
    if row.end_ms is None or row.end is not End.FINISHED:
        return f" ({row.cards} cards)"
    tenths = row.end_ms // 100
    return f" ({tenths // 600}:{tenths // 10 % 60:02}.{tenths % 10})"


async def _of_day(_contest: Contest, name: str) -> Preview:
    try:
        day = parse_day(name)
    except ValueError:
        return _PAGES["daily"]
    return Preview(f"The daily deals of {_date(day)} · Ramparts", _PAGES["daily"].text)


async def _of_game(_contest: Contest, name: str) -> Preview:
    variant = find_variant(name)
    aka = f"Also called {', '.join(variant.aka)}. " if variant.aka else ""
    return Preview(f"{variant.name}: rules and tips · Ramparts", f"{aka}{_PAGES['games'].text}")


async def _of_practice(_contest: Contest, name: str) -> Preview:
    variant = find_variant(name.partition(":")[0])
    return Preview(f"Practice on {variant.name} · Ramparts", _PAGES["practice"].text)


async def _of_player(contest: Contest, name: str) -> Preview:
    row = await contest.players.by_name(name)
    if row is None:
        return HOME
    return Preview(f"{_cut(row.name)} · Ramparts", "Races, best times and places on the boards.")


def _date(day: int) -> str:
    when = date(1970, 1, 1) + timedelta(days=day)
    return f"{when.day} {when:%B %Y}"


def _cut(text: str) -> str:
    return text if len(text) <= _TEXT_MAX else text[: _TEXT_MAX - 1] + "…"


_FINDERS: Final[dict[str, Callable[[Contest, str], Awaitable[Preview]]]] = {
    "r": _of_race,
    "race": _of_race,
    "daily": _of_day,
    "games": _of_game,
    "practice": _of_practice,
    "player": _of_player,
}
_ASKING: Final = frozenset({"r", "race", "player"})
