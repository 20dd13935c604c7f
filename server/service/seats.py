"""Coming and going: seats of races, the one live race of a player, and opening attempts."""

from dataclasses import dataclass

from protocol.codes import End, ErrorCode, Kind, Phase
from protocol.parts import PlayerRef
from rules.history import Act
from rules.positions import Position
from server.clock import Clock
from server.race import daily
from server.race import race as racing
from server.race.race import Race, RaceCommand, RaceRefused
from server.service.errors import ContestError
from server.service.players import Players
from server.service.races import ATTEMPTS_AT_A_CHANGE, Races, attempt_id
from server.store import Store
from server.store.attempts import Appended, AttemptRow, Fenced

LEFT_KEPT_MS = 3_600_000
"""How long what was opened in a lobby and never played is kept after its player has left."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An attempt opened from a connection: `start` is the deal, None before a race started together has started."""

    race_id: str
    row: AttemptRow
    start: Position | None
    start_ms: int | None
    limit_ms: int
    iron: bool
    hints: bool = False
    """The solver may be asked: see `rules.record.has_hints`."""


class Seats:
    """Who is in which race."""

    def __init__(self, store: Store, clock: Clock, races: Races, players: Players) -> None:
        self._store = store
        self._clock = clock
        self._races = races
        self._players = players

    async def enter(self, player: PlayerRef, race_or_link: str) -> str:
        """Takes a seat where one is needed; the race's public id."""
        race = await self._races.find(player.id, race_or_link)
        if race.kind is Kind.DAILY or race.seat(player.id) is not None:
            return race.id
        if race.kind is not Kind.PRIVATE:
            raise ContestError(ErrorCode.NOT_ENTERED)
        racing_refusal = _refusal(race, player, self._clock.now_ms())
        if racing_refusal is not None:
            raise ContestError(racing_refusal)
        await self.take_live(player.id, race.id)
        await self._races.change(race.id, racing.TakeSeat(player))
        await self.confirm_live(player.id, race.id)
        return race.id

    async def open(self, player: PlayerRef, race_id: str) -> Opened:
        """Opens the player's attempt from here, which fences every connection that had it before."""
        race = await self._races.load(race_id)
        now = self._clock.now_ms()
        ident = attempt_id(race_id, player.id)
        if race.kind is Kind.DAILY:
            await self._check_day(race, ident, now)
        elif race.seat(player.id) is None:
            raise ContestError(ErrorCode.NOT_ENTERED)
        await self._store.players.add_attempt(player.id, ident, now)
        row = await self._store.attempts.enter(ident, player.id, race_id, now)
        start_ms = race.start_ms if race.is_together else row.start_ms
        if race.kind is Kind.DAILY and row.end is None:
            await self._store.due.schedule(f"a:{ident}", row.start_ms + race.created.limit_ms + racing.GRACE_MS)
        return Opened(
            race_id=race_id,
            row=row,
            start=await self._races.dealt(race_id) if self._races.has_started(race) else None,
            start_ms=start_ms,
            limit_ms=race.created.limit_ms,
            iron=race.created.iron,
            hints=await self._races.has_hints(race),
        )

    async def _check_day(self, race: Race, ident: str, now: int) -> None:
        challenge = daily.parse_daily_id(race.id)
        if challenge is None or now < challenge.opens_ms:
            raise ContestError(ErrorCode.DAY_NOT_OPEN)
        if await self._store.attempts.load(ident) is not None:
            return
        if now >= challenge.last_start_ms:
            raise ContestError(ErrorCode.DAY_OVER)
        player = ident.rpartition(".")[2]
        await self._store.races.add_entrant(race.id, player, now)
        await self._players.note_opening(player, race.id)

    async def resign(self, player: str, race: Race) -> bool:
        """Resigns the player's attempt from here, which fences the connection that had it; before the start, as of the
        start. False if nothing was to resign: there is no attempt, or it has ended."""
        ident = attempt_id(race.id, player)
        row = await self._store.attempts.load(ident)
        if row is None or row.end is not None or row.sealed:
            return False
        now = self._clock.now_ms()
        row = await self._store.attempts.enter(ident, player, race.id, now)
        start_ms = (race.start_ms or now) if race.is_together else row.start_ms
        at_ms = max(0, now - start_ms)
        outcome = await self._store.attempts.append(
            ident,
            epoch=row.epoch,
            version=len(row.entries),
            id=1,
            at_ms=at_ms,
            limit_ms=race.created.limit_ms,
            left=None,
            end=f"{End.RESIGNED} {at_ms}",
            lines=(Act.RESIGN,),
        )
        if isinstance(outcome, Fenced):
            raise ContestError(ErrorCode.RETRY)
        return isinstance(outcome, Appended)

    async def take_live(self, player: str, race_id: str) -> None:
        """Makes this the player's one race started together; an open lobby elsewhere is left for it."""
        for _ in range(ATTEMPTS_AT_A_CHANGE):
            current = await self._store.players.live(player)
            if current == race_id:
                return
            await self._leave_for_another(player, current)
            if await self._store.players.set_live(player, race_id, expected=current):
                await self._leave_what_came(player, current, race_id)
                return
        raise ContestError(ErrorCode.RETRY)

    async def _leave_what_came(self, player: str, before: str | None, race_id: str) -> None:
        """The race before may have been made, entered or started only while we looked: then it holds."""
        try:
            await self._leave_for_another(player, before)
        except ContestError:
            await self._store.players.set_live(player, before or "", expected=race_id)
            raise

    async def confirm_live(self, player: str, race_id: str) -> None:
        """After a seat was taken: gives it up when another connection has entered another race meanwhile."""
        if await self._store.players.live(player) != race_id:
            await self._races.change(race_id, racing.GiveUpSeat(player))
            raise ContestError(ErrorCode.BUSY)

    async def live(self, player: str) -> str | None:
        """The race started together in which this player has an attempt that has not ended."""
        race = await self.current(player)
        return race.id if race is not None and race.phase is not Phase.OPEN else None

    async def current(self, player: str) -> Race | None:
        """The race started together in which this player has a seat: yet to start, or played and not ended by them."""
        race = await self._load_if_any(await self._store.players.live(player))
        if race is None or race.seat(player) is None:
            return None
        return race if race.phase is Phase.OPEN or _is_playing(race, player) else None

    async def _load_if_any(self, race_id: str | None) -> Race | None:
        if race_id is None:
            return None
        try:
            return await self._races.load(race_id)
        except ContestError:
            return None

    async def _leave_for_another(self, player: str, race_id: str | None) -> None:
        race = await self._load_if_any(race_id)
        if race is None or race.seat(player) is None:
            return
        if _is_playing(race, player):
            raise ContestError(ErrorCode.BUSY)
        if race.phase is Phase.OPEN:
            try:
                await self._races.change(race.id, racing.GiveUpSeat(player))
            except ContestError as error:
                raise ContestError(ErrorCode.BUSY) from error

    async def leave(self, player: str, race_id: str) -> bool:
        """Gives up a seat before the start. This and the next three: did it change anything?"""
        return await self._vacate(player, player, race_id, racing.GiveUpSeat(player))

    async def kick(self, by: str, race_id: str, player: str) -> bool:
        """The host removes a player before the start."""
        return await self._vacate(by, player, race_id, racing.Remove(by, player))

    async def ready(self, player: str, race_id: str, *, ready: bool) -> bool:
        """Says whether a player is ready; when all are, the countdown begins where the race is so made."""
        return await self._change_as(player, race_id, racing.SetReady(player, ready))

    async def start(self, player: str, race_id: str) -> bool:
        """The host begins the countdown."""
        return await self._change_as(player, race_id, racing.BeginCountdown(player))

    async def _vacate(self, by: str, player: str, race_or_link: str, command: RaceCommand) -> bool:
        race = await self._races.find(by, race_or_link)
        _, events = await self._races.change(race.id, command)
        await self._store.players.clear_live(player, race.id)
        await self._store.attempts.expire(attempt_id(race.id, player), LEFT_KEPT_MS)
        return bool(events)

    async def _change_as(self, player: str, race_id: str, command: RaceCommand) -> bool:
        race = await self._races.find(player, race_id)
        _, events = await self._races.change(race.id, command)
        return bool(events)


def _is_playing(race: Race, player: str) -> bool:
    seat = race.seat(player)
    playing = race.phase in (Phase.COUNTDOWN, Phase.RUNNING)
    return playing and seat is not None and seat.ended is None


def _refusal(race: Race, player: PlayerRef, now_ms: int) -> ErrorCode | None:
    try:
        racing.decide(race, racing.TakeSeat(player), now_ms)
    except RaceRefused as refused:
        return refused.code
    return None
