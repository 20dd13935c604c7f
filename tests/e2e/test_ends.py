"""How races end: ties, the last instant, a finish while the race is being closed, and the deadline."""

import asyncio
from collections.abc import Iterator

import httpx2
import pytest

from rules.record import Record, parse_record, verify
from server.store.attempts import AttemptRow, AttemptStore
from tests.e2e.deals import won
from tests.e2e.racing import almost_won, answer, race_of, send_line
from tests.e2e.times import forward_to, now_ms, received_at
from tests.web.site import Attempt, Frame, Player, Site

GAME = won("beleaguered-castle")
LIMIT_MS = 10_000
GRACE_MS = 500
LAST = GAME.line[-1:]


def places(closed: Frame) -> list[tuple[int | None, str, str, int]]:
    """Place, player, end and its time, line by line."""
    return [(line.get("place"), line["player"]["id"], line["end"], line["end_ms"]) for line in closed["results"]]


async def records_of(site: Site, closed: Frame, reader: Player) -> dict[str, Record]:
    """The verified record of each player, which the published digest belongs to."""
    records = {}
    bearer = {"Authorization": f"Bearer {reader.token}"}
    async with httpx2.AsyncClient(base_url=f"{site.http}/api/v1", headers=bearer) as http:
        for line in closed["results"]:
            player = line["player"]["id"]
            path = f"/attempts/{closed['race']}.{player}/replay?format=record"
            records[player] = parse_record((await http.get(path)).text)
            verify(records[player])
            assert records[player].digest == line["digest"]
            assert (records[player].end.kind.value, records[player].end.at_ms) == (line["end"], line["end_ms"])
    return records


def started_at(attempt: Attempt) -> int:
    started = next(frame for frame in attempt.player.seen if frame["type"] == "started")
    start_ms: int = started["start_ms"]
    return start_ms


async def test_two_who_finish_in_the_same_millisecond_share_the_first_place(site: Site) -> None:
    first, second, third = await race_of(site, 3, deal=GAME.code)
    for attempt in (first, second):
        await almost_won(attempt, GAME)
    await send_line(third, GAME.line[:30])
    await third.send("resign")
    await third.player.hear("accepted", id=third.last_id)
    instant = now_ms(site)
    with received_at(site, instant):
        for attempt in (first, second):
            await send_line(attempt, LAST)
            assert (await answer(attempt))["end"] == "finished"
    closed = await third.player.hear("closed")
    at_ms = instant - started_at(first)
    tied = sorted(attempt.player.id for attempt in (first, second))
    assert places(closed)[:2] == [(1, player, "finished", at_ms) for player in tied]
    assert places(closed)[2][:3] == (3, third.player.id, "resigned")


async def test_equal_progress_in_the_same_millisecond_is_a_tie_whatever_was_moved_later(site: Site) -> None:
    first, second = await race_of(site, 2, deal=GAME.code)
    with received_at(site, now_ms(site)):
        for attempt in (first, second):
            await send_line(attempt, GAME.line[:1])
            assert (await answer(attempt))["cards"] == GAME.start.progress + 1
    await send_line(first, GAME.line[1:10])
    assert (await answer(first))["cards"] == GAME.start.progress + 1
    for attempt in (second, first):
        await attempt.send("resign")
    closed = await first.player.hear("closed")
    assert len({(line["cards"], line["at_ms"]) for line in closed["results"]}) == 1
    assert [line["place"] for line in closed["results"]] == [1, 1]


async def test_a_finish_received_in_the_last_millisecond_counts_and_the_next_one_does_not(site: Site) -> None:
    first, second = await race_of(site, 2, deal=GAME.code, limit_ms=LIMIT_MS)
    for attempt in (first, second):
        await almost_won(attempt, GAME)
    closes_ms = started_at(first) + LIMIT_MS
    with received_at(site, closes_ms + 1):
        await send_line(second, LAST)
        late = await answer(second)
    assert (late["type"], late["code"]) == ("rejected", "too_late")
    with received_at(site, closes_ms):
        await send_line(first, LAST)
        assert (await answer(first))["end_ms"] == LIMIT_MS
    forward_to(site, closes_ms + GRACE_MS)
    closed = await second.player.hear("closed")
    assert places(closed) == [
        (1, first.player.id, "finished", LIMIT_MS),
        (2, second.player.id, "expired", LIMIT_MS),
    ]
    await records_of(site, closed, first.player)


