"""The web socket: a thin shell of ASGI frames round a conversation, and the one place where an unforeseen error ends.

One task reads and never waits on game work, one writes; a task group owns both and whatever the conversation starts.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import Any, Protocol

import structlog

from protocol.codes import CloseCode
from server.store import StoreUnavailable
from server.web.addresses import address_of
from server.web.conversation import Conversation
from server.web.line import retry_pause_s
from server.web.origins import Origins
from server.web.services import Services

DRAIN_S = 2.0
"""What is in the outbox when the conversation ends is sent for so long."""
CLOSE_S = 1.0

WIRE = "ramparts.wire"
"""The ASGI extension under which a server offers its `Wire`."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

log = structlog.get_logger()


class Wire(Protocol):
    """A shorter way for text frames than ASGI's messages, where the server has one. Its end still comes by ASGI."""

    on_text: Callable[[str | None], None] | None
    """Called with each frame, None for a binary one. Frames go by ASGI until it is set, and while the client does not
    read: then whoever takes them in must not be the one that waits for it."""

    @property
    def has_unread(self) -> bool:
        """Frames wait in ASGI's queue."""
        ...

    @property
    def can_write(self) -> bool:
        """The client reads what it is sent."""
        ...

    def write(self, frames: list[str]) -> None:
        """Sends frames at once; raises OSError when the connection is closing."""
        ...


