"""A server with a past: closed days, boards with many rows, results, a match to watch."""

import json
import random
from dataclasses import dataclass
from typing import Any

from protocol.codes import Kind
from server.race.daily import DAY_MS, LIMIT_MS, Daily, day_of
from server.race.events import ClosingBegun, Created, ResultsPublished, format_event
from server.race.standing import standing_key
from server.service.board_names import Side, day_board, points_boards
from server.service.contest import Contest
from server.store.races import Secret
from tests.browser.players import Guest
from tests.web.site import Attempt, Player, Site

GAME = "beleaguered-castle"


@dataclass
class Past:
    """Fills the store of a running site as its services would have."""

    site: Site

    @property
    def contest(self) -> Contest:
        found: Contest = self.site.app.state.contest
        return found

    @property
    def today(self) -> int:
        return day_of(self.contest.clock.now_ms())

    async def hold(self, day: int, variant: str = GAME) -> Daily:
        """A closed daily of an earlier day, on a deal that is open."""
        daily = Daily(day, variant)
        created = Created(
            kind=Kind.DAILY,
            variant=variant,
            limit_ms=LIMIT_MS,
            seats=0,
            created_ms=daily.opens_ms - DAY_MS,
            start_ms=daily.opens_ms,
            closes_ms=daily.closes_ms,
        )
        deal = f"{variant}:ms:{day}"
        closed = ResultsPublished(results=[], deal=deal, nonce="0" * 32, closed_ms=daily.closes_ms)
        events = [format_event(event) for event in (created, ClosingBegun(), closed)]
        await self.contest.store.races.create(daily.race_id, Secret(deal, "0" * 32), events)
        return daily

    async def begin(self, day: int) -> None:
        """Makes this the first day of the server."""
        await self.contest.store.link.call("SET", "first-day", day)

    async def played(self, player: str, daily: Daily, **fields: Any) -> None:
        """A player's result in a daily."""
        ended_ms = daily.opens_ms + 40_000_000
        row = {"kind": "daily", "variant": daily.variant, "grade": "ungraded", "day": daily.day, "ended_ms": ended_ms}
        await self.contest.store.results.note(player, daily.race_id, ended_ms, json.dumps(row | fields))

    async def crowd(self, daily: Daily, number: int, side: Side = Side.OPEN, seed: int = 1) -> None:
        """So many others on the day's board, most of whom have finished, and on the boards of week and month."""
        chance, boards = random.Random(seed), self.contest.store.boards
        for one in range(number):
            player = (await self.contest.hello(None, False, "127.0.0.1")).player.id
            if side is Side.RANKED:
                await self.contest.players.claim(player, f"Castellan{one}")
            finished = chance.random() < 0.6
            at_ms = int(min(3_500_000, 90_000 + chance.lognormvariate(12.6, 0.5)))
            key = standing_key(0 if finished else chance.randrange(3, 44), at_ms)
            kept = {"race": daily.race_id, "end": "finished" if finished else "resigned", "end_ms": at_ms}
            await boards.post_best(day_board(daily, side), player, key, json.dumps(kept))
            for board in points_boards(daily, side) if side is Side.RANKED else ():
                await boards.post_points(board, player, chance.randrange(1, 1000), daily.race_id, "{}")


async def match_of_programs(site: Site, variant: str = GAME) -> tuple[Attempt, Attempt]:
    """A quick match between two who speak plain frames; it has started."""
    one, other = await Player.join(site), await Player.join(site)
    for player in (one, other):
        await player.say("queue", variant=variant)
    attempts = []
    for player in (one, other):
        race = (await player.hear("matched"))["race"]
        attempt = Attempt(player, await player.hear("snapshot", race=race))
        attempt.take((await player.hear("started"))["position"])
        attempts.append(attempt)
    return attempts[0], attempts[1]


async def id_of(guest: Guest) -> str:
    """The player's id, once the page has said hello."""
    player: str = await guest.when("app.state.player?.id")
    return player
