"""Analyses over HTTP: asked with a token, waited for, read by whoever may see the replay."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from protocol.parts import PlayerRef
from rules.moves import format_move
from server.service.races import attempt_id
from server.workers.keeping import Keeper
from tests.e2e.deals import numbered, won
from tests.web.http.conftest import Api

GAME = numbered()


async def played(api: Api, player: PlayerRef, deal: str = GAME.code) -> str:
    """The id of a practice attempt: six moves towards the win, one that loses it, and resigned."""
    race = await api.world.practice(player, deal)
    opened = await api.world.contest.open(player.id, race.id)
    moves = [*map(format_move, GAME.line[:6]), "t0-t5"] if deal == GAME.code else []
    for number, line in enumerate([*moves, "resign"]):
        await api.world.append(opened, player, line, version=number, id=number + 1)
    await api.world.contest.ended(race.id, player.id)
    return attempt_id(race.id, player.id)


async def work(api: Api) -> None:
    with ThreadPoolExecutor(1) as threads:
        assert await Keeper(api.world.store, threads, [], 0).answer_one()


async def test_an_analysis_is_asked_for_waited_for_and_read(api: Api) -> None:
    anna, token = await api.guest()
    path = f"/attempts/{await played(api, anna)}/analysis"
    await api.world.store.workers.beat()
    assert (await api.get(path, token)).json()["code"] == "not_asked"
    asked = await api.post(path, {}, token)
    assert asked.status_code == 202
    assert asked.headers["retry-after"] == "1"
    assert asked.json() | {"attempt": ""} == {"state": "queued", "attempt": "", "ahead": 0, "retry_after_ms": 1000}
    assert (await api.get(path, token)).status_code == 202
    replay = path.replace("analysis", "replay")
    assert (await api.get(replay, token)).json()["analysed"] is False
    await work(api)
    assert (await api.get(replay, token)).json()["analysed"] is True
    read = await api.get(path, token)
    assert read.status_code == 200
    told = read.json()
    assert told["verdicts"] == [
        {"first": 0, "last": 6, "verdict": "winnable"},
        {"first": 7, "last": 8, "verdict": "lost"},
    ]
    assert told["losses"] == [{"after": 6, "at": 7, "at_ms": 0, "what": "t0-t5"}]
    assert told["last_winnable"] == 6
    assert told["finished"] is False
    assert "over_par" not in told
    assert told["par"]["least"] <= told["par"]["moves"]
    assert (await api.get(path, token, if_none_match=read.headers["etag"])).status_code == 304
    assert (await api.post(path, {}, token)).json() == told


async def test_asking_needs_a_player_and_reading_what_a_replay_needs(api: Api) -> None:
    anna, _ = await api.guest()
    path = f"/attempts/{await played(api, anna)}/analysis"
    assert (await api.post(path, {})).status_code == 401
    _, stranger = await api.guest()
    for answer in (await api.get(path), await api.get(path, stranger), await api.post(path, {}, stranger)):
        assert (answer.status_code, answer.json()["code"]) == (404, "race_unknown")


@pytest.mark.parametrize("attempt", ["nothing", "no.body", ".", "a.b.c", "%00.x", "x" * 3000])
async def test_an_attempt_that_is_not_there_is_said_so(api: Api, attempt: str) -> None:
    _, token = await api.guest()
    for answer in (await api.get(f"/attempts/{attempt}/analysis", token),):
        assert answer.status_code == 404
        assert answer.json()["code"] in ("not_found", "race_unknown")
    assert (await api.post(f"/attempts/{attempt}/analysis", {}, token)).status_code == 404


async def test_without_a_worker_one_is_told_so_and_when_to_come_back(api: Api) -> None:
    anna, token = await api.guest()
    answer = await api.post(f"/attempts/{await played(api, anna)}/analysis", {}, token)
    assert (answer.status_code, answer.json()["code"]) == (503, "no_solver")
    assert int(answer.headers["retry-after"]) > 0


async def test_of_a_layout_written_out_one_is_told_what_to_do_instead(api: Api) -> None:
    anna, token = await api.guest()
    path = f"/attempts/{await played(api, anna, won('beleaguered-castle').code)}/analysis"
    for answer in (await api.post(path, {}, token), await api.get(path, token)):
        assert (answer.status_code, answer.json()["code"]) == (403, "written_out")
        assert "ramparts analyse" in answer.json()["message"]


async def test_what_the_solver_can_not_search_is_told_with_the_reason(api: Api) -> None:
    anna, token = await api.guest()
    await api.world.store.workers.beat()
    path = f"/attempts/{await played(api, anna, 'four-seasons+czarina:r1:aaaaaaaaaaaaaaaaaaaaaaaaaa')}/analysis"
    await api.post(path, {}, token)
    await work(api)
    answer = await api.get(path, token)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_analysed")
    assert "four-seasons+czarina can't be solved" in answer.json()["message"]
