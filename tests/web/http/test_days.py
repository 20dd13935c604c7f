"""Races to watch, a daily's result and the archive over HTTP."""

import pytest

from server.race.daily import DAY_MS, Daily
from server.service.lives import FRESH_MS
from tests.service.played import GAME, TODAY, close, commit, daily, finish, quick
from tests.service.world import as_json
from tests.web.http.conftest import Api


async def test_races_to_watch_are_listed_without_anything_secret(api: Api) -> None:
    world = api.world
    assert (await api.get("/races")).json()["races"] == []
    (ann, _), (bob, _) = await api.guest(), await api.guest()
    race = await quick(world, ann, bob)
    world.time.pass_ms(FRESH_MS)
    answer = await api.get("/races")
    (live,) = answer.json()["races"]
    assert (live["race"], live["variant"], [one["player"]["id"] for one in live["entrants"]]) == (
        race.id,
        GAME,
        [ann.id, bob.id],
    )
    secret = await world.contest.races.secret(race.id)
    assert secret.deal not in answer.text
    assert secret.nonce not in answer.text
    assert answer.headers["access-control-allow-origin"] == "*"
    assert (await api.get(f"/races/{live['race']}")).status_code == 200


async def test_a_dailys_result_says_where_one_stands(api: Api) -> None:
    world = api.world
    await commit(world)
    (ann, token), (bob, _) = await api.guest(), await api.guest()
    race = await daily(world)
    path = f"/daily/2027-01-15/{GAME}/result"
    empty = (await api.get(path, token)).json()
    assert (empty["total"], empty["buckets"], empty.get("mine"), empty["streak"]["current"]) == (0, [], None, 0)
    await finish(world, ann, race, 65_000)
    await finish(world, bob, race, 80_500)
    told = await api.get(path, token)
    mine = told.json()["mine"]
    assert (mine["place"], mine["of"], mine["better_than"], mine["end"]) == (1, 2, 100.0, "finished")
    assert told.json()["streak"]["current"] == 1
    assert sum(bucket["count"] for bucket in told.json()["buckets"]) == told.json()["finished"] == 2
    assert told.headers["cache-control"] == "no-store"
    public = (await api.get(path)).json()
    assert "mine" not in public
    assert "streak" not in public
    secret = await world.contest.races.secret(race.id)
    assert secret.deal not in as_json(told.json())


async def test_a_fresh_deal_is_told_to_be_won_once_anybody_has_finished_it(api: Api) -> None:
    world = api.world
    await commit(world)
    (ann, _), (bob, _) = await api.guest(), await api.guest()
    race = await daily(world)
    await world.resign(race, bob)
    assert (await api.get(f"/daily/today/{GAME}")).json()["won"] is False
    await finish(world, ann, race)
    challenges = (await api.get("/daily/today")).json()["challenges"]
    assert [one["variant"] for one in challenges if one["won"]] == [GAME]


async def test_a_days_challenges_say_with_a_token_what_one_has_done_in_them(api: Api) -> None:
    world = api.world
    await commit(world)
    ann, token = await api.guest()
    await finish(world, ann, await daily(world), 65_000)
    await world.contest.open(ann.id, Daily(TODAY, "citadel").race_id)
    told = await api.get("/daily/today", token)
    assert told.headers["cache-control"] == "no-store"
    by_variant = {one["variant"]: one for one in told.json()["challenges"]}
    assert by_variant[GAME]["mine"]["end_ms"] == 65_000
    assert [name for name, one in by_variant.items() if one.get("is_running")] == ["citadel"]
    assert (await api.get("/daily/today/citadel", token)).json()["is_running"] is True
    public = await api.get("/daily/today")
    assert public.headers["vary"] == "Authorization"
    assert "mine" not in public.text
    assert "is_running" not in public.text


async def test_a_month_shows_what_was_held_and_how_one_did(api: Api) -> None:
    world = api.world
    ann, token = await api.guest()
    for day in (TODAY, TODAY + 1, TODAY + 3):
        world.time.ms = max(world.time.ms, day * DAY_MS + 1_000)
        await commit(world)
        if day == TODAY:
            await finish(world, ann, await daily(world), 65_000)
            await close(world)
    await world.contest.open(ann.id, (await daily(world, TODAY + 3)).id)
    told = (await api.get(f"/archive/2027-01/{GAME}", token)).json()
    assert (told["first_day"], told["today"]) == ("2027-01-15", "2027-01-18")
    assert [(one["date"], one["phase"], one.get("is_running")) for one in told["days"]] == [
        ("2027-01-15", "closed", None),
        ("2027-01-16", "closed", None),
        ("2027-01-17", "over", None),
        ("2027-01-18", "open", True),
    ]
    mine = told["days"][0]["mine"]
    assert (mine["end"], mine["end_ms"], mine["place"], mine["of"]) == ("finished", 65_000, 1, 1)
    anyone = (await api.get(f"/archive/2027-01/{GAME}")).json()
    assert all("mine" not in one and "is_running" not in one for one in anyone["days"])
    assert (await api.get(f"/archive/2026-12/{GAME}")).json()["days"] == []
    assert (await api.get(f"/archive/2027-02/{GAME}")).json()["days"] == []


@pytest.mark.parametrize("month", ["2027-13", "2027", "2027-1", "0000-01", "x", "2027-01-01", "9999-12"])
async def test_a_month_that_is_none_is_refused(api: Api, month: str) -> None:
    answer = await api.get(f"/archive/{month}/{GAME}")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_field")
    assert (await api.get("/archive/2027-01/chess")).json()["code"] == "unknown_variant"
