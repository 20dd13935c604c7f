"""What the plays of one connection bring about, carried out: told, loaded again, and posted for the others to see."""

import asyncio
from collections.abc import Callable
from functools import partial

from protocol.codes import CloseCode
from protocol.events import Accepted
from server.race.effects import Effect, Ended, Fenced, Load, Moved, Tell, TellSnapshot
from server.store.errors import StoreError
from server.web.following import Following
from server.web.line import Line, retry_pause_s
from server.web.play import Play

Soon = Callable[[Following], None]


class Carrying:
    """Carries out the effects of plays, in order."""

    def __init__(self, line: Line, seek_soon: Soon, resync_soon: Soon) -> None:
        """`seek_soon` asks what the solver says of the attempt, `resync_soon` for a snapshot of the race."""
        self._line = line
        self._contest = line.services.contest
        self._seek_soon = seek_soon
        self._resync_soon = resync_soon

    def carry(self, following: Following, play: Play, effects: list[Effect]) -> None:
        """Carries out what a play has brought about."""
        for effect in effects:
            match effect:
                case Tell(event=event):
                    self._line.tell(event)
                    if isinstance(event, Accepted) and event.hints is not None:
                        self._seek_soon(following)
                case TellSnapshot():
                    self._resync_soon(following)
                case Load():
                    self._line.start(self._load(following, play))
                case Moved(attempt=attempt):
                    following.news = attempt
                    self._post_soon(following)
                case Ended():
                    following.has_ended = True
                    self._post_soon(following)
                case Fenced():
                    if play is following.play:
                        self._line.end(CloseCode.TAKEN_OVER)
                case _:
                    raise TypeError(effect)

    def note_arrival(self, following: Following, play: Play) -> None:
        """Outcomes have arrived for a play; they are taken in by the line."""
        self._line.arrive(partial(self.collect, following, play))

    def collect(self, following: Following, play: Play) -> None:
        """Carries out what the outcomes that have arrived bring about."""
        self.carry(following, play, play.collect())

    async def _load(self, following: Following, play: Play) -> None:
        """Loads the attempt for the session, however long the store can't be reached."""
        tries = 0
        while True:
            try:
                row = await play.load()
            except StoreError:
                await asyncio.sleep(retry_pause_s(tries))
                tries += 1
            else:
                if row is not None:
                    self.carry(following, play, play.loaded(row))
                return

    def _post_soon(self, following: Following) -> None:
        if not following.is_posting:
            following.is_posting = True
            self._line.services.errands.send(self._post(following))

    async def _post(self, following: Following) -> None:
        """Tells the others of the newest progress, and of the end; what came while it was telling, it tells too."""
        try:
            while following.news is not None or following.has_ended:
                attempt, following.news = following.news, None
                if attempt is not None:
                    await self._contest.moved(following.race, self._line.player_id, attempt)
                elif following.has_ended:
                    following.has_ended = False
                    await self._contest.ended(following.race, self._line.player_id)
        finally:
            following.is_posting = False
