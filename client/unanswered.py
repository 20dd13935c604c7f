"""Commands that wait for the event which answers them: which event answers which, and which error is about which."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from client.errors import ClientError
from protocol.commands import AnyCommand
from protocol.events import AnyEvent, ErrorEvent, Snapshot

Answers = Callable[[AnyEvent], bool]
"""Is this event the answer?"""


@dataclass(slots=True)
class Asked:
    """A command that waits; `future` gets the event that answers it, or the failure."""

    command: AnyCommand
    answers: Answers
    future: asyncio.Future[AnyEvent]


class Unanswered:
    """All that wait on one connection, in the order in which they were asked."""

    def __init__(self) -> None:
        self._asked: list[Asked] = []

    def add(self, command: AnyCommand, answers: Answers) -> Asked:
        """Notes a command that is asked."""
        asked = Asked(command, answers, asyncio.get_running_loop().create_future())
        self._asked.append(asked)
        return asked

    def remove(self, asked: Asked) -> None:
        """Nobody waits for it any more."""
        self._asked.remove(asked)

    def commands(self) -> list[AnyCommand]:
        """What is to be asked again on a new connection."""
        return [asked.command for asked in self._asked]

    def answer(self, event: AnyEvent) -> None:
        """Tells all whom this event answers."""
        for asked in self._waiting():
            if asked.answers(event):
                asked.future.set_result(event)

    def concerned(self, event: ErrorEvent) -> Asked | None:
        """Whom this error is about: the first that it can be about."""
        return next((asked for asked in self._waiting() if _concerns(event, asked.command)), None)

    def fail(self, failure: ClientError) -> None:
        """Tells all that no answer will come."""
        for asked in self._waiting():
            asked.future.set_exception(failure)

    def _waiting(self) -> list[Asked]:
        return [asked for asked in self._asked if not asked.future.done()]


def answers_entering(race: str, known: set[str]) -> Answers:
    """The snapshot that answers entering by an id or a link code; `known` are the races followed before."""

    def answers(event: AnyEvent) -> bool:
        if not isinstance(event, Snapshot):
            return False
        if event.re is not None or event.race == race or event.race in known:
            return race in (event.re, event.race)
        return event.state.link == race

    return answers


def _concerns(event: ErrorEvent, command: AnyCommand) -> bool:
    """Is this error about this command? What the error leaves out may be anything."""
    if event.re is not None and event.re != command.type:
        return False
    for name in ("race", "key"):
        said, asked = getattr(event, name), getattr(command, name, None)
        if said is not None and said != asked:
            return False
    return True
