"""A player's connection to the server: kept up through drops and restarts, with everything unanswered asked again.

    CONNECTING -welcome-> CONNECTED -drop-> WAITING (jittered, growing) -> CONNECTING
    any -closed for a reason that trying again would not mend, or by us-> OVER

One connection serves many races. What arrives is handed to the race it is about (`client.race`).
"""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Literal

from pydantic import ValidationError
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from client.backoff import Backoff
from client.clock import ServerClock
from client.errors import FINAL_CLOSES, ClientError, Disconnected, Refused, TakenOver, Unreachable
from client.race import Race
from client.throttle import Throttle
from client.unanswered import Answers, Unanswered, answers_entering
from protocol.asyncapi import SOCKET_PATH
from protocol.codec import decode_event, encode
from protocol.codes import PROTOCOL_VERSION, CloseCode, ErrorCode, Phase
from protocol.commands import AnyCommand, Create, Enter, Hello, Ping, QueueCommand, Unqueue, Unwatch, Watch
from protocol.events import AnyEvent, ErrorEvent, Matched, Notice, Pong, Queued, Snapshot, Unwatched, Welcome
from protocol.parts import Limits, PlayerRef

OPEN_TIMEOUT_S = 10
PING_EVERY_S = 15
REPEAT_AFTER_MS = 5_000
"""A command without an answer for so long is sent again: the server answers an id twice but plays it once."""
RETRY_AFTER_S = 0.5
"""When what could not be carried out just now is asked for again."""
EVENT_BYTES_MAX = 4 * 1024 * 1024
OUTGOING_MAX = 1_024


