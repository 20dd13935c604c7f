"""Making races, coming and going, and who may know of what."""

import asyncio
from contextlib import suppress

import pytest

from protocol.codes import End, ErrorCode, Phase
from server.race.daily import Daily, day_of
from server.race.race import COUNTDOWN_MS, LOBBY_MS, Race
from server.service.errors import ContestError
from server.service.races import attempt_id
from server.store import keys
from server.store.attempts import Appended, Fenced
from tests.service.world import Time, World, make_world


async def test_the_same_key_makes_one_race(world: World) -> None:
    ann = await world.guest()
    first, second = await asyncio.gather(world.private(ann), world.private(ann))
    assert first.id == second.id
    assert len(world.deals.taken) <= 2
    assert (await world.contest.races.secret(first.id)).deal in [str(code) for code in world.deals.taken]


async def test_a_key_cannot_be_used_for_something_else(world: World) -> None:
    ann = await world.guest()
    await world.private(ann)
    with pytest.raises(ContestError) as refused:
        await world.private(ann, variant="fortress")
    assert refused.value.code is ErrorCode.KEY_REUSED


async def test_a_private_race_opens_by_its_link_and_not_by_its_id(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.private(ann)
    assert race.created.link is not None
    assert race.created.link != race.id
    with pytest.raises(ContestError) as refused:
        await world.contest.enter(bob.id, race.id)
    assert refused.value.code is ErrorCode.RACE_UNKNOWN
    assert await world.contest.enter(bob.id, race.created.link) == race.id


async def test_only_who_is_in_a_race_is_told_its_link(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.private(ann)
    assert (await world.contest.snapshot(race.id, ann.id)).state.link == race.created.link
    assert (await world.contest.snapshot(race.id, bob.id)).state.link is None


async def test_two_who_take_the_last_seat_at_once_do_not_both_get_it(world: World) -> None:
    ann, bob, cat = await world.guest(), await world.guest(), await world.guest()
    race = await world.private(ann, seats=2)
    link = race.created.link or ""
    outcomes = await asyncio.gather(
        world.contest.enter(bob.id, link), world.contest.enter(cat.id, link), return_exceptions=True
    )
    refused = [outcome for outcome in outcomes if isinstance(outcome, ContestError)]
    assert [error.code for error in refused] == [ErrorCode.FULL]
    assert len((await world.contest.races.load(race.id)).seats) == 2


async def test_who_plays_a_race_cannot_enter_another_until_resigning(world: World) -> None:
    ann, bob, cat = await world.guest(), await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    other = await world.private(cat)
    with pytest.raises(ContestError) as refused:
        await world.contest.enter(ann.id, other.created.link or "")
    assert refused.value.code is ErrorCode.BUSY
    await world.resign(race, ann)
    assert await world.contest.enter(ann.id, other.created.link or "") == other.id


async def test_a_lobby_is_left_for_another(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    lobby = await world.private(ann)
    other = await world.private(bob)
    await world.contest.enter(ann.id, other.created.link or "")
    assert (await world.contest.races.load(lobby.id)).seat(ann.id) is None


async def test_an_abandoned_lobby_closes_by_itself(world: World) -> None:
    ann = await world.guest()
    race = await world.private(ann)
    world.time.pass_ms(LOBBY_MS)
    await world.contest.settling.advance(race.id)
    closed = await world.contest.races.load(race.id)
    assert closed.phase is Phase.CLOSED
    assert closed.closed is not None
    assert closed.closed.results == []


async def test_a_takeover_on_another_process_fences_the_first(world: World, time: Time) -> None:
    ann, bob = await world.guest(), await world.guest()
    other_process = await make_world(world.store, time, [], "two")
    race = await world.started(ann, bob)
    first = await world.contest.open(ann.id, race.id)
    second = await other_process.contest.open(ann.id, race.id)
    move = await world.first_move(race)
    assert isinstance(await world.append(first, ann, move), Fenced)
    assert isinstance(await other_process.append(second, ann, move), Appended)


async def test_coming_back_goes_on_at_the_same_clock(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    first = await world.contest.open(ann.id, race.id)
    world.time.pass_ms(5_000)
    again = await world.contest.open(ann.id, race.id)
    assert again.start_ms == first.start_ms == race.start_ms


async def test_a_deal_chosen_for_a_live_race_cannot_be_practised_under_any_name_until_it_closes(world: World) -> None:
    ann, bob, eve = await world.guest(), await world.guest(), await world.guest()
    race = await world.started(ann, bob, deal="citadel:ms:617")
    for deal in ("citadel:ms:617", "fortress:ms:617", "beleaguered-castle:pysol:617"):
        with pytest.raises(ContestError) as refused:
            await world.practice(eve, deal, f"practice-{deal[:5]}")
        assert refused.value.code is ErrorCode.DEAL_LIVE
    await world.resign(race, ann)
    await world.resign(race, bob)
    assert (await world.contest.races.load(race.id)).phase is Phase.CLOSED
    assert (await world.practice(eve, "citadel:ms:617", "practice-later")).created.variant == "citadel"


async def test_hidden_cards_are_raced_on_secret_deals_only_and_without_undo(world: World) -> None:
    ann = await world.guest()
    with pytest.raises(ContestError) as refused:
        await world.private(ann, deal="klondike-draw1:ms:5")
    assert refused.value.code is ErrorCode.HIDDEN_NEEDS_SECRET
    race = await world.private(await world.guest(), variant="klondike-draw1", iron=False)
    assert race.created.iron


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"variant": "no-such-game"}, ErrorCode.UNKNOWN_VARIANT),
        ({"variant": "citadel+no-such-option"}, ErrorCode.UNKNOWN_VARIANT),
        ({"deal": "citadel:ms:0"}, ErrorCode.BAD_DEAL),
        ({"deal": "citadel:dice:7"}, ErrorCode.BAD_DEAL),
        ({"deal": "nonsense"}, ErrorCode.BAD_DEAL),
    ],
)
async def test_a_race_that_cannot_be_dealt_is_refused_and_nothing_is_left(
    world: World, fields: dict[str, object], code: ErrorCode
) -> None:
    ann = await world.guest()
    with pytest.raises(ContestError) as refused:
        await world.private(ann, **fields)
    assert refused.value.code is code
    assert await world.store.players.live(ann.id) is None


