"""Variants, days and boards: what anyone may read, and from anywhere."""

import json
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from rules.variants import make_variant, variants
from server.race.daily import DAY_MS, Daily, day_of
from server.web.http.openapi import openapi
from server.web.http.routes import OPERATIONS
from tests.service.world import NOON
from tests.web.http.conftest import Api

TODAY = day_of(NOON)


async def test_all_variants_are_listed_with_what_one_chooses_by(api: Api) -> None:
    listed = (await api.get("/variants")).json()
    assert [one["id"] for one in listed["variants"]] == [variant.id for variant in variants()]
    assert sum(one["is_ranked"] for one in listed["variants"]) == 18
    assert listed["featured"] == "beleaguered-castle"


async def test_a_variant_is_told_as_the_data_that_makes_it(api: Api) -> None:
    for variant in variants():
        told = (await api.get(f"/variants/{variant.id}")).json()
        assert make_variant(told["record"]).tables.names == variant.tables.names
        assert told["name"] == variant.name


async def test_options_are_part_of_the_id(api: Api) -> None:
    told = await api.get("/variants/cruel+bottom-first")
    assert told.status_code == 200
    assert told.json()["base_id"] == "cruel"
    assert told.json()["id"] == "cruel+bottom-first"


@pytest.mark.parametrize(
    ("variant", "status", "code"),
    [
        ("chess", 404, "unknown_variant"),
        ("cruel+chess", 404, "unknown_variant"),
        ("CRUEL", 422, "bad_field"),
        ("cruel+", 422, "bad_field"),
        ("%00", 422, "bad_field"),
        ("a" * 5000, 422, "bad_field"),
    ],
)
async def test_an_unknown_variant_is_told_where_they_are_listed(api: Api, variant: str, status: int, code: str) -> None:
    answer = await api.get(f"/variants/{variant}")
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (status, code, "variant")
    assert answer.json()["message"].endswith(". See /api/v1/variants.")


async def test_what_has_not_changed_is_not_sent_again(api: Api) -> None:
    first = await api.get("/variants")
    again = await api.get("/variants", if_none_match=f'"other", W/{first.headers["etag"]}')
    assert again.status_code == 304
    assert again.content == b""
    assert (await api.get("/variants", if_none_match='"other"')).status_code == 200


async def test_reads_are_open_to_other_origins_and_ones_own_things_are_not(api: Api) -> None:
    assert (await api.get("/variants")).headers["access-control-allow-origin"] == "*"
    assert (await api.get("/variants/chess")).headers["access-control-allow-origin"] == "*"
    _, token = await api.guest()
    for path in ("/players/me", "/players/me/export"):
        assert "access-control-allow-origin" not in (await api.get(path, token)).headers
    for path in ("/api/v1/variants", "/api/v1/races"):
        asked = await api.client.options(path, headers={"origin": "https://example.org"})
        assert asked.headers["access-control-allow-methods"] == "GET, HEAD"
    for path in ("/api/v1/players", "/api/v1/players/me"):
        asked = await api.client.options(path, headers={"origin": "https://example.org"})
        assert "access-control-allow-origin" not in asked.headers, path


async def test_answers_are_never_guessed_to_be_something_else(api: Api) -> None:
    for path in ("/variants", "/nothing", "/players/me"):
        assert (await api.get(path)).headers["x-content-type-options"] == "nosniff"


async def test_head_answers_like_get(api: Api) -> None:
    answer = await api.client.head("/api/v1/variants")
    assert answer.status_code == 200
    assert "etag" in answer.headers


async def test_a_day_shows_its_challenges_and_no_deal_before_it_has_closed(api: Api) -> None:
    await api.world.contest.dailies.commit()
    answer = await api.get("/daily/2027-01-15")
    day = answer.json()
    assert len(day["challenges"]) == 18
    assert day["featured"] == "beleaguered-castle"
    assert {one["phase"] for one in day["challenges"]} == {"open"}
    assert (await api.get("/daily/today")).json() == day
    tomorrow = (await api.get("/daily/2027-01-16/citadel")).json()
    assert tomorrow["phase"] == "announced"
    assert tomorrow["committed_before"] is True
    assert day["challenges"][0]["committed_before"] is False
    for secret in await _secrets(api):
        for text in (answer.text, json.dumps(tomorrow)):
            assert secret not in text


async def _secrets(api: Api) -> set[str]:
    secrets = set()
    for day in (TODAY, TODAY + 1):
        for variant in variants():
            kept = await api.world.store.races.secret(Daily(day, variant.id).race_id)
            if kept is not None:
                secrets |= {kept.nonce, kept.deal.rpartition(":")[2]}
    assert len(secrets) == 72
    return secrets


async def test_a_closed_day_opens_what_was_committed_to(api: Api) -> None:
    await api.world.contest.dailies.commit()
    daily = Daily(TODAY, "citadel")
    before = (await api.get("/daily/2027-01-15/citadel")).json()
    api.world.time.pass_ms(DAY_MS)
    assert (await api.get("/daily/2027-01-15/citadel")).json()["phase"] == "over"
    await api.world.contest.settling.advance(daily.race_id)
    after = (await api.get("/daily/2027-01-15/citadel")).json()
    kept = await api.world.store.races.secret(daily.race_id)
    assert kept is not None
    assert after["phase"] == "closed"
    assert (after["deal"], after["nonce"]) == (kept.deal, kept.nonce)
    assert after["commitment"] == before["commitment"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/daily/2027-02-30", 422),
        ("/daily/yesterday", 422),
        ("/daily/%00", 422),
        ("/daily/99999-01-01", 422),
        ("/daily/1969-12-31", 422),
        ("/daily/2020-01-01", 404),
        ("/daily/9999-12-31", 404),
        ("/daily/2027-01-15/chess", 404),
        ("/daily/2027-01-15/cruel+bottom-first", 404),
    ],
)
async def test_a_day_or_challenge_that_is_none_is_said_so(api: Api, path: str, status: int) -> None:
    await api.world.contest.dailies.commit()
    assert (await api.get(path)).status_code == status


