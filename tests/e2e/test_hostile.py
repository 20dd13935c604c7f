"""Hostile clients of every kind, each answered as documented, beside ten honest ones whose races do not notice."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

import httpx2
import pytest

from rules.record import parse_record, verify
from server.race.standing import Score, rank, standing_key
from tests.cluster.processes import Process
from tests.e2e.deals import won
from tests.e2e.foes import BAD_FRAMES, Foes
from tests.e2e.racing import play_line, race_of
from tests.web.site import Attempt, Frame

GAME = won("beleaguered-castle")
RACES = 5
PACE_S = 0.05
HALF, RESIGNS_AT = 40, 80
TIMES_SLOWER, SLACK_S = 10, 0.15
"""How much longer nine in ten answers may take beside hostile clients, on a machine that does other things too."""


@dataclass
class Honest:
    """A player of the known line at an even pace, with how long each answer took."""

    attempt: Attempt
    took: list[float] = field(default_factory=list)

    async def play_until(self, version: int) -> None:
        while self.attempt.version < version:
            begun = time.perf_counter()
            accepted = await play_line(self.attempt, GAME.line[self.attempt.version : self.attempt.version + 1])
            self.took.append(time.perf_counter() - begun)
            assert accepted["version"] == self.attempt.version
            await asyncio.sleep(PACE_S)


@pytest.fixture
async def process(tmp_path: Path, redis_url: str) -> AsyncIterator[Process]:
    """A server process with the limits that a server has."""
    started = Process(tmp_path, redis_url, RAMPARTS_COMMANDS_PER_SECOND="40", RAMPARTS_PLAYERS_PER_ADDRESS="25")
    await started.start()
    yield started
    await started.stop()


def slowest(honest: list[Honest]) -> float:
    """What nine in ten answers were quicker than; the times are forgotten."""
    took = [one for each in honest for one in each.took]
    for each in honest:
        each.took.clear()
    return quantiles(took, n=10)[-1]


@pytest.mark.timeout(90)
async def test_ten_honest_players_do_not_notice_hostile_clients_of_every_kind(process: Process) -> None:
    pairs = await asyncio.gather(*(race_of(process, 2, deal=GAME.code) for _ in range(RACES)))
    honest = [Honest(attempt) for pair in pairs for attempt in pair]
    await asyncio.gather(*(each.play_until(HALF) for each in honest))
    undisturbed = slowest(honest)

    foes = Foes(process, pairs[0][0].race)
    foes.begin()
    await asyncio.sleep(0.5)
    await asyncio.gather(*(each.play_until(RESIGNS_AT) for each in honest))
    disturbed = slowest(honest)
    await asyncio.gather(*(play_line(pair[0], GAME.line[RESIGNS_AT:]) for pair in pairs))
    for _, second in pairs:
        await second.send("resign")
    closed = [await pair[0].player.hear("closed") for pair in pairs]
    await foes.end()

    assert min(foes.rounds.values()) > 0
    assert len(foes.rounds) == len(BAD_FRAMES) + 10
    assert disturbed < TIMES_SLOWER * undisturbed + SLACK_S
    for pair, result in zip(pairs, closed, strict=True):
        for attempt in pair:
            assert [frame for frame in attempt.player.seen if frame["type"] in ("rejected", "error")] == []
        await check_result(process, pair, result)
    log = process.log.read_text()
    assert "Traceback" not in log
    assert '"level": "error"' not in log


async def check_result(process: Process, pair: list[Attempt], closed: Frame) -> None:
    """The result is what the records of the race give."""
    scores, digests = [], {}
    headers = {"Authorization": f"Bearer {pair[0].player.token}"}
    async with httpx2.AsyncClient(base_url=f"{process.url}/api/v1", headers=headers) as http:
        for attempt, moves in zip(pair, (len(GAME.line), RESIGNS_AT), strict=True):
            path = f"/attempts/{attempt.race}.{attempt.player.id}/replay?format=record"
            record = parse_record((await http.get(path)).text)
            verify(record)
            assert [entry.what for entry in record.entries][:moves] == list(GAME.line[:moves])
            left = GAME.start.variant.cards - record.result.cards
            scores.append(Score(attempt.player.id, standing_key(left, record.result.at_ms)))
            digests[attempt.player.id] = record.digest
    assert [(place, score.player) for place, score in rank(scores)] == [
        (line["place"], line["player"]["id"]) for line in closed["results"]
    ]
    assert {line["player"]["id"]: line["digest"] for line in closed["results"]} == digests
