"""The races of one connection: entering and leaving them, playing, following, and being told of what happens there."""

from functools import partial
from typing import assert_never

from protocol.codes import CloseCode, ErrorCode, Phase
from protocol.commands import (
    AnyAttemptCommand,
    AnyCommand,
    Create,
    Enter,
    HintCommand,
    Kick,
    Leave,
    QueueCommand,
    Ready,
    Rematch,
    Resync,
    Start,
    Unqueue,
    Unwatch,
    Watch,
)
from protocol.events import Closed, Entered, Left, Snapshot, Started, Unwatched
from rules.positions import Position
from server.race.race import TOGETHER
from server.service.errors import ContestError
from server.service.seats import Opened
from server.web.carrying import Carrying
from server.web.following import Following
from server.web.hinting import COST as HINT_COST
from server.web.hinting import Hinting
from server.web.hub import Gap, Heard, Hinted, Latest, LifeEvent, Paired, Taken
from server.web.line import Line
from server.web.play import Play
from server.web.waiting import Waiting

SETTLE_S = 2.0
RECALL_COST, ENTRIES_PER_CREDIT = 2, 100
MAX_FOLLOWED = 64
"""Races that one connection follows at once; closed ones make room."""


class Desk:
    """One connection's races. Commands come in by `carry_out` and `play`, news by `hear`."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._services = line.services
        self._contest = line.services.contest
        self._followed: dict[str, Following] = {}
        self._waiting = Waiting(line, self, self._open)
        self._carrying = Carrying(line, self._seek_soon, self._resync_soon)
        self._hinting = Hinting(line, self._followed.get, self._carrying.carry)

    def is_playing(self, race: str) -> bool:
        """Can a command on the own attempt in this race be answered at once?"""
        following = self._followed.get(race)
        return following is not None and following.play is not None

    def cost(self, command: AnyAttemptCommand) -> int:
        """Credits that a command on the own attempt costs: for one of long ago the whole log is read and played."""
        following = self._followed.get(command.race)
        play = None if following is None else following.play
        if play is None or not play.session.is_long_ago(command.id):
            return HINT_COST if isinstance(command, HintCommand) else 1
        return RECALL_COST + play.session.stored.version // ENTRIES_PER_CREDIT

    def play(self, command: AnyAttemptCommand, now_ms: int) -> None:
        """A command on the own attempt."""
        following = self._followed.get(command.race)
        if following is None or following.opened is None:
            self._line.refuse(ErrorCode.NOT_ENTERED, command)
        elif following.play is None:
            self._line.refuse(ErrorCode.NOT_STARTED, command)
        elif not self._hinting.holds(following, command, now_ms):
            play = following.play
            self._carrying.carry(following, play, play.receive(command, now_ms))

    async def carry_out(self, command: AnyCommand) -> None:
        """Any other command on races; raises `ContestError` and `StoreError`."""
        match command:
            case Create():
                self._make_room()
                await self._open(await self._contest.create(self._line.player_id, command), command.key)
            case Enter():
                await self._open(await self._contest.enter(self._line.player_id, command.race), command.race)
            case Watch() | Unwatch() | Resync():
                await self._follow(command)
            case Leave() | Kick() | Ready() | Start() | Rematch():
                await self._change(command)
            case QueueCommand():
                await self._waiting.queue(command.variant)
            case Unqueue():
                await self._waiting.unqueue(command.variant)
            case _:
                self._line.refuse(ErrorCode.UNKNOWN_TYPE, command)

    async def _open(self, race: str, re: str | None = None) -> None:
        """Opens the own attempt here: from now on every other connection of this player is fenced from it."""
        known = race in self._followed
        following = self._followed.get(race) or self._begin_following(race)
        before = following.seq
        following.hold()
        try:
            await self._services.hub.join("r", race, self)
            opened = await self._take_over(following)
            snapshot = await self._contest.snapshot(race, self._line.player_id)
            await self._begin_play(following, snapshot, opened.start)
        except BaseException:
            if known:
                self._release(following, before)
            else:
                self._drop(race)
            raise
        if self._line.player is not None:
            now_ms = self._services.now_ms()
            self._line.tell(Entered(race=race, seq=snapshot.seq, now_ms=now_ms, player=self._line.player))
        self._tell_snapshot(following, snapshot, re)

    async def _take_over(self, following: Following) -> Opened:
        """Opens the attempt. When nothing is known of how that went, it is no longer held to be open here."""
        kept = following.opened, following.play
        following.opened = following.play = None
        try:
            following.opened = await self._contest.open(self._line.player_id, following.race)
        except ContestError:
            following.opened, following.play = kept
            raise
        return following.opened

    async def _begin_play(self, following: Following, snapshot: Snapshot, start: Position | None) -> None:
        """The play on the own attempt, if the race has started and there is none yet."""
        opened, start_ms = following.opened, snapshot.state.start_ms
        if opened is None or following.play is not None or snapshot.state.phase in (Phase.OPEN, Phase.COUNTDOWN):
            return
        if opened.start_ms is not None:
            start_ms = opened.start_ms
        if start_ms is not None:
            start = start or await self._contest.dealt(following.race)
            self._set_play(following, start, start_ms)

    def _set_play(self, following: Following, start: Position, start_ms: int) -> None:
        if following.opened is not None:
            attempts = self._contest.store.attempts
            arrived = partial(self._carrying.note_arrival, following)
            following.play = Play(following.opened, start, start_ms, self._line.player_id, attempts, arrived)

    def _tell_snapshot(self, following: Following, snapshot: Snapshot, re: str | None) -> None:
        now_ms = self._services.now_ms()
        attempt = None if following.play is None else following.play.state(now_ms)
        following.is_closed = snapshot.state.phase is Phase.CLOSED
        self._line.tell(snapshot.model_copy(update={"re": re, "now_ms": now_ms, "attempt": attempt}))
        if not following.is_seated and snapshot.state.kind in TOGETHER:
            following.is_seated = any(each.player.id == self._line.player_id for each in snapshot.state.entrants)
            self._say_present(following, here=True)
        self._release(following, snapshot.seq)

    def _release(self, following: Following, seq: int | None) -> None:
        """What was held is taken in, after what has been told up to `seq`."""
        following.seq = seq
        self._seek_soon(following)
        held, following.held = following.held, []
        for heard in held:
            self._take_in(following, heard)

    async def _follow(self, command: Watch | Unwatch | Resync) -> None:
        if isinstance(command, Watch):
            await self._watch(command)
            return
        following = await self._find(command.race)
        if following is None:
            self._line.refuse(ErrorCode.NOT_ENTERED, command)
        elif isinstance(command, Resync):
            await self._resync(following, command.race)
        else:
            self._say_present(following, here=False)
            self._drop(following.race)
            self._line.tell(Unwatched(race=following.race))

    async def _watch(self, command: Watch) -> None:
        race = await self._contest.watchable(self._line.player_id, command.race)
        known = race in self._followed
        following = self._followed.get(race) or self._begin_following(race)
        try:
            await self._services.hub.join("r", race, self)
            await self._resync(following, command.race)
        except BaseException:
            if not known:
                self._drop(race)
            raise

    async def _find(self, race_or_link: str) -> Following | None:
        """What is followed here under this id, or under this link."""
        following = self._followed.get(race_or_link)
        if following is None:
            race = await self._contest.store.links.get(race_or_link)
            following = None if race is None else self._followed.get(race)
        return following

    def _begin_following(self, race: str) -> Following:
        self._make_room()
        following = self._followed[race] = Following(race)
        return following

    def _make_room(self) -> None:
        """Lets go of the race that has been followed longest of those that have closed; raises `ContestError` busy."""
        if len(self._followed) < MAX_FOLLOWED:
            return
        closed = next((following for following in self._followed.values() if following.is_closed), None)
        if closed is None:
            raise ContestError(ErrorCode.BUSY, detail="This connection follows as many races as one may")
        self._drop(closed.race)

    async def _resync(self, following: Following, re: str | None) -> None:
        """Tells a fresh snapshot; raises `ContestError` and `StoreError`."""
        before = following.seq
        following.hold()
        try:
            snapshot = await self._contest.snapshot(following.race, self._line.player_id)
            await self._begin_play(following, snapshot, None)
        except BaseException:
            self._release(following, before)
            raise
        self._tell_snapshot(following, snapshot, re)

    def _seek_soon(self, following: Following) -> None:
        self._hinting.seek_soon(following)

    def _resync_soon(self, following: Following) -> None:
        """A snapshot that nobody asked for: after a gap, or after commands that were stale."""
        following.hold()
        self._line.queue_patiently(partial(self._resync_unasked, following))

    async def _resync_unasked(self, following: Following) -> None:
        if self._followed.get(following.race) is following:
            await self._resync(following, None)

    async def _change(self, command: Leave | Kick | Ready | Start | Rematch) -> None:
        """Changes a race. The answer is the event that its channel brings, or a snapshot if nothing changed."""
        changed = False
        following = await self._find(command.race)
        match command:
            case Leave():
                changed = await self._contest.leave(self._line.player_id, command.race)
            case Kick():
                changed = await self._contest.kick(self._line.player_id, command.race, command.player)
            case Ready():
                changed = await self._contest.ready(self._line.player_id, command.race, ready=command.ready)
            case Start():
                changed = await self._contest.start(self._line.player_id, command.race)
            case Rematch():
                await self._contest.rematch(self._line.player_id, command.race if following is None else following.race)
            case _:
                assert_never(command)
        if following is not None and not changed:
            await self._resync(following, command.race)

    def hear(self, name: str, heard: Heard) -> None:
        """What the hub says of a race or of this player; noted, and taken in by the line."""
        self._line.arrive(partial(self._heard, name, heard))

    def _heard(self, name: str, heard: Heard) -> None:
        if isinstance(heard, Paired):
            self._line.queue_patiently(partial(self._waiting.hear_match, heard.variant, heard.race))
            return
        following = self._followed.get(name)
        if following is not None:
            self._take_in(following, heard)
        elif name == self._line.player_id:
            self._line.queue_patiently(self._waiting.look_again)

    def _take_in(self, following: Following, heard: Heard) -> None:
        if following.seq is None:
            following.hear(heard)
            return
        match heard:
            case LifeEvent():
                self._take_in_event(following, heard, following.seq)
            case Latest(player=player, frame=frame, is_progress=is_progress):
                if player != self._line.player_id:
                    self._line.outbox.put_latest(following.race, f"{player} {is_progress}", frame)
                    self._line.woken.set()
            case Taken(player=player, epoch=epoch):
                opened = following.opened
                if player == self._line.player_id and opened is not None and epoch > opened.row.epoch:
                    self._be_fenced(following)
            case Hinted(player=player):
                if player == self._line.player_id:
                    self._seek_soon(following)
            case Gap():
                self._resync_soon(following)
            case Paired():
                pass
            case _:
                assert_never(heard)

    def _take_in_event(self, following: Following, heard: LifeEvent, told: int) -> None:
        if heard.seq <= told:
            return
        if heard.seq > told + 1:
            self._resync_soon(following)
            return
        following.seq = heard.seq
        if heard.frame:
            self._line.tell_frame(heard.frame)
        event = heard.event
        following.is_closed = following.is_closed or isinstance(event, Closed)
        if isinstance(event, Started) and heard.dealt is not None and following.play is None:
            self._set_play(following, heard.dealt, event.start_ms)
        if isinstance(event, Left) and event.player == self._line.player_id:
            self._drop(following.race)
        if isinstance(event, Entered) and event.player.id == self._line.player_id:
            # By another connection: this one follows the race of their seat from now on.
            self._resync_soon(following)

    def _be_fenced(self, following: Following) -> None:
        if following.play is not None:
            self._carrying.carry(following, following.play, following.play.send(following.play.session.fence()))
        else:
            self._line.end(CloseCode.TAKEN_OVER)

    def _say_present(self, following: Following, *, here: bool, tell: bool = True) -> None:
        if following.is_seated:
            presence, mine = self._contest.presence, (following.race, self._line.player_id, id(self))
            self._services.errands.send(presence.arrive(*mine) if here else presence.depart(*mine, tell=tell))

    def _drop(self, race: str) -> None:
        following = self._followed.pop(race, None)
        if following is not None:
            self._say_present(following, here=False, tell=False)
            following.opened = following.play = None
        self._line.outbox.forget(race)
        self._services.hub.leave("r", race, self)

    async def finish(self) -> None:
        """After the connection: nothing is heard any more, appends on their way are seen through, queues left."""
        for following in self._followed.values():
            self._services.hub.leave("r", following.race, self)
        self._services.hub.leave("p", self._line.player_id, self)
        for following in self._followed.values():
            if following.play is not None:
                await following.play.settle(SETTLE_S)
                self._carrying.collect(following, following.play)
            self._say_present(following, here=False, tell=self._line.close_code is not CloseCode.TAKEN_OVER)
        await self._waiting.finish()
