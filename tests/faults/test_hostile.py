"""Ten hostile clients, one of each kind, beside five honest races of two: the honest ones must not notice."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.web.conftest import logged, no_errors, short_countdown
from tests.web.site import Attempt, Player, Site, race_of_two, serving

__all__ = ["logged", "no_errors", "short_countdown"]

MOVES = 40
PACE_S = 0.03
Foe = Callable[[Site, str], Awaitable[None]]


@pytest.fixture
async def site(redis_url: str, tmp_path: Path) -> AsyncIterator[Site]:
    async with serving(redis_url, tmp_path) as running:
        yield running


async def send_malformed(site: Site, _race: str) -> None:
    player = await Player.join(site)
    while True:
        for frame in ("{", "[" * 15_000, '{"type":"move"}', "null", '{"type":"ping","id":NaN}'):
            await player.say_raw(frame)
        await asyncio.sleep(0.01)


async def send_binary(site: Site, _race: str) -> None:
    player = await Player.join(site)
    while True:
        await player.say_raw(b"\x00" * 16_000)
        await asyncio.sleep(0.005)


async def send_oversized(site: Site, _race: str) -> None:
    player = await Player.join(site)
    await player.say_raw("x" * 1_000_000)
    await player.hear_close()


async def send_bad_utf8(site: Site, _race: str) -> None:
    player = await Player.join(site)
    await player.say_raw(b"\xff\xfe\xfd" * 100, as_text=True)
    await player.hear_close()


async def flood(site: Site, _race: str) -> None:
    player = await Player.join(site)
    while True:
        await player.say("ping")
        await asyncio.sleep(0)


async def play_others_races(site: Site, race: str) -> None:
    player = await Player.join(site)
    number = 0
    while True:
        number += 1
        for command in ("move", "resync", "watch", "enter", "leave", "kick", "start", "resign"):
            fields = {"id": number, "version": 0} if command in ("move", "resign") else {}
            piles = {"source": "t0", "target": "t1"} if command == "move" else {}
            await player.say(command, race=race, **fields, **piles, **({"player": "x"} if command == "kick" else {}))
        await asyncio.sleep(0.3)


async def never_read(site: Site, _race: str) -> None:
    player = await Player.join(site)
    attempt = await player.practise()
    player.socket.transport.pause_reading()
    for number in range(100_000):
        await player.say("resync", race=attempt.race)
        await asyncio.sleep(0.02 if number > 40 else 0)


async def say_nothing(site: Site, _race: str) -> None:
    await site.open_socket()
    await asyncio.sleep(60)


async def reconnect_for_ever(site: Site, _race: str) -> None:
    token = (await Player.join(site)).token
    while True:
        player = await Player.join(site, token)
        player.socket.transport.abort()
        await asyncio.sleep(0.01)


async def pipeline_nonsense(site: Site, _race: str) -> None:
    player = await Player.join(site)
    attempt = await player.practise()
    number = 0
    while True:
        number += 1
        for version in (0, 10**6, number):
            await attempt.send("undo", id_=number, version=version)
        await asyncio.sleep(0.05)


FOES: list[Foe] = [
    send_malformed,
    send_binary,
    send_oversized,
    send_bad_utf8,
    flood,
    play_others_races,
    never_read,
    say_nothing,
    reconnect_for_ever,
    pipeline_nonsense,
]


async def be_hostile(foe: Foe, site: Site, race: str) -> None:
    """Comes back whenever it is thrown out."""
    while True:
        with suppress(ConnectionClosed, TimeoutError, OSError):
            await foe(site, race)
        await asyncio.sleep(0.1)


async def play_honestly(attempt: Attempt) -> list[float]:
    """Plays its moves at a player's pace; how long each took to be acknowledged."""
    took = []
    for version in range(MOVES):
        begun = time.perf_counter()
        await attempt.send("restart", version=version)
        accepted = await attempt.player.hear("accepted", id=version + 1)
        took.append(time.perf_counter() - begun)
        assert accepted["version"] == version + 1
        await asyncio.sleep(PACE_S)
    return took


@pytest.mark.timeout(90)
async def test_ten_honest_players_race_undisturbed_beside_ten_hostile_clients(site: Site) -> None:
    players = [await Player.join(site) for _ in range(10)]
    pairs = zip(players[::2], players[1::2], strict=True)
    attempts = [attempt for one, other in pairs for attempt in await race_of_two(one, other)]
    foes = [asyncio.create_task(be_hostile(foe, site, attempts[0].race)) for foe in FOES]
    await asyncio.sleep(0.3)
    took = await asyncio.gather(*(play_honestly(attempt) for attempt in attempts))
    for attempt in attempts:
        await attempt.send("resign", version=MOVES)
    results = [await attempt.player.hear("closed") for attempt in attempts]
    alive = [foe for foe in foes if not foe.done()]
    for foe in foes:
        foe.cancel()
    await asyncio.gather(*foes, return_exceptions=True)
    assert len(alive) == len(FOES)
    for attempt, closed in zip(attempts, results, strict=True):
        row = await site.app.state.contest.store.attempts.load(f"{attempt.race}.{attempt.player.id}")
        assert len(row.entries) == MOVES + 1
        assert {line["end"] for line in closed["results"]} == {"resigned"}
        errors = [frame for frame in attempt.player.seen if frame["type"] in ("error", "rejected")]
        assert errors == []
    slowest = sorted(one for each in took for one in each)
    assert slowest[len(slowest) * 95 // 100] < 1.0