async def test_who_still_plays_at_the_limit_is_expired_and_the_race_closes_by_itself(site: Site) -> None:
    first, second = await race_of(site, 2, deal=GAME.code, limit_ms=LIMIT_MS)
    await send_line(first, GAME.line[:40])
    await answer(first)
    forward_to(site, started_at(first) + LIMIT_MS + 1)
    await first.send("undo")
    assert (await answer(first))["code"] in ("too_late", "closed")
    closed = await second.player.hear("closed")
    assert places(closed) == [
        (1, first.player.id, "expired", LIMIT_MS),
        (None, second.player.id, "expired", LIMIT_MS),
    ]
    records = await records_of(site, closed, first.player)
    assert len(records[first.player.id].entries) == 40
    await first.send("undo")
    assert (await answer(first))["type"] == "rejected"


class Gate:
    """Holds every sealing up, before or after it was done."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.opened = asyncio.Event()


@pytest.fixture(params=["before", "after"])
def sealing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Gate]]:
    """The sealing of attempts stands still, just before or just after it was done."""
    gate, seal = Gate(), AttemptStore.seal

    async def held(store: AttemptStore, attempt_id: str, limit_ms: int) -> AttemptRow:
        sealed = await seal(store, attempt_id, limit_ms) if request.param == "after" else None
        gate.reached.set()
        await gate.opened.wait()
        return sealed or await seal(store, attempt_id, limit_ms)

    monkeypatch.setattr(AttemptStore, "seal", held)
    yield request.param, gate
    gate.opened.set()


async def test_a_finish_in_the_very_moment_of_the_close_counts_exactly_if_it_was_accepted(
    site: Site, sealing: tuple[str, Gate]
) -> None:
    held, gate = sealing
    first, second = await race_of(site, 2, deal=GAME.code, limit_ms=LIMIT_MS)
    # The first seat is sealed first, and there the sealing stands.
    await almost_won(first, GAME)
    closes_ms = started_at(first) + LIMIT_MS
    forward_to(site, closes_ms + GRACE_MS)
    await asyncio.wait_for(gate.reached.wait(), 10)
    with received_at(site, closes_ms - 1):
        await send_line(first, LAST)
        said = await answer(first)
    gate.opened.set()
    closed = await second.player.hear("closed")
    if held == "before":
        assert (said["type"], said["end"]) == ("accepted", "finished")
        assert places(closed)[0] == (1, first.player.id, "finished", LIMIT_MS - 1)
    else:
        assert (said["type"], said["code"]) == ("rejected", "closed")
        assert places(closed)[0] == (1, first.player.id, "expired", LIMIT_MS)
    records = await records_of(site, closed, first.player)
    assert len(records[first.player.id].entries) == len(GAME.line) - (held == "after")


async def test_of_finishes_that_rush_in_while_the_race_closes_exactly_the_accepted_ones_count(site: Site) -> None:
    attempts = await race_of(site, 12, deal=GAME.code, limit_ms=LIMIT_MS)
    for attempt in attempts:
        await almost_won(attempt, GAME)
    closes_ms = started_at(attempts[0]) + LIMIT_MS
    forward_to(site, closes_ms + GRACE_MS - 60)

    async def rush(number: int, attempt: Attempt) -> Frame:
        await asyncio.sleep(number * 0.01)
        await send_line(attempt, LAST)
        return await answer(attempt)

    with received_at(site, closes_ms):
        said = await asyncio.gather(*(rush(number, attempt) for number, attempt in enumerate(attempts)))
    closed = await attempts[0].player.hear("closed")
    accepted = {attempt.player.id for attempt, one in zip(attempts, said, strict=True) if one["type"] == "accepted"}
    finished = {player for _, player, end, _ in places(closed) if end == "finished"}
    assert finished == accepted
    assert {one["code"] for one in said if one["type"] != "accepted"} <= {"closed"}
    # The others share a place or not, by when each came as far as they were.
    assert [place == 1 for place, *_ in places(closed)] == [True] * len(accepted) + [False] * (12 - len(accepted))
    told = [frame["player"] for frame in attempts[0].player.seen if frame["type"] == "finished"]
    assert len(told) == len(set(told))
    await records_of(site, closed, attempts[0].player)
