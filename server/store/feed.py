"""What other processes publish: one subscriber connection per process. What was published while it was down is lost,
and said to be."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from hiredis import ReplyError

from server.shield import shielded
from server.store.address import Address
from server.store.connection import Connection, pack
from server.store.errors import StoreUnavailable

Hear = Callable[[str], None]
"""Called with each message of a channel, in order, from the event loop; must not block. One that it can't take in is
logged, and told as a gap."""


class Feed(Connection):
    """Channels and who hears them; `on_gap` is called when messages may have been missed, after all channels are
    subscribed again."""

    def __init__(self, address: Address) -> None:
        super().__init__(address)
        self.on_gap: Callable[[], None] = lambda: None
        self._hearers: dict[str, Hear] = {}
        self._confirmations: dict[str, deque[asyncio.Future[None]]] = {}
        self._confirmed: set[str] = set()
        self._resuming = False

    async def subscribe(self, channel: str, hear: Hear) -> None:
        """Hears a channel (one hearer each; a later one takes its place). On return nothing published is missed any
        more: load after it. Raises `StoreUnavailable`, and then does not hear."""
        if not self.up:
            raise StoreUnavailable("not connected")
        self._hearers[channel] = hear
        if channel in self._confirmed:
            return
        confirmation: asyncio.Future[None] = self._loop.create_future()
        self._confirmations.setdefault(channel, deque()).append(confirmation)
        self._tell("SUBSCRIBE", channel)
        try:
            await confirmation
        except StoreUnavailable:
            if self._hearers.get(channel) is hear:
                del self._hearers[channel]
            raise

    def unsubscribe(self, channel: str) -> None:
        """Stops hearing a channel."""
        if self._hearers.pop(channel, None) is not None:
            self._confirmed.discard(channel)
            if self.up:
                self._tell("UNSUBSCRIBE", channel)

    def _tell(self, *words: str) -> None:
        if not self._outgoing:
            self._loop.call_soon(self._flush)
        self._outgoing.append(pack(words))

    def _on_up(self) -> None:
        if self._hearers:
            self._resuming = True
            self._tell("SUBSCRIBE", *self._hearers)

    def _owes(self) -> bool:
        # Asked once in each span of silence: the pong must come before the next.
        if self.up:
            self._tell("PING")
        return True

    def _on_reply(self, reply: Any) -> None:
        if self._pending:
            super()._on_reply(reply)
            return
        match reply:
            case ["message", channel, text]:
                self._hear(channel, text)
            case ["subscribe", channel, _]:
                self._confirm(channel)
            case ReplyError():
                self._last_error = reply
                self._hang_up()
            case _:
                pass

    def _hear(self, channel: str, text: str) -> None:
        hear = self._hearers.get(channel)
        if hear is None:
            return
        is_taken_in = False
        # An error that got out of here would end the feed for everyone.
        with shielded("feed.not_taken_in", channel=channel):
            hear(text)
            is_taken_in = True
        if not is_taken_in:
            self.on_gap()

    def _confirm(self, channel: str) -> None:
        # One confirmation for each SUBSCRIBE, in order; an UNSUBSCRIBE may lie between two: only the last counts.
        waiting = self._confirmations.get(channel)
        if waiting:
            confirmation = waiting.popleft()
            if not confirmation.done():
                confirmation.set_result(None)
        if not waiting:
            self._confirmations.pop(channel, None)
            if channel in self._hearers:
                self._confirmed.add(channel)
        if self._resuming and self._confirmed >= self._hearers.keys():
            self._resuming = False
            self.on_gap()

    def _drop(self) -> None:
        super()._drop()
        self._confirmed.clear()
        waiting, self._confirmations = self._confirmations, {}
        for confirmation in (future for futures in waiting.values() for future in futures):
            if not confirmation.done():
                confirmation.set_exception(StoreUnavailable(f"connection lost: {self._last_error}"))
