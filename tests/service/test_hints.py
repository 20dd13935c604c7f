"""When hints open: not while the deal is raced by anybody, whatever the practice is."""

import pytest

from protocol.codes import ErrorCode, Phase
from server.race.daily import Daily, day_of
from server.service.errors import ContestError
from server.service.races import attempt_id
from server.store.hints import HINTS_PER_MINUTE, KeptHint
from tests.service.world import NOON, World

ADDRESS = "192.0.2.1"


async def refusal(world: World, player: str, race: str) -> ErrorCode | None:
    try:
        await world.contest.hints.admit(player, race, ADDRESS)
    except ContestError as refused:
        return refused.code
    return None


async def test_a_daily_tried_again_has_hints_only_once_the_daily_has_closed(world: World) -> None:
    await world.store.workers.beat()
    await world.contest.dailies.commit()
    daily = Daily(day_of(NOON), "beleaguered-castle")
    ann = await world.guest()
    await world.resign(await world.contest.races.load(daily.race_id), ann)
    practice = await world.practice(ann, daily.race_id)
    assert await refusal(world, ann.id, practice.id) is ErrorCode.DEAL_LIVE

    world.time.pass_ms(daily.closes_ms - NOON - 1)
    await world.store.workers.beat()
    assert await refusal(world, ann.id, practice.id) is ErrorCode.DEAL_LIVE

    world.time.pass_ms(60_000)
    while (await world.contest.races.load(daily.race_id)).phase is not Phase.CLOSED:
        await world.contest.settling.advance(daily.race_id)
    await world.store.workers.beat()
    assert await refusal(world, ann.id, practice.id) is None


async def test_a_daily_is_looked_at_itself_even_if_its_hold_on_the_deal_was_lost(world: World) -> None:
    await world.store.workers.beat()
    await world.contest.dailies.commit()
    daily = Daily(day_of(NOON), "beleaguered-castle")
    ann = await world.guest()
    await world.resign(await world.contest.races.load(daily.race_id), ann)
    practice = await world.practice(ann, daily.race_id)
    for key in await world.store.link.call("KEYS", "deal:*"):
        await world.store.link.call("DEL", key)
    assert await refusal(world, ann.id, practice.id) is ErrorCode.DEAL_LIVE


async def test_what_was_answered_before_is_not_told_while_the_deal_is_raced(world: World) -> None:
    await world.store.workers.beat()
    ann, bob, eve = await world.guest(), await world.guest(), await world.guest()
    practice = await world.practice(eve, "citadel:ms:3")
    await world.store.hints.keep(attempt_id(practice.id, eve.id), KeptHint(1, "winnable", ("t0-f0",)))
    told = await world.contest.hints.seek(eve.id, practice.id, 1, ADDRESS)
    assert told is not None and told.move == "t0-f0"
    await world.started(ann, bob, deal="citadel:ms:3")
    with pytest.raises(ContestError) as refused:
        await world.contest.hints.seek(eve.id, practice.id, 1, ADDRESS)
    assert refused.value.code is ErrorCode.DEAL_LIVE


async def test_what_was_answered_too_long_ago_is_asked_anew_no_more_often_than_new_hints_may_be(world: World) -> None:
    ann = await world.guest()
    practice = await world.practice(ann, "citadel:ms:3")
    for _ in range(HINTS_PER_MINUTE):
        for _ in range(2):
            assert await world.contest.hints.seek(ann.id, practice.id, 1, ADDRESS) is None
        await world.store.hints.drop(attempt_id(practice.id, ann.id), 1)
    with pytest.raises(ContestError) as refused:
        await world.contest.hints.seek(ann.id, practice.id, 1, ADDRESS)
    assert refused.value.code is ErrorCode.TOO_MANY_HINTS
    assert await world.store.hints.waiting() == 0


async def test_no_other_race_is_admitted_even_without_a_log_that_refuses(world: World) -> None:
    await world.store.workers.beat()
    ann, bob = await world.guest(), await world.guest()
    race = await world.started(ann, bob)
    assert await refusal(world, ann.id, race.id) is ErrorCode.DEAL_LIVE
    await world.resign(race, ann)
    await world.resign(race, bob)
    await world.contest.settling.advance(race.id)
    assert (await world.contest.races.load(race.id)).phase is Phase.CLOSED
    assert await refusal(world, ann.id, race.id) is ErrorCode.DEAL_LIVE
