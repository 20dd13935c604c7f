"""Many at once: one race of a hundred and five hundred races of two, checked against the records at their close."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from rules.record import Record
from server.race.standing import Score, rank, standing_key
from tests.faults.players import Racer, check_kept, is_closed, one_race, races_of_two
from tests.processes import ServerProcess

MOVES = 6
CARDS = 52


async def check_results(url: str, racers: list[Racer]) -> None:
    """The published places are those that the records of all entrants give."""
    records: dict[str, Record] = {}
    for at in range(0, len(racers), 20):
        batch = racers[at : at + 20]
        checked = await asyncio.gather(*(check_kept(url, racer) for racer in batch))
        records |= {racer.name: record for racer, record in zip(batch, checked, strict=True)}
    for race in {racer.race.id: racer.race for racer in racers}.values():
        results = race.state.results or []
        scores = []
        for line in results:
            result = records[line.player.id].result
            key = standing_key(CARDS - result.cards, result.at_ms) if result.cards else None
            scores.append(Score(line.player.id, key))
        assert [(place, score.player) for place, score in rank(scores)] == [
            (line.place, line.player.id) for line in results
        ]


async def play_to_the_close(racers: list[Racer], pace_s: float) -> None:
    await asyncio.gather(*(racer.play_some(Random(number), MOVES, pace_s) for number, racer in enumerate(racers)))
    await asyncio.gather(*(racer.resign() for racer in racers))
    await asyncio.gather(*(racer.race.wait_until(is_closed) for racer in racers))


@pytest.mark.timeout(180)
async def test_a_race_of_a_hundred_comes_to_its_close_with_the_places_its_records_give(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    await server.start()
    try:
        async with one_race(server.url, 100) as racers:
            await play_to_the_close(racers, 0.3)
            assert len(racers[0].race.state.results or []) == 100
            await check_results(server.url, racers)
    finally:
        await server.stop()
    assert "Traceback" not in server.log.read_text()


@pytest.mark.timeout(240)
async def test_five_hundred_races_at_once_come_to_their_close_with_the_places_their_records_give(
    tmp_path: Path,
) -> None:
    server = ServerProcess(tmp_path)
    await server.start()
    try:
        async with races_of_two(server.url, 500) as pairs:
            racers = [racer for pair in pairs for racer in pair]
            await play_to_the_close(racers, 2.0)
            await check_results(server.url, racers)
    finally:
        await server.stop()
    assert "Traceback" not in server.log.read_text()
