"""A server with a history: a day that has closed, today's daily with a hundred rivals, and quick matches played."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass

import httpx2

from rules.moves import Move
from server.race.daily import Daily, day_of
from tests.e2e.deals import Won, won
from tests.e2e.racing import play_line
from tests.e2e.times import forward, forward_to, now_ms
from tests.web.site import Attempt, Player, Site

GAME = "beleaguered-castle"
CROWD = 100
STRETCH = 8
"""Moves that are sent together."""
NAMES = (
    "Ada", "Grandmother", "Wolfgang-Amadeus-M", "Iris", "WWWWWWWWWWWWWWWWWWWW", "Jo", "Zoë", "Jean-Baptiste_1744",
    "Nightowl", "li", "Świętosława", "Эсмеральда",
)  # fmt: skip
"""Short and long ones, as players take them."""


@dataclass
class Town:
    """The players and what they have left behind."""

    site: Site
    named: list[Player]
    yesterday: Daily

    @property
    def today(self) -> Daily:
        return Daily(self.yesterday.day + 1, GAME)


async def settle(site: Site) -> Town:
    """Lets a whole day pass: its daily is played and closes, and the day after is begun. The deals are won ones."""
    yesterday = Daily(day_of(now_ms(site)), GAME)
    named = [await _claim(site, name) for name in NAMES]
    for number, player in enumerate(named):
        await _play_daily(site, player, yesterday, 104 - 9 * number)
    forward_to(site, yesterday.closes_ms + 1_000)
    await _until_closed(site, yesterday)
    town = Town(site, named, yesterday)
    for number, player in enumerate(named[:-1]):
        await _play_daily(site, player, town.today, 104 if number < 7 else 30)
    for number in range(CROWD - len(named)):
        guest = await Player.join(site)
        await _play_daily(site, guest, town.today, 104 if number % 5 == 0 else number)
        await guest.leave()
    for one, other in zip(named[::2], named[1::2], strict=True):
        await quick_match(site, one, other, won(GAME))
    return town


async def _claim(site: Site, name: str) -> Player:
    player = await Player.join(site)
    headers = {"Authorization": f"Bearer {player.token}"}
    async with httpx2.AsyncClient(base_url=f"{site.http}/api/v1", headers=headers) as http:
        answer = await http.post("/players/me/claim", json={"name": name})
        answer.raise_for_status()
    return player


async def _play_daily(site: Site, player: Player, daily: Daily, moves: int) -> None:
    """So many moves of the winning line, all of them where it is shorter, some seconds each."""
    attempt = await player.enter(daily.race_id)
    line = won(GAME).line[:moves]
    await _play(site, attempt, line)
    if len(line) < len(won(GAME).line):
        await attempt.send("resign")
        await player.hear("accepted", id=attempt.last_id)


async def _play(site: Site, attempt: Attempt, line: tuple[Move, ...]) -> None:
    """Plays a line at a pace of the player's own."""
    pace_ms = random.Random(attempt.player.id).lognormvariate(8.2, 0.35)
    for start in range(0, len(line), STRETCH):
        stretch = line[start : start + STRETCH]
        forward(site, round(pace_ms * len(stretch)))
        await play_line(attempt, stretch)


async def _until_closed(site: Site, daily: Daily) -> None:
    async with asyncio.timeout(20), httpx2.AsyncClient(base_url=f"{site.http}/api/v1") as http:
        while (await http.get(f"/races/{daily.race_id}")).json()["phase"] != "closed":
            await asyncio.sleep(0.1)


async def quick_match(site: Site, one: Player, other: Player, game: Won) -> None:
    """A race that the first finishes and the second resigns from; it has closed."""
    site.deals.codes.append(game.code)
    for player in (one, other):
        await player.say("queue", variant=GAME)
    races = [(await player.hear("matched"))["race"] for player in (one, other)]
    attempts = [await player.enter(race) for player, race in zip((one, other), races, strict=True)]
    for attempt in attempts:
        attempt.take((await attempt.player.hear("started"))["position"])
    await _play(site, attempts[0], game.line)
    await play_line(attempts[1], game.line[:40])
    await attempts[1].send("resign")
    for player in (one, other):
        await player.hear("closed")


def deals() -> Sequence[str]:
    """The first deals that such a server hands out: beleaguered castle's, of the first day and the one after."""
    return [won(GAME).code] * 2
