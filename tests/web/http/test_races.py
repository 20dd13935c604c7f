"""Races, standings and replays over HTTP."""

import json

import pytest

from protocol.commands import Create
from protocol.parts import PlayerRef
from rules.record import parse_record, verify
from server.race.daily import DAY_MS, Daily, day_of
from server.race.race import GRACE_MS, Race
from server.race.standing import UNRANKED
from server.store.attempts import Appended
from tests.service.world import NOON
from tests.web.http.conftest import DOCUMENT, Api

KEY = "a-key-of-mine"


async def seated(api: Api, count: int) -> list[tuple[PlayerRef, str]]:
    return [await api.guest() for _ in range(count)]


async def resigned_race(api: Api, *players: PlayerRef) -> Race:
    """A race of these players that everyone resigned, one after the other, some after a move."""
    race = await api.world.started(*players, deal="citadel:ms:1")
    for number, player in enumerate(players):
        if number % 2 == 0:
            opened = await api.world.contest.open(player.id, race.id)
            assert isinstance(await api.world.append(opened, player, await api.world.first_move(race)), Appended)
        api.world.time.pass_ms(1000)
        opened = await api.world.contest.open(player.id, race.id)
        outcome = await api.world.append(opened, player, "resign", version=len(opened.row.entries))
        assert isinstance(outcome, Appended)
        await api.world.contest.ended(race.id, player.id)
    return await api.world.contest.races.load(race.id)


async def test_a_race_is_made_once_for_a_key(api: Api) -> None:
    _, token = await api.guest()
    body = {"key": KEY, "variant": "citadel", "seats": 4}
    first = await api.post("/races", body, token)
    assert first.status_code == 201
    assert len(first.json()["link"]) >= 8
    assert first.json()["link"] != first.json()["race"]
    assert (await api.post("/races", body, token)).json() == first.json()
    other = await api.post("/races", body | {"seats": 5}, token)
    assert (other.status_code, other.json()["code"]) == (409, "key_reused")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"variant": "citadel"}, 422, "bad_field"),
        ({"key": KEY}, 422, "bad_field"),
        ({"key": KEY, "variant": "citadel", "deal": "citadel:ms:1"}, 422, "bad_field"),
        ({"key": KEY, "variant": "chess"}, 404, "unknown_variant"),
        ({"key": KEY, "deal": "citadel:ms:0"}, 422, "bad_deal"),
        ({"key": KEY, "deal": "nonsense"}, 422, "bad_deal"),
        ({"key": KEY, "deal": "klondike-draw1:ms:1"}, 422, "hidden_needs_secret"),
        ({"key": KEY, "variant": "citadel", "seats": 101}, 422, "bad_field"),
        ({"key": KEY, "variant": "citadel", "seats": 2.0}, 422, "bad_field"),
        ({"key": KEY, "variant": "citadel", "kind": "daily"}, 422, "bad_field"),
        ({"key": "short", "variant": "citadel"}, 422, "bad_field"),
        ({"key": KEY, "variant": "citadel", "limit_ms": 10**30}, 422, "bad_field"),
    ],
)
async def test_a_race_that_can_not_be_made_is_refused(api: Api, body: object, status: int, code: str) -> None:
    _, token = await api.guest()
    answer = await api.post("/races", body, token)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_race_is_asked_for_as_over_the_socket() -> None:
    asked, command = DOCUMENT["components"]["schemas"]["RaceBody"], Create.model_json_schema()
    assert asked["oneOf"] == command["oneOf"]
    assert {*asked["properties"], "type"} == {*command["properties"]}


async def test_making_a_race_needs_a_token(api: Api) -> None:
    assert (await api.post("/races", {"key": KEY, "variant": "citadel"})).status_code == 401


async def test_a_private_race_is_shown_by_its_link_or_to_who_is_in_it(api: Api) -> None:
    (host, token), (_, stranger) = await seated(api, 2)
    made = (await api.post("/races", {"key": KEY, "variant": "citadel"}, token)).json()
    for path, caller, status in [
        (made["race"], None, 404),
        (made["race"], stranger, 404),
        (made["race"], token, 200),
        (made["link"], None, 200),
        (made["link"], stranger, 200),
    ]:
        for rest in ("", "/standings"):
            assert (await api.get(f"/races/{path}{rest}", caller)).status_code == status
    by_link = (await api.get(f"/races/{made['link']}")).json()
    assert "link" not in by_link
    assert by_link["entrants"][0]["player"]["id"] == host.id


