"""Who may be told where an attempt was lost, and when: never of a deal that somebody still races."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from protocol.codes import ErrorCode, Phase
from protocol.parts import PlayerRef
from rules.moves import format_move
from server.race.daily import DAY_MS, Daily, day_of
from server.race.race import Race
from server.service.analyses import Analyses, Made
from server.service.errors import ContestError
from server.service.queries import Queries
from server.service.races import attempt_id
from server.store.analyses import MOST_OF_ADDRESS, MOST_OF_ONE, Place
from server.workers.keeping import Keeper
from tests.e2e.deals import numbered, won
from tests.service.world import NOON, World

GAME = numbered()
ADDRESS, ELSEWHERE = "192.0.2.1", "198.51.100.1"
LOSING = "t0-t5"
"""Played after six moves of the line it loses the deal."""


@pytest.fixture
def analyses(world: World) -> Analyses:
    return Analyses(world.contest, Queries(world.contest))


@pytest.fixture(autouse=True)
async def worker_runs(world: World) -> None:
    """As far as the server can see."""
    await world.store.workers.beat()


async def resigned_practice(
    world: World, player: PlayerRef, *lines: str, key: str = "practice-key", deal: str = GAME.code
) -> str:
    """The id of an attempt that has played these and was given up."""
    race = await world.practice(player, deal, key)
    opened = await world.contest.open(player.id, race.id)
    for number, line in enumerate((*lines, "resign")):
        await world.append(opened, player, line, version=number, id=number + 1)
    await world.contest.ended(race.id, player.id)
    assert (await world.contest.races.load(race.id)).phase is Phase.CLOSED
    return attempt_id(race.id, player.id)


async def refusal(analyses: Analyses, player: PlayerRef, attempt: str) -> set[ErrorCode]:
    """How asking and looking are refused."""
    codes = set()
    for told in (analyses.ask(player.id, attempt, ADDRESS), analyses.look(player.id, attempt)):
        with pytest.raises(ContestError) as refused:
            await told
        codes.add(refused.value.code)
    return codes


async def work(world: World) -> None:
    """A worker answers all that waits."""
    with ThreadPoolExecutor(1) as threads:
        while await Keeper(world.store, threads, [], 0).answer_one():
            pass


async def test_a_lost_practice_is_told_with_the_move_that_lost_it(world: World, analyses: Analyses) -> None:
    anna = await world.guest()
    moves = [format_move(move) for move in GAME.line[:6]]
    attempt = await resigned_practice(world, anna, *moves, LOSING, "undo", LOSING)
    with pytest.raises(ContestError) as refused:
        await analyses.look(anna.id, attempt)
    assert refused.value.code is ErrorCode.NOT_ASKED
    assert await analyses.ask(anna.id, attempt, ADDRESS) == Place(running=False, ahead=0)
    assert await analyses.look(anna.id, attempt) == Place(running=False, ahead=0)
    await work(world)
    made = await analyses.look(anna.id, attempt)
    assert isinstance(made, Made)
    losses = json.loads(made.text)["losses"]
    assert [(loss["at"], loss["what"], "mended" in loss) for loss in losses] == [(7, LOSING, True), (9, LOSING, False)]
    assert await analyses.ask(anna.id, attempt, ADDRESS) == made
    assert await world.store.analyses.waiting() == 0


async def test_nothing_is_told_before_the_race_has_closed(world: World, analyses: Analyses) -> None:
    anna, berta = await world.guest(), await world.guest()
    race = await world.started(anna, berta)
    await world.resign(race, anna)
    assert await refusal(analyses, anna, attempt_id(race.id, anna.id)) == {ErrorCode.NOT_CLOSED}
    await world.resign(race, berta)
    assert isinstance(await analyses.ask(anna.id, attempt_id(race.id, berta.id), ADDRESS), Place)
    stranger = await world.guest()
    assert await refusal(analyses, stranger, attempt_id(race.id, berta.id)) == {ErrorCode.RACE_UNKNOWN}


async def test_nothing_is_told_of_a_deal_that_somebody_else_races_now(world: World, analyses: Analyses) -> None:
    anna, berta = await world.guest(), await world.guest()
    attempt = await resigned_practice(world, anna, format_move(GAME.line[0]))
    await analyses.ask(anna.id, attempt, ADDRESS)
    await work(world)
    race: Race = await world.started(berta, await world.guest(), deal=GAME.code)
    assert await refusal(analyses, anna, attempt) == {ErrorCode.DEAL_LIVE}
    for seat in race.seats:
        await world.resign(race, seat.player)
    assert isinstance(await analyses.look(anna.id, attempt), Made)


async def test_nothing_is_told_of_a_layout_that_a_player_wrote_out_in_practice_or_in_a_race(
    world: World, analyses: Analyses
) -> None:
    anna, berta = await world.guest(), await world.guest()
    written = won("beleaguered-castle").code
    practised = await resigned_practice(world, anna, deal=written)
    assert await refusal(analyses, anna, practised) == {ErrorCode.WRITTEN_OUT}
    race = await world.started(anna, berta, deal=written)
    for seat in race.seats:
        await world.resign(race, seat.player)
    assert await refusal(analyses, anna, attempt_id(race.id, berta.id)) == {ErrorCode.WRITTEN_OUT}
    assert await world.store.analyses.waiting() == 0


async def test_a_dailys_attempts_are_told_of_when_the_day_has_closed(world: World, analyses: Analyses) -> None:
    anna = await world.guest()
    await world.contest.dailies.commit()
    daily = Daily(day_of(NOON), "citadel").race_id
    await world.resign(await world.contest.races.load(daily), anna)
    attempt = attempt_id(daily, anna.id)
    assert await refusal(analyses, anna, attempt) == {ErrorCode.NOT_CLOSED}
    world.time.pass_ms(2 * DAY_MS)
    await world.contest.settling.advance(daily)
    assert isinstance(await analyses.ask(anna.id, attempt, ADDRESS), Place)


async def test_a_player_may_have_so_many_waiting_and_others_are_not_held_up(world: World, analyses: Analyses) -> None:
    anna, berta = await world.guest(), await world.guest()
    attempts = [await resigned_practice(world, anna, key=f"practice-{n}") for n in range(MOST_OF_ONE + 1)]
    places = [await analyses.ask(anna.id, attempt, ADDRESS) for attempt in attempts[:-1]]
    assert len(places) == MOST_OF_ONE
    with pytest.raises(ContestError) as refused:
        await analyses.ask(anna.id, attempts[-1], ADDRESS)
    assert refused.value.code is ErrorCode.MANY_WAITING
    assert isinstance(await analyses.ask(berta.id, await resigned_practice(world, berta), ADDRESS), Place)
    await work(world)
    assert isinstance(await analyses.ask(anna.id, attempts[-1], ADDRESS), Place)


async def test_many_guests_of_one_address_keep_nobody_elsewhere_from_an_analysis(
    world: World, analyses: Analyses
) -> None:
    for _ in range(MOST_OF_ADDRESS):
        guest = await world.guest()
        await analyses.ask(guest.id, await resigned_practice(world, guest), ADDRESS)
    anna = await world.guest()
    attempt = await resigned_practice(world, anna)
    with pytest.raises(ContestError) as refused:
        await analyses.ask(anna.id, attempt, ADDRESS)
    assert refused.value.code is ErrorCode.QUEUE_FULL
    assert "network" in refused.value.message
    assert isinstance(await analyses.ask(anna.id, attempt, ELSEWHERE), Place)


async def test_without_a_worker_nobody_waits_in_vain(world: World, analyses: Analyses) -> None:
    anna = await world.guest()
    attempt = await resigned_practice(world, anna)
    await analyses.ask(anna.id, attempt, ADDRESS)
    await world.store.link.call("DEL", "worker:beat")
    assert await refusal(analyses, anna, attempt) == {ErrorCode.NO_SOLVER}
    await work(world)
    assert isinstance(await analyses.look(anna.id, attempt), Made)


async def test_many_who_ask_at_once_queue_one_attempt_once(world: World, analyses: Analyses) -> None:
    anna = await world.guest()
    attempt = await resigned_practice(world, anna)
    await asyncio.gather(*(analyses.ask(anna.id, attempt, ADDRESS) for _ in range(10)))
    assert await world.store.analyses.waiting() == 1
