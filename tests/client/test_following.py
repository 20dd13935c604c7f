"""A race as a client follows it: events fold into the snapshot, gaps are noticed, old news is ignored."""

import asyncio
from typing import Any

import pytest

from client.errors import Disconnected
from client.feed import FEED_MAX, Feed
from client.following import Followed
from protocol.codes import End, Kind, Phase
from protocol.events import (
    Closed,
    Closing,
    Countdown,
    Entered,
    Finished,
    Left,
    Presence,
    Progress,
    RaceEvent,
    ReadyEvent,
    RematchOffered,
    Snapshot,
    Started,
)
from protocol.parts import Entrant, PlayerRef, RaceState, Standing

RACE = "r7k2"
ANN, BEN = (PlayerRef(id=name, name=name.title(), guest=True, bot=False) for name in ("ann", "ben"))


def snapshot(seq: int = 1, **fields: Any) -> Snapshot:
    known = {"phase": Phase.OPEN, "entrants": [Entrant(player=ANN)], "host": "ann"}
    state = RaceState(
        id=RACE,
        kind=Kind.PRIVATE,
        variant="beleaguered-castle",
        limit_ms=600_000,
        iron=False,
        seats=2,
        created_ms=0,
        **{**known, **fields},
    )
    return Snapshot(race=RACE, seq=seq, now_ms=0, state=state)


def place(seq: int) -> dict[str, Any]:
    return {"race": RACE, "seq": seq, "now_ms": 0}


LIFE: list[RaceEvent] = [
    Entered(player=BEN, **place(2)),
    ReadyEvent(player="ben", ready=True, **place(3)),
    Countdown(start_ms=5_000, **place(4)),
    Started(start_ms=5_000, closes_ms=605_000, **place(5)),
    Finished(player="ben", end=End.FINISHED, end_ms=60_000, cards=52, at_ms=60_000, **place(6)),
    Closing(**place(7)),
    Closed(results=[Standing(place=1, player=BEN, cards=52, at_ms=60_000)], deal="d", nonce="n", **place(8)),
    RematchOffered(new_race="r8", **place(9)),
]


def after(*events: RaceEvent) -> Followed:
    followed = Followed.begin(snapshot())
    for event in events:
        assert followed.follow(event)
    return followed


def test_a_life_folds_into_its_state() -> None:
    state = after(*LIFE).state
    assert (state.phase, state.start_ms, state.closes_ms) == (Phase.CLOSED, 5_000, 605_000)
    assert (state.deal, state.nonce, state.rematch) == ("d", "n", "r8")
    assert state.results is not None


@pytest.mark.parametrize(
    ("length", "phase"), [(0, "open"), (3, "countdown"), (4, "running"), (6, "closing"), (7, "closed")]
)
def test_the_phase_follows_the_events(length: int, phase: str) -> None:
    assert after(*LIFE[:length]).state.phase == phase


def test_an_end_stands_in_the_players_line() -> None:
    entrant = after(*LIFE[:5]).entrant("ben")
    assert entrant is not None
    assert (entrant.ready, entrant.end, entrant.end_ms, entrant.cards) == (True, End.FINISHED, 60_000, 52)


def test_who_left_is_gone_and_the_hosts_seat_passes_on() -> None:
    followed = after(LIFE[0], Left(player="ann", host="ben", **place(3)))
    assert (followed.entrant("ann"), followed.state.host) == (None, "ben")


def test_an_event_seen_before_is_ignored() -> None:
    followed = after(*LIFE[:2])
    assert not followed.follow(Left(player="ben", **place(2)))
    assert followed.entrant("ben") is not None


def test_entering_again_does_not_seat_one_twice() -> None:
    followed = after(LIFE[0], Entered(player=BEN, **place(3)))
    assert [entrant.player.id for entrant in followed.state.entrants] == ["ann", "ben"]


def test_a_gap_asks_for_a_snapshot_and_changes_nothing() -> None:
    followed = after(LIFE[0])
    assert not followed.follow(LIFE[2])
    assert followed.needs_resync
    assert followed.state.phase is Phase.OPEN


def test_a_snapshot_closes_a_gap() -> None:
    followed = after(LIFE[0])
    followed.follow(LIFE[2])
    assert followed.renew(snapshot(4, phase=Phase.COUNTDOWN))
    assert not followed.needs_resync
    assert followed.follow(LIFE[3])


def test_a_snapshot_older_than_what_is_known_is_ignored() -> None:
    followed = after(*LIFE[:3])
    assert not followed.renew(snapshot(2))
    assert followed.state.phase is Phase.COUNTDOWN


def progress(version: int, best_cards: int) -> Progress:
    return Progress(race=RACE, player="ann", version=version, cards=1, best_cards=best_cards, best_ms=version, undos=0)


def test_the_newest_progress_counts() -> None:
    followed = after()
    assert followed.follow_progress(progress(5, 10))
    assert not followed.follow_progress(progress(4, 9))
    entrant = followed.entrant("ann")
    assert entrant is not None
    assert (entrant.cards, entrant.at_ms) == (10, 5)


def test_the_newest_presence_counts() -> None:
    followed = after()
    assert followed.follow_presence(Presence(race=RACE, player="ann", here=False, now_ms=20))
    assert not followed.follow_presence(Presence(race=RACE, player="ann", here=True, now_ms=10))
    entrant = followed.entrant("ann")
    assert entrant is not None
    assert not entrant.here


async def test_a_feed_gives_events_in_order_and_then_its_end() -> None:
    feed = Feed()
    for event in LIFE[:3]:
        feed.put(event)
    feed.end()
    assert [await feed.next() for _ in range(4)] == [*LIFE[:3], None]


async def test_a_feed_waits_for_what_comes() -> None:
    feed = Feed()
    waiting = asyncio.create_task(feed.next())
    await asyncio.sleep(0)
    feed.put(LIFE[0])
    assert await waiting == LIFE[0]


async def test_a_full_feed_drops_the_oldest_progress_and_keeps_the_life() -> None:
    feed = Feed()
    feed.put(LIFE[0])
    for version in range(FEED_MAX + 5):
        feed.put(progress(version, version))
    feed.put(LIFE[1])
    feed.end()
    kept = [event async for event in _all_of(feed)]
    assert (kept[0], kept[-1], len(kept)) == (LIFE[0], LIFE[1], FEED_MAX)
    assert kept[1] == progress(7, 7)


async def _all_of(feed: Feed) -> Any:
    while (event := await feed.next()) is not None:
        yield event


async def test_a_failed_feed_gives_what_is_there_and_then_says_why() -> None:
    feed = Feed()
    feed.put(LIFE[0])
    feed.end(Disconnected(1008))
    assert await feed.next() == LIFE[0]
    with pytest.raises(Disconnected):
        await feed.next()
