"""Running the app under uvicorn, and stopping it well: nobody is cut off without being told when to come back.

signal -> not ready, no new connections -> notice and 1012 to every client -> open requests end -> store closed
"""

import asyncio
import socket
from collections.abc import Callable

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from protocol.codec import MAX_MESSAGE_BYTES
from server.app import Running
from server.beside import Beside
from server.config import Settings
from server.web.socket import WIRE

PING_S = 20.0
ABORT_S = 5.0
"""A connection that was closed and does not take in what was sent is cut off after this."""
GOODBYE_S = 3.0
SEND_BYTES = 65_536
UNREAD_BYTES = 4_194_304
"""So much may wait for a client that sends pings; more means that it does not read the pongs."""
HEAD_BYTES = 65_536
"""How long the head of a request may be."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol with a short way past ASGI for text frames, in and out (see `server.web.socket.Wire`).

    Going through ASGI costs a pause and a resume of the transport, a queue and a task for each frame. And here a
    client that does not read keeps little of our memory, and no connection for ever.
    """

    on_text: Callable[[str | None], None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Bounds what the kernel keeps of what was not taken in; it would be some 4 MiB."""
        accepted = transport.get_extra_info("socket")
        if accepted is not None:
            accepted.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
        super().connection_made(transport)

    def handle_connect(self, event: Request) -> None:
        """Offers the short way to the app, whose task begins after this."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"] = {"websocket.http.response": {}, WIRE: {"wire": self}}

    @property
    def has_unread(self) -> bool:
        """Frames came before the app took the short way."""
        return not self.queue.empty()

    @property
    def can_write(self) -> bool:
        """The client takes in what it is sent."""
        return self.writable.is_set()

    def write(self, frames: list[str]) -> None:
        """Sends text frames in one write; raises ConnectionError when the connection is closing."""
        if self.disconnected or self.conn.state is not State.OPEN:
            raise ConnectionError("closing")
        self.transport.write(b"".join(map(_text_frame, frames)))

    def send_receive_event_to_app(self) -> None:
        """A whole message has come in: by the short way once the app has taken it."""
        if self.on_text is None or self.close_sent or not self.writable.is_set():
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if self.curr_msg_data_type != "text":
            self.on_text(None)
            return
        try:
            text = str(data, "utf-8")
        except UnicodeDecodeError:
            self.conn.send_close(1007)
            self.handle_parser_exception()
        else:
            self.on_text(text)

    def handle_ping(self) -> None:
        """Answers; whoever only asks and never reads is cut off, since pongs go past every outbox."""
        super().handle_ping()
        if self.transport.get_write_buffer_size() > UNREAD_BYTES:
            self.transport.abort()

    async def run_asgi(self) -> None:
        """Runs the app on this connection, then sees to it that the connection ends."""
        await super().run_asgi()
        self.on_text = None
        self.loop.call_later(ABORT_S, self.transport.abort)


class RequestProtocol(HttpToolsProtocol):
    """uvicorn's protocol with a bound on the head of a request, which would be kept however long it is."""

    _head_bytes: int | None = None
    """How much of a head that has not ended yet has come in; None outside of one."""

    def on_message_begin(self) -> None:
        """A request begins with its head."""
        super().on_message_begin()
        self._head_bytes = 0

    def on_headers_complete(self) -> None:
        """The head has ended."""
        self._head_bytes = None
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        """Takes in what came, unless the head grows too long."""
        super().data_received(data)
        if self._head_bytes is not None:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES:
                self._head_bytes = None
                self.send_400_response("The head of this request is too long.")


def _text_frame(text: str) -> bytes:
    """One unmasked, unfragmented frame (RFC 6455 section 5.2)."""
    payload = text.encode()
    length = len(payload)
    if length < 126:
        return b"\x81%c" % length + payload
    if length < 65_536:
        return b"\x81\x7e" + length.to_bytes(2, "big") + payload
    return b"\x81\x7f" + length.to_bytes(8, "big") + payload


class Server(uvicorn.Server):
    """uvicorn's server; on a signal it lets the app say good-bye before sockets are closed."""

    def __init__(
        self,
        config: uvicorn.Config,
        app: Starlette,
        retry_after_ms: int,
        announce: Callable[[str], None],
        beside: Beside | None,
    ) -> None:
        """`announce` is called with the address once connections are taken; what runs beside starts after that."""
        super().__init__(config)
        self._app = app
        self._retry_after_ms = retry_after_ms
        self._announce = announce
        self._beside = beside
        self._companion: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts the app, then takes connections and says where."""
        await super().startup(sockets)
        if self.started:
            host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
            self._announce(f"http://{host}:{self.bound_port}")
            if self._beside is not None:
                self._companion = asyncio.create_task(self._beside.run(), name="beside")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stops: see the head of this module."""
        for server in self.servers:
            server.close()
        running: Running | None = getattr(self._app.state, "running", None)
        if running is not None:
            await running.stop_taking(self._retry_after_ms, GOODBYE_S)
        if self._companion is not None:
            self._companion.cancel()
            await asyncio.gather(self._companion, return_exceptions=True)
        await super().shutdown(sockets)
        # A stop that was asked for and went well is no death by signal.
        self._captured_signals.clear()

    @property
    def bound_port(self) -> int:
        """The port that it listens on, once started."""
        port: int = self.servers[0].sockets[0].getsockname()[1]
        return port


def make_server(
    app: Starlette,
    settings: Settings,
    announce: Callable[[str], None] = lambda _: None,
    beside: Beside | None = None,
) -> Server:
    """The server for an app, not started yet, and what it runs beside itself."""
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=RequestProtocol,
        ws=SocketProtocol,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PING_S,
        ws_per_message_deflate=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        server_header=False,
        access_log=False,
        log_config=None,
        lifespan="on",
        timeout_graceful_shutdown=settings.stop_within_s,
    )
    return Server(config, app, settings.retry_after_ms, announce, beside)
