"""What one connection says, from hello to good-bye. Knows frames as texts, no sockets.

    STRANGER --hello--> GREETED --end--> OVER
    STRANGER --no hello in time, wrong protocol--> OVER

Commands on an attempt are answered by its session, at once or when the store has answered. All others wait in one
short queue and are carried out one after the other, so that answers keep the order of the commands.
"""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from protocol.codec import MalformedMessage, decode_command
from protocol.codes import PROTOCOL_VERSION, CloseCode, ErrorCode
from protocol.commands import AnyAttemptCommand, AnyCommand, AttemptCommand, Hello, Ping
from protocol.events import Notice, Pong, Welcome
from server.race.pacing import Bucket, Verdict
from server.service.tokens import hash_token
from server.store.errors import StoreError
from server.web.desk import Desk
from server.web.line import Job, Line
from server.web.paces import worst
from server.web.services import Services

COSTS = {"hello": 2, "create": 5, "enter": 3, "watch": 3, "resync": 3, "queue": 2, "rematch": 2}
"""Credits of commands that cost more than one."""


class Conversation:
    """One connection: whoever owns its socket feeds `receive` and looks after `line`."""

    def __init__(self, services: Services, address: str, start: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        """`start` runs a task that ends with the connection."""
        self.line = Line(services, address, start)
        self._services = services
        now_ms = services.now_ms()
        self._address_bucket = services.paces.of_address(address, now_ms)
        self._bucket: Bucket = services.paces.of_stranger(now_ms)
        self._is_greeting = False
        self._signed_out: set[str] = set()
        """The players signed out while a hello was on its way: its token may have become void since it was read."""
        self._desk = Desk(self.line)

    def receive(self, text: str | None, now_ms: int) -> None:
        """A frame, received at this instant; None for a binary one."""
        if self.line.ended.is_set():
            return
        try:
            command = None if text is None else decode_command(text)
        except MalformedMessage as malformed:
            if self._pay(None, now_ms):
                self.line.tell(malformed.event())
            return
        if not self._pay(command, now_ms):
            return
        if command is None:
            self.line.refuse(ErrorCode.BINARY, None)
        elif isinstance(command, Hello):
            self._greet(command)
        elif self.line.player is None and not self._is_greeting:
            self.line.refuse(ErrorCode.HELLO_FIRST, command)
        else:
            self._carry_out(command, now_ms)

    def _carry_out(self, command: AnyCommand, now_ms: int) -> None:
        if isinstance(command, Ping):
            self.line.tell(Pong(id=command.id, now_ms=now_ms))
        elif not isinstance(command, AttemptCommand):
            self._queue(partial(self._desk.carry_out, command), command)
        elif self.line.is_busy and not self._desk.is_playing(command.race):
            self._queue(partial(self._play_later, command, now_ms), command)
        else:
            self._desk.play(command, now_ms)

    def _queue(self, job: Job, command: AnyCommand) -> None:
        self.line.queue(partial(self._carry_out_greeted, job, command), command)

    async def _carry_out_greeted(self, job: Job, command: AnyCommand) -> None:
        """What was sent right behind a hello is for the player of that hello; if it was refused, for nobody."""
        if self.line.player is None:
            self.line.refuse(ErrorCode.HELLO_FIRST, command)
        else:
            await job()

    async def _play_later(self, command: AnyAttemptCommand, now_ms: int) -> None:
        self._desk.play(command, now_ms)

    def _pay(self, command: AnyCommand | None, now_ms: int) -> bool:
        """Takes the credits of a message from the player and from the address; False when it is not carried out."""
        cost = self._cost(command)
        verdict = self._bucket.take(now_ms, cost)
        if self._address_bucket is not None:
            verdict = worst(verdict, self._address_bucket.take(now_ms, cost))
        if verdict is Verdict.CUT_OFF:
            self.line.end(CloseCode.TOO_MANY)
        elif verdict is Verdict.BRAKED:
            self.line.refuse(ErrorCode.TOO_MANY, command)
        return verdict is Verdict.FLOWING

    def _cost(self, command: AnyCommand | None) -> int:
        if isinstance(command, AttemptCommand):
            return self._desk.cost(command)
        return 1 if command is None else COSTS.get(command.type, 1)

    def _greet(self, hello: Hello) -> None:
        if self.line.player is not None or self._is_greeting:
            self.line.refuse(ErrorCode.HELLO_TWICE, hello)
        elif hello.protocol != PROTOCOL_VERSION:
            self.line.end(CloseCode.UPGRADE_NEEDED)
        else:
            self._is_greeting = True
            self._signed_out.clear()
            self.line.queue(partial(self._hello, hello), hello)

    async def _hello(self, hello: Hello) -> None:
        try:
            greeting = await self._services.contest.hello(hello.token, hello.bot, self.line.address, hello.device)
        except StoreError:
            self.line.end(CloseCode.TRY_LATER)
            return
        finally:
            self._is_greeting = False
        if greeting.player.id in self._signed_out:
            self.line.end(CloseCode.SIGNED_OUT)
            return
        now_ms = self._services.now_ms()
        self.line.player = greeting.player
        self.line.token_hash = hash_token(greeting.token or hello.token or "")
        self._bucket = self._services.paces.of_player(greeting.player.id, now_ms)
        self.line.tell(
            Welcome(
                protocol=PROTOCOL_VERSION,
                player=greeting.player,
                token=greeting.token,
                now_ms=now_ms,
                limits=self._services.limits(),
                live=greeting.live,
                seat=greeting.seat,
            )
        )

    def sign_out(self, player_id: str) -> None:
        """Ends the connection if it is this player's: their tokens have become void."""
        if self._is_greeting:
            self._signed_out.add(player_id)
        elif self.line.player_id == player_id:
            self.line.end(CloseCode.SIGNED_OUT)

    def close_unless_greeted(self) -> None:
        """Called when there was time enough for a hello."""
        if self.line.player is None:
            self.line.end(CloseCode.TRY_LATER if self._is_greeting else CloseCode.POLICY)

    def say_goodbye(self, retry_after_ms: int) -> None:
        """The server stops: says when to come back, then closes."""
        message = "The server restarts. Your races go on; come back in a moment."
        self.line.tell(Notice(code="restart", message=message, retry_after_ms=retry_after_ms))
        self.line.end(CloseCode.RESTART)

    async def finish(self) -> None:
        """After the connection: what is on its way to the store is seen through, and the others told of the leaving."""
        await self._desk.finish()