class Connection:
    """Made by `connect`. `player`, `token` and `limits` are what the last welcome said."""

    def __init__(self, url: str, *, token: str | None, bot: bool, chance: Random) -> None:
        self.url = url
        self.token = token
        self.player: PlayerRef
        self.limits: Limits
        self.live: str | None = None
        self.notice: Notice | None = None
        self.clock = ServerClock()
        self._bot = bot
        self._backoff = Backoff(chance)
        self._throttle = Throttle(per_second=10)
        self._races: dict[str, Race] = {}
        self._unanswered = Unanswered()
        self._outgoing: asyncio.Queue[str] = asyncio.Queue(OUTGOING_MAX)
        self._pings: dict[int, float] = {}
        self._is_welcome = False
        self._failure: ClientError | None = None
        self._first: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._socket: ClientConnection | None = None
        self._ask_lock = asyncio.Lock()

    @property
    def player_id(self) -> str:
        """Who plays on this connection."""
        return self.player.id

    def now_ms(self) -> int:
        """The server's time."""
        return self.clock.server_ms(_local_ms())

    async def create(
        self,
        kind: Literal["private", "practice"],
        *,
        variant: str | None = None,
        deal: str | None = None,
        limit_ms: int = 30 * 60_000,
        iron: bool = False,
        seats: int = 2,
        start: Literal["host", "all_ready"] = "all_ready",
    ) -> Race:
        """A new private race or practice, entered; raises Refused."""
        command = Create(
            type="create",
            key=secrets.token_urlsafe(12),
            kind=kind,
            variant=variant,
            deal=deal,
            limit_ms=limit_ms,
            iron=iron,
            seats=seats,
            start=start,
        )
        known = set(self._races)

        def answers(event: AnyEvent) -> bool:
            return isinstance(event, Snapshot) and (
                event.re == command.key or (not event.re and event.race not in known)
            )

        async with self._ask_lock:
            return self._races[_race_of(await self.ask(command, answers))]

    async def enter(self, race: str) -> Race:
        """Takes a seat (by id or link code), opens a daily, or comes back to one's attempt; raises Refused."""
        async with self._ask_lock:
            answer = await self.ask(Enter(type="enter", race=race), answers_entering(race, set(self._races)))
            return self._races[_race_of(answer)]

    async def watch(self, race: str) -> Race:
        """Follows a race without taking part; raises Refused."""
        async with self._ask_lock:
            answer = await self.ask(Watch(type="watch", race=race), answers_entering(race, set(self._races)))
        followed = self._races[_race_of(answer)]
        followed.is_watching, followed.own = True, None
        return followed

    def forget(self, race: Race) -> None:
        """Stops following a race; an attempt in it goes on at the server."""
        if self._races.pop(race.id, None) is not None and (race.is_watching or race.phase is Phase.CLOSED):
            self.send(Unwatch(type="unwatch", race=race.id))

    async def queue(self, variant: str) -> Race:
        """Waits for an opponent and enters the race with them. Cancelling it stops the waiting; raises Refused."""

        def answers(event: AnyEvent) -> bool:
            if isinstance(event, Welcome):
                return event.live is not None
            return isinstance(event, Matched) and event.variant == variant

        try:
            matched = await self.ask(QueueCommand(type="queue", variant=variant), answers)
        except asyncio.CancelledError:
            self.send(Unqueue(type="unqueue", variant=variant))
            raise
        race = matched.live if isinstance(matched, Welcome) else getattr(matched, "race", None)
        return await self.enter(race or "")

    async def unqueue(self, variant: str) -> bool:
        """Stops waiting; False if an opponent had been found before."""

        def answers(event: AnyEvent) -> bool:
            return isinstance(event, Queued | Matched) and event.variant == variant

        return isinstance(await self.ask(Unqueue(type="unqueue", variant=variant), answers), Queued)

    async def ping(self) -> int:
        """Measures the clock; the round trip in ms."""
        number = len(self._pings) and max(self._pings) + 1
        sent = _local_ms()
        self._pings[number] = sent
        await self.ask(Ping(type="ping", id=number), lambda event: isinstance(event, Pong) and event.id == number)
        return round(_local_ms() - sent)

    async def ask(self, command: AnyCommand, answers: Answers) -> AnyEvent:
        """Sends a command, again after each reconnection, until an event answers it; raises Refused."""
        if self._failure is not None:
            raise self._failure
        asked = self._unanswered.add(command, answers)
        if self._is_welcome:
            self.send(command)
        try:
            return await asked.future
        finally:
            self._unanswered.remove(asked)

    def send(self, command: AnyCommand) -> None:
        """Sends a command, in order. Dropped without a connection: who asks is asked for again after the next."""
        if not self._is_welcome:
            return
        with suppress(asyncio.QueueFull):
            self._outgoing.put_nowait(encode(command))

    async def keep(self) -> None:
        """Keeps the connection up until it is over for good; then everyone who waits is told why."""
        try:
            while True:
                failure = await self._live_once()
                if failure is not None:
                    self._fail(failure)
                    return
                asks = self.notice.retry_after_ms if self.notice else None
                self.notice = None
                await asyncio.sleep(self._backoff.next_ms(asks or 0) / 1000)
        finally:
            self._fail(Disconnected(None))

    async def _live_once(self) -> ClientError | None:
        """One connection from handshake to close; gives the failure that trying again would not mend, if it is one."""
        address = _socket_address(self.url)
        try:
            async with open_socket(
                address, compression=None, max_size=EVENT_BYTES_MAX, open_timeout=OPEN_TIMEOUT_S
            ) as socket:
                self._socket = socket
                await socket.send(self._hello())
                await self._serve(socket)
                return self._after_close(socket.close_code, socket.close_reason or "")
        except ConnectionClosed as closed:
            return self._after_close(
                closed.rcvd.code if closed.rcvd else None, closed.rcvd.reason if closed.rcvd else ""
            )
        except (OSError, InvalidHandshake, InvalidMessage) as error:
            return None if self._first.done() else Unreachable(self.url, str(error) or type(error).__name__)
        finally:
            self._lose()

    async def _serve(self, socket: ClientConnection) -> None:
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._read(socket))
                tasks.create_task(self._write(socket))
                tasks.create_task(self._look_after())
        except* (ConnectionClosed, _Ended):
            pass

    async def _read(self, socket: ClientConnection) -> None:
        async for text in socket:
            if isinstance(text, str):
                self._receive(text)
        raise _Ended

    async def _write(self, socket: ClientConnection) -> None:
        while True:
            text = await self._outgoing.get()
            delay_ms = self._throttle.delay_ms(_local_ms())
            if delay_ms:
                await asyncio.sleep(delay_ms / 1000)
            await socket.send(text)

    async def _look_after(self) -> None:
        """Sends again what got no answer, and measures the clock."""
        next_ping = 0.0
        while True:
            await asyncio.sleep(0.25)
            now = _local_ms()
            for race in self._races.values():
                race.repeat_unanswered(now, REPEAT_AFTER_MS)
            if self._is_welcome and now >= next_ping:
                next_ping = now + PING_EVERY_S * 1000
                number = (max(self._pings) + 1) if self._pings else 0
                self._pings = {number: now}
                self.send(Ping(type="ping", id=number))

    def _receive(self, text: str) -> None:
        try:
            event = decode_event(text)
        except ValidationError:
            return  # of a type that came after this version: events are open
        match event:
            case Welcome():
                self._welcome(event)
            case Pong():
                self._measure(event)
            case Notice():
                self.notice = event
            case ErrorEvent():
                self._refuse(event)
            case Queued() | Matched() | Unwatched():
                pass
            case _:
                self._hand_over(event)
        self._unanswered.answer(event)

    def _welcome(self, event: Welcome) -> None:
        self.player, self.limits, self.live = event.player, event.limits, event.live
        self.token = event.token or self.token
        self._throttle.per_second = event.limits.commands_per_second
        self._is_welcome = True
        self._backoff.reset()
        for race in self._races.values():
            command = race.return_to()
            if command is not None:
                self.send(command)
        for unanswered in self._unanswered.commands():
            self.send(unanswered)
        if not self._first.done():
            self._first.set_result(None)

    def _measure(self, event: Pong) -> None:
        sent = self._pings.get(event.id)
        if sent is not None:
            self.clock.measure(sent, _local_ms(), event.now_ms)

    def _hand_over(self, event: AnyEvent) -> None:
        race_id = getattr(event, "race", "")
        race = self._races.get(race_id)
        if race is not None:
            race.receive(event)
        elif isinstance(event, Snapshot):
            self._races[race_id] = Race(self, event)

    def _refuse(self, event: ErrorEvent) -> None:
        if event.re == "hello":
            self._refuse_hello(event)
            return
        race = self._races.get(event.race or "")
        if event.id is not None and race is not None:
            race.refuse(event.id, event.code, event.message, _local_ms())
            return
        asked = self._unanswered.concerned(event)
        if event.code in (ErrorCode.RETRY, ErrorCode.TOO_MANY):
            again = asked.command if asked else race.return_to() if race and event.re in ("enter", "watch") else None
            if again is not None:
                asyncio.get_running_loop().call_later(RETRY_AFTER_S, self.send, again)
        elif asked is not None:
            asked.future.set_exception(Refused(event.code, event.message))
        elif race is not None and event.re in ("enter", "watch"):
            race.fail(Refused(event.code, event.message))
        elif race is not None and event.re == "hint":
            race.refuse_hint(Refused(event.code, event.message))

    def _refuse_hello(self, event: ErrorEvent) -> None:
        """What may pass by itself is asked for again; all else is said to who waits for the first welcome."""
        if event.code in (ErrorCode.RETRY, ErrorCode.TOO_MANY):
            asyncio.get_running_loop().call_later(RETRY_AFTER_S, self._say_hello_again, self._socket)
        elif not self._first.done():
            self._first.set_exception(Refused(event.code, event.message))

    def _say_hello_again(self, socket: ClientConnection | None) -> None:
        if socket is not None and socket is self._socket and not self._is_welcome:
            with suppress(asyncio.QueueFull):
                self._outgoing.put_nowait(self._hello())

    def _hello(self) -> str:
        return encode(Hello(type="hello", protocol=PROTOCOL_VERSION, token=self.token, bot=self._bot))

    def _lose(self) -> None:
        self._socket = None
        self._is_welcome = False
        self.clock.forget()
        self._pings.clear()
        while not self._outgoing.empty():
            self._outgoing.get_nowait()
        for race in self._races.values():
            race.lose()

    def _after_close(self, code: int | None, reason: str) -> ClientError | None:
        if code == CloseCode.TAKEN_OVER:
            return TakenOver()
        if code in FINAL_CLOSES:
            return Disconnected(code, reason)
        return None

    def _fail(self, failure: ClientError) -> None:
        if self._failure is not None:
            return
        self._failure = failure
        if not self._first.done():
            self._first.set_exception(failure)
        self._unanswered.fail(failure)
        for race in self._races.values():
            race.fail(failure)

    async def welcomed(self) -> None:
        """Returns after the first welcome; raises Unreachable, Refused or Disconnected."""
        await asyncio.shield(self._first)


class _Ended(Exception):  # noqa: N818 - a claim: the server has closed the socket
    """Ends the tasks of a socket that was closed."""


@asynccontextmanager
async def connect(
    url: str, *, token: str | None = None, bot: bool = False, chance: Random | None = None
) -> AsyncIterator[Connection]:
    """A connection to the server at `url` (http or https), as the player of `token` or as a new guest.

    Kept up until the block is left. Keep `connection.token` to be the same player next time. Raises Unreachable when
    nothing answers at first; later drops are mended without a word.
    """
    connection = Connection(url, token=token, bot=bot, chance=chance or Random())
    keeper = asyncio.create_task(connection.keep())
    try:
        await connection.welcomed()
        yield connection
    finally:
        keeper.cancel()
        with suppress(asyncio.CancelledError):
            await keeper


def _race_of(event: AnyEvent) -> str:
    return str(getattr(event, "race", ""))


def _socket_address(url: str) -> str:
    scheme, _, rest = url.rstrip("/").partition("://")
    return f"{'wss' if scheme in ('https', 'wss') else 'ws'}://{rest}{SOCKET_PATH}"


def _local_ms() -> float:
    return asyncio.get_running_loop().time() * 1000
