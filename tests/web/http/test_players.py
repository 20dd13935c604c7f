import asyncio
import json

import pytest

from server.race.daily import DAY_MS
from tests.web.http.conftest import Api, make_client


async def test_a_guest_is_made_at_once_and_the_token_is_told_once(api: Api) -> None:
    answer = await api.post("/players", {})
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    token = answer.json()["token"]
    me = (await api.get("/players/me", token)).json()
    assert me["player"] == answer.json()["player"]
    assert me["player"]["guest"] is True
    assert token not in str(me)


async def test_me_needs_a_token(api: Api) -> None:
    answer = await api.get("/players/me")
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("token", ["", "x", "é", "a" * 200, "with space", "\x01"])
async def test_a_token_that_is_none_is_refused(api: Api, token: str) -> None:
    headers = {b"authorization": b"Bearer " + token.encode()}
    answer = await api.client.get("/api/v1/players/me", headers=headers)
    assert answer.status_code == 401
    assert answer.json()["code"] in ("unauthorized", "token_unknown")


async def test_another_scheme_than_bearer_is_refused(api: Api) -> None:
    _, token = await api.guest()
    answer = await api.get("/players/me", authorization=f"Basic {token}")
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")


async def test_claiming_recovering_and_looking_up_a_name(api: Api) -> None:
    player, token = await api.guest()
    claimed = await api.post("/players/me/claim", {"name": "McAnna"}, token)
    assert claimed.status_code == 200
    assert claimed.json()["player"] == {"id": player.id, "name": "McAnna", "guest": False, "bot": False}
    found = await api.get("/players/mcanna")
    assert found.json()["player"]["id"] == player.id
    assert "token" not in found.text
    recovered = await api.post("/players/recover", {"name": "McAnna", "code": claimed.json()["recovery_code"]})
    assert recovered.json()["player"]["id"] == player.id
    assert (await api.get("/players/me", token)).json()["code"] == "token_unknown"
    assert (await api.get("/players/me", recovered.json()["token"])).status_code == 200


async def test_a_refused_name_says_why_in_the_one_error_shape(api: Api) -> None:
    _, token = await api.guest()
    answer = await api.post("/players/me/claim", {"name": "<b>anna</b>"}, token)
    assert answer.status_code == 422
    assert answer.json().keys() == {"code", "message", "field"}
    assert (answer.json()["code"], answer.json()["field"]) == ("name_refused", "name")
    assert "letters" in answer.json()["message"]


async def test_a_taken_name_is_a_conflict(api: Api) -> None:
    (_, first), (_, second) = await api.guest(), await api.guest()
    assert (await api.post("/players/me/claim", {"name": "Paul"}, first)).status_code == 200
    answer = await api.post("/players/me/claim", {"name": "pau1"}, second)
    assert answer.status_code == 409
    assert answer.json()["code"] == "name_taken"


async def test_a_wrong_recovery_code_is_refused(api: Api) -> None:
    answer = await api.post("/players/recover", {"name": "Nobody", "code": "0000"})
    assert (answer.status_code, answer.json()["code"]) == (403, "recovery_refused")


async def test_an_export_holds_what_is_ones_own(api: Api) -> None:
    player, token = await api.guest()
    answer = await api.get("/players/me/export", token)
    assert answer.json()["player"]["id"] == player.id
    assert answer.headers.get("access-control-allow-origin") is None


async def test_a_deleted_player_is_gone(api: Api) -> None:
    _, token = await api.guest()
    await api.post("/players/me/claim", {"name": "Anna"}, token)
    deleted = await api.client.delete("/api/v1/players/me", headers={"authorization": f"Bearer {token}"})
    assert deleted.status_code == 200
    assert (await api.get("/players/me", token)).status_code == 401
    assert (await api.get("/players/Anna")).status_code == 404


async def test_bots_are_marked(api: Api) -> None:
    player, _ = await api.guest(bot=True)
    assert player.bot


async def test_me_says_whether_a_daily_begun_now_is_ranked(api: Api) -> None:
    player, token = await api.guest()
    await api.post("/players/me/claim", {"name": "Anna"}, token)
    await api.world.contest.players.note_closed(player.id, api.world.contest.clock.now_ms() // DAY_MS)
    assert (await api.get("/players/me", token)).json()["is_ranked"] is False
    api.world.time.pass_ms(DAY_MS)
    assert (await api.get("/players/me", token)).json()["is_ranked"] is True


@pytest.mark.parametrize("name", ["nobody", "%F0%9F%98%80", "%FF", "%00", "..", "a" * 3000, "%2e%2e%2fme", "<script>"])
async def test_an_unknown_or_impossible_name_is_not_found(api: Api, name: str) -> None:
    answer = await api.get(f"/players/{name}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_one_address_can_not_make_players_without_end_and_others_are_not_hurt(api: Api) -> None:
    async with make_client(api.app, "198.51.100.9") as greedy, make_client(api.app, "198.51.100.10") as other:
        answers = [await greedy.post("/api/v1/players", json={}) for _ in range(40)]
        assert {answer.status_code for answer in answers} == {201, 429}
        assert answers[-1].json()["code"] == "too_many_messages"
        assert (await other.post("/api/v1/players", json={})).status_code == 201
        api.world.time.pass_ms(60_000)
        assert (await greedy.post("/api/v1/players", json={})).status_code == 201


async def test_a_recovery_code_can_not_be_tried_often(api: Api) -> None:
    async with make_client(api.app, "198.51.100.9") as client:
        tries = [client.post("/api/v1/players/recover", json={"name": "Anna", "code": str(n)}) for n in range(30)]
        answers = await asyncio.gather(*tries)
    assert sum(answer.status_code == 403 for answer in answers) <= 6
    assert sum(answer.status_code == 429 for answer in answers) >= 24


@pytest.mark.parametrize("reason", ["fault", "other"])
async def test_a_fault_or_an_idea_may_be_told_by_its_text_alone(api: Api, reason: str) -> None:
    _, token = await api.guest()
    assert (await api.post("/reports", {"reason": reason, "text": "the clock is blue"}, token)).status_code == 201
    (kept,) = [json.loads(report) for report in await api.world.contest.players.reports(10)]
    assert (kept["reason"], kept["text"], kept["player"], kept["race"]) == (reason, "the clock is blue", None, None)
    for nothing in ("  ", "\u200b", "\u2800 \u3164\n", "\u202e\ufe0f\u0301"):
        silent = await api.post("/reports", {"reason": reason, "text": nothing}, token)
        assert (silent.status_code, silent.json()["code"]) == (422, "bad_field")


async def test_a_report_is_taken_and_must_be_about_something(api: Api) -> None:
    player, token = await api.guest()
    taken = await api.post("/reports", {"reason": "name", "player": player.id, "text": "<b>"}, token)
    assert taken.status_code == 201
    assert len(await api.world.contest.players.reports(10)) == 1
    empty = await api.post("/reports", {"reason": "name"}, token)
    assert (empty.status_code, empty.json()["code"]) == (422, "bad_field")
    unknown = await api.post("/reports", {"reason": "name", "player": "nobody"}, token)
    assert (unknown.status_code, unknown.json()["field"]) == (404, "player")
    nowhere = await api.post("/reports", {"reason": "cheating", "race": "never-made", "text": "?"}, token)
    assert (nowhere.status_code, nowhere.json()["field"]) == (404, "race")
    assert len(await api.world.contest.players.reports(10)) == 1
    assert (await api.post("/reports", {"reason": "name", "player": player.id})).status_code == 401