async def test_a_board_tells_its_rule_its_time_and_its_rows_by_pages(api: Api) -> None:
    players = [(await api.guest())[0] for _ in range(5)]
    for number, player in enumerate(players):
        await api.world.store.boards.post_best("best:citadel:ungraded", player.id, 1000 * (number // 2), "{}")
    first = (await api.get("/boards/best:citadel:ungraded?limit=3")).json()
    assert first["rule"].startswith("The fastest finish")
    assert first["as_of"] == NOON
    assert first["total"] == 5
    second = (await api.get(f"/boards/best:citadel:ungraded?limit=3&cursor={first['next']}")).json()
    assert [row["place"] for row in first["rows"] + second["rows"]] == [1, 1, 3, 3, 5]
    assert "next" not in second


async def test_ones_own_row_comes_with_its_neighbours(api: Api) -> None:
    made = [await api.guest() for _ in range(9)]
    for number, (player, _) in enumerate(made):
        await api.world.store.boards.post_best("best:citadel:ungraded", player.id, number, "{}")
    mine = (await api.get("/boards/best:citadel:ungraded?around=me", made[4][1])).json()
    assert [row["place"] for row in mine["rows"]] == [2, 3, 4, 5, 6, 7, 8]
    theirs = (await api.get(f"/boards/best:citadel:ungraded?around={made[0][0].id}")).json()
    assert [row["place"] for row in theirs["rows"]] == [1, 2, 3, 4]
    assert (await api.get("/boards/best:citadel:ungraded?around=me")).status_code == 401


@pytest.mark.parametrize("board", ["nothing", "day:2027-01-15", "best:citadel:ungraded:open", "%00", "a" * 3000])
async def test_an_unknown_board_is_not_found(api: Api, board: str) -> None:
    answer = await api.get(f"/boards/{board}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_an_empty_board_is_a_board(api: Api) -> None:
    answer = await api.get("/boards/day:2027-01-15:citadel")
    assert answer.status_code == 200
    assert answer.json()["rows"] == []


async def test_alive_ready_and_counted(api: Api) -> None:
    assert (await api.client.get("/healthz")).json() == {"status": "alive"}
    ready = await api.client.get("/readyz")
    assert ready.status_code == 200
    assert ready.json()["checks"] == {"server": "ok", "store": "ok", "clock": "ok"}
    await api.get("/players/nobody")
    metrics = await api.client.get("/metrics")
    line = 'ramparts_http_requests_total{method="GET",path="/api/v1/players/{name}",status="404"} 1.0'
    assert line in metrics.text


async def test_what_the_workers_have_in_store_is_counted(api: Api) -> None:
    store = api.world.store
    for seed in ("a", "b"):
        await store.pool.add("citadel", 3, seed)
    await store.workers.beat()
    assert (await api.client.get("/readyz")).json()["worker"] is True
    text = (await api.client.get("/metrics")).text
    assert 'ramparts_pool_deals{grade="3",variant="citadel"} 2.0' in text
    assert 'ramparts_pool_deals{grade="1",variant="cruel"} 0.0' in text
    assert "ramparts_analyses_waiting 0.0" in text
    assert "ramparts_worker_running 1.0" in text
    await store.link.close()
    without = await api.client.get("/metrics")
    assert without.status_code == 200
    assert 'variant="citadel"' not in without.text


async def test_not_ready_while_stopping_without_a_store_or_with_a_clock_that_is_off(api: Api) -> None:
    api.app.state.stopping = True
    assert (await api.client.get("/readyz")).json()["checks"]["server"] == "stopping"
    api.app.state.stopping = False
    api.world.contest.clock.drift_ms = 120.0
    off = await api.client.get("/readyz")
    assert (off.status_code, off.json()["checks"]["store"]) == (503, "ok")
    assert "120 ms" in off.json()["checks"]["clock"]
    api.world.contest.clock.drift_ms = 0.0
    api.app.state.failed = "sweeper"
    assert (await api.client.get("/readyz")).json()["checks"]["server"] == "sweeper has ended"
    api.app.state.failed = None
    link = api.world.store.link
    await link.call("CONFIG", "SET", "maxmemory", "1")
    try:
        full = await api.client.get("/readyz")
    finally:
        await link.call("CONFIG", "SET", "maxmemory", "0")
    assert (full.status_code, full.json()["checks"]["store"]) == (503, "takes no writes")
    await link.close()
    gone = await api.client.get("/readyz")
    assert (gone.status_code, gone.json()["checks"]["store"]) == (503, "unreachable")
    assert (await api.client.get("/healthz")).status_code == 200


async def test_the_documents_are_served_as_they_are_kept(api: Api) -> None:
    root = Path(__file__).parents[3]
    served = await api.client.get("/openapi.json")
    assert served.text == (root / "docs" / "openapi.json").read_text("utf-8")
    assert served.headers["access-control-allow-origin"] == "*"
    assert (await api.client.get("/asyncapi.json")).json()["asyncapi"].startswith("3.")


def test_every_reference_and_id_of_the_document_holds() -> None:
    document = openapi(OPERATIONS)
    text = json.dumps(document)
    for name in {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}:
        assert name in document["components"]["schemas"], name
    ids = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert len(ids) == len(set(ids)) == len(OPERATIONS)


def test_two_applications_can_count_in_one_process() -> None:
    from server.web.http.routes import http_routes

    assert len(http_routes(CollectorRegistry())) == len(http_routes(CollectorRegistry()))
