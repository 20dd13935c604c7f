"""Appends to an attempt: who may, in which order the checks are made, and what a resend is answered."""

import asyncio

import pytest

from server.store import Store, open_store
from server.store.attempts import (
    Again,
    Appended,
    AppendOutcome,
    AttemptRow,
    Closed,
    Fenced,
    Full,
    Stale,
    Superseded,
    TooLate,
)

ATTEMPT, PLAYER, RACE = "r1.p1", "p1", "r1"
LIMIT_MS = 1_800_000


async def enter(store: Store, now_ms: int = 1_000) -> AttemptRow:
    return await store.attempts.enter(ATTEMPT, player=PLAYER, race=RACE, now_ms=now_ms)


async def append(
    store: Store,
    version: int,
    command: int,
    *lines: str,
    epoch: int = 1,
    at_ms: int = 100,
    left: int | None = None,
    end: str | None = None,
    max_entries: int = 1_000,
) -> AppendOutcome:
    return await store.attempts.append(
        ATTEMPT,
        epoch=epoch,
        version=version,
        id=command,
        at_ms=at_ms,
        limit_ms=LIMIT_MS,
        left=left,
        end=end,
        lines=lines or ("t3-f0",),
        max_entries=max_entries,
    )


async def entries(store: Store) -> list[str]:
    row = await store.attempts.load(ATTEMPT)
    assert row is not None
    return row.entries


async def test_entering_makes_an_attempt_once_and_raises_its_epoch_each_time(store: Store) -> None:
    first = await enter(store, now_ms=1_000)
    second = await enter(store, now_ms=9_000)
    assert (first.epoch, second.epoch) == (1, 2)
    assert first.start_ms == second.start_ms == 1_000


async def test_there_is_nothing_to_load_before_entering(store: Store) -> None:
    assert await store.attempts.load(ATTEMPT) is None


async def test_a_command_is_stored_with_its_time_and_id(store: Store) -> None:
    await enter(store)
    assert await append(store, 0, 1, "t3-f0", at_ms=1_234) == Appended(1, 1_234, None)
    assert await entries(store) == ["1234 1.1 t3-f0"]


async def test_a_collect_is_stored_as_one_group(store: Store) -> None:
    await enter(store)
    assert await append(store, 0, 1, "t3-f0", "t4-f0", "t5-f1", left=45) == Appended(3, 100, 45 << 40 | 100)
    assert await entries(store) == ["100 1.1 t3-f0", "100 1.1 t4-f0", "100 1.1 t5-f1"]


async def test_a_resent_move_is_answered_but_not_played_twice(store: Store) -> None:
    await enter(store)
    await append(store, 0, 1, at_ms=100)
    await append(store, 1, 2, "t4-f0", "t5-f0", at_ms=200)
    await append(store, 3, 3, at_ms=300)
    assert await append(store, 1, 2, "t4-f0", "t5-f0", at_ms=900) == Again(3, 200, 2)
    assert await append(store, 0, 1, at_ms=900) == Again(1, 100, 1)
    assert len(await entries(store)) == 4


async def test_a_resend_is_found_whatever_its_place_in_a_long_log(store: Store) -> None:
    await enter(store)
    version = 0
    places = {}
    for command in range(1, 200, 2):
        lines = ("t1-f0",) * (1 + command % 3)
        version += len(lines)
        places[command] = Again(version, command, len(lines))
        assert await append(store, version - len(lines), command, *lines, at_ms=command) == Appended(
            version, command, None
        )
    found = {command: await append(store, 0, command, at_ms=999) for command in places}
    assert found == places
    never_stored = {await append(store, 0, command, at_ms=999) for command in range(2, 199, 2)}
    assert never_stored == {Superseded(199)}


async def test_a_resend_is_found_in_its_own_epoch_only(store: Store) -> None:
    await enter(store)
    await append(store, 0, 1)
    await append(store, 1, 5)
    await enter(store)
    assert await append(store, 2, 1, epoch=2) == Appended(3, 100, None)
    assert await append(store, 2, 1, epoch=2) == Again(3, 100, 1)
    assert await append(store, 2, 5, epoch=2) == Stale(3)


