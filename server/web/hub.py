"""Who in this process listens to which race: one subscription per race and process, each message read once for all."""

import asyncio
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import structlog

from protocol import events as wire
from protocol.codec import encode
from rules.positions import Position
from server.race.events import Started, parse_event
from server.race.wire import to_wire
from server.service.errors import ContestError
from server.store.errors import StoreError
from server.web.errands import Errands

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class LifeEvent:
    """A life-cycle event: as a message, as the frame that everyone gets, and with `started` the deal."""

    event: wire.RaceEvent | None
    seq: int
    frame: str
    dealt: Position | None = None


@dataclass(frozen=True, slots=True)
class Latest:
    """Progress or presence of a player."""

    player: str
    frame: str
    is_progress: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """A player's attempt was opened from a connection that now has this epoch."""

    player: str
    epoch: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Something may have been missed: only a snapshot helps."""


@dataclass(frozen=True, slots=True)
class Paired:
    """A quick match was made for who listens to this player's channel."""

    variant: str
    race: str


@dataclass(frozen=True, slots=True)
class Hinted:
    """The solver has answered this player."""

    player: str


Heard = LifeEvent | Latest | Taken | Gap | Paired | Hinted


class Listener(Protocol):
    """A connection. `hear` only notes what it is told; it neither waits nor fails."""

    def hear(self, name: str, heard: Heard) -> None:
        """Takes in what was said of the race (or player) of this name."""
        ...


class Subscriptions(Protocol):
    """The store's feed, as far as the hub needs it."""

    async def subscribe(self, channel: str, hear: Callable[[str], None]) -> None:
        """On return nothing published on the channel is missed."""
        ...

    def unsubscribe(self, channel: str) -> None:
        """Stops hearing a channel."""
        ...


class Dealer(Protocol):
    """Who knows the deal of a race once it has started."""

    async def dealt(self, race_id: str) -> Position:
        """The deal; raises `ContestError` as long as it has not started."""
        ...


@dataclass(slots=True)
class _Channel:
    name: str
    listeners: dict[Listener, None] = field(default_factory=dict)
    subscribing: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_subscribed: bool = False
    behind: deque[str] = field(default_factory=deque)
    is_dealing: bool = False


class Hub:
    """The races that connections of this process follow."""

    def __init__(self, feed: Subscriptions, dealer: Dealer, now_ms: Callable[[], int], errands: Errands) -> None:
        self._feed = feed
        self._dealer = dealer
        self._now_ms = now_ms
        self._errands = errands
        self._channels: dict[str, _Channel] = {}

    async def join(self, kind: str, name: str, listener: Listener) -> None:
        """Listens to a race (`r`) or a player (`p`). On return nothing is missed: load after it.

        Raises `StoreUnavailable`, and then does not listen.
        """
        key = f"{kind}:{name}"
        channel = self._channels.setdefault(key, _Channel(name))
        channel.listeners[listener] = None
        try:
            async with channel.subscribing:
                if not channel.is_subscribed:
                    await self._feed.subscribe(key, lambda text: self._hear(channel, text))
                    channel.is_subscribed = True
        except BaseException:
            self.leave(kind, name, listener)
            raise

    def leave(self, kind: str, name: str, listener: Listener) -> None:
        """Stops listening."""
        key = f"{kind}:{name}"
        channel = self._channels.get(key)
        if channel is None:
            return
        channel.listeners.pop(listener, None)
        if not channel.listeners:
            del self._channels[key]
            self._feed.unsubscribe(key)

    def _hear(self, channel: _Channel, text: str) -> None:
        if channel.is_dealing:
            channel.behind.append(text)
        else:
            self._take_in(channel, text)

    def _take_in(self, channel: _Channel, text: str) -> None:
        """What can't be read, such as an event of a later version, is a gap in this channel and in no other."""
        try:
            self._understand(channel, json.loads(text))
        except (ValueError, LookupError, TypeError):
            log.warning("hub.unreadable", channel=channel.name, exc_info=True)
            self._tell(channel, Gap())

    def _understand(self, channel: _Channel, said: dict[str, Any]) -> None:
        match said:
            case {"seq": seq, "event": event}:
                self._take_in_event(channel, seq, event)
            case {"progress": progress}:
                frame = encode(wire.Progress.model_validate(progress))
                self._tell(channel, Latest(progress["player"], frame, is_progress=True))
            case {"presence": presence}:
                frame = encode(wire.Presence.model_validate(presence))
                self._tell(channel, Latest(presence["player"], frame, is_progress=False))
            case {"taken": {"player": player, "epoch": epoch}}:
                self._tell(channel, Taken(player, epoch))
            case {"hinted": {"player": player}}:
                self._tell(channel, Hinted(player))
            case {"matched": {"variant": variant, "race": race}}:
                self._tell(channel, Paired(variant, race))
            case _:
                log.warning("hub.unknown_message", channel=channel.name, keys=sorted(said))

    def _take_in_event(self, channel: _Channel, seq: int, said: object) -> None:
        event = parse_event(json.dumps(said))
        if isinstance(event, Started):
            channel.is_dealing = True
            self._errands.send(self._deal(channel, seq, event))
            return
        message = to_wire(channel.name, seq, event, self._now_ms(), None)
        self._tell(channel, LifeEvent(message, seq, "" if message is None else encode(message)))

    async def _deal(self, channel: _Channel, seq: int, event: Started) -> None:
        """Tells `started` with the deal; what comes after it waits, so that the order holds."""
        try:
            dealt = await self._dealer.dealt(channel.name)
            message = to_wire(channel.name, seq, event, self._now_ms(), dealt)
            self._tell(channel, LifeEvent(message, seq, "" if message is None else encode(message), dealt))
        except (ContestError, StoreError):
            self._tell(channel, Gap())
        finally:
            channel.is_dealing = False
            while channel.behind and not channel.is_dealing:
                self._take_in(channel, channel.behind.popleft())

    def _tell(self, channel: _Channel, heard: Heard) -> None:
        for listener in list(channel.listeners):
            listener.hear(channel.name, heard)

    def tell_gap(self) -> None:
        """The feed may have missed something: everyone is told."""
        for channel in list(self._channels.values()):
            self._tell(channel, Gap())
