"""The client library against a real server: hello, races, drops, resends, takeover."""

import asyncio
from collections.abc import Awaitable
from random import Random
from typing import TypeVar

import pytest

from client.bot import play_attempt
from client.connection import Connection, connect
from client.errors import Disconnected, Refused, TakenOver, Unreachable
from client.race import Race, is_over
from protocol.codes import End, Phase
from protocol.events import Event
from rules.collect import safe_collect
from rules.deals import deal, parse_deal_code
from rules.moves import Move, legal_moves, parse_move, play
from tests.client.conftest import Wire

DEAL = "beleaguered-castle:ms:11982"
"""Three cards can be collected at once; t0-t7 is a move that leaves them."""
T = TypeVar("T")


async def soon(awaitable: Awaitable[T], seconds: float = 20) -> T:
    return await asyncio.wait_for(awaitable, seconds)


async def practised(connection: Connection, code: str = DEAL) -> Race:
    return await soon(connection.create("practice", deal=code))


def has_begun(race: Race) -> bool:
    return race.position is not None


async def raced(first: Connection, second: Connection, **options: int) -> tuple[Race, Race]:
    """A private race of two, both ready."""
    hosted = await soon(first.create("private", deal=DEAL, limit_ms=options.get("limit_ms", 60_000)))
    assert hosted.state.link is not None
    entered = await soon(second.enter(hosted.state.link))
    await soon(asyncio.gather(hosted.ready(), entered.ready()))
    return hosted, entered


async def test_a_new_guest_gets_a_token_and_is_the_same_player_with_it(url: str) -> None:
    async with connect(url) as connection:
        player, token = connection.player, connection.token
    assert token
    async with connect(url, token=token) as connection:
        assert connection.player == player


async def test_a_bot_is_marked(url: str) -> None:
    async with connect(url, bot=True) as connection:
        assert connection.player.bot


async def test_an_unknown_token_is_refused(url: str) -> None:
    with pytest.raises(Refused) as caught:
        async with connect(url, token="x" * 32):
            pass
    assert caught.value.code == "token_unknown"


async def test_no_server_is_said_at_once() -> None:
    with pytest.raises(Unreachable):
        async with connect("http://127.0.0.1:9"):
            pass


async def test_the_clock_follows_the_servers(url: str) -> None:
    async with connect(url) as connection:
        assert await soon(connection.ping()) < 5_000
        race = await practised(connection)
        assert race.own is not None
        assert abs(connection.now_ms() - race.state.created_ms) < 5_000


async def test_an_accepted_move_is_played_and_a_refused_one_is_not(url: str) -> None:
    async with connect(url) as connection:
        race = await practised(connection)
        dealt = deal(parse_deal_code(DEAL))
        accepted = await soon(race.play(Move("t0", "t7")))
        assert (accepted.version, race.position) == (1, play(dealt, Move("t0", "t7")))
        with pytest.raises(Refused) as caught:
            await soon(race.play(Move("t7", "f0")))
        assert caught.value.code == "suit"
        assert race.position == play(dealt, Move("t0", "t7"))


async def test_collect_undo_redo_and_restart_keep_the_position(url: str) -> None:
    async with connect(url) as connection:
        race = await practised(connection)
        dealt = deal(parse_deal_code(DEAL))
        collected = dealt
        for move in safe_collect(dealt):
            collected = play(collected, move)
        await soon(race.collect())
        assert race.position == collected
        await soon(race.undo())
        assert race.position == dealt
        await soon(race.redo())
        assert race.position == collected
        await soon(race.restart())
        assert race.position == dealt


async def test_commands_can_be_pipelined(url: str) -> None:
    async with connect(url) as connection:
        race = await practised(connection)
        position, moves = deal(parse_deal_code(DEAL)), []
        for _ in range(5):
            moves.append(legal_moves(position)[0])
            position = play(position, moves[-1])
        answers = await soon(asyncio.gather(*(race.play(move) for move in moves)))
        assert [answer.version for answer in answers] == [1, 2, 3, 4, 5]
        assert race.position == position


