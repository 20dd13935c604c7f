"""Every command sent again, played or refused: it gets the same answer and nothing happens a second time."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import pytest

from protocol.commands import AnyAttemptCommand, AnyCommand
from tests.web.site import PATIENCE_S, Attempt, Frame, Player, Site, lobby_of_two, race_of_two

CASTLE = "beleaguered-castle:ms:13"
CRUEL = "cruel:ms:1"
KLONDIKE = "klondike-draw1:ms:5"
MOVE = {"source": "t5", "target": "f2"}
Command = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Case:
    """A command on a practice: `before` is played first, `steps` are how far it raises the version."""

    type: str
    deal: str = CASTLE
    fields: tuple[tuple[str, Any], ...] = ()
    before: tuple[str, ...] = ()
    steps: int = 1
    code: str = ""


PLAYED = [
    Case("move", fields=tuple(MOVE.items())),
    Case("draw", KLONDIKE),
    Case("redeal", CRUEL),
    Case("undo", before=("move",)),
    Case("redo", before=("move", "undo")),
    Case("restart", before=("move",)),
    Case("collect", fields=(("scope", "all"),), steps=2),
    Case("resign"),
    Case("hint"),
]
REFUSED = [
    Case("move", fields=(("source", "t0"), ("target", "t0")), code="same_pile"),
    Case("draw", code="no_such_pile"),
    Case("redeal", code="no_redeals"),
    Case("undo", code="nothing_to_undo"),
    Case("redo", code="nothing_to_redo"),
    Case("restart", KLONDIKE, code="iron"),
    Case("collect", "beleaguered-castle:ms:2", fields=(("scope", "all"),), code="nothing_to_collect"),
    Case("resign", before=("resign",), code="ended"),
    Case("hint", KLONDIKE, code="no_hints"),
]


@pytest.mark.parametrize("cases", [PLAYED, REFUSED])
def test_no_command_on_an_attempt_is_left_out(cases: Sequence[Case]) -> None:
    types = {get_args(command.model_fields["type"].annotation)[0] for command in get_args(AnyAttemptCommand)}
    assert {case.type for case in cases} == types


async def opened(site: Site, case: Case) -> Attempt:
    """A practice that stands where the command of the case can be sent."""
    await site.app.state.contest.store.workers.beat()
    attempt = await (await Player.join(site)).practise(case.deal)
    for kind in case.before:
        fields: dict[str, Any] = dict(MOVE) if kind == "move" else {}
        await attempt.send(kind, **fields)
        attempt.version = (await attempt.player.hear("accepted", id=attempt.last_id))["version"]
    return attempt


async def send(attempt: Attempt, case: Case, command_id: int, version: int) -> None:
    await attempt.player.say(case.type, race=attempt.race, id=command_id, version=version, **dict(case.fields))


async def hear_answer(attempt: Attempt, command_id: int) -> Frame:
    """The next answer to the command of this id."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            frame = await attempt.player.hear_any()
            if frame["type"] in ("accepted", "rejected", "error") and frame.get("id") == command_id:
                return frame


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: case.type)
async def test_a_command_resent_behind_its_answer_is_answered_alike_and_counts_once(site: Site, case: Case) -> None:
    attempt = await opened(site, case)
    before = attempt.version
    await send(attempt, case, 9, before)
    first = await hear_answer(attempt, 9)
    assert (first["type"], first["version"]) == ("accepted", before + case.steps)
    stored = await attempt.stored()
    await send(attempt, case, 9, before)
    assert await hear_answer(attempt, 9) == first
    assert await attempt.stored() == stored


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: case.type)
async def test_a_command_sent_three_times_at_once_is_answered_alike_and_counts_once(site: Site, case: Case) -> None:
    attempt = await opened(site, case)
    before = attempt.version
    for _ in range(3):
        await send(attempt, case, 9, before)
    first, *others = [await hear_answer(attempt, 9) for _ in range(3)]
    assert first["type"] == "accepted"
    assert others == [first, first]
    assert (await attempt.stored())["version"] == before + case.steps


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: case.type)
async def test_a_command_resent_after_a_drop_was_played_once_and_the_snapshot_says_so(site: Site, case: Case) -> None:
    attempt = await opened(site, case)
    before = attempt.version
    await send(attempt, case, 9, before)
    await hear_answer(attempt, 9)
    stored = await attempt.stored()
    attempt.player.socket.transport.abort()
    again = await Player.join(site, attempt.player.token)
    await again.say("enter", race=attempt.race)
    state = (await again.hear("snapshot"))["attempt"]
    assert (state["previous"], state["version"], state["last_id"]) == ("1.9", before + case.steps, 0)
    back = Attempt(again, {"race": attempt.race, "state": attempt.state})
    await send(back, case, 9, before)
    refused = await hear_answer(back, 9)
    assert (refused["type"], refused["code"]) == ("rejected", "ended" if case.type == "resign" else "stale")
    unchanged = {"version", "position", "cards", "moves", "undos", "redos", "restarts"}
    now = await back.stored()
    assert {name: now[name] for name in unchanged} == {name: stored[name] for name in unchanged}


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.type)
async def test_a_refused_command_resent_is_refused_alike_and_changes_nothing(site: Site, case: Case) -> None:
    attempt = await opened(site, case)
    stored = await attempt.stored()
    await send(attempt, case, 9, attempt.version)
    first = await hear_answer(attempt, 9)
    assert (first["type"], first["code"]) == ("rejected", case.code)
    for _ in range(2):
        await send(attempt, case, 9, attempt.version)
    assert [await hear_answer(attempt, 9) for _ in range(2)] == [first, first]
    assert await attempt.stored() == stored


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.type)
async def test_a_refused_command_resent_after_others_were_played_is_still_not_played(site: Site, case: Case) -> None:
    attempt = await opened(site, case)
    await send(attempt, case, 9, attempt.version)
    await hear_answer(attempt, 9)
    if case.type != "resign":
        await attempt.send("resign", id_=10)
        await attempt.player.hear("accepted", id=10)
    stored = await attempt.stored()
    await send(attempt, case, 9, attempt.version)
    assert (await hear_answer(attempt, 9))["type"] == "rejected"
    assert await attempt.stored() == stored