class RaceSocket:
    """The ASGI application behind `/ws`; knows the conversations that are going on in this process."""

    def __init__(self, services: Services, origins: Origins, max_sockets: int) -> None:
        self._services = services
        self._origins = origins
        self._max_sockets = max_sockets
        self._conversations: set[Conversation] = set()
        self._emptied = asyncio.Event()
        self._emptied.set()
        self.is_stopping = False

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """One connection, from handshake to close."""
        await receive()
        if not self._origins.allows(scope["headers"]):
            await send({"type": "websocket.close", "code": CloseCode.POLICY})
            return
        await send({"type": "websocket.accept"})
        if self.is_stopping or len(self._conversations) >= self._max_sockets:
            await send({"type": "websocket.close", "code": CloseCode.TRY_LATER})
            return
        address = address_of(scope)
        wire: Wire | None = scope.get("extensions", {}).get(WIRE, {}).get("wire")
        code = await self._converse(receive, send, wire, address)
        if code is not None:
            log.info("socket.closed", code=int(code))
            await _close(send, code)

    async def _converse(self, receive: Receive, send: Send, wire: Wire | None, address: str) -> CloseCode | None:
        """Runs a conversation to its end: the code to close with, None if the other side has gone."""
        code: CloseCode | None = None
        conversation: Conversation | None = None
        try:
            async with asyncio.TaskGroup() as tasks:
                conversation = Conversation(self._services, address, tasks.create_task)
                self._conversations.add(conversation)
                self._emptied.clear()
                await self._run(conversation, receive, send, wire, tasks)
        except* _Over as over:
            code = _find_over(over).code
        except* OSError:
            log.debug("socket.lost")
        except* Exception:
            player = None if conversation is None else conversation.line.player
            log.exception("socket.failed", player=player and player.id)
            code = CloseCode.INTERNAL
        finally:
            if conversation is not None:
                conversation.line.end(None)
                self._forget(conversation)
                self._services.errands.send(conversation.finish())
        return code

    def _forget(self, conversation: Conversation) -> None:
        self._conversations.discard(conversation)
        if not self._conversations:
            self._emptied.set()

    async def _run(
        self,
        conversation: Conversation,
        receive: Receive,
        send: Send,
        wire: Wire | None,
        tasks: asyncio.TaskGroup,
    ) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.call_later(self._services.hello_within_s, conversation.close_unless_greeted)
        tasks.create_task(self._read(conversation, receive, wire))
        writer = tasks.create_task(self._write(conversation, send, wire))
        try:
            await conversation.line.ended.wait()
        finally:
            deadline.cancel()
        if conversation.line.close_code not in (None, CloseCode.TOO_SLOW):
            await asyncio.wait({writer}, timeout=DRAIN_S)
        raise _Over(conversation.line.close_code)

    async def _read(self, conversation: Conversation, receive: Receive, wire: Wire | None) -> None:
        line = conversation.line
        while True:
            if wire is not None and not wire.has_unread:
                wire.on_text = partial(self._note, conversation)
            message = await receive()
            if message["type"] == "websocket.disconnect":
                line.end(None)
                return
            line.take_in()
            conversation.receive(message.get("text"), self._services.now_ms())

    def _note(self, conversation: Conversation, text: str | None) -> None:
        """Notes a frame with the time of its receipt; what it asks for is done by the task that writes."""
        conversation.line.arrive(partial(conversation.receive, text, self._services.now_ms()))

    async def _write(self, conversation: Conversation, send: Send, wire: Wire | None) -> None:
        line = conversation.line
        while True:
            line.take_in()
            line.woken.clear()
            now_ms = self._services.now_ms()
            if wire is not None and wire.can_write:
                frames = line.outbox.take_all(now_ms)
                if frames:
                    wire.write(frames)
            else:
                frame = line.outbox.take(now_ms)
                if frame is not None:
                    await send({"type": "websocket.send", "text": frame})
                    continue
            if line.ended.is_set():
                return
            await _wait(line.woken, line.outbox.wait_ms(now_ms))

    @property
    def open_count(self) -> int:
        """How many connections there are."""
        return len(self._conversations)

    def sign_out(self, player_id: str) -> None:
        """Closes the connections of a player whose tokens have become void."""
        for conversation in list(self._conversations):
            conversation.sign_out(player_id)

    async def sign_out_void(self) -> None:
        """Closes the connections whose token has become void: whoever voided it may not have been heard."""
        greeted = [conversation for conversation in self._conversations if conversation.line.player is not None]
        void = await self._void_among({conversation.line.token_hash for conversation in greeted})
        for conversation in greeted:
            if conversation.line.token_hash in void:
                conversation.line.end(CloseCode.SIGNED_OUT)

    async def _void_among(self, tokens: set[str]) -> set[str]:
        """However long the store can't be reached."""
        tries = 0
        while True:
            try:
                return await self._services.contest.store.players.void_tokens(tokens)
            except StoreUnavailable:
                await asyncio.sleep(retry_pause_s(tries))
                tries += 1

    async def say_goodbye(self, retry_after_ms: int, within_s: float) -> None:
        """The server stops: every client is told when to come back and closed with 1012; waits until all have gone."""
        self.is_stopping = True
        for conversation in list(self._conversations):
            conversation.say_goodbye(retry_after_ms)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._emptied.wait()


class _Over(Exception):  # noqa: N818 - it ends the task group, nothing is wrong
    """The conversation has ended and is to be closed with this code."""

    def __init__(self, code: CloseCode | None) -> None:
        super().__init__(code)
        self.code = code


def _find_over(group: BaseExceptionGroup[_Over]) -> _Over:
    found = group.exceptions[0]
    return _find_over(found) if isinstance(found, BaseExceptionGroup) else found


async def _wait(woken: asyncio.Event, timeout_ms: int | None) -> None:
    if timeout_ms is None:
        await woken.wait()
        return
    timer = asyncio.get_running_loop().call_later(timeout_ms / 1000, woken.set)
    try:
        await woken.wait()
    finally:
        timer.cancel()


async def _close(send: Send, code: CloseCode) -> None:
    """Closes; a client that does not read keeps nobody waiting."""
    try:
        async with asyncio.timeout(CLOSE_S):
            await send({"type": "websocket.close", "code": code})
    except (OSError, TimeoutError):
        log.info("socket.close_unsent", code=int(code))
