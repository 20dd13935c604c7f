"""The hub alone, with a feed that the test speaks through."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from protocol.codes import End, Kind
from protocol.parts import PlayerRef
from rules.positions import Position
from server.race.events import AttemptEnded, Created, Entered, RaceEvent, Started, format_event
from server.store import StoreUnavailable
from server.web.errands import Errands
from server.web.hub import Gap, Heard, Hub, Latest, LifeEvent, Paired, Taken
from tests.race.builders import dealt

ALICE = PlayerRef(id="alice", name="Alice", guest=True, bot=False)
ENDED = AttemptEnded(player="alice", end=End.RESIGNED, end_ms=5, cards=4, at_ms=0)


class Feed:
    """Channels, and whether subscribing works."""

    def __init__(self) -> None:
        self.hearers: dict[str, Callable[[str], None]] = {}
        self.subscriptions: list[str] = []
        self.is_down = False

    async def subscribe(self, channel: str, hear: Callable[[str], None]) -> None:
        await asyncio.sleep(0)
        if self.is_down:
            raise StoreUnavailable
        self.subscriptions.append(channel)
        self.hearers[channel] = hear

    def unsubscribe(self, channel: str) -> None:
        self.hearers.pop(channel, None)

    def publish(self, seq: int, event: RaceEvent) -> None:
        self.say({"seq": seq, "event": json.loads(format_event(event))})

    def say(self, message: object, channel: str = "r:race") -> None:
        self.hearers[channel](json.dumps(message))


@dataclass
class Dealer:
    """Deals, unless its store is away."""

    is_away: bool = False

    async def dealt(self, race_id: str) -> Position:
        assert race_id == "race"
        await asyncio.sleep(0)
        if self.is_away:
            raise StoreUnavailable
        return dealt()


@dataclass(eq=False)
class Ear:
    """A connection that notes what it hears."""

    heard: list[Heard] = field(default_factory=list)

    def hear(self, name: str, heard: Heard) -> None:
        assert name in ("race", "alice")
        self.heard.append(heard)

    def types(self) -> list[str]:
        return [heard.event.type for heard in self.heard if isinstance(heard, LifeEvent) and heard.event]  # type: ignore[attr-defined]  # every event has one


@pytest.fixture
def feed() -> Feed:
    return Feed()


@pytest.fixture
def dealer() -> Dealer:
    return Dealer()


@pytest.fixture
def errands() -> Errands:
    return Errands()


@pytest.fixture
def hub(feed: Feed, dealer: Dealer, errands: Errands) -> Hub:
    return Hub(feed, dealer, lambda: 1_000, errands)


async def test_a_race_is_subscribed_once_however_many_listen(hub: Hub, feed: Feed) -> None:
    ears = [Ear() for _ in range(5)]
    await asyncio.gather(*(hub.join("r", "race", ear) for ear in ears))
    assert feed.subscriptions == ["r:race"]
    feed.publish(3, ENDED)
    assert [len(ear.heard) for ear in ears] == [1] * 5
    assert len({id(ear.heard[0]) for ear in ears}) == 1


async def test_nobody_is_heard_of_any_more_when_the_last_has_left(hub: Hub, feed: Feed) -> None:
    one, other = Ear(), Ear()
    await hub.join("r", "race", one)
    await hub.join("r", "race", other)
    hub.leave("r", "race", one)
    assert feed.hearers
    hub.leave("r", "race", other)
    assert not feed.hearers


async def test_a_failed_subscription_leaves_nothing_behind(hub: Hub, feed: Feed) -> None:
    feed.is_down = True
    ear = Ear()
    with pytest.raises(StoreUnavailable):
        await hub.join("r", "race", ear)
    feed.is_down = False
    await hub.join("r", "race", ear)
    feed.publish(3, ENDED)
    assert len(ear.heard) == 1


async def test_leaving_what_one_does_not_follow_is_nothing(hub: Hub) -> None:
    hub.leave("r", "nowhere", Ear())
    assert hub._channels == {}


async def test_an_event_carries_its_number_and_is_written_out_once(hub: Hub, feed: Feed) -> None:
    ear = Ear()
    await hub.join("r", "race", ear)
    feed.publish(7, Entered(player=ALICE))
    [heard] = ear.heard
    assert isinstance(heard, LifeEvent)
    frame = json.loads(heard.frame)
    assert (heard.seq, frame["seq"], frame["type"], frame["race"]) == (7, 7, "entered", "race")


async def test_what_only_the_server_knows_of_a_race_is_not_told(hub: Hub, feed: Feed) -> None:
    ear = Ear()
    await hub.join("r", "race", ear)
    feed.publish(
        1,
        Created(kind=Kind.PRIVATE, variant="fortress", link="secretlink", limit_ms=60_000, seats=2, created_ms=1),
    )
    [heard] = ear.heard
    assert isinstance(heard, LifeEvent)
    assert (heard.event, heard.frame, heard.seq) == (None, "", 1)


async def test_started_brings_the_deal_and_what_follows_waits_for_it(
    hub: Hub, feed: Feed, dealer: Dealer, errands: Errands
) -> None:
    ear = Ear()
    await hub.join("r", "race", ear)
    feed.publish(4, Started(start_ms=900, closes_ms=9_000))
    feed.publish(5, ENDED)
    assert ear.heard == []
    await errands.finish(2)
    assert ear.types() == ["started", "finished"]
    started = ear.heard[0]
    assert isinstance(started, LifeEvent)
    assert started.dealt == dealt()
    assert "position" in json.loads(started.frame)


async def test_a_deal_that_can_not_be_had_becomes_a_gap(hub: Hub, feed: Feed, dealer: Dealer, errands: Errands) -> None:
    dealer.is_away = True
    ear = Ear()
    await hub.join("r", "race", ear)
    feed.publish(4, Started(start_ms=900, closes_ms=9_000))
    await errands.finish(2)
    assert ear.heard == [Gap()]


async def test_progress_and_presence_are_told_as_the_latest_of_a_player(hub: Hub, feed: Feed) -> None:
    ear = Ear()
    await hub.join("r", "race", ear)
    progress = {"version": 3, "cards": 9, "best_cards": 9, "best_ms": 100, "undos": 0, "tops": [1, 2, 3, 3]}
    feed.say({"progress": {"race": "race", "player": "alice", **progress}})
    feed.say({"presence": {"race": "race", "player": "alice", "here": False, "now_ms": 5}})
    assert [(heard.player, heard.is_progress) for heard in ear.heard if isinstance(heard, Latest)] == [
        ("alice", True),
        ("alice", False),
    ]


async def test_a_takeover_is_told_with_its_epoch(hub: Hub, feed: Feed) -> None:
    ear = Ear()
    await hub.join("r", "race", ear)
    feed.say({"taken": {"player": "alice", "epoch": 4}})
    assert ear.heard == [Taken("alice", 4)]


async def test_a_match_is_told_on_the_players_own_channel(hub: Hub, feed: Feed) -> None:
    ear = Ear()
    await hub.join("p", "alice", ear)
    feed.say({"matched": {"variant": "fortress", "race": "r1"}}, "p:alice")
    assert ear.heard == [Paired("fortress", "r1")]


async def test_when_the_feed_has_missed_something_everyone_hears_of_a_gap(hub: Hub) -> None:
    one, other = Ear(), Ear()
    await hub.join("r", "race", one)
    await hub.join("p", "alice", other)
    hub.tell_gap()
    assert (one.heard, other.heard) == ([Gap()], [Gap()])


async def test_a_message_of_a_later_version_is_passed_over(hub: Hub, feed: Feed) -> None:
    ear = Ear()
    await hub.join("r", "race", ear)
    feed.say({"something": "new"})
    feed.publish(3, ENDED)
    assert ear.types() == ["finished"]


async def test_an_event_that_can_not_be_read_is_a_gap_and_what_follows_is_heard(hub: Hub, feed: Feed) -> None:
    ear = Ear()
    await hub.join("r", "race", ear)
    feed.say({"seq": 4, "event": {"type": "of_a_later_version", "player": "alice"}})
    feed.publish(5, ENDED)
    assert [type(heard) for heard in ear.heard] == [Gap, LifeEvent]
