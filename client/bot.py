"""A bot that plays honest legal moves over the wire like anybody else. How it chooses them is in `choosing`."""

import asyncio
from collections.abc import Callable
from random import Random

from client.choosing import LOOKED_AT, Chooser
from client.connection import Connection
from client.errors import Refused
from client.race import Race, is_over
from protocol.codes import ErrorCode, Phase
from protocol.parts import Standing
from rules.collect import safe_collect
from rules.moves import Move
from rules.positions import Position

OVER = frozenset({ErrorCode.CLOSED, ErrorCode.ENDED, ErrorCode.TOO_LATE, ErrorCode.LOG_FULL, ErrorCode.TAKEN_OVER})
"""Refusals after which there is nothing left to play."""
COLLECT = "collect"


async def play_races(
    connection: Connection,
    variant: str,
    races: int,
    *,
    pace_ms: int,
    chance: Random,
    report: Callable[[Race], None] = lambda _: None,
) -> None:
    """Plays so many quick matches, one after the other; `report` is told of each once it has closed."""
    for _ in range(races):
        race = await connection.queue(variant)
        await play_attempt(race, pace_ms=pace_ms, chance=chance)
        await race.wait_until(is_over)
        report(race)
        connection.forget(race)


async def play_attempt(race: Race, *, pace_ms: int, chance: Random, looked_at: int = LOOKED_AT) -> None:
    """Plays an attempt to its end: finished, resigned because blocked or in a loop, or out of time.

    A move takes `pace_ms`, half of it more or less by chance; thinking counts in.
    """
    await race.wait_until(lambda race: race.phase in (Phase.RUNNING, Phase.CLOSING, Phase.CLOSED))
    await race.wait_until(lambda race: race.position is not None or is_over(race))
    chooser = Chooser(looked_at)
    loop = asyncio.get_running_loop()
    while _can_play(race):
        due = loop.time() + pace_ms * chance.uniform(0.5, 1.5) / 1000
        position = race.position
        if position is None:
            return
        choice = await asyncio.to_thread(_choose, chooser, position)
        await asyncio.sleep(due - loop.time())
        try:
            await _carry_out(race, choice)
        except Refused as refused:
            if refused.code in OVER:
                return


def result_of(race: Race, player: str) -> Standing | None:
    """A player's line in the result; None before the race has closed."""
    return next((standing for standing in race.state.results or [] if standing.player.id == player), None)


def _choose(chooser: Chooser, position: Position) -> Move | str | None:
    """A move, COLLECT, or None to resign."""
    return COLLECT if safe_collect(position) else chooser.choose(position)


async def _carry_out(race: Race, choice: Move | str | None) -> None:
    if choice is None:
        await race.resign()
    elif isinstance(choice, Move):
        await race.play(choice)
    else:
        await race.collect("safe")


def _can_play(race: Race) -> bool:
    return race.phase is Phase.RUNNING and race.own is not None and not race.own.has_ended
