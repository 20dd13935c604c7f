"""One race as a player or watcher of this connection sees it: its state, its events, and what one can do in it.

The connection hands in what arrives. Commands return once the server has answered: `accepted`, or `Refused` is
raised; a lost connection in between is made again and the question settled (see `client.attempt`).
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Literal, Protocol

from client.attempt import Maker, OwnAttempt, Settled
from client.errors import ClientError, Refused
from client.feed import Feed
from client.following import Followed
from protocol.codes import MESSAGES, ErrorCode, Phase
from protocol.commands import (
    AnyCommand,
    Collect,
    DrawCommand,
    Enter,
    HintCommand,
    Kick,
    Leave,
    MoveCommand,
    Ready,
    RedealCommand,
    RedoCommand,
    Rematch,
    Resign,
    RestartCommand,
    Resync,
    Start,
    UndoCommand,
    Watch,
)
from protocol.events import Accepted, AnyEvent, Event, Hint, Presence, Progress, RaceEvent, Rejected, Snapshot, Started
from protocol.parts import RaceState
from rules.moves import DRAW, REDEAL, Move
from rules.positions import Position
from rules.variants import find_variant


class Line(Protocol):
    """What a race needs of its connection."""

    @property
    def player_id(self) -> str:
        """Who plays on this connection."""

    def send(self, command: AnyCommand) -> None:
        """Sends a command, in order; without a connection it is dropped."""

    async def ask(self, command: AnyCommand, answers: Callable[[AnyEvent], bool]) -> AnyEvent:
        """Sends a command, again after each reconnection, until an event answers it; raises Refused."""

    async def enter(self, race: str) -> "Race":
        """Enters another race."""


class Race:
    """A race that one is in or watches. `events()` iterates over what happens; `state` is what is so now."""

    def __init__(self, line: Line, snapshot: Snapshot, *, watching: bool = False) -> None:
        self.id = snapshot.race
        self.is_watching = watching
        self.own: OwnAttempt | None = None
        self._line = line
        self._followed = Followed.begin(snapshot)
        self._feeds: set[Feed] = set()
        self._answers: dict[int, asyncio.Future[Accepted]] = {}
        self._waiters: set[asyncio.Future[None]] = set()
        self._failure: ClientError | None = None
        self._resync_asked = False
        self._is_in = True
        self._moved_ms = 0.0
        self._hint_refusals: list[Refused] = []
        """Why the last hint is not answered, if so; the newest alone."""
        if not watching:
            self.own = OwnAttempt(self.id, find_variant(snapshot.state.variant))
            self._renew_attempt(snapshot)

    @property
    def state(self) -> RaceState:
        """All that is known of the race."""
        return self._followed.state

    @property
    def phase(self) -> Phase:
        """Where the race stands."""
        return self._followed.state.phase

    @property
    def position(self) -> Position | None:
        """One's own position as the server has confirmed it; None before the start."""
        return self.own.position if self.own else None

    async def events(self) -> AsyncIterator[Event]:
        """A snapshot of now, then each event in order, up to `closed`. Raises Disconnected when all is over."""
        feed = Feed()
        feed.put(Snapshot(race=self.id, seq=self._followed.seq, now_ms=0, state=self.state))
        if self._failure is not None or self.phase is Phase.CLOSED:
            feed.end(self._failure)
        self._feeds.add(feed)
        try:
            while (event := await feed.next()) is not None:
                yield event
        finally:
            self._feeds.discard(feed)

    async def wait_until(self, is_so: Callable[["Race"], bool]) -> None:
        """Returns once `is_so` holds of this race; it is looked at after each message. Raises Disconnected."""
        while not is_so(self):
            if self._failure is not None:
                raise self._failure
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.add(waiter)
            try:
                await waiter
            finally:
                self._waiters.discard(waiter)

    async def ready(self, is_ready: bool = True) -> None:
        """Says that one is ready, or no longer."""
        me = self._line.player_id

        def is_so(_: object = None) -> bool:
            entrant = self._followed.entrant(me)
            return self.phase is not Phase.OPEN or (entrant is not None and entrant.ready == is_ready)

        if not is_so():
            await self._line.ask(Ready(type="ready", race=self.id, ready=is_ready), is_so)

    async def start(self) -> None:
        """The host starts the countdown."""
        await self._line.ask(Start(type="start", race=self.id), lambda _: self.phase is not Phase.OPEN)

    async def leave(self) -> None:
        """Gives up one's seat before the start."""
        await self._line.ask(Leave(type="leave", race=self.id), lambda _: self._is_out(self._line.player_id))

    async def kick(self, player: str) -> None:
        """The host removes a player before the start."""
        await self._line.ask(Kick(type="kick", race=self.id, player=player), lambda _: self._is_out(player))

    async def rematch(self) -> "Race":
        """A new race with the same players, entered."""
        if self.state.rematch is None:
            command = Rematch(type="rematch", race=self.id)
            await self._line.ask(command, lambda _: self.state.rematch is not None)
        return await self._line.enter(self.state.rematch or "")

    async def play(self, move: Move) -> Accepted:
        """Plays a move, a draw or a redeal; raises Refused."""
        if move == DRAW:
            return await self._ask(lambda id_, version: DrawCommand(type="draw", race=self.id, id=id_, version=version))
        if move == REDEAL:
            return await self._ask(
                lambda id_, version: RedealCommand(type="redeal", race=self.id, id=id_, version=version)
            )
        return await self._ask(
            lambda id_, version: MoveCommand(
                type="move",
                race=self.id,
                id=id_,
                version=version,
                source=move.source,
                target=move.target,
                count=move.count,
            )
        )

    async def undo(self) -> Accepted:
        """Takes the last move or collect back; raises Refused."""
        return await self._ask(lambda id_, version: UndoCommand(type="undo", race=self.id, id=id_, version=version))

    async def redo(self) -> Accepted:
        """Plays again what was taken back last; raises Refused."""
        return await self._ask(lambda id_, version: RedoCommand(type="redo", race=self.id, id=id_, version=version))

    async def restart(self) -> Accepted:
        """Goes back to the deal; raises Refused."""
        return await self._ask(
            lambda id_, version: RestartCommand(type="restart", race=self.id, id=id_, version=version)
        )

    async def collect(self, scope: Literal["safe", "all"] = "safe") -> Accepted:
        """Moves to the foundations what is safe, or all that fits; raises Refused."""
        return await self._ask(
            lambda id_, version: Collect(type="collect", race=self.id, id=id_, version=version, scope=scope)
        )

    async def hint(self) -> Hint:
        """What the solver says of one's practice as it is now, counted in its record; raises Refused.

        Refused `stale` says that something was played before it came. It may be refused after it was counted, too. Who
        can't wait for ever sets a timeout: it comes within a second or two, or the server's solver has ended meanwhile.
        """
        self._hint_refusals.clear()
        asked = await self._ask(lambda id_, version: HintCommand(type="hint", race=self.id, id=id_, version=version))
        own = self.own

        def told() -> Hint | None:
            hint = own.hint if own is not None else None
            return hint if hint is not None and hint.version == asked.version else None

        def is_refused() -> bool:
            return bool(self._hint_refusals) or own is None or own.version > asked.version

        await self.wait_until(lambda _: told() is not None or is_refused())
        hint = told()
        if hint is None:
            raise next(iter(self._hint_refusals), Refused(ErrorCode.STALE, MESSAGES[ErrorCode.STALE]))
        return hint

    async def resign(self) -> Accepted:
        """Ends one's attempt; raises Refused."""
        return await self._ask(lambda id_, version: Resign(type="resign", race=self.id, id=id_, version=version))

    def return_to(self) -> AnyCommand | None:
        """The command that brings one back here after a reconnection; None when there is nothing to come back to."""
        if self.phase is Phase.CLOSED:
            return None
        if self.is_watching:
            return Watch(type="watch", race=self.id)
        return Enter(type="enter", race=self.id)

    def receive(self, event: AnyEvent) -> None:
        """Takes in an event about this race."""
        if self._take_in(event):
            for feed in self._feeds:
                feed.put(event)
        if self.phase is Phase.CLOSED:
            self._end(None)
        if self._needs_resync() and not self._resync_asked:
            self._resync_asked = True
            self._line.send(Resync(type="resync", race=self.id))
        self._wake()

    def refuse(self, command_id: int, code: str, message: str, now_ms: float) -> None:
        """Takes in an error about one of this race's commands; what can be tried again stays."""
        if code in (ErrorCode.RETRY, ErrorCode.TOO_MANY):
            self._moved_ms = now_ms
            return
        if self.own is not None:
            version = self.own.version
            rejected = Rejected(race=self.id, id=command_id, version=version, code=code, message=message)
            self._settle(self.own.rejected(rejected))
        self._wake()

    def refuse_hint(self, refused: Refused) -> None:
        """Takes in that a hint which was accepted is not answered."""
        self._hint_refusals = [refused]
        self._wake()

    def repeat_unanswered(self, now_ms: float, after_ms: float) -> None:
        """Sends again, under the same ids, what has had no answer for so long: it is played once at most."""
        if self.own is None or not self._is_in or not self.own.waiting or now_ms - self._moved_ms < after_ms:
            return
        self._moved_ms = now_ms
        for waiting in self.own.waiting:
            self._line.send(waiting.command)

    def lose(self) -> None:
        """The connection is lost and will be made again: what is asked until one has entered again has to wait."""
        self._is_in = self._resync_asked = False

    def fail(self, failure: ClientError) -> None:
        """The connection is over: everyone who waits is told."""
        self._failure = failure
        self._end(failure)
        self._resync_asked = False
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_exception(failure)
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(failure)

    def _take_in(self, event: AnyEvent) -> bool:
        """Is it news? Answers to one's own commands are not: they go to who asked."""
        match event:
            case Snapshot():
                self._resync_asked = False
                self._is_in = True
                renewed = self._followed.renew(event)
                self._renew_attempt(event)
                return renewed
            case Accepted() | Rejected():
                self._moved_ms = asyncio.get_running_loop().time() * 1000
                if self.own is not None:
                    own = self.own
                    self._settle(own.accepted(event) if isinstance(event, Accepted) else own.rejected(event))
                if isinstance(event, Accepted):
                    # The server tells progress to everyone else; one's own stands in the answers.
                    self._followed.note_own(self._line.player_id, event)
                return False
            case Hint():
                if self.own is not None:
                    self.own.hinted(event)
                return False
            case Progress():
                return self._followed.follow_progress(event)
            case Presence():
                return self._followed.follow_presence(event)
            case RaceEvent():
                if not self._followed.follow(event):
                    return False
                if isinstance(event, Started) and event.position is not None and self.own is not None:
                    self.own.begin(event.position)
                return True
            case _:
                return False

    def _renew_attempt(self, snapshot: Snapshot) -> None:
        if self.own is None or snapshot.attempt is None:
            return
        settled, again = self.own.enter(snapshot.attempt)
        for each in settled:
            self._settle(each)
        for command in again:
            self._line.send(command)

    def _settle(self, settled: Settled | None) -> None:
        if settled is None:
            return
        future = self._answers.pop(settled.ticket, None)
        if future is None or future.done():
            return
        if isinstance(settled.answer, Accepted):
            future.set_result(settled.answer)
        else:
            future.set_exception(Refused(settled.answer.code, settled.answer.message))

    async def _ask(self, make: Maker) -> Accepted:
        own = self.own
        if own is None:
            raise Refused(ErrorCode.NOT_ENTERED, "This race is only watched.")
        await self.wait_until(lambda _: own.can_ask)
        if self._failure is not None:
            raise self._failure
        loop = asyncio.get_running_loop()
        waiting = own.ask(make)
        answer: asyncio.Future[Accepted] = loop.create_future()
        self._answers[waiting.ticket] = answer
        self._moved_ms = loop.time() * 1000
        if self._is_in:
            self._line.send(waiting.command)
        return await answer

    def _needs_resync(self) -> bool:
        return self._followed.needs_resync or (self.own is not None and self.own.needs_resync)

    def _is_out(self, player: str) -> bool:
        return self._followed.entrant(player) is None

    def _end(self, failure: ClientError | None) -> None:
        for feed in self._feeds:
            feed.end(failure)

    def _wake(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)


def is_over(race: Race) -> bool:
    """Has the race closed?"""
    return race.phase is Phase.CLOSED