async def test_nothing_shows_a_secret_deal_before_the_race_has_closed(api: Api) -> None:
    (one, token), (two, _) = await seated(api, 2)
    race = await api.world.private(one, seats=2)
    kept = await api.world.store.races.secret(race.id)
    assert kept is not None

    async def told() -> str:
        paths = (f"/races/{race.id}", f"/races/{race.id}/standings", f"/attempts/{race.id}.{one.id}/replay")
        return "".join([(await api.get(path, token)).text for path in paths])

    before = await told()
    await api.world.contest.enter(two.id, race.created.link or "")
    for player in (one, two):
        await api.world.contest.ready(player.id, race.id, ready=True)
    countdown = await told()
    api.world.time.pass_ms(10_000)
    await api.world.contest.settling.advance(race.id)
    playing = await told()
    for text in (before, countdown, playing):
        assert kept.deal.rpartition(":")[2] not in text
        assert kept.nonce not in text
    for player in (one, two):
        await api.world.resign(race, player)
    assert kept.nonce in await told()


@pytest.mark.parametrize("race", ["nothing", "%00", "a" * 3000, "daily.2027-01-16.citadel"])
async def test_an_unknown_race_is_said_so(api: Api, race: str) -> None:
    answer = await api.get(f"/races/{race}")
    assert (answer.status_code, answer.json()["code"]) == (404, "race_unknown")


