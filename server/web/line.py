"""The line to one client: what it is told, what is noted for it, and the one queue in which its slow commands wait."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import structlog

from protocol.codec import encode
from protocol.codes import MESSAGES, CloseCode, ErrorCode
from protocol.commands import AttemptCommand, Command, Create, RaceCommand
from protocol.events import ErrorEvent, Event
from protocol.parts import PlayerRef
from server.service.errors import ContestError
from server.store.errors import StoreError
from server.web.outbox import Outbox
from server.web.services import Services

MAX_IN_LINE = 64
MAX_ARRIVED = 4_096
"""What has been heard and not taken in yet; more means that this connection's writer is stuck."""

RETRY_S = (0.1, 0.2, 0.4, 0.8, 1.0)

Job = Callable[[], Coroutine[Any, Any, None]]

log = structlog.get_logger()


def retry_pause_s(tries: int) -> float:
    """The pause after so many tries, from 0, at what the store could not do; it grows, to a second at most."""
    return RETRY_S[min(tries, len(RETRY_S) - 1)]


class Line:
    """Whoever owns the socket sends what is in `outbox` when `woken`, and closes it once `ended`."""

    def __init__(self, services: Services, address: str, start: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        """`address` is the client's; `start` runs a task that ends with the connection."""
        self.services = services
        self.address = address
        self._start = start
        self.outbox = Outbox()
        self.woken = asyncio.Event()
        self.ended = asyncio.Event()
        self.close_code: CloseCode | None = None
        self.player: PlayerRef | None = None
        self.token_hash = ""
        self._jobs: deque[tuple[Command | None, Job]] = deque()
        self._arrived: deque[Callable[[], None]] = deque()

    @property
    def player_id(self) -> str:
        """Whose line it is; empty as long as nobody has said hello."""
        return "" if self.player is None else self.player.id

    @property
    def is_busy(self) -> bool:
        """Is a slow command being carried out?"""
        return bool(self._jobs)

    def start(self, task: Coroutine[Any, Any, None]) -> None:
        """Starts a task that ends with the connection; none any more once that has ended."""
        if self.ended.is_set():
            task.close()
        else:
            self._start(task)

    def queue(self, job: Job, command: Command | None = None) -> bool:
        """Carries a job out after those before it; what goes wrong answers the command, if it is for one.

        False if there are too many before it: then the command has been refused.
        """
        if command is not None and len(self._jobs) >= MAX_IN_LINE:
            self.refuse(ErrorCode.TOO_MANY, command)
            return False
        self._jobs.append((command, job))
        if len(self._jobs) == 1:
            self.start(self._work())
        return True

    async def _work(self) -> None:
        while self._jobs:
            command, job = self._jobs[0]
            try:
                await job()
            except ContestError as error:
                self._answer(error.code, command, error)
            except StoreError:
                self._answer(ErrorCode.RETRY, command)
            self._jobs.popleft()

    def _answer(self, code: ErrorCode, command: Command | None, error: ContestError | None = None) -> None:
        """Who asked for nothing is told of no error: they could not know what it is about."""
        if command is None:
            log.info("line.undone", code=code.value)
        else:
            self.refuse(code, command, error)

    def queue_patiently(self, job: Job, tries: int = 0) -> None:
        """Carries out a job that nobody asked for: again, with growing pauses, while the store can't be reached."""
        self.queue(partial(self._try, job, tries))

    async def _try(self, job: Job, tries: int) -> None:
        try:
            await job()
        except (ContestError, StoreError) as error:
            if isinstance(error, ContestError) and error.code is not ErrorCode.RETRY:
                raise
            again = partial(self.arrive, partial(self.queue_patiently, job, tries + 1))
            asyncio.get_running_loop().call_later(retry_pause_s(tries), again)

    def tell(self, event: Event) -> None:
        """Puts an event into the outbox."""
        self.tell_frame(encode(event))

    def tell_frame(self, frame: str) -> None:
        """Puts a frame into the outbox."""
        self.outbox.put(frame)
        if self.outbox.is_overrun:
            self.end(CloseCode.TOO_SLOW)
        self.woken.set()

    def refuse(self, code: ErrorCode, command: Command | None, error: ContestError | None = None) -> None:
        """Answers a command with an error."""
        self.tell(
            ErrorEvent(
                code=code,
                message=MESSAGES[code] if error is None else error.message,
                re=None if command is None else getattr(command, "type", None),
                race=command.race if isinstance(command, RaceCommand) else None,
                key=command.key if isinstance(command, Create) else None,
                id=command.id if isinstance(command, AttemptCommand) else None,
                field=None if error is None else error.field,
            )
        )

    def fail(self, error: ContestError, re: str, race: str) -> None:
        """Says that what was asked by an accepted command of type `re` can't be done after all."""
        self.tell(ErrorEvent(code=error.code, message=error.message, re=re, race=race, field=error.field))

    def arrive(self, step: Callable[[], None]) -> None:
        """Notes a step to be done by `take_in`. Called from callbacks: it neither waits nor fails."""
        self._arrived.append(step)
        if len(self._arrived) > MAX_ARRIVED:
            self.end(CloseCode.TOO_SLOW)
        self.woken.set()

    def take_in(self) -> None:
        """Does what has arrived since the last time."""
        while self._arrived:
            self._arrived.popleft()()

    def end(self, code: CloseCode | None) -> None:
        """Ends the conversation; the first reason counts. None: the other side has gone."""
        if not self.ended.is_set():
            self.close_code = code
            self.ended.set()
            self.woken.set()
