"""Results, statistics and finish rates over HTTP."""

from server.race.daily import LIMIT_MS
from tests.service.played import GAME, close, commit, daily, finish, give_up, quick
from tests.web.http.conftest import Api


async def test_a_players_results_come_by_pages_and_statistics_say_what_they_come_to(api: Api) -> None:
    world = api.world
    await commit(world)
    (ann, token), (bob, _) = await api.guest(), await api.guest()
    await api.post("/players/me/claim", {"name": "Anna"}, token)
    match = await quick(world, ann, bob)
    await finish(world, ann, match, 61_500)
    await world.resign(match, bob)
    await finish(world, ann, await daily(world), 30_500)
    first = (await api.get("/players/anna/results?limit=1")).json()
    second = (await api.get(f"/players/anna/results?limit=1&cursor={first['next']}")).json()
    assert (first["total"], first["player"]["name"]) == (2, "Anna")
    assert "next" not in second
    pages = first["results"] + second["results"]
    assert [(one["kind"], one["end_ms"], one.get("place")) for one in pages] == [
        ("daily", 30_500, None),
        ("quick", 61_500, 1),
    ]
    told = (await api.get("/players/ANNA/statistics")).json()
    assert (told["attempts"], told["finished"]) == (2, 2)
    assert told["streak"] == {"current": 1, "longest": 1, "last_day": "2027-01-15"}
    whole, graded = told["variants"]
    assert (whole["best_ms"], whole["median_ms"], whole["placed"]) == (30_500, 46_000, 0)
    assert graded == {**whole, "grade": "ungraded"}
    world.time.pass_ms(2 * 86_400_000 + LIMIT_MS)
    assert (await api.get("/players/anna/statistics")).json()["streak"]["current"] == 0


async def test_ones_own_results_need_the_token_and_a_guest_has_them_too(api: Api) -> None:
    _, token = await api.guest()
    for path in ("/players/me/results", "/players/me/statistics"):
        mine = await api.get(path, token)
        assert (mine.status_code, mine.headers["cache-control"]) == (200, "no-store")
        assert (await api.get(path)).status_code == 401
    assert (await api.get("/players/me/results", token)).json()["results"] == []
    assert (await api.get("/players/me/statistics", token)).json()["variants"] == []


async def test_who_is_hidden_or_unknown_has_no_results_to_show(api: Api) -> None:
    ann, token = await api.guest()
    await api.post("/players/me/claim", {"name": "Anna"}, token)
    assert (await api.get("/players/anna/results")).status_code == 200
    await api.world.contest.players.hide(ann.id)
    for name in ("anna", "nobody"):
        for what in ("results", "statistics"):
            answer = await api.get(f"/players/{name}/{what}")
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_a_cursor_that_is_none_is_refused(api: Api) -> None:
    _, token = await api.guest()
    for cursor in ("x", "1.", "-1.UPPER", "1.a%20b"):
        answer = await api.get(f"/players/me/results?cursor={cursor}", token)
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_field"), cursor


async def test_finishes_of_a_variant_are_counted_when_its_races_have_closed(api: Api) -> None:
    world = api.world
    await commit(world)
    ann, bob = await world.guest(), await world.guest()
    race = await daily(world)
    await finish(world, ann, race)
    await give_up(world, bob, race)
    before = (await api.get(f"/variants/{GAME}/finishes")).json()
    assert (before["attempts"], before["finished"], before["grades"]) == (0, 0, [])
    await close(world)
    told = (await api.get(f"/variants/{GAME}/finishes")).json()
    assert (told["attempts"], told["finished"]) == (2, 1)
    assert told["grades"] == [{"grade": "ungraded", "attempts": 2, "finished": 1}]
    assert "people" in told["counted"]
    assert (await api.get("/variants/chess/finishes")).status_code == 404