async def test_standings_come_in_pages_now_and_at_the_end(api: Api) -> None:
    made = await seated(api, 7)
    race = await api.world.started(*(player for player, _ in made))
    for number, (player, _) in enumerate(made[:5]):
        await api.world.store.races.post(race.id, player.id, (40 << 40) + number // 2)
    seen: list[tuple[int | None, str]] = []
    cursor = ""
    while True:
        page = (await api.get(f"/races/{race.id}/standings?limit=2{cursor}", made[0][1])).json()
        assert page["total"] == 7
        assert page["is_final"] is False
        assert page["as_of"] == api.world.contest.clock.now_ms()
        seen += [(one.get("place"), one["player"]["id"]) for one in page["standings"]]
        if "next" not in page:
            break
        cursor = f"&cursor={page['next']}"
    assert [place for place, _ in seen] == [1, 1, 3, 3, 5, None, None]
    assert {player for _, player in seen} == {player.id for player, _ in made}


async def test_the_result_comes_in_pages_too(api: Api) -> None:
    made = await seated(api, 4)
    race = await resigned_race(api, *(player for player, _ in made))
    first = (await api.get(f"/races/{race.id}/standings?limit=3", made[0][1])).json()
    second = (await api.get(f"/races/{race.id}/standings?limit=3&cursor={first['next']}", made[0][1])).json()
    assert first["is_final"] is True
    assert race.closed is not None
    got = first["standings"] + second["standings"]
    assert got == [json.loads(one.model_dump_json(exclude_none=True)) for one in race.closed.results]
    assert "next" not in second
    assert str(UNRANKED) in first["next"]


async def test_a_daily_has_standings_over_all_its_entrants(api: Api) -> None:
    await api.world.contest.dailies.commit()
    race = Daily(day_of(NOON), "citadel").race_id
    for number in range(3):
        player, _ = await api.guest()
        await api.world.contest.open(player.id, race)
        await api.world.store.races.post(race, player.id, (30 << 40) + number)
    first = (await api.get(f"/races/{race}/standings?limit=2")).json()
    second = (await api.get(f"/races/{race}/standings?limit=2&cursor={first['next']}")).json()
    assert [one["place"] for one in first["standings"] + second["standings"]] == [1, 2, 3]
    assert first["standings"][0]["cards"] == 22
    assert first["total"] == 3


async def test_who_has_built_nothing_in_a_daily_is_listed_last_and_unranked(api: Api) -> None:
    await api.world.contest.dailies.commit()
    daily = Daily(day_of(NOON), "beleaguered-castle")
    players = [(await api.guest())[0] for _ in range(5)]
    for player in players:
        await api.world.contest.open(player.id, daily.race_id)
    await api.world.store.races.post(daily.race_id, players[3].id, (30 << 40) + 7)

    async def walk() -> list[dict[str, object]]:
        seen: list[dict[str, object]] = []
        cursor = ""
        while True:
            page = (await api.get(f"/races/{daily.race_id}/standings?limit=2{cursor}")).json()
            assert page["total"] == 5
            seen += page["standings"]
            if "next" not in page:
                return seen
            cursor = f"&cursor={page['next']}"

    seen = await walk()
    idle = sorted(player.id for player in players if player is not players[3])
    assert [one["player"]["id"] for one in seen] == [players[3].id, *idle]  # type: ignore[index]  # JSON
    assert [(one.get("place"), one["cards"]) for one in seen] == [(1, 22)] + [(None, 4)] * 4
    api.world.time.ms = daily.closes_ms + GRACE_MS
    await api.world.contest.settling.advance(daily.race_id)
    closed = (await api.world.contest.races.load(daily.race_id)).closed
    assert closed is not None
    assert [one.player.id for one in closed.results] == [players[3].id, *idle]
    assert [one.place for one in closed.results] == [1, None, None, None, None]
    assert [one["end"] for one in await walk()] == ["expired"] * 5


async def test_standings_of_a_race_that_runs_count_what_was_dealt_to_the_foundations(api: Api) -> None:
    made = await seated(api, 2)
    race = await api.world.private(made[0][0], seats=2, variant="beleaguered-castle")
    waiting = (await api.get(f"/races/{race.id}/standings", made[0][1])).json()
    assert [one["cards"] for one in waiting["standings"]] == [0]
    await api.world.contest.leave(made[0][0].id, race.id)
    race = await api.world.started(*(player for player, _ in made), variant="beleaguered-castle", key="another-key")
    playing = (await api.get(f"/races/{race.id}/standings", made[0][1])).json()
    assert [(one.get("place"), one["cards"]) for one in playing["standings"]] == [(None, 4), (None, 4)]


async def test_a_deleted_players_name_is_in_no_result_any_more(api: Api) -> None:
    made = await seated(api, 2)
    (one, token), (two, other) = made
    race = await resigned_race(api, one, two)
    await api.client.delete("/api/v1/players/me", headers={"authorization": f"Bearer {token}"})
    for path in (f"/races/{race.id}", f"/races/{race.id}/standings"):
        shown = await api.get(path, other)
        assert one.name not in shown.text, path
        assert two.name in shown.text, path


async def test_a_replay_is_refused_until_the_race_has_closed(api: Api) -> None:
    (one, token), (two, _) = await seated(api, 2)
    race = await api.world.started(one, two)
    await api.world.resign(race, one)
    answer = await api.get(f"/attempts/{race.id}.{one.id}/replay", token)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_closed")
    await api.world.resign(race, two)
    assert (await api.get(f"/attempts/{race.id}.{one.id}/replay", token)).status_code == 200


async def test_a_record_verifies_and_is_the_one_that_the_result_names(api: Api) -> None:
    made = await seated(api, 3)
    race = await resigned_race(api, *(player for player, _ in made))
    assert race.closed is not None
    for standing in race.closed.results:
        path = f"/attempts/{race.id}.{standing.player.id}/replay"
        text = await api.get(f"{path}?format=record", made[0][1])
        assert text.headers["content-type"] == "text/plain; charset=utf-8"
        record = parse_record(text.text)
        verify(record)
        assert record.digest == standing.digest
        told = (await api.get(path, made[0][1])).json()
        assert told["digest"] == standing.digest
        assert [entry["what"] for entry in told["entries"]][-1] == "resign"
        assert told["deal"] == race.closed.deal
        assert told["player"]["id"] == standing.player.id


async def test_a_replay_of_a_private_race_needs_its_link_or_a_seat(api: Api) -> None:
    (one, token), (two, _), (_, stranger) = await seated(api, 3)
    race = await resigned_race(api, one, two)
    path = f"{one.id}/replay"
    assert (await api.get(f"/attempts/{race.id}.{path}", stranger)).status_code == 404
    assert (await api.get(f"/attempts/{race.id}.{path}")).status_code == 404
    assert (await api.get(f"/attempts/{race.id}.{path}", token)).status_code == 200
    assert (await api.get(f"/attempts/{race.created.link}.{path}")).status_code == 200


@pytest.mark.parametrize("attempt", ["x", ".", "..", "a.", ".a", "%00.a", "daily.2027-01-15.citadel", "a" * 3000])
async def test_an_unknown_attempt_is_not_found(api: Api, attempt: str) -> None:
    answer = await api.get(f"/attempts/{attempt}/replay")
    assert answer.status_code == 404


async def test_a_form_that_there_is_not_is_refused(api: Api) -> None:
    answer = await api.get("/attempts/a.b/replay?format=xml")
    assert (answer.status_code, answer.json()["field"]) == (422, "format")


async def test_a_practice_on_a_dailys_deal_tells_nothing_before_that_day_has_closed(api: Api) -> None:
    await api.world.contest.dailies.commit()
    daily = Daily(day_of(NOON), "citadel")
    player, token = await api.guest()
    await api.world.resign(await api.world.contest.races.load(daily.race_id), player)
    made = (await api.post("/races", {"key": KEY, "kind": "practice", "deal": daily.race_id}, token)).json()
    practice = await api.world.contest.races.load(made["race"])
    kept = await api.world.store.races.secret(daily.race_id)
    assert kept is not None
    seed = kept.deal.rpartition(":")[2]
    shown = await api.get(f"/races/{practice.id}", token)
    assert seed not in shown.text
    await api.world.resign(practice, player)
    paths = [f"/races/{practice.id}", f"/attempts/{practice.id}.{player.id}/replay", f"/races/{practice.id}/standings"]
    for path in paths:
        answer = await api.get(path, token)
        assert seed not in answer.text, path
    assert (await api.get(paths[1], token)).json()["code"] == "not_closed"
    api.world.time.pass_ms(DAY_MS)
    await api.world.contest.settling.advance(daily.race_id)
    assert seed in (await api.get(paths[1], token)).text