OTHERS = {
    "hello": ("hello_twice", 2),
    "ping": ("pong", 2),
    "create": ("snapshot", 2),
    "enter": ("snapshot", 2),
    "resync": ("snapshot", 2),
    "watch": ("snapshot", 2),
    "queue": ("queued", 2),
    "unqueue": ("queued", 2),
    "ready": ("snapshot", 1),
    "rematch": ("snapshot", 1),
    "leave": ("race_unknown", 1),
    "kick": ("not_entered", 1),
    "start": ("already_started", 1),
    "unwatch": ("not_entered", 1),
}
"""What each of the other commands is answered the second time, an event or the code of an error, and how often this is
heard when it is sent twice."""


def test_none_of_the_other_commands_is_left_out() -> None:
    types = {get_args(command.model_fields["type"].annotation)[0] for command in get_args(AnyCommand)}
    assert set(OTHERS) == types - {case.type for case in PLAYED}


async def again(player: Player, type_: str, /, **fields: Any) -> None:
    """Sends a command twice and waits for both answers."""
    for _ in (1, 2):
        await player.say(type_, **fields)
    wanted, times = OTHERS[type_]
    async with asyncio.timeout(PATIENCE_S):
        while times:
            frame = await player.hear_any()
            times -= (frame["code"] if frame["type"] == "error" else frame["type"]) == wanted


async def life_of(player: Player, race: str) -> list[str]:
    """The types of all life-cycle events of the race that the player has been told, each once by its number."""
    await player.ping()
    own = [frame for frame in player.seen if frame.get("race") == race and "seq" in frame]
    told = {frame["seq"]: frame["type"] for frame in own if frame["type"] != "snapshot"}
    return [type_ for _, type_ in sorted(told.items())]


async def test_a_race_created_twice_by_one_key_is_one_race(site: Site) -> None:
    player = await Player.join(site)
    command = {"key": "one-and-only", "kind": "private", "variant": "fortress"}
    for _ in range(3):
        await player.say("create", **command)
    snapshots = [await player.hear("snapshot", re="one-and-only") for _ in range(3)]
    assert len({(snapshot["race"], snapshot["state"]["link"]) for snapshot in snapshots}) == 1
    assert [len(snapshot["state"]["entrants"]) for snapshot in snapshots] == [1, 1, 1]


async def test_a_race_created_by_one_key_from_two_servers_at_once_is_one_race(sites: tuple[Site, Site]) -> None:
    first = await Player.join(sites[0])
    second = await Player.join(sites[1], first.token)
    command = {"key": "one-and-only", "kind": "practice", "variant": "fortress"}
    for player in (first, second):
        await player.say("create", **command)
    races = {(await player.hear("entered"))["race"] for player in (first, second)}
    assert len(races) == 1


