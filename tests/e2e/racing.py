"""Players who race on a known deal, all of its winning line but the last move in one go."""

from typing import Any

from rules.moves import DRAW, REDEAL, Move
from tests.e2e.deals import Won
from tests.web.site import Attempt, Frame, Player, Reachable


async def race_of(site: Reachable, count: int, **settings: Any) -> list[Attempt]:
    """A private race of so many, started."""
    players = [await Player.join(site) for _ in range(count)]
    host, *guests = players
    await host.say("create", key="race-key-1", kind="private", seats=max(2, count), **settings)
    attempts = [Attempt(host, await host.hear("snapshot"))]
    attempts += [await guest.enter(attempts[0].state["link"]) for guest in guests]
    for attempt in attempts:
        await attempt.player.say("ready", race=attempt.race, ready=True)
    for attempt in attempts:
        attempt.take((await attempt.player.hear("started"))["position"])
    return attempts


async def send_line(attempt: Attempt, line: tuple[Move, ...]) -> None:
    """Sends moves one behind the other, each on the version that it will find."""
    for move in line:
        if move in (DRAW, REDEAL):
            await attempt.send("draw" if move == DRAW else "redeal")
        else:
            await attempt.send_move(move)
        attempt.version += 1


async def play_line(attempt: Attempt, line: tuple[Move, ...]) -> Frame:
    """Plays moves pipelined; the last answer."""
    await send_line(attempt, line)
    return await attempt.player.hear("accepted", id=attempt.last_id)


async def answer(attempt: Attempt) -> Frame:
    """The answer to the last command."""
    while True:
        frame = await attempt.player.hear_any()
        if frame["type"] in ("accepted", "rejected", "error") and frame.get("id") == attempt.last_id:
            return frame


async def almost_won(attempt: Attempt, game: Won) -> None:
    """Plays all of the winning line but its last move."""
    await play_line(attempt, game.line[:-1])
