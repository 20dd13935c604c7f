"""Races come to their result whatever interrupts them, once, and it is what the records say."""

import asyncio
import hashlib
import time

import pytest

from protocol.codes import End, ErrorCode, Kind, Phase
from rules.record import format_record, parse_record, verify
from server.race.events import ClosingBegun, format_event
from server.race.race import GRACE_MS, Race
from server.service.errors import ContestError
from server.service.races import attempt_id
from server.store.attempts import Appended, Closed, TooLate
from tests.service.world import Time, World, as_json, make_world

LIMIT = 60_000
BUILT = 40


async def closed(world: World, race: Race) -> Race:
    after = await world.contest.races.load(race.id)
    assert after.phase is Phase.CLOSED
    return after


async def test_a_race_closes_with_places_when_all_have_ended(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    await world.resign(race, ann)
    assert (await world.contest.races.load(race.id)).phase is Phase.RUNNING
    await world.resign(race, bob)
    results = (await closed(world, race)).closed
    assert results is not None
    assert {line.player.id for line in results.results} == {ann.id, bob.id}
    assert [line.place for line in results.results] == [None, None]


async def test_a_race_closes_at_its_limit_with_the_rest_expired(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob, limit_ms=LIMIT)
    await world.resign(race, ann)
    world.time.pass_ms(LIMIT + GRACE_MS)
    assert await world.contest.settling.advance(race.id) is None
    results = (await closed(world, race)).closed
    assert results is not None
    ends = {line.player.id: (line.end, line.end_ms) for line in results.results}
    assert ends[ann.id] == (End.RESIGNED, 0)
    assert ends[bob.id] == (End.EXPIRED, LIMIT)


@pytest.mark.parametrize("ms_before_its_start", [1, 500, 3_600_000])
async def test_a_race_that_has_started_is_played_though_the_clock_was_set_back_before_its_start(
    world: World, ms_before_its_start: int
) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    assert race.start_ms is not None
    after = await make_world(world.store, Time(race.start_ms - ms_before_its_start), [], "after")
    opened = await after.contest.open(ann.id, race.id)
    assert opened.start == await world.contest.dealt(race.id)


async def test_a_server_whose_clock_is_behind_the_one_that_started_a_race_shows_no_card_before_the_start(
    world: World,
) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    assert race.start_ms is not None
    behind = await make_world(world.store, Time(race.start_ms - 40), [], "behind")
    began = time.monotonic()
    await behind.contest.snapshot(race.id, ann.id)
    assert time.monotonic() - began >= 0.04


async def test_a_race_goes_on_to_its_result_though_the_clock_is_set_back_in_it(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    practice = await world.practice(ann, "citadel:ms:3")
    opened = await world.contest.open(ann.id, race.id)
    world.time.pass_ms(5_000)
    await world.append(opened, ann, await world.first_move(race))
    after = await make_world(world.store, Time(world.time.ms - 3_600_000), [], "after")
    assert (await after.contest.open(ann.id, practice.id)).start is not None
    opened = await after.contest.open(ann.id, race.id)
    assert opened.start is not None
    resigned = await after.append(opened, ann, "resign", version=1, id=2, at_ms=0, end="resigned 0")
    assert resigned == Appended(2, 5_000, None)
    await after.contest.ended(race.id, ann.id)
    opened = await after.contest.open(bob.id, race.id)
    await after.append(opened, bob, "resign", at_ms=0, end="resigned 0")
    await after.contest.ended(race.id, bob.id)
    results = (await closed(after, race)).closed
    assert results is not None
    assert {line.player.id: line.end for line in results.results} == {ann.id: End.RESIGNED, bob.id: End.RESIGNED}


async def test_the_commitment_made_before_is_of_the_deal_that_was_raced(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    before = (await world.contest.snapshot(race.id, ann.id)).state
    assert (before.deal, before.nonce) == (None, None)
    await world.resign(race, ann)
    await world.resign(race, bob)
    after = (await world.contest.snapshot(race.id, ann.id)).state
    assert hashlib.sha256(f"{after.deal}\n{after.nonce}".encode()).hexdigest() == before.commitment


async def test_nothing_of_a_secret_deal_is_shown_before_the_start(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.private(ann, seats=2)
    await world.contest.enter(bob.id, race.created.link or "")
    for player in (ann, bob):
        await world.contest.ready(player.id, race.id, ready=True)
    seed = world.deals.taken[0].seed
    opened = await world.contest.open(ann.id, race.id)
    assert opened.start is None
    shown = [await world.contest.snapshot(race.id, ann.id), await world.store.races.load(race.id)]
    assert seed not in as_json(shown)
    with pytest.raises(ContestError) as refused:
        await world.contest.dealt(race.id)
    assert refused.value.code is ErrorCode.NOT_STARTED


async def test_results_are_those_recomputed_from_the_records(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob, deal="beleaguered-castle:ms:1")
    opened = await world.contest.open(ann.id, race.id)
    world.time.pass_ms(1234)
    stored = await world.append(opened, ann, "t6-f2", left=47)
    assert isinstance(stored, Appended)
    await world.resign(race, ann)
    await world.resign(race, bob)
    result = (await closed(world, race)).closed
    assert result is not None
    first, last = result.results
    assert (first.player.id, first.place, first.cards, first.at_ms) == (ann.id, 1, 5, 1234)
    assert (last.player.id, last.place, last.cards) == (bob.id, None, 4)
    for line in result.results:
        row = await world.store.attempts.load(attempt_id(race.id, line.player.id))
        assert row is not None
        record = await world.contest.settling.record(race, line.player.id, row)
        read = parse_record(format_record(record))
        verify(read)
        assert (read.digest, read.result.cards, str(read.end.kind)) == (line.digest, line.cards, str(line.end))


async def test_equal_standings_share_the_place(world: World) -> None:
    ann, bob, cat = await world.guest(), await world.guest(), await world.guest()
    race = await world.started(ann, bob, cat, deal="beleaguered-castle:ms:1")
    world.time.pass_ms(1000)
    for player in (ann, bob, cat):
        opened = await world.contest.open(player.id, race.id)
        assert isinstance(await world.append(opened, player, "t6-f2", left=47), Appended)
        if player is bob:
            world.time.pass_ms(1)
    for player in (ann, bob, cat):
        await world.resign(race, player)
    result = (await closed(world, race)).closed
    assert result is not None
    assert [line.place for line in result.results] == [1, 1, 3]
    assert result.results[2].player.id == cat.id


async def test_a_move_in_the_last_moment_counts_and_one_after_it_does_not(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob, deal="beleaguered-castle:ms:1", limit_ms=LIMIT)
    opened = await world.contest.open(ann.id, race.id)
    other = await world.contest.open(bob.id, race.id)
    world.time.pass_ms(LIMIT)
    assert isinstance(await world.append(opened, ann, "t6-f2", left=47), Appended)
    world.time.pass_ms(1)
    assert isinstance(await world.append(other, bob, "t6-f2", left=47), TooLate)


async def test_a_move_and_the_seal_in_the_same_moment_leave_one_truth(world: World) -> None:
    """Whichever comes first in the store holds, and the result says the same."""
    for _ in range(20):
        ann, bob = await world.guest(), await world.guest()
        race = await world.started(ann, bob, deal="beleaguered-castle:ms:1", limit_ms=LIMIT)
        opened = await world.contest.open(ann.id, race.id)
        await world.resign(race, bob)
        world.time.pass_ms(LIMIT)
        at_ms = LIMIT
        world.time.pass_ms(GRACE_MS)
        move, _ = await asyncio.gather(
            world.append(opened, ann, "t6-f2", left=47, at_ms=at_ms), world.contest.settling.advance(race.id)
        )
        result = (await closed(world, race)).closed
        assert result is not None
        cards = next(line.cards for line in result.results if line.player.id == ann.id)
        assert (isinstance(move, Appended), cards) in [(True, 5), (False, 4)]
        assert isinstance(move, Appended | Closed)
        world.time.pass_ms(10_000)


async def test_an_end_that_was_stored_but_never_told_is_found(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    for player in (ann, bob):
        opened = await world.contest.open(player.id, race.id)
        assert isinstance(await world.append(opened, player, "resign"), Appended)
    await world.contest.settling.advance(race.id)
    await closed(world, race)


async def test_a_race_left_closing_by_a_crash_is_closed_by_another_process(world: World, time: Time) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    assert await world.store.races.append(race.id, race.seq, [format_event(ClosingBegun())])
    other = await make_world(world.store, time, [], "two")
    await other.contest.settling.advance(race.id)
    await closed(world, race)


async def test_many_processes_advancing_at_once_publish_one_result(world: World, time: Time) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob, limit_ms=LIMIT)
    others = [await make_world(world.store, time, [], str(number)) for number in range(5)]
    time.pass_ms(LIMIT + GRACE_MS)
    await asyncio.gather(*(other.contest.settling.advance(race.id) for other in others))
    texts = await world.store.races.load(race.id)
    assert sum('"type":"closed"' in text for text in texts) == 1
    await closed(world, race)


async def test_a_closed_race_frees_its_players_for_the_next(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob, limit_ms=LIMIT)
    assert (await world.contest.seats.live(ann.id)) == race.id
    world.time.pass_ms(LIMIT + GRACE_MS)
    await world.contest.settling.advance(race.id)
    assert await world.contest.seats.live(ann.id) is None
    assert await world.store.players.live(ann.id) is None


async def test_a_practice_is_never_ranked_and_closes_when_it_ends(world: World) -> None:
    ann = await world.guest()
    race = await world.practice(ann, "citadel:ms:1")
    assert race.kind is Kind.PRACTICE
    await world.resign(race, ann)
    await closed(world, race)
    assert await world.store.boards.boards() == []


async def test_an_attempt_that_was_still_going_at_the_close_takes_nothing_afterwards(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob, deal="beleaguered-castle:ms:1", limit_ms=LIMIT)
    opened = await world.contest.open(ann.id, race.id)
    world.time.pass_ms(LIMIT + GRACE_MS)
    await world.contest.settling.advance(race.id)
    assert isinstance(await world.append(opened, ann, "t6-f2", left=47, at_ms=LIMIT - 1), Closed)


async def test_a_race_that_is_played_is_looked_at_every_few_seconds(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    now_ms = world.contest.clock.now_ms()
    again = await world.contest.settling.advance(race.id)
    assert again is not None
    assert now_ms < again <= now_ms + 10_000


async def test_a_name_that_was_removed_is_not_told_again_by_races_of_before(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    await world.resign(race, ann)
    await world.resign(race, bob)
    await world.contest.players.delete(ann.id)
    assert ann.name not in as_json(await world.contest.snapshot(race.id, bob.id))
