"""Results: what they come to always follows from the rows, in whatever order and however often they were noted."""

import json
import random
import statistics

import pytest

from server.store import Store
from server.store import results as module
from server.store.rankings import Cursor
from server.store.results import Tallies, Tally


def row(**fields: object) -> str:
    return json.dumps({"variant": "citadel", "grade": "ungraded", "end": "finished", "at_ms": 1_000} | fields)


def reckoned(rows: dict[str, str], days: set[int]) -> Tallies:
    """What rows come to, the slow way."""
    by_name: dict[str, list[tuple[str, dict[str, object]]]] = {}
    for race, text in rows.items():
        read = json.loads(text)
        for name in (read["variant"], f"{read['variant']}:{read['grade']}"):
            by_name.setdefault(name, []).append((race, read))
    tallies = {}
    for name, those in by_name.items():
        times = sorted((int(str(one["at_ms"])), race) for race, one in those if one["end"] == "finished")
        places = [int(str(one["place"])) for _, one in those if "place" in one and "day" in one]
        tallies[name] = Tally(
            attempts=len(those),
            finished=len(times),
            placed=len(places),
            places=sum(places),
            best_ms=times[0][0] if times else None,
            best_race=times[0][1] if times else None,
            median_ms=int(statistics.median(ms for ms, _ in times)) if times else None,
        )
    runs: list[list[int]] = []
    for day in sorted(days):
        if runs and runs[-1][1] == day - 1:
            runs[-1][1] = day
        else:
            runs.append([day, day])
    latest = (runs[-1][0], runs[-1][1]) if runs else None
    return Tallies(tallies, latest, max((last - first + 1 for first, last in runs), default=0))


def shown(tallies: Tallies) -> Tallies:
    return Tallies({k: v for k, v in tallies.by_name.items() if v.attempts}, tallies.latest_run, tallies.longest_run)


@pytest.mark.parametrize("seed", range(3))
async def test_tallies_are_those_of_the_rows_in_any_order(
    store: Store, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RESULTS_KEPT", 40)
    chance = random.Random(seed)
    rows: dict[str, tuple[int, str]] = {}
    days: set[int] = set()
    for number in range(120):
        race = f"race{chance.randrange(60):02}"
        fields: dict[str, object] = {
            "variant": chance.choice(["citadel", "citadel-2", "fortress"]),
            "grade": chance.choice(["ungraded", "3"]),
            "end": chance.choice(["finished", "resigned"]),
            "at_ms": chance.choice([0, 900, 1_000, chance.randrange(4_000_000)]),
        }
        if chance.random() < 0.7:
            fields["day"] = chance.randrange(20_000, 20_040)
        if "place" in json.loads(rows.get(race, (0, "{}"))[1]) or chance.random() < 0.5:
            fields["place"] = chance.randrange(1, 300)
        ended_ms = 1_000_000 + number
        await store.results.note("ann", race, ended_ms, row(**fields))
        rows[race] = (ended_ms, row(**fields))
        if "day" in fields:
            days.add(int(str(fields["day"])))
        rows = dict(sorted(rows.items(), key=lambda each: -each[1][0])[:40])
        expected = reckoned({name: text for name, (_, text) in rows.items()}, days)
        assert shown(await store.results.tallies("ann")) == expected
    kept_days = {json.loads(text)["day"] for _, text in rows.values() if "day" in json.loads(text)}
    await store.results.rebuild("ann", [])
    assert await store.results.tallies("ann") == reckoned({name: text for name, (_, text) in rows.items()}, kept_days)


async def test_a_result_noted_again_is_counted_once_and_a_place_stays(store: Store) -> None:
    placed = row(day=20_000, place=3)
    assert await store.results.note("ann", "one", 5, row(day=20_000))
    assert await store.results.note("ann", "one", 5, placed)
    assert not await store.results.note("ann", "one", 5, placed)
    assert not await store.results.note("ann", "one", 5, row(day=20_000))
    tally = (await store.results.tallies("ann")).by_name["citadel"]
    assert (tally.attempts, tally.finished, tally.placed, tally.places) == (1, 1, 1, 3)


async def test_pages_hold_every_result_once_the_latest_first(store: Store) -> None:
    for number in range(7):
        await store.results.note("ann", f"race{number}", 1_000 + number // 2, row(at_ms=number))
    seen: list[str] = []
    cursor: Cursor | None = None
    while True:
        page = await store.results.page("ann", cursor, 2)
        seen += [one.member for one in page.rows]
        assert page.total == 7
        if page.next is None:
            break
        cursor = page.next
    assert sorted(seen) == [f"race{number}" for number in range(7)]
    assert seen[0] == "race6"
    assert seen[-2:] == ["race0", "race1"]


async def test_a_rebuild_drops_what_should_not_be_there(store: Store) -> None:
    await store.results.note("ann", "one", 1, row(day=20_000))
    await store.results.note("ann", "two", 2, row(day=20_001, at_ms=5))
    assert await store.results.rebuild("ann", ["two"]) == 1
    tallies = await store.results.tallies("ann")
    assert (tallies.by_name["citadel"].attempts, tallies.by_name["citadel"].best_ms) == (1, 1_000)
    assert (tallies.latest_run, tallies.longest_run) == ((20_000, 20_000), 1)
    assert await store.results.of_races("ann", ["one", "two"]) == [row(day=20_000), None]


async def test_what_is_forgotten_is_gone(store: Store) -> None:
    await store.results.note("ann", "one", 1, row(day=20_000))
    await store.results.forget("ann")
    assert await store.results.tallies("ann") == Tallies()
    assert await store.link.call("KEYS", "{p:ann}*") == []


async def test_of_quick_matches_the_latest_are_remembered_and_all_stay_counted(store: Store) -> None:
    async def note(race: str, closed_ms: int | None, finished: int = 1) -> bool:
        return await store.finishes.note("citadel", race, "3", 2, finished, closed_ms, most=2)

    for number, race in enumerate(("a", "b", "c"), 1):
        assert await note(race, number)
    assert await note("daily", None)
    assert sorted(await store.finishes.races("citadel")) == ["b", "c", "daily"]
    assert not await note("a", 1)
    assert await note("b", 2, finished=2)
    assert await store.finishes.totals("citadel") == {"3": (8, 5)}


async def test_a_race_is_counted_once_and_counted_again_replaces_it(store: Store) -> None:
    assert await store.finishes.note("citadel", "one", "ungraded", 10, 4)
    assert not await store.finishes.note("citadel", "one", "ungraded", 10, 4)
    assert await store.finishes.note("citadel", "two", "3", 5, 0)
    assert await store.finishes.note("citadel", "one", "ungraded", 9, 4)
    assert await store.finishes.totals("citadel") == {"ungraded": (9, 4), "3": (5, 0)}
    assert sorted(await store.finishes.races("citadel")) == ["one", "two"]
    assert await store.finishes.totals("fortress") == {}
