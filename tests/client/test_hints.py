"""Hints through the client library: what comes back, over a lost line too, and what is refused."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from client.connection import connect
from client.errors import Refused
from rules.moves import legal_moves, parse_move
from server.store import Store
from server.workers.hinting import Adviser
from tests.client.conftest import Wire
from tests.client.test_connection import practised, raced, soon
from tests.workers.questions import lose_question

WINNABLE = "citadel:ms:3"


@pytest.fixture
async def adviser(store: Store) -> AsyncIterator[Adviser]:
    """A worker that says it runs; the test has it answer."""
    await store.workers.beat()
    with ThreadPoolExecutor(1) as threads:
        yield Adviser(store, threads)


async def answered(adviser: Adviser) -> None:
    """Until one question has been answered."""
    while not await adviser.answer_one():
        await asyncio.sleep(0.01)


async def test_a_hint_is_a_legal_move_and_the_play_goes_on_with_it(url: str, adviser: Adviser) -> None:
    async with connect(url) as connection:
        race = await practised(connection, WINNABLE)
        asked = asyncio.create_task(race.hint())
        await soon(answered(adviser))
        hint = await soon(asked)
        assert race.position is not None
        move = parse_move(hint.move or "")
        assert (hint.verdict, move in legal_moves(race.position)) == ("winnable", True)
        assert (await soon(race.play(move))).version == 2


async def test_a_hint_comes_over_a_line_that_was_lost_meanwhile(wire: Wire, adviser: Adviser) -> None:
    async with connect(wire.url) as connection:
        race = await practised(connection, WINNABLE)
        assert race.position is not None
        await soon(race.play(legal_moves(race.position)[0]))
        wire.is_deaf = True
        asked = asyncio.create_task(race.hint())
        await soon(answered(adviser))
        wire.is_deaf = False
        wire.cut()
        assert (await soon(asked)).version == 2
        assert race.own is not None and race.own.state is not None
        assert race.own.state.hints == 1


async def test_who_plays_on_gets_no_hint_of_the_position_before(url: str, adviser: Adviser) -> None:
    async with connect(url) as connection:
        race = await practised(connection, WINNABLE)
        assert race.position is not None
        move = legal_moves(race.position)[0]
        asked = asyncio.create_task(race.hint())
        await soon(race.play(move))
        with pytest.raises(Refused) as refused:
            await soon(asked)
        assert refused.value.code == "stale"


async def test_who_waits_for_a_hint_that_is_not_answered_after_all_hears_why(
    wire: Wire, adviser: Adviser, store: Store
) -> None:
    async with connect(wire.url) as connection:
        race = await practised(connection, WINNABLE)
        asked = asyncio.create_task(race.hint())
        await soon(race.wait_until(lambda race: race.own is not None and race.own.version == 1))
        await lose_question(store, race.id, connection.player.id)
        wire.cut()
        with pytest.raises(Refused) as refused:
            await soon(asked)
        assert refused.value.code == "too_many_hints"


async def test_a_race_refuses_hints(url: str, adviser: Adviser) -> None:
    async with connect(url) as one, connect(url) as other:
        first, _ = await raced(one, other)
        await soon(first.wait_until(lambda race: race.position is not None))
        with pytest.raises(Refused) as refused:
            await soon(first.hint())
        assert refused.value.code == "no_hints"