async def test_what_was_pipelined_behind_a_refused_move_is_stale_and_play_goes_on(url: str) -> None:
    async with connect(url) as connection:
        race = await practised(connection)
        moves = [Move("t0", "f0"), Move("t0", "t7"), Move("t1", "t4")]
        answers = await soon(asyncio.gather(*(race.play(move) for move in moves), return_exceptions=True))
        assert [answer.code for answer in answers if isinstance(answer, Refused)] == ["suit", "stale", "stale"]
        accepted = await soon(race.play(Move("t0", "t7")))
        assert accepted.version == 1


async def test_after_a_drop_the_same_attempt_goes_on(wire: Wire) -> None:
    async with connect(wire.url) as connection:
        race = await practised(connection)
        await soon(race.play(Move("t0", "t7")))
        before = race.position
        wire.cut()
        accepted = await soon(race.play(Move("t1", "t4")))
        assert (accepted.version, wire.made) == (2, 2)
        assert before is not None
        assert race.position == play(before, Move("t1", "t4"))


async def test_a_move_whose_answer_was_lost_is_played_once(wire: Wire) -> None:
    async with connect(wire.url) as connection:
        race = await practised(connection)
        wire.is_deaf = True
        waiting = asyncio.create_task(race.play(Move("t0", "t7")))
        await asyncio.sleep(0.5)
        wire.cut()
        wire.is_deaf = False
        accepted = await soon(waiting)
        assert accepted.version == 1
        assert race.position == play(deal(parse_deal_code(DEAL)), Move("t0", "t7"))
        assert (await soon(race.play(Move("t1", "t4")))).version == 2


async def test_moves_that_never_arrived_are_sent_again_in_order(wire: Wire) -> None:
    async with connect(wire.url) as connection:
        race = await practised(connection)
        position, moves = deal(parse_deal_code(DEAL)), []
        for _ in range(4):
            moves.append(legal_moves(position)[0])
            position = play(position, moves[-1])
        wire.cut()
        answers = await soon(asyncio.gather(*(race.play(move) for move in moves)))
        assert [answer.version for answer in answers] == [1, 2, 3, 4]
        assert race.position == position


async def test_many_drops_lose_nothing_and_play_nothing_twice(wire: Wire) -> None:
    async with connect(wire.url) as connection:
        race = await practised(connection)
        position = deal(parse_deal_code(DEAL))
        for number in range(12):
            move = legal_moves(position)[0]
            wire.is_deaf = number % 3 == 1
            waiting = asyncio.create_task(race.play(move))
            await asyncio.sleep(0.01 * (number % 4))
            if number % 2 or wire.is_deaf:
                wire.cut()
                wire.is_deaf = False
            accepted = await soon(waiting)
            position = play(position, move)
            assert (accepted.version, race.position) == (number + 1, position)


async def test_the_second_connection_of_a_player_takes_the_attempt_over(url: str) -> None:
    async with connect(url) as first:
        race = await practised(first)
        await soon(race.play(Move("t0", "t7")))
        async with connect(url, token=first.token) as second:
            again = await soon(second.enter(race.id))
            assert again.own is not None
            assert again.own.version == 1
            with pytest.raises(TakenOver):
                await soon(race.wait_until(lambda _: False))
            with pytest.raises(TakenOver):
                await soon(race.play(Move("t1", "t4")))
            assert (await soon(again.play(Move("t1", "t4")))).version == 2


async def test_events_come_in_order_to_whoever_iterates(url: str) -> None:
    async with connect(url) as first, connect(url) as second:
        hosted, entered = await raced(first, second, limit_ms=60_000)

        async def gather(race: Race) -> list[Event]:
            return [event async for event in race.events()]

        gathering = asyncio.create_task(gather(hosted))
        await soon(hosted.wait_until(lambda race: race.phase is Phase.RUNNING and race.position is not None))
        await soon(entered.wait_until(has_begun))
        await soon(hosted.play(Move("t0", "t7")))
        await soon(entered.collect())
        await soon(asyncio.gather(hosted.resign(), entered.resign()))
        types = [event.type for event in await soon(gathering) if hasattr(event, "type")]
        life = [name for name in types if name not in ("snapshot", "progress", "presence", "ready", "countdown")]
        assert life == ["started", "finished", "finished", "closing", "closed"]
        assert "progress" in types
        assert is_over(hosted)


