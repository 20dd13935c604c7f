"""Every game of the family raced by two clients over sockets on a secret deal, one of them to the very last card."""

import hashlib
import json
import re
from collections.abc import Iterable
from random import Random

import httpx2
import pytest

from client.connection import Connection, connect
from client.race import Race
from protocol.codes import Phase
from rules.moves import DRAW, REDEAL, Move, legal_moves, play
from rules.positions import Position, view
from rules.record import Record, parse_record, verify
from rules.variants import find_variant, variants
from tests.e2e.deals import Won, lines, seen_in, won
from tests.web.site import Attempt, Frame, Player, Site

CARD = re.compile(r'"([A2-9TJQK][CSHD])"')
SOME_MOVES = 6


def test_there_is_a_won_deal_of_every_variant() -> None:
    assert set(lines()) == {variant.id for variant in variants()}
    assert sum(find_variant(name).ranked_by_default for name in lines()) == 18


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[Frame]:
    """Every frame that the client library is sent."""
    frames: list[Frame] = []
    receive = Connection._receive

    def note(connection: Connection, text: str) -> None:
        frames.append(json.loads(text))
        receive(connection, text)

    monkeypatch.setattr(Connection, "_receive", note)
    return frames


@pytest.mark.parametrize("variant", list(lines()))
async def test_a_race_on_a_secret_deal_is_won_and_its_records_verify(
    site: Site, variant: str, heard: list[Frame]
) -> None:
    game = won(variant)
    site.deals.codes.append(game.code)
    loser = await Player.join(site)
    async with connect(site.http) as connection:
        race = await connection.create("private", variant=variant)
        commitment = race.state.commitment
        theirs = await loser.enter(race.state.link or "")
        await loser.say("ready", race=race.id, ready=True)
        await race.ready()
        theirs.take((await loser.hear("started"))["position"])
        await race.wait_until(lambda its: its.position is not None)
        assert race.position == theirs.position == view(game.start)

        at_ms = await win(race, game)
        told = await lose(theirs, game.start)
        await race.wait_until(lambda its: its.phase is Phase.CLOSED)
        closed = await loser.hear("closed")

        assert hashlib.sha256(f"{closed['deal']}\n{closed['nonce']}".encode()).hexdigest() == commitment
        assert closed["deal"] == game.code
        first, second = closed["results"]
        assert (first["player"]["id"], first["place"], first["end"]) == (connection.player_id, 1, "finished")
        assert (first["cards"], first["at_ms"], first["end_ms"]) == (game.start.variant.cards, at_ms, at_ms)
        assert (second["player"]["id"], second["end"]) == (loser.id, "resigned")
        assert (second["cards"], second.get("place")) == (told.progress, 2 if told.has_built else None)
        assert [json.loads(line.model_dump_json(exclude_none=True)) for line in race.state.results or []] == [
            first,
            second,
        ]
        await check_records(site, race.id, closed["results"], connection.token or "")
    own = [frame for frame in heard if frame["type"] != "closed"]
    check_only_turned(own, game.positions)
    check_only_turned([frame for frame in loser.seen if frame["type"] != "closed"], told.positions)


async def win(race: Race, game: Won) -> int:
    """Plays the line to its end; when it was finished. The client's own board is right after every move."""
    for before, move in enumerate(game.line[:-1]):
        accepted = await race.play(move)
        assert race.position == view(game.positions[before + 1])
        assert (accepted.version, accepted.end) == (before + 1, None)
    finished = await race.play(game.line[-1])
    assert race.position == game.positions[-1]
    assert (finished.end, finished.end_ms) == ("finished", finished.at_ms)
    return finished.at_ms


class Told:
    """Where a player came to, and the positions on the way."""

    def __init__(self, positions: list[Position]) -> None:
        self.positions = positions
        self.progress = max(position.progress for position in positions)
        self.has_built = self.progress > positions[0].progress


async def lose(attempt: Attempt, start: Position) -> Told:
    """Plays a few moves, then resigns."""
    chance, positions = Random(5), [start]
    for _ in range(SOME_MOVES):
        moves = legal_moves(positions[-1])
        if not moves:
            break
        await _play(attempt, chance.choice(moves), positions)
    await attempt.send("resign")
    accepted = await attempt.player.hear("accepted", id=attempt.last_id)
    assert accepted["end"] == "resigned"
    return Told(positions)


async def _play(attempt: Attempt, move: Move, positions: list[Position]) -> None:
    if move in (DRAW, REDEAL):
        await attempt.send("draw" if move == DRAW else "redeal")
    else:
        await attempt.send_move(move)
    accepted = await attempt.player.hear("accepted", id=attempt.last_id)
    attempt.version = accepted["version"]
    positions.append(play(positions[-1], move))
    assert accepted["cards"] == positions[-1].progress


async def check_records(site: Site, race: str, results: list[Frame], token: str) -> None:
    """Both records can be had, verify, and are what was published; the standings over HTTP are the result."""
    async with httpx2.AsyncClient(base_url=f"{site.http}/api/v1", headers={"Authorization": f"Bearer {token}"}) as http:
        for line in results:
            text = (await http.get(f"/attempts/{race}.{line['player']['id']}/replay?format=record")).text
            record: Record = parse_record(text)
            verify(record)
            assert (record.digest, record.result.cards) == (line["digest"], line["cards"])
        page = (await http.get(f"/races/{race}/standings")).json()
    assert page["is_final"]
    assert [line["player"]["id"] for line in page["standings"]] == [line["player"]["id"] for line in results]


def check_only_turned(frames: Iterable[Frame], positions: Iterable[Position]) -> None:
    """No frame names a card that had not been seen by then."""
    rest = iter(positions)
    known = seen_in(next(rest))
    before_start = True
    for frame in frames:
        if frame["type"] == "accepted" and frame.get("end") != "resigned":
            known |= seen_in(next(rest))
        before_start = before_start and frame["type"] != "started"
        named = set(CARD.findall(json.dumps(frame)))
        assert named <= (set() if before_start else known), frame
    assert next(rest, None) is None
