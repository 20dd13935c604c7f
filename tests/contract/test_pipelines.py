"""Many commands on their way at once: each is answered once and in order, and only what was accepted is stored."""

import asyncio
from collections import Counter
from random import Random
from typing import Any

from rules.history import parse_entry
from rules.moves import Move
from tests.e2e.deals import won
from tests.e2e.racing import answer, play_line, send_line
from tests.web.site import PATIENCE_S, Attempt, Frame, Player, Site

GAME = won("beleaguered-castle")
ILLEGAL = Move("t0", "t0")
ROOM = 100
"""So many commands are put on their way at once; the session takes 128."""


async def opened(site: Site) -> Attempt:
    return await (await Player.join(site)).practise(GAME.code)


async def hear_all(attempt: Attempt, ids: list[int]) -> list[Frame]:
    """As many answers as there are ids, as they come; what else came stands in `seen`."""
    wanted, heard = Counter(ids), list[Frame]()
    async with asyncio.timeout(PATIENCE_S):
        while wanted.total():
            frame = await attempt.player.hear_any()
            if frame["type"] in ("accepted", "rejected", "error") and "id" in frame:
                assert wanted[frame["id"]] > 0, f"answered too often: {frame}"
                wanted[frame["id"]] -= 1
                heard.append(frame)
    return heard


def snapshots(attempt: Attempt) -> int:
    return sum(frame["type"] == "snapshot" for frame in attempt.player.seen)


async def log_of(site: Site, attempt: Attempt) -> list[tuple[int, int]]:
    """Epoch and id of each entry that is stored."""
    row = await site.app.state.contest.store.attempts.load(f"{attempt.race}.{attempt.player.id}")
    return [(entry.epoch, entry.id) for entry in map(parse_entry, row.entries)]


async def test_everything_behind_a_refused_move_is_stale_with_one_snapshot_for_the_lot(site: Site) -> None:
    attempt = await opened(site)
    before = snapshots(attempt)
    await send_line(attempt, (*GAME.line[:10], ILLEGAL, *GAME.line[11:40]))
    for kind in ("undo", "redo", "restart", "collect", "resign"):
        await attempt.send(kind)
        attempt.version += 1
    said = await hear_all(attempt, list(range(1, attempt.last_id + 1)))
    assert [frame["id"] for frame in said] == list(range(1, attempt.last_id + 1))
    assert [frame["type"] for frame in said[:10]] == ["accepted"] * 10
    assert [frame["code"] for frame in said[10:]] == ["same_pile"] + ["stale"] * 34
    attempt.version = (await attempt.player.hear("snapshot"))["attempt"]["version"]
    await attempt.player.ping()
    assert (snapshots(attempt) - before, attempt.version) == (1, 10)
    assert (await play_line(attempt, GAME.line[10:]))["end"] == "finished"


async def test_a_second_refusal_after_going_on_brings_a_snapshot_of_its_own(site: Site) -> None:
    attempt = await opened(site)
    before = snapshots(attempt)
    for at in (0, 5, 10):
        await send_line(attempt, (*GAME.line[at : at + 5], ILLEGAL, *GAME.line[at + 5 : at + 9]))
        attempt.version = (await attempt.player.hear("snapshot"))["attempt"]["version"]
        assert attempt.version == at + 5
    await attempt.player.ping()
    assert snapshots(attempt) - before == 3


async def test_a_refused_move_with_nothing_behind_it_needs_no_snapshot(site: Site) -> None:
    attempt = await opened(site)
    before = snapshots(attempt)
    for _ in range(3):
        await attempt.send_move(ILLEGAL)
        assert (await answer(attempt))["code"] == "same_pile"
    await attempt.player.ping()
    assert snapshots(attempt) == before


