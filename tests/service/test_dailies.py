"""The daily challenge: committed beforehand, one attempt that counts, its own clock, midnight, and what stays shut."""

import asyncio
import hashlib
from dataclasses import replace
from functools import partial

import pytest

from protocol.codes import End, ErrorCode, Phase
from server.race.attempt import begin
from server.race.daily import DAY_MS, LIMIT_MS, Daily, day_of
from server.race.race import GRACE_MS
from server.race.standing import standing_key
from server.service.errors import ContestError
from server.service.races import attempt_id
from tests.service.world import NOON, Time, World, as_json, make_world

TODAY = day_of(NOON)
VARIANT = "beleaguered-castle"
MIDNIGHT = (TODAY + 1) * DAY_MS


def challenge(day: int = TODAY) -> Daily:
    return Daily(day, VARIANT)


async def test_a_day_is_committed_once_whoever_does_it(world: World, time: Time) -> None:
    other = await make_world(world.store, time, [], "two")
    await asyncio.gather(world.contest.dailies.commit(), other.contest.dailies.commit())
    first = await world.contest.races.secret(challenge().race_id)
    later = await make_world(world.store, time, [], "three")
    await later.contest.dailies.commit()
    assert await world.contest.races.secret(challenge().race_id) == first
    assert later.deals.taken == []


async def test_all_eighteen_variants_have_a_daily_today_and_one_committed_for_tomorrow(world: World) -> None:
    await world.contest.dailies.commit()
    keys = await world.store.link.call("KEYS", "*daily.*:secret")
    assert len(keys) == 36


async def test_tomorrows_daily_was_committed_beforehand_and_the_first_ever_was_not(world: World) -> None:
    await world.contest.dailies.commit()
    today = (await world.contest.snapshot(challenge().race_id, None)).state
    tomorrow = (await world.contest.snapshot(challenge(TODAY + 1).race_id, None)).state
    assert not today.committed_before
    assert tomorrow.committed_before
    assert tomorrow.phase is Phase.OPEN
    assert len(tomorrow.commitment or "") == 64


async def test_a_daily_cannot_be_opened_before_its_day(world: World) -> None:
    await world.contest.dailies.commit()
    ann = await world.guest()
    tomorrow = challenge(TODAY + 1).race_id
    with pytest.raises(ContestError) as refused:
        await world.contest.open(ann.id, tomorrow)
    assert refused.value.code is ErrorCode.DAY_NOT_OPEN
    with pytest.raises(ContestError) as hidden:
        await world.contest.dealt(tomorrow)
    assert hidden.value.code is ErrorCode.NOT_STARTED


async def test_everyone_has_their_own_clock(world: World) -> None:
    await world.contest.dailies.commit()
    ann, bob = await world.guest(), await world.guest()
    first = await world.contest.open(ann.id, challenge().race_id)
    world.time.pass_ms(7_000)
    second = await world.contest.open(bob.id, challenge().race_id)
    assert (first.start_ms, second.start_ms) == (NOON, NOON + 7_000)
    assert first.start == second.start


async def test_opening_again_goes_on_with_the_first_attempt(world: World) -> None:
    await world.contest.dailies.commit()
    ann = await world.guest()
    await world.contest.open(ann.id, challenge().race_id)
    world.time.pass_ms(60_000)
    assert (await world.contest.open(ann.id, challenge().race_id)).start_ms == NOON


async def test_an_attempt_begun_at_23_59_59_belongs_to_its_day_and_has_its_whole_hour(world: World) -> None:
    world.time.ms = MIDNIGHT - 1_000
    await world.contest.dailies.commit()
    ann, bob = await world.guest(), await world.guest()
    race_id = challenge().race_id
    opened = await world.contest.open(ann.id, race_id)
    world.time.ms = MIDNIGHT + LIMIT_MS - 2_000
    again = await world.contest.open(ann.id, race_id)
    assert again.start_ms == opened.start_ms == MIDNIGHT - 1_000
    with pytest.raises(ContestError) as refused:
        await world.contest.open(bob.id, race_id)
    assert refused.value.code is ErrorCode.DAY_OVER
    await world.contest.settling.advance(race_id)
    assert (await world.contest.races.load(race_id)).phase is Phase.RUNNING
    world.time.ms = challenge().closes_ms + GRACE_MS
    await world.contest.settling.advance(race_id)
    closed = (await world.contest.races.load(race_id)).closed
    assert closed is not None
    row = await world.store.attempts.load(attempt_id(race_id, ann.id))
    assert row is not None
    assert row.end == f"{End.EXPIRED} {LIMIT_MS}"


