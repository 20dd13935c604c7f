"""A daily over sockets through the end of its day: the last second of starts, play past midnight, and the opening."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from rules.record import parse_record, verify
from server.race.daily import DAY_MS, LIMIT_MS, Daily, day_of
from tests.e2e.deals import committed, won
from tests.e2e.listening import wall_ms
from tests.e2e.racing import answer, play_line
from tests.e2e.times import forward_to, now_ms
from tests.web.site import PATIENCE_S, Attempt, Frame, Player, Site, serving

GAME = won("beleaguered-castle")
TOMORROWS = "beleaguered-castle:ms:1"
SECOND_MS = 1_000
GRACE_MS = 500


@dataclass
class Evening:
    """A server one second before the end of a day whose deal is known."""

    site: Site
    today: Daily

    @property
    def tomorrow(self) -> Daily:
        return Daily(self.today.day + 1, self.today.variant)

    async def get(self, path: str) -> httpx2.Response:
        async with httpx2.AsyncClient(base_url=f"{self.site.http}/api/v1") as http:
            return await http.get(path)

    async def standings(self, daily: Daily) -> list[Frame]:
        """The standings of a daily now."""
        found: list[Frame] = (await self.get(f"/races/{daily.race_id}/standings")).json()["standings"]
        return found

    async def finished(self, daily: Daily) -> Frame:
        """The line of who has finished, once it is told."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for line in await self.standings(daily):
                    if line.get("end") == "finished":
                        return line
                await asyncio.sleep(0.02)

    async def open(self, daily: Daily) -> Attempt:
        """A new player's attempt."""
        player = await Player.join(self.site)
        await player.say("enter", race=daily.race_id)
        return Attempt(player, await player.hear("snapshot", re=daily.race_id))

    async def refusal(self, daily: Daily) -> str:
        """What a new player who enters is told."""
        player = await Player.join(self.site)
        await player.say("enter", race=daily.race_id)
        code: str = (await player.hear("error"))["code"]
        return code


@pytest.fixture
async def evening(redis_url: str, tmp_path: Path) -> AsyncIterator[Evening]:
    if DAY_MS - wall_ms() % DAY_MS < 5 * SECOND_MS:
        await asyncio.sleep(5)
    # Dailies are chosen in the order of variants, of each today's before tomorrow's.
    async with serving(redis_url, tmp_path, [GAME.code, TOMORROWS], commands_per_second=100_000) as site:
        await committed(site)
        today = Daily(day_of(now_ms(site)), GAME.start.variant.id)
        forward_to(site, today.last_start_ms - SECOND_MS)
        yield Evening(site, today)


async def test_an_attempt_begun_at_the_last_second_is_won_after_midnight_and_counts_for_its_day(
    evening: Evening,
) -> None:
    attempt = await evening.open(evening.today)
    assert now_ms(evening.site) < evening.today.last_start_ms
    assert attempt.position == GAME.start
    assert await evening.refusal(evening.tomorrow) == "day_not_open"
    forward_to(evening.site, evening.today.last_start_ms)
    assert await evening.refusal(evening.today) == "day_over"
    later = await evening.open(evening.tomorrow)
    assert later.position != attempt.position
    finished = await play_line(attempt, GAME.line)
    assert finished["end"] == "finished"
    assert finished["at_ms"] < LIMIT_MS
    line = await evening.finished(evening.today)
    assert (line["player"]["id"], line["place"], line["at_ms"]) == (attempt.player.id, 1, finished["at_ms"])
    assert attempt.player.id not in {line["player"]["id"] for line in await evening.standings(evening.tomorrow)}


async def test_who_comes_back_after_midnight_goes_on_with_the_attempt_of_the_day_before(evening: Evening) -> None:
    attempt = await evening.open(evening.today)
    await play_line(attempt, GAME.line[:20])
    attempt.player.socket.transport.abort()
    forward_to(evening.site, evening.today.last_start_ms + SECOND_MS)
    again = await Player.join(evening.site, attempt.player.token)
    back = await again.enter(evening.today.race_id)
    assert (back.version, back.position) == (20, GAME.positions[20])
    assert (await play_line(back, GAME.line[20:]))["end"] == "finished"


async def test_a_day_opens_its_deal_and_its_replays_when_its_last_attempt_has_had_its_hour_and_not_before(
    evening: Evening,
) -> None:
    attempt, idle = await evening.open(evening.today), await evening.open(evening.today)
    commitment = idle.state["commitment"]
    await play_line(attempt, GAME.line)
    replay = f"/attempts/{evening.today.race_id}.{attempt.player.id}/replay?format=record"
    await play_line(idle, GAME.line[:30])
    await evening.finished(evening.today)
    forward_to(evening.site, evening.today.closes_ms - SECOND_MS)
    shut = (await evening.get(replay)).json()
    day = await challenge(evening)
    assert (shut["code"], day["phase"], day.get("deal")) == ("not_closed", "over", None)
    await idle.send("undo")
    assert (await answer(idle))["type"] == "rejected"
    forward_to(evening.site, evening.today.closes_ms + GRACE_MS)
    closed = await attempt.player.hear("closed")
    assert closed["deal"] == GAME.code
    assert hashlib.sha256(f"{closed['deal']}\n{closed['nonce']}".encode()).hexdigest() == commitment
    assert [(line["player"]["id"], line["end"]) for line in closed["results"]] == [
        (attempt.player.id, "finished"),
        (idle.player.id, "expired"),
    ]
    record = parse_record((await evening.get(replay)).text)
    verify(record)
    assert [entry.what for entry in record.entries] == list(GAME.line)
    day = await challenge(evening)
    assert (day["phase"], day["deal"], day["nonce"]) == ("closed", GAME.code, closed["nonce"])
    assert "deal" not in await challenge(evening, evening.tomorrow)


async def challenge(evening: Evening, daily: Daily | None = None) -> Frame:
    """What is told of a daily over HTTP."""
    _, date, variant = (daily or evening.today).race_id.split(".")
    told: Frame = (await evening.get(f"/daily/{date}/{variant}")).json()
    return told