async def test_a_rematch_is_one_race_that_all_of_the_old_may_enter(world: World) -> None:
    ann, bob, eve = await world.guest(), await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    await world.resign(race, ann)
    await world.resign(race, bob)
    first, second = await asyncio.gather(world.contest.rematch(ann.id, race.id), world.contest.rematch(bob.id, race.id))
    assert first == second
    assert await world.contest.enter(ann.id, first) == first
    assert await world.contest.enter(bob.id, first) == first
    with pytest.raises(ContestError):
        await world.contest.enter(eve.id, first)
    assert attempt_id(first, ann.id) != attempt_id(race.id, ann.id)


async def test_a_snapshot_counts_what_was_dealt_to_the_foundations_once_the_deal_is_open(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    lobby = await world.private(ann, deal="beleaguered-castle:ms:1")
    assert [entrant.cards for entrant in (await world.contest.snapshot(lobby.id, ann.id)).state.entrants] == [0]
    await world.contest.leave(ann.id, lobby.id)
    cat = await world.guest()
    race = await world.started(bob, cat, deal="beleaguered-castle:ms:1")
    assert [entrant.cards for entrant in (await world.contest.snapshot(race.id, bob.id)).state.entrants] == [4, 4]


async def test_a_race_whose_log_lost_its_end_is_read_anew(world: World) -> None:
    """As after a power cut of a store that syncs every second."""
    ann = await world.guest()
    race = await world.private(ann)
    await world.contest.ready(ann.id, race.id, ready=True)
    await world.store.link.call("RPOP", keys.race_log(race.id))
    after = await world.contest.races.load(race.id)
    assert after.seq == race.seq
    assert await world.contest.ready(ann.id, race.id, ready=True)


async def test_who_comes_back_to_a_lobby_keeps_what_is_played_there(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.private(ann)
    link = race.created.link or ""
    await world.contest.enter(bob.id, link)
    await world.contest.open(bob.id, race.id)
    await world.contest.leave(bob.id, race.id)
    name = keys.attempt(attempt_id(race.id, bob.id))[0]
    assert await world.store.link.call("PTTL", name) > 0
    await world.contest.enter(bob.id, link)
    await world.contest.open(bob.id, race.id)
    assert await world.store.link.call("PTTL", name) == -1


async def test_a_practice_with_hidden_cards_says_that_it_is_iron(world: World) -> None:
    assert (await world.practice(await world.guest(), "klondike-draw1:ms:7")).created.iron


async def test_a_snapshot_says_who_has_gone_and_who_is_back(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    seen = []
    for here in (False, True):
        await (
            world.contest.presence.arrive(race.id, bob.id, 1)
            if here
            else world.contest.presence.depart(race.id, bob.id, 1, tell=True)
        )
        entrants = (await world.contest.snapshot(race.id, ann.id)).state.entrants
        seen.append({entrant.player.id: entrant.here for entrant in entrants})
    assert seen == [{ann.id: True, bob.id: False}, {ann.id: True, bob.id: True}]


async def test_one_player_is_never_in_two_races_that_start_however_many_are_made_at_once(world: World) -> None:
    for _ in range(8):
        ann, bob, cat = await world.guest(), await world.guest(), await world.guest()
        made = await asyncio.gather(
            world.private(ann, key="key-number-1"), world.private(ann, key="key-number-2"), return_exceptions=True
        )
        races = [race for race in made if isinstance(race, Race)]
        for race, other in zip(races, (bob, cat), strict=False):
            with suppress(ContestError):
                await world.contest.enter(other.id, race.created.link or "")
            for player in (ann, other):
                with suppress(ContestError):
                    await world.contest.ready(player.id, race.id, ready=True)
        now = [await world.contest.races.load(race.id) for race in races]
        assert sum(race.phase is Phase.COUNTDOWN and race.seat(ann.id) is not None for race in now) <= 1
        world.time.pass_ms(60_000)


async def test_nobody_waits_for_who_deletes_oneself_in_the_middle_of_a_race(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    await world.append(await world.contest.open(bob.id, race.id), bob, await world.first_move(race))
    await world.contest.delete(bob.id)
    seat = (await world.contest.races.load(race.id)).seat(bob.id)
    assert seat is not None
    assert seat.ended is not None
    assert seat.ended.end is End.RESIGNED
    await world.resign(race, ann)
    assert (await world.contest.races.load(race.id)).phase is Phase.CLOSED


async def test_who_deletes_oneself_in_the_countdown_has_resigned_when_it_is_over(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.private(ann, seats=2)
    await world.contest.enter(bob.id, race.created.link or "")
    for player in (ann, bob):
        await world.contest.open(player.id, race.id)
        await world.contest.ready(player.id, race.id, ready=True)
    await world.contest.delete(bob.id)
    world.time.pass_ms(COUNTDOWN_MS)
    await world.contest.settling.advance(race.id)
    seat = (await world.contest.races.load(race.id)).seat(bob.id)
    assert seat is not None
    assert seat.ended is not None
    assert (seat.ended.end, seat.ended.end_ms) == (End.RESIGNED, 0)


async def test_who_deletes_oneself_leaves_the_lobby_and_the_queues(world: World) -> None:
    ann, bob = await world.guest(), await world.guest()
    race = await world.private(ann, seats=2)
    await world.contest.enter(bob.id, race.created.link or "")
    await world.contest.open(bob.id, race.id)
    assert await world.contest.queue(bob.id, "citadel") is None
    await world.contest.delete(bob.id)
    assert [seat.player.id for seat in (await world.contest.races.load(race.id)).seats] == [ann.id]
    assert await world.store.queues.waiting("citadel") == 0


async def test_a_daily_of_who_deletes_oneself_ends_at_once(world: World) -> None:
    bob = await world.guest()
    daily = Daily(day_of(world.contest.clock.now_ms()), "citadel").race_id
    await world.contest.open(bob.id, daily)
    await world.contest.delete(bob.id)
    row = await world.store.attempts.load(attempt_id(daily, bob.id))
    assert row is not None
    assert row.end == "resigned 0"
