"""The events of a race for one who iterates over them, between the socket's pace and the reader's."""

import asyncio
from collections import deque

from client.errors import ClientError
from protocol.events import Event, Presence, Progress

FEED_MAX = 512
"""When full, the oldest progress or presence gives way, as newer ones say it all; without any, the oldest event."""


class Feed:
    """A bounded queue with an end, for one reader."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._failure: ClientError | None = None
        self._is_over = False

    def put(self, event: Event) -> None:
        """Adds an event; never waits."""
        if len(self._events) >= FEED_MAX:
            latest = (number for number, old in enumerate(self._events) if isinstance(old, Progress | Presence))
            del self._events[next(latest, 0)]
        self._events.append(event)
        self._wake()

    def end(self, failure: ClientError | None = None) -> None:
        """No more will come; `failure` is raised to the reader once what is here has been read."""
        self._failure, self._is_over = failure, True
        self._wake()

    async def next(self) -> Event | None:
        """The next event; None after the last. Raises what ended it."""
        while not self._events:
            if self._failure is not None:
                raise self._failure
            if self._is_over:
                return None
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._events.popleft()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
