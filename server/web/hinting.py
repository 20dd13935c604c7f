"""Hints from one connection: what is asked waits until it is admitted, and what the solver says is told."""

from collections.abc import Callable
from functools import partial

from protocol.codes import ErrorCode
from protocol.commands import AnyAttemptCommand, HintCommand
from server.race.effects import Effect
from server.service.errors import ContestError
from server.web.following import Following
from server.web.line import Line
from server.web.play import Play

COST = 3
"""Credits of a hint: the store is asked several times."""

Carry = Callable[[Following, Play, list[Effect]], None]


class Hinting:
    """The hints of one connection. What comes behind one that is not admitted yet waits too: all keep their order."""

    def __init__(self, line: Line, find: Callable[[str], Following | None], carry: Carry) -> None:
        """`find` gives what is followed of a race, `carry` carries out what a play brings about."""
        self._line = line
        self._contest = line.services.contest
        self._find = find
        self._carry = carry

    def holds(self, following: Following, command: AnyAttemptCommand, now_ms: int) -> bool:
        """Keeps a command that has to wait for a hint to be admitted, or is one; False: it may be played at once."""
        if not following.in_line and not _asks_anew(following.play, command):
            return False
        if self._line.queue(partial(self._play_in_turn, following, command, now_ms), command):
            following.in_line += 1
        return True

    async def _play_in_turn(self, following: Following, command: AnyAttemptCommand, now_ms: int) -> None:
        """Raises `StoreError`, and then the command is not played."""
        refusal = None
        try:
            if isinstance(command, HintCommand) and _asks_anew(following.play, command):
                refusal = await self._admit(following.race)
        finally:
            following.in_line -= 1
        here = self._find(command.race)
        if here is None or here.play is None:
            self._line.refuse(ErrorCode.NOT_ENTERED, command)
        elif refusal is not None:
            self._carry(here, here.play, here.play.session.turn_away(command.id, refusal))
        else:
            self._carry(here, here.play, here.play.receive(command, now_ms))

    async def _admit(self, race: str) -> ErrorCode | None:
        try:
            await self._contest.hints.admit(self._line.player_id, race, self._line.address)
        except ContestError as refused:
            return refused.code
        return None

    def seek_soon(self, following: Following) -> None:
        """Tells what the solver says of the attempt as it stands, if its last entry is a hint."""
        play = following.play
        if play is not None and play.session.stored.history.is_hinted:
            self._line.queue_patiently(partial(self._seek, following, play))

    async def _seek(self, following: Following, play: Play) -> None:
        stored = play.session.stored
        if following.play is play and stored.history.is_hinted and stored.end is None:
            try:
                hint = await self._contest.hints.seek(
                    self._line.player_id, following.race, stored.version, self._line.address
                )
            except ContestError as refused:
                # The hint stands in the log, and whoever asked for it waits.
                self._line.fail(refused, re="hint", race=following.race)
                return
            if hint is not None:
                self._line.tell(hint)


def _asks_anew(play: Play | None, command: AnyAttemptCommand) -> bool:
    return isinstance(command, HintCommand) and play is not None and play.session.asks_anew(command)