async def test_a_resend_is_answered_after_the_end_and_after_sealing(store: Store) -> None:
    await enter(store)
    await append(store, 0, 1, left=0, end="finished", at_ms=500)
    assert await append(store, 0, 1, left=0, end="finished", at_ms=700) == Again(1, 500, 1)
    await store.attempts.seal(ATTEMPT, LIMIT_MS)
    assert await append(store, 0, 1, left=0, end="finished", at_ms=700) == Again(1, 500, 1)


async def test_another_connection_fences_the_first(store: Store) -> None:
    await enter(store)
    await append(store, 0, 1)
    await enter(store)
    assert await append(store, 1, 2, epoch=1) == Fenced(2)
    assert await append(store, 1, 1, epoch=1) == Fenced(2)
    assert await entries(store) == ["100 1.1 t3-f0"]


async def test_an_attempt_that_is_not_there_takes_nothing(store: Store) -> None:
    assert await append(store, 0, 1) == Fenced(0)
    assert await store.attempts.load(ATTEMPT) is None


async def test_a_takeover_is_heard_on_the_channel_of_the_race(store: Store) -> None:
    heard: list[str] = []
    await store.feed.subscribe("r:r1", heard.append)
    await enter(store)
    await enter(store)
    await store.feed.subscribe("other", lambda _: None)
    assert heard == ['{"taken":{"player":"p1","epoch":2}}']


async def test_a_command_on_another_version_is_stale(store: Store) -> None:
    await enter(store)
    await append(store, 0, 1)
    assert await append(store, 0, 2) == Stale(1)
    assert await append(store, 2, 2) == Stale(1)
    assert len(await entries(store)) == 1


async def test_time_never_goes_back_within_an_attempt(store: Store) -> None:
    await enter(store)
    await append(store, 0, 1, at_ms=500)
    assert await append(store, 1, 2, at_ms=400, left=40) == Appended(2, 500, 40 << 40 | 500)
    await enter(store)
    assert await append(store, 2, 1, epoch=2, at_ms=0) == Appended(3, 500, 40 << 40 | 500)


async def test_what_comes_after_the_limit_is_too_late(store: Store) -> None:
    await enter(store)
    assert await append(store, 0, 1, at_ms=LIMIT_MS) == Appended(1, LIMIT_MS, None)
    assert await append(store, 1, 2, at_ms=LIMIT_MS + 1) == TooLate(LIMIT_MS + 1)
    assert len(await entries(store)) == 1


async def test_nothing_follows_the_end(store: Store) -> None:
    await enter(store)
    await append(store, 0, 1, "resign", end="resigned", at_ms=700)
    assert await append(store, 1, 2) == Closed("resigned 700")
    assert len(await entries(store)) == 1


async def test_the_end_has_the_stored_time_not_the_one_asked_for(store: Store) -> None:
    await enter(store)
    await append(store, 0, 1, at_ms=500)
    await append(store, 1, 2, at_ms=300, left=0, end="finished 300")
    row = await store.attempts.load(ATTEMPT)
    assert row is not None
    assert (row.end, row.best) == ("finished 500", 500)


async def test_nothing_follows_the_seal(store: Store) -> None:
    await enter(store)
    await append(store, 0, 1, left=40)
    sealed = await store.attempts.seal(ATTEMPT, LIMIT_MS)
    assert sealed == AttemptRow(1, 1_000, ["100 1.1 t3-f0"], 40 << 40 | 100, f"expired {LIMIT_MS}", sealed=True)
    assert await append(store, 1, 2) == Closed(f"expired {LIMIT_MS}")
    assert await store.attempts.seal(ATTEMPT, LIMIT_MS) == sealed


async def test_sealing_keeps_an_end_that_was_there(store: Store) -> None:
    await enter(store)
    await append(store, 0, 1, "resign", end="resigned")
    assert (await store.attempts.seal(ATTEMPT, LIMIT_MS)).end == "resigned 100"