async def test_ids_resent_amid_a_pipeline_get_the_answers_they_had_or_will_have(site: Site) -> None:
    attempt = await opened(site)
    await send_line(attempt, GAME.line[:20])
    first = {frame["id"]: frame for frame in await hear_all(attempt, list(range(1, 21)))}
    await send_line(attempt, GAME.line[20:30])
    resent = [3, 20, 25, 7]
    for command_id in resent:
        await attempt.player.say("undo", race=attempt.race, id=command_id, version=command_id - 1)
    await send_line(attempt, (ILLEGAL, *GAME.line[31:35]))
    await attempt.player.say("undo", race=attempt.race, id=31, version=30)
    said = await hear_all(attempt, [*range(21, 36), *resent, 31])
    answers: dict[int, list[Frame]] = {}
    for frame in said:
        answers.setdefault(frame["id"], []).append(frame)
    assert [answers[command_id] for command_id in (3, 20, 7)] == [[first[3]], [first[20]], [first[7]]]
    for command_id in (25, 31):
        assert len(answers[command_id]) == 2
        assert answers[command_id][0] == answers[command_id][1]
    assert await log_of(site, attempt) == [(1, command_id) for command_id in range(1, 31)]


async def test_whatever_is_pipelined_is_answered_each_time_and_stored_exactly_if_it_was_accepted(site: Site) -> None:
    attempt = await opened(site)
    chance, answers = Random(11), dict[int, list[Frame]]()
    for _ in range(12):
        sent = await send_anything(attempt, chance, chance.randrange(1, ROOM))
        for frame in await hear_all(attempt, sent):
            answers.setdefault(frame["id"], []).append(frame)
        attempt.version = (await attempt.stored())["version"]
    for several in answers.values():
        # What was refused is remembered for a while only; later its id is known to be an old one, and still not played.
        later = [frame for frame in several[1:] if frame != several[0]]
        assert several[0]["type"] == "rejected" or not later
        assert {frame.get("code") for frame in later} <= {"superseded"}
    accepted = sorted(command_id for command_id, several in answers.items() if several[0]["type"] == "accepted")
    assert [command_id for _, command_id in dict.fromkeys(await log_of(site, attempt))] == accepted
    assert attempt.version == max(answers[command_id][0]["version"] for command_id in accepted)
    codes = {several[0].get("code") for several in answers.values()}
    assert {None, "stale", "same_pile", "superseded"} <= codes


async def send_anything(attempt: Attempt, chance: Random, count: int) -> list[int]:
    """Good commands, bad ones, wrong versions, ids left out and ids used before; the ids that were sent."""
    sent = []
    for _ in range(count):
        roll = chance.random()
        if roll < 0.1 and attempt.last_id > 3:
            command_id = chance.randrange(1, attempt.last_id)
            await attempt.player.say("restart", race=attempt.race, id=command_id, version=attempt.version)
            sent.append(command_id)
            continue
        fields: dict[str, Any] = {"id_": attempt.last_id + chance.choice((1, 1, 1, 2))}
        if roll < 0.16:
            sent.append(await attempt.send_move(ILLEGAL, **fields))
        elif roll < 0.2:
            sent.append(
                await attempt.send("restart", version=attempt.version + chance.choice((-1, 1, 50)) % 100, **fields)
            )
        else:
            sent.append(await attempt.send(chance.choice(("restart", "undo")), **fields))
            attempt.version += 1
    return sent


async def test_more_than_may_be_on_their_way_are_told_so_and_change_nothing(site: Site) -> None:
    attempt = await opened(site)
    for version in range(400):
        await attempt.send("restart", version=version)
    said = await hear_all(attempt, list(range(1, 401)))
    accepted = [frame["id"] for frame in said if frame["type"] == "accepted"]
    assert accepted == list(range(1, len(accepted) + 1))
    assert len(accepted) >= 128
    assert {frame["code"] for frame in said if frame["type"] != "accepted"} <= {"too_many_messages", "stale"}
    assert [command_id for _, command_id in await log_of(site, attempt)] == accepted
