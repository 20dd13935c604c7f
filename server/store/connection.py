"""A connection to Redis that comes back by itself: dialling, greeting, noticing loss. Commands and messages are in
`link` and `feed`."""

import asyncio
import contextlib
import ssl
from collections import deque
from collections.abc import Callable
from typing import Any, cast

from hiredis import HiredisError, Reader, ReplyError, pack_command

from server.store.address import Address
from server.store.errors import StoreError, StoreRefused, StoreUnavailable

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.02, 1.0
SILENCE_S = 5.0
"""A server that owes an answer for longer than this is taken for lost."""
MAX_PENDING = 65_536
"""Calls that may wait for their answers; further ones fail at once."""
_UNAVAILABLE = ("LOADING", "READONLY", "MISCONF", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "NOREPLICAS", "BUSY", "OOM")

Word = str | bytes | int | float
Parse = Callable[[Any], Any]
pack = cast(Callable[[tuple[Word, ...]], bytes], pack_command)
"""One command as Redis reads it."""


def error_of(reply: ReplyError) -> StoreError:
    """Our error for an error that Redis answered."""
    text = str(reply)
    return StoreUnavailable(text) if text.split(" ", 1)[0] in _UNAVAILABLE else StoreRefused(text)


class Connection(asyncio.Protocol):
    """One connection; `up` says whether it is open and greeted. Lost, it is dialled again with growing pauses.

    All commands of one tick of the event loop leave in one write. What waits for an answer when the connection is lost
    fails with `StoreUnavailable`; nothing is sent twice.
    """

    def __init__(self, address: Address) -> None:
        self.address = address
        self.up = False
        self._loop = asyncio.get_running_loop()
        self._reader = Reader(encoding="utf-8")
        self._transport: asyncio.Transport | None = None
        self._outgoing: list[bytes] = []
        self._pending: deque[tuple[asyncio.Future[Any], Parse | None]] = deque()
        self._lost = asyncio.Event()
        self._came_up = asyncio.Event()
        self._last_error: Exception | None = None
        self._life: asyncio.Task[None] | None = None
        self._heard = 0

    async def open(self, within_s: float = 10.0) -> None:
        """Connects; raises `StoreUnavailable` with the last reason when that has not worked `within_s`."""
        self._life = self._loop.create_task(self._live(), name=f"{type(self).__name__} {self.address}")
        await self.wait_up(within_s)

    async def wait_up(self, within_s: float) -> None:
        """Waits for the connection; raises `StoreUnavailable` with the last reason."""
        try:
            await asyncio.wait_for(self._came_up.wait(), within_s)
        except TimeoutError:
            raise StoreUnavailable(f"no connection to {self.address}: {self._last_error}") from None

    async def close(self) -> None:
        """Closes for good; what waits fails with `StoreUnavailable`."""
        if self._life is not None:
            self._life.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._life
        self._hang_up()

    # What subclasses say and hear.

    async def _greet(self) -> None:
        """What is said first on every new connection; an error here means: dial again."""
        address = self.address
        if address.password is not None:
            name = (address.username,) if address.username else ()
            await self._say("AUTH", *name, address.password)
        if address.db:
            await self._say("SELECT", address.db)

    def _on_up(self) -> None:
        """Called when the connection has been greeted."""

    def _on_reply(self, reply: Any) -> None:
        if not self._pending:  # said before it hangs up: that it has too many clients, or takes none from here
            self._last_error = error_of(reply) if isinstance(reply, ReplyError) else StoreRefused("an unasked answer")
            self._hang_up()
            return
        future, parse = self._pending.popleft()
        if future.done():
            return
        if isinstance(reply, ReplyError):
            future.set_exception(error_of(reply))
            return
        try:
            future.set_result(reply if parse is None else parse(reply))
        except (TypeError, ValueError, LookupError) as error:
            future.set_exception(StoreRefused(f"unexpected answer: {error}"))

    def _say(self, *words: Word, parse: Parse | None = None) -> asyncio.Future[Any]:
        """Sends one command with this tick's others."""
        future: asyncio.Future[Any] = self._loop.create_future()
        self._send(pack(words), future, parse)
        return future

    def _send(self, packed: bytes, future: asyncio.Future[Any], parse: Parse | None) -> None:
        if not self._outgoing:
            self._loop.call_soon(self._flush)
        self._outgoing.append(packed)
        self._pending.append((future, parse))

    def _flush(self) -> None:
        # One write for the whole tick. A WAIT for replicas, one per tick, has its place here too.
        outgoing, self._outgoing = self._outgoing, []
        if self._transport is not None and outgoing:
            self._transport.write(b"".join(outgoing) if len(outgoing) > 1 else outgoing[0])

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keeps the transport."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Hands each complete reply on."""
        reader = self._reader
        self._heard += 1
        try:
            reader.feed(data)
            reply = reader.gets()
            while reply is not False and self._transport is not None:
                self._on_reply(reply)
                reply = reader.gets()
        except HiredisError as error:
            self._last_error = error
            self._hang_up()

    def connection_lost(self, exc: Exception | None) -> None:
        """Fails what waits and wakes the dialler."""
        if self._transport is not None:
            self._last_error = exc or ConnectionResetError("the server closed the connection")
            self._drop()

    # The life of the connection.

    async def _live(self) -> None:
        pause = FIRST_PAUSE_S
        while True:
            try:
                await self._dial()
            except (OSError, StoreError) as error:
                self._last_error = error
                self._hang_up()
            else:
                pause = FIRST_PAUSE_S
                self.up = True
                self._came_up.set()
                self._on_up()
                await self._watch()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)

    async def _dial(self) -> None:
        self._lost.clear()
        self._reader = Reader(encoding="utf-8")
        address = self.address
        async with asyncio.timeout(SILENCE_S):
            if address.path is not None:
                await self._loop.create_unix_connection(lambda: self, address.path)
            else:
                context = ssl.create_default_context() if address.tls else None
                await self._loop.create_connection(lambda: self, address.host, address.port, ssl=context)
            await self._greet()

    async def _watch(self) -> None:
        """Returns when the connection is lost, or has owed an answer for too long."""
        while not self._lost.is_set():
            heard, owed = self._heard, self._owes()
            try:
                await asyncio.wait_for(self._lost.wait(), SILENCE_S)
            except TimeoutError:
                if owed and heard == self._heard:
                    self._last_error = TimeoutError(f"no answer for {SILENCE_S} s")
                    self._hang_up()

    def _owes(self) -> bool:
        return bool(self._pending)

    def _hang_up(self) -> None:
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.abort()
        self._drop()

    def _drop(self) -> None:
        self.up = False
        self._came_up.clear()
        self._transport = None
        self._outgoing.clear()
        pending, self._pending = self._pending, deque()
        for future, _ in pending:
            if not future.done():
                future.set_exception(StoreUnavailable(f"connection lost: {self._last_error}"))
        self._lost.set()