async def test_nothing_of_a_daily_s_deal_is_told_before_its_day_has_closed(world: World) -> None:
    await world.contest.dailies.commit()
    ann = await world.guest()
    race_id = challenge().race_id
    await world.resign(await world.contest.races.load(race_id), ann)
    secret = await world.contest.races.secret(race_id)
    shown = [await world.contest.snapshot(race_id, ann.id), await world.store.races.load(race_id)]
    assert secret.deal not in as_json(shown)
    assert secret.nonce not in as_json(shown)
    world.time.ms = challenge().closes_ms + GRACE_MS
    await world.contest.settling.advance(race_id)
    after = (await world.contest.snapshot(race_id, None)).state
    assert hashlib.sha256(f"{after.deal}\n{after.nonce}".encode()).hexdigest() == after.commitment


async def test_a_daily_can_be_tried_again_as_practice_by_who_has_ended_it_and_tells_no_deal_code(world: World) -> None:
    await world.contest.dailies.commit()
    ann, bob = await world.guest(), await world.guest()
    race_id = challenge().race_id
    secret = await world.contest.races.secret(race_id)
    with pytest.raises(ContestError) as refused:
        await world.practice(bob, race_id)
    assert refused.value.code is ErrorCode.DEAL_LIVE
    await world.resign(await world.contest.races.load(race_id), ann)
    practice = await world.practice(ann, race_id)
    assert (await world.contest.open(ann.id, practice.id)).start == await world.contest.dealt(race_id)
    await world.resign(practice, ann)
    shown = [await world.contest.snapshot(practice.id, ann.id), await world.store.races.load(practice.id)]
    assert secret.deal not in as_json(shown)


async def test_the_deal_of_a_daily_cannot_be_practised_by_its_code_while_it_runs(world: World) -> None:
    await world.contest.dailies.commit()
    eve = await world.guest()
    secret = await world.contest.races.secret(challenge().race_id)
    with pytest.raises(ContestError) as refused:
        await world.practice(eve, secret.deal)
    assert refused.value.code is ErrorCode.DEAL_LIVE


async def test_an_attempt_past_its_hour_is_sealed_and_stands_on_the_board(world: World) -> None:
    await world.contest.dailies.commit()
    ann = await world.guest()
    race_id = challenge().race_id
    await world.contest.open(ann.id, race_id)
    name = f"a:{attempt_id(race_id, ann.id)}"
    due = await world.store.due.at(name)
    assert due == NOON + LIMIT_MS + GRACE_MS
    world.time.ms = due
    assert name in await world.store.due.take(int(world.time.ms), "sweep", 5_000, 100)
    await world.contest.settling.expire(name.removeprefix("a:"))
    row = await world.store.attempts.load(attempt_id(race_id, ann.id))
    assert row is not None
    assert row.sealed


async def test_the_next_day_is_another_deal(world: World) -> None:
    await world.contest.dailies.commit()
    first = await world.contest.races.secret(challenge().race_id)
    second = await world.contest.races.secret(challenge(TODAY + 1).race_id)
    assert first.deal != second.deal


async def test_a_daily_being_played_is_posted_now_and_then_and_told_to_nobody(world: World) -> None:
    await world.contest.dailies.commit()
    ann = await world.guest()
    race_id = challenge().race_id
    opened = await world.contest.open(ann.id, race_id)
    assert opened.start is not None
    heard: list[str] = []
    await world.store.feed.subscribe(f"r:{race_id}", heard.append)
    attempt = begin(opened.start, iron=False, epoch=1, limit_ms=opened.limit_ms)
    posted: list[int | None] = []
    for left, at_ms in ((47, 1_000), (46, 2_000), (45, 12_000)):
        world.time.ms = NOON + at_ms
        best = replace(attempt.history, best_left=left, best_ms=at_ms)
        await world.contest.moved(race_id, ann.id, replace(attempt, history=best))
        posted.append(dict(await world.store.races.standings(race_id)).get(ann.id))
    assert posted == [standing_key(47, 1_000), standing_key(47, 1_000), standing_key(45, 12_000)]
    assert heard == []


async def test_an_end_is_told_with_the_standing_it_belongs_to_and_not_before(world: World) -> None:
    await world.contest.dailies.commit()
    ann = await world.guest()
    race_id = challenge().race_id
    opened = await world.contest.open(ann.id, race_id)
    standing, last = standing_key(1, 900), standing_key(0, 1_000)
    play = partial(
        world.store.attempts.append,
        attempt_id(race_id, ann.id),
        epoch=opened.row.epoch,
        limit_ms=opened.limit_ms,
        lines=("t1 f1",),
    )
    await play(version=0, id=1, at_ms=900, left=1, end=None)
    await play(version=1, id=2, at_ms=1_000, left=0, end="finished 1000")
    told = []
    for key in (standing, last):
        await world.store.races.post(race_id, ann.id, key)
        [line] = await world.contest.boards.daily_standings(challenge(), None, 10)
        told.append((line.cards, line.at_ms, line.end, line.end_ms))
    assert told == [(51, 900, None, None), (52, 1_000, End.FINISHED, 1_000)]