async def test_an_attempt_sealed_before_it_was_opened_takes_nothing(store: Store) -> None:
    assert await store.attempts.seal(ATTEMPT, LIMIT_MS) == AttemptRow(
        0, 0, [], None, f"expired {LIMIT_MS}", sealed=True
    )
    row = await enter(store)
    assert (row.epoch, row.sealed) == (1, True)
    assert await append(store, 0, 1) == Closed(f"expired {LIMIT_MS}")


async def test_best_progress_is_the_fewest_cards_and_when_first_reached(store: Store) -> None:
    await enter(store)
    await append(store, 0, 1, at_ms=10, left=40)
    assert await append(store, 1, 2, at_ms=20, left=40) == Appended(2, 20, 40 << 40 | 10)
    assert await append(store, 2, 3, at_ms=30, left=41) == Appended(3, 30, 40 << 40 | 10)
    assert await append(store, 3, 4, at_ms=40) == Appended(4, 40, 40 << 40 | 10)
    assert await append(store, 4, 5, at_ms=50, left=39) == Appended(5, 50, 39 << 40 | 50)


async def test_the_largest_standing_key_is_kept_exactly(store: Store) -> None:
    await enter(store)
    at_ms = 1_799_999
    assert await append(store, 0, 1, at_ms=at_ms, left=103) == Appended(1, at_ms, 103 << 40 | at_ms)
    row = await store.attempts.load(ATTEMPT)
    assert row is not None
    assert row.best == 103 << 40 | at_ms


async def test_a_full_log_takes_only_the_command_that_ends_the_attempt(store: Store) -> None:
    await enter(store)
    await append(store, 0, 1, max_entries=2)
    assert await append(store, 1, 2, "t1-f0", "t2-f0", max_entries=2) == Full(1)
    assert await append(store, 1, 2, "t1-f0", max_entries=2) == Appended(2, 100, None)
    assert await append(store, 2, 3, "undo", max_entries=2) == Full(2)
    assert await append(store, 2, 4, "resign", end="resigned", max_entries=2) == Appended(3, 100, None)


@pytest.mark.parametrize(
    ("epoch", "version", "command", "at_ms", "outcome"),
    [
        (9, 9, 1, LIMIT_MS + 1, Fenced(1)),
        (1, 9, 1, LIMIT_MS + 1, Again(1, 100, 1)),
        (1, 9, 3, LIMIT_MS + 1, Superseded(4)),
        (1, 9, 5, LIMIT_MS + 1, Stale(2)),
        (1, 2, 5, LIMIT_MS + 1, TooLate(LIMIT_MS + 1)),
        (1, 2, 5, 100, Full(2)),
    ],
)
async def test_the_checks_are_made_in_order(
    store: Store, epoch: int, version: int, command: int, at_ms: int, outcome: AppendOutcome
) -> None:
    await enter(store)
    await append(store, 0, 1)
    await append(store, 1, 4)
    assert await append(store, version, command, epoch=epoch, at_ms=at_ms, max_entries=2) == outcome


async def test_of_two_processes_on_one_version_one_is_stored(store: Store, redis_url: str) -> None:
    other = await open_store(redis_url)
    try:
        await enter(store)
        for version in range(0, 50):
            outcomes = await asyncio.gather(
                append(store, version, 1 + 2 * version, "t1-f0"), append(other, version, 2 + 2 * version, "t2-f0")
            )
            kinds = sorted(type(outcome).__name__ for outcome in outcomes)
            assert kinds in (["Appended", "Stale"], ["Appended", "Superseded"])
        assert len(await entries(store)) == 50
    finally:
        await other.close()


async def test_pipelined_commands_behind_a_refused_one_are_stale(store: Store) -> None:
    await enter(store)
    outcomes = await asyncio.gather(append(store, 0, 1), append(store, 2, 2), append(store, 3, 3))
    assert list(outcomes) == [Appended(1, 100, None), Stale(1), Stale(1)]


async def test_an_old_id_is_not_played_again_on_the_current_version(store: Store) -> None:
    await enter(store)
    assert isinstance(await append(store, 0, 1), Appended)
    assert isinstance(await append(store, 1, 3), Appended)
    assert isinstance(await append(store, 2, 3, "t5-f0"), Again)
    assert await append(store, 2, 2, "t5-f0") == Superseded(3)
    assert len(await entries(store)) == 2
