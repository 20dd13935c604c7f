"""Two processes on one store: players of one race on different ones, takeovers between them, and the death of one."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from random import Random

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed

from client.connection import connect
from client.race import Race
from protocol.codes import Phase
from rules.history import parse_entry
from server.store import Store
from tests.cluster.processes import Process, doors, two_processes
from tests.e2e.deals import won
from tests.e2e.racing import play_line, send_line
from tests.faults.players import Racer, check_kept, has_started, is_closed
from tests.web.site import Attempt, Frame, Player

GAME = won("beleaguered-castle")
LATE_MS = 2_500
"""A start may be so late when the process that had it in mind has died: the other one's sweep finds it."""


@pytest.fixture
async def processes(tmp_path: Path, redis_url: str) -> AsyncIterator[tuple[Process, Process]]:
    async with two_processes(tmp_path, redis_url) as pair:
        yield pair


async def standings(process: Process, race: str, token: str | None) -> list[Frame]:
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(base_url=f"{process.url}/api/v1", headers=headers) as http:
        found: list[Frame] = (await http.get(f"/races/{race}/standings")).json()["standings"]
        return found


async def test_players_on_two_processes_see_each_other_s_progress_standings_and_close(
    processes: tuple[Process, Process],
) -> None:
    here, there = processes
    async with connect(here.url) as ann, connect(there.url) as bob, connect(there.url) as wat:
        race = await ann.create("private", deal=GAME.code)
        theirs = await bob.enter(race.state.link or "")
        watched = await wat.watch(race.state.link or "")
        await asyncio.gather(race.ready(), theirs.ready())
        await asyncio.gather(race.wait_until(has_started), theirs.wait_until(has_started))
        assert race.position == theirs.position == GAME.start
        await asyncio.gather(*(race.play(move) for move in GAME.line[:60]))
        await asyncio.gather(*(theirs.play(move) for move in GAME.line[:20]))
        cards = [GAME.positions[count].progress for count in (60, 20)]
        for each in (race, theirs, watched):
            await asyncio.wait_for(each.wait_until(lambda its: shown(its) == cards), 10)
        tables = [await standings(process, race.id, ann.token) for process in processes]
        assert tables[0] == tables[1]
        assert [line["cards"] for line in tables[0]] == cards
        finished = [await race.play(move) for move in GAME.line[60:]][-1]
        assert finished.end == "finished"
        await theirs.resign()
        for each in (race, theirs, watched):
            await asyncio.wait_for(each.wait_until(is_closed), 10)
        assert race.state.results == theirs.state.results == watched.state.results
        assert [(line.place, line.player.id) for line in race.state.results or []] == [
            (1, ann.player_id),
            (2, bob.player_id),
        ]
        tables = [await standings(process, race.id, bob.token) for process in processes]
        assert tables[0] == tables[1]


def shown(race: Race) -> list[int]:
    """The cards of each entrant, as this client has been told."""
    return [entrant.cards for entrant in race.state.entrants]


async def test_an_attempt_taken_to_and_fro_between_processes_is_played_by_one_connection_at_a_time(
    processes: tuple[Process, Process], store: Store
) -> None:
    attempt = await (await Player.join(processes[0])).practise(GAME.code)
    played: list[tuple[int, int]] = []
    for turn in range(6):
        at = attempt.version
        await play_line(attempt, GAME.line[at : at + 5])
        player = await Player.join(processes[(turn + 1) % 2], attempt.player.token)
        entering = asyncio.create_task(player.enter(attempt.race))
        with suppress(ConnectionClosed):
            await send_line(attempt, GAME.line[at + 5 : at + 12])
        back = await entering
        assert await attempt.player.hear_close() == 4001
        heard = [frame for frame in attempt.player.seen if frame.get("id") and frame["type"] != "pong"]
        assert {frame["code"] for frame in heard if frame["type"] == "rejected"} <= {"taken_over"}
        accepted = [frame["id"] for frame in heard if frame["type"] == "accepted"]
        assert accepted == list(range(1, len(accepted) + 1))
        assert len(accepted) >= 5
        played += [(turn + 1, command_id) for command_id in accepted]
        attempt = back
    stored = await entries(store, attempt)
    assert [(epoch, command_id) for epoch, command_id, _ in stored if (epoch, command_id) in played] == played
    assert [what for *_, what in stored] == list(GAME.line[: len(stored)])
    assert (await play_line(attempt, GAME.line[attempt.version :]))["end"] == "finished"


async def entries(store: Store, attempt: Attempt) -> list[tuple[int, int, object]]:
    row = await store.attempts.load(f"{attempt.race}.{attempt.player.id}")
    assert row is not None
    return [(entry.epoch, entry.id, entry.what) for entry in map(parse_entry, row.entries)]


@pytest.mark.timeout(90)
async def test_when_a_process_dies_its_players_go_on_at_the_other_and_the_race_starts_and_closes(
    processes: tuple[Process, Process],
) -> None:
    here, there = processes
    async with doors((here, there), (there, here)) as (one, other), connect(one) as ann, connect(other) as bob:
        race = await ann.create("private", deal=GAME.code)
        theirs = await bob.enter(race.state.link or "")
        await asyncio.gather(race.ready(), theirs.ready())
        await theirs.wait_until(lambda its: its.phase is Phase.COUNTDOWN)
        await here.kill()
        await asyncio.gather(race.wait_until(has_started), theirs.wait_until(has_started))
        assert race.state.start_ms is not None
        assert time.time() * 1000 - race.state.start_ms < LATE_MS

        racers = Racer(ann, race), Racer(bob, theirs)
        racers[0].accepted += [await race.play(move) for move in GAME.line[:10]]
        playing = asyncio.create_task(racers[1].play_some(Random(3), 60, 0.02))
        await here.start()
        await there.kill()
        racers[0].accepted += [await race.play(move) for move in GAME.line[10:]]
        await playing
        await racers[1].resign()
        await asyncio.gather(race.wait_until(is_closed), theirs.wait_until(is_closed))
        assert race.state.results == theirs.state.results
        assert [line.end for line in race.state.results or []] == ["finished", "resigned"]
        records = [await check_kept(here.url, racer) for racer in racers]
    assert [entry.what for entry in records[0].entries] == list(GAME.line)
    assert len({entry.epoch for record in records for entry in record.entries}) > 1