async def test_a_key_used_for_something_else_is_refused_and_makes_nothing(site: Site) -> None:
    player = await Player.join(site)
    await player.say("create", key="one-and-only", kind="private", variant="fortress")
    await player.hear("snapshot")
    await player.say("create", key="one-and-only", kind="private", variant="citadel")
    assert (await player.hear("error"))["code"] == "key_reused"


async def test_the_same_key_of_another_player_makes_another_race(site: Site) -> None:
    races = set()
    for player in [await Player.join(site) for _ in range(2)]:
        await player.say("create", key="one-and-only", kind="private", variant="fortress")
        races.add((await player.hear("snapshot"))["race"])
    assert len(races) == 2


async def test_entering_twice_takes_one_seat(site: Site) -> None:
    one, other, third = [await Player.join(site) for _ in range(3)]
    first, _ = await lobby_of_two(one, other, seats=3)
    await again(third, "enter", race=first.state["link"])
    assert await life_of(one, first.race) == ["entered", "entered", "entered"]


async def test_ready_twice_is_told_once_and_a_countdown_begins_once(site: Site) -> None:
    one, other = await Player.join(site), await Player.join(site)
    first, _ = await lobby_of_two(one, other)
    await again(one, "ready", race=first.race, ready=True)
    await again(other, "ready", race=first.race, ready=True)
    await one.hear("started")
    assert await life_of(one, first.race) == ["entered", "entered", "ready", "ready", "countdown", "started"]


async def test_a_start_sent_twice_begins_one_countdown(site: Site) -> None:
    one, other = await Player.join(site), await Player.join(site)
    first, _ = await lobby_of_two(one, other, start="host")
    await again(one, "start", race=first.race)
    await one.hear("started")
    assert await life_of(one, first.race) == ["entered", "entered", "countdown", "started"]


async def test_leaving_twice_is_told_once(site: Site) -> None:
    one, other = await Player.join(site), await Player.join(site)
    first, _ = await lobby_of_two(one, other)
    await again(other, "leave", race=first.race)
    assert await life_of(one, first.race) == ["entered", "entered", "left"]


async def test_kicking_twice_is_told_once(site: Site) -> None:
    one, other = await Player.join(site), await Player.join(site)
    first, _ = await lobby_of_two(one, other)
    await again(one, "kick", race=first.race, player=other.id)
    assert await life_of(one, first.race) == ["entered", "entered", "left"]


async def test_queueing_twice_pairs_nobody_with_themselves_and_one_opponent_with_one_race(site: Site) -> None:
    one, other = await Player.join(site), await Player.join(site)
    await again(one, "queue", variant="citadel")
    await other.say("queue", variant="citadel")
    await other.say("queue", variant="citadel")
    for player in (one, other):
        await player.hear("started")
        await player.ping()
    races = {frame["race"] for player in (one, other) for frame in player.seen if frame["type"] == "matched"}
    assert len(races) == 1


async def test_unqueueing_twice_is_answered_twice(site: Site) -> None:
    player = await Player.join(site)
    await player.say("queue", variant="citadel")
    await player.hear("queued", waiting=True)
    await again(player, "unqueue", variant="citadel")
    assert [frame["waiting"] for frame in player.seen if frame["type"] == "queued"] == [True, False, False]


async def test_a_rematch_asked_for_by_both_and_twice_is_one_race(site: Site) -> None:
    one, other = await Player.join(site), await Player.join(site)
    first, second = await race_of_two(one, other)
    for attempt in (first, second):
        await attempt.send("resign")
    for player in (one, other):
        await player.hear("closed")
    for player in (one, other, one):
        await player.say("rematch", race=first.race)
    races = {(await player.hear("rematch"))["new_race"] for player in (one, other)}
    await one.ping()
    await again(one, "rematch", race=first.race)
    assert (await life_of(one, first.race)).count("rematch") == 1
    assert len(races) == 1


async def test_watching_resyncing_and_unwatching_twice_is_answered_each_time(site: Site) -> None:
    one, other, watcher = [await Player.join(site) for _ in range(3)]
    first, _ = await lobby_of_two(one, other)
    await again(watcher, "watch", race=first.state["link"])
    await again(watcher, "resync", race=first.race)
    await again(watcher, "unwatch", race=first.race)
    await one.say("ready", race=first.race, ready=True)
    await other.hear("ready")
    assert "ready" not in await life_of(watcher, first.race)


async def test_pings_and_hellos_sent_again_change_nothing(site: Site) -> None:
    player = await Player.join(site)
    await again(player, "ping", id=5)
    await again(player, "hello", protocol=1)
    attempt = await player.practise()
    assert (await attempt.play(attempt.legal()[0]))["version"] == 1