async def test_a_race_of_two_goes_to_its_result_and_on_to_a_rematch(url: str) -> None:
    async with connect(url) as first, connect(url) as second:
        hosted, entered = await raced(first, second)
        await soon(asyncio.gather(hosted.wait_until(has_begun), entered.wait_until(has_begun)))
        await soon(entered.collect())
        await soon(asyncio.gather(hosted.resign(), entered.resign()))
        await soon(asyncio.gather(*(race.wait_until(is_over) for race in (hosted, entered))))
        results = entered.state.results
        assert results is not None
        places = [(result.place, result.player.id) for result in results]
        assert places == [(1, second.player.id), (None, first.player.id)]
        again, same = await soon(asyncio.gather(hosted.rematch(), entered.rematch()))
        assert again.id == same.id
        assert again.phase is Phase.OPEN


async def test_a_drop_before_the_start_misses_nothing(url: str, wire: Wire) -> None:
    async with connect(url) as first, connect(wire.url) as second:
        hosted, entered = await raced(first, second)
        wire.cut()
        await soon(entered.wait_until(has_begun))
        assert (await soon(entered.play(parse_move("t0-t7")))).version == 1
        await soon(asyncio.gather(hosted.resign(), entered.resign()))


async def test_two_who_queue_are_matched_and_bots_play_to_the_result(url: str) -> None:
    async with connect(url, bot=True) as first, connect(url, bot=True) as second:
        races = await soon(asyncio.gather(first.queue("cruel"), second.queue("cruel")))
        assert races[0].id == races[1].id
        await soon(asyncio.gather(*(play_attempt(race, pace_ms=0, chance=Random(1)) for race in races)), 60)
        await soon(asyncio.gather(*(race.wait_until(is_over) for race in races)))
        assert all(entrant.end in (End.FINISHED, End.RESIGNED) for entrant in races[0].state.entrants)
        assert races[0].state.results == races[1].state.results


async def test_who_stops_waiting_is_not_matched(url: str) -> None:
    async with connect(url) as first, connect(url) as second:
        waiting = asyncio.create_task(first.queue("cruel"))
        await asyncio.sleep(0.3)
        waiting.cancel()
        await asyncio.sleep(0.3)
        other = asyncio.create_task(second.queue("cruel"))
        await asyncio.sleep(0.5)
        assert not other.done()
        other.cancel()


async def test_a_watcher_sees_progress_and_no_cards(url: str) -> None:
    async with connect(url) as player, connect(url) as other, connect(url) as watcher:
        hosted, entered = await raced(player, other)
        seen = await soon(watcher.watch(hosted.state.link or ""))
        await soon(hosted.wait_until(has_begun))
        await soon(hosted.collect())
        await soon(seen.wait_until(lambda race: any(entrant.cards == 7 for entrant in race.state.entrants)))
        assert seen.position is None
        with pytest.raises(Refused):
            await soon(seen.play(Move("t0", "t7")))
        await soon(asyncio.gather(hosted.resign(), entered.resign()))


async def test_a_refusal_says_why(url: str) -> None:
    async with connect(url) as connection:
        for ask, code in (
            (connection.enter("nowhere"), "race_unknown"),
            (connection.create("practice", deal="beleaguered-castle:ms:0"), "bad_deal"),
            (connection.create("private", variant="no-such-variant"), "unknown_variant"),
            (connection.enter("daily.2020-01-01.cruel"), "race_unknown"),
        ):
            with pytest.raises(Refused) as caught:
                await soon(ask)
            assert caught.value.code == code


async def test_leaving_a_lobby_and_being_kicked(url: str) -> None:
    async with connect(url) as first, connect(url) as second:
        hosted = await soon(first.create("private", variant="cruel", seats=3, start="host"))
        with pytest.raises(Refused) as caught:
            await soon(hosted.start())
        assert caught.value.code == "not_enough_players"
        entered = await soon(second.enter(hosted.state.link or ""))
        await soon(entered.leave())
        await soon(second.enter(hosted.state.link or ""))
        await soon(hosted.kick(second.player.id))
        with pytest.raises(Refused) as caught:
            await soon(second.enter(hosted.state.link or ""))
        assert caught.value.code == "kicked"


async def test_leaving_the_block_ends_the_connection(url: str) -> None:
    async with connect(url) as connection:
        race = await practised(connection)
    with pytest.raises(Disconnected):
        await race.play(Move("t0", "t7"))
