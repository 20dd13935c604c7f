"""A race's life as a pure state machine; stored as its events, one after the other.

    together (private, quick):  OPEN -> COUNTDOWN -> RUNNING -> CLOSING -> CLOSED
    an abandoned lobby:         OPEN -> CLOSING -> CLOSED
    own clock (daily, practice):        RUNNING -> CLOSING -> CLOSED

`decide` says which events a command brings about and changes nothing; `evolve` is total. What is played in a race is
not here but in the attempts.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import assert_never

from protocol.codes import ErrorCode, Kind, Phase
from protocol.parts import PlayerRef, Standing
from server.race.events import (
    AttemptEnded,
    ClosingBegun,
    CountdownBegun,
    Created,
    Entered,
    Left,
    RaceEvent,
    ReadyChanged,
    RematchMade,
    ResultsPublished,
    Started,
    parse_event,
)

COUNTDOWN_MS = 5_000
LOBBY_MS = 2 * 3_600_000
"""A lobby that has not started by then is closed."""
GRACE_MS = 500
"""Between the limit and the sealing of attempts, so that what was received in time can still be stored."""
TOGETHER = frozenset({Kind.PRIVATE, Kind.QUICK})


class RaceRefused(Exception):  # noqa: N818 - a claim about the command
    """A command that this race does not allow now."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place in a race started together, and how the attempt ended if it has."""

    player: PlayerRef
    ready: bool = False
    ended: AttemptEnded | None = None


@dataclass(frozen=True, slots=True)
class Race:
    """A race now: folded from its events. `seq` is the number of the last one."""

    id: str
    seq: int
    phase: Phase
    created: Created
    host: str | None
    seats: tuple[Seat, ...] = ()
    kicked: frozenset[str] = frozenset()
    start_ms: int | None = None
    closes_ms: int | None = None
    closed: ResultsPublished | None = None
    rematch: RematchMade | None = None

    @property
    def kind(self) -> Kind:
        """What sort of race it is."""
        return self.created.kind

    @property
    def is_together(self) -> bool:
        """Do all attempts run on one clock?"""
        return self.kind in TOGETHER

    def seat(self, player: str) -> Seat | None:
        """The player's seat, None without one."""
        return next((seat for seat in self.seats if seat.player.id == player), None)


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """A player wants in."""

    player: PlayerRef


@dataclass(frozen=True, slots=True)
class GiveUpSeat:
    """A player leaves before the start."""

    player: str


@dataclass(frozen=True, slots=True)
class Remove:
    """`by` removes `player` before the start."""

    by: str
    player: str


@dataclass(frozen=True, slots=True)
class SetReady:
    """A player says whether they are ready."""

    player: str
    ready: bool


@dataclass(frozen=True, slots=True)
class BeginCountdown:
    """`by` starts the race."""

    by: str


@dataclass(frozen=True, slots=True)
class EndAttempt:
    """An attempt's end was stored."""

    ended: AttemptEnded


@dataclass(frozen=True, slots=True)
class PassTime:
    """It is now as late as the instant given with it: what is due happens."""


@dataclass(frozen=True, slots=True)
class Publish:
    """The results were computed from sealed attempts."""

    results: tuple[Standing, ...]
    deal: str
    nonce: str | None


@dataclass(frozen=True, slots=True)
class OfferRematch:
    """A player who was in it wants another like it."""

    by: str
    new_race: str
    link: str


RaceCommand = (
    TakeSeat | GiveUpSeat | Remove | SetReady | BeginCountdown | EndAttempt | PassTime | Publish | OfferRematch
)


def decide(race: Race, command: RaceCommand, now_ms: int) -> list[RaceEvent]:
    """The events that a command brings about, none if it asks for what already is; raises `RaceRefused`."""
    match command:
        case TakeSeat(player):
            return _take_seat(race, player)
        case GiveUpSeat(player):
            return _empty_seat(race, player, kicked=False)
        case Remove(by, player):
            _check_host(race, by)
            return _empty_seat(race, player, kicked=True)
        case SetReady(player, ready):
            return _set_ready(race, player, ready, now_ms)
        case BeginCountdown(by):
            _check_host(race, by)
            return _begin_countdown(race, now_ms)
        case EndAttempt(ended):
            return _end_attempt(race, ended)
        case PassTime():
            return _pass_time(race, now_ms)
        case Publish(results, deal, nonce):
            if race.phase is not Phase.CLOSING:
                return []
            return [ResultsPublished(results=list(results), deal=deal, nonce=nonce, closed_ms=now_ms)]
        case OfferRematch(by, new_race, link):
            return _offer_rematch(race, by, new_race, link)
        case _:
            assert_never(command)


def _check_open(race: Race) -> None:
    if race.phase in (Phase.CLOSING, Phase.CLOSED):
        raise RaceRefused(ErrorCode.CLOSED)
    if race.phase is not Phase.OPEN:
        raise RaceRefused(ErrorCode.ALREADY_STARTED)


def _check_host(race: Race, player: str) -> None:
    if race.seat(player) is None:
        raise RaceRefused(ErrorCode.NOT_ENTERED)
    if race.host != player:
        raise RaceRefused(ErrorCode.NOT_HOST)


def _take_seat(race: Race, player: PlayerRef) -> list[RaceEvent]:
    if race.seat(player.id) is not None:
        return []
    _check_open(race)
    if player.id in race.kicked:
        raise RaceRefused(ErrorCode.KICKED)
    if len(race.seats) >= race.created.seats:
        raise RaceRefused(ErrorCode.FULL)
    return [Entered(player=player)]


def _empty_seat(race: Race, player: str, *, kicked: bool) -> list[RaceEvent]:
    if race.seat(player) is None:
        raise RaceRefused(ErrorCode.NOT_ENTERED)
    _check_open(race)
    others = [seat.player.id for seat in race.seats if seat.player.id != player]
    host = race.host if race.host in others else next(iter(others), None)
    left = Left(player=player, kicked=kicked, host=host)
    return [left] if others else [left, ClosingBegun()]


def _set_ready(race: Race, player: str, ready: bool, now_ms: int) -> list[RaceEvent]:
    seat = race.seat(player)
    if seat is None:
        raise RaceRefused(ErrorCode.NOT_ENTERED)
    if seat.ready == ready:
        # Also once it has started: the last `ready` may be sent again by who has heard nothing of the countdown yet.
        return []
    _check_open(race)
    events: list[RaceEvent] = [ReadyChanged(player=player, ready=ready)]
    everyone = all(other.ready for other in race.seats if other.player.id != player)
    if ready and everyone and len(race.seats) > 1 and race.created.start == "all_ready":
        events.append(CountdownBegun(start_ms=now_ms + COUNTDOWN_MS))
    return events


def _begin_countdown(race: Race, now_ms: int) -> list[RaceEvent]:
    _check_open(race)
    if len(race.seats) < 2:
        raise RaceRefused(ErrorCode.NOT_ENOUGH_PLAYERS)
    return [CountdownBegun(start_ms=now_ms + COUNTDOWN_MS)]


def _end_attempt(race: Race, ended: AttemptEnded) -> list[RaceEvent]:
    seat = race.seat(ended.player)
    if seat is None or seat.ended is not None or race.phase is not Phase.RUNNING:
        return []
    others_ended = all(other.ended for other in race.seats if other is not seat)
    return [ended, ClosingBegun()] if others_ended else [ended]


def _pass_time(race: Race, now_ms: int) -> list[RaceEvent]:
    if race.phase is Phase.OPEN and now_ms >= race.created.created_ms + LOBBY_MS:
        return [ClosingBegun()]
    if race.phase is Phase.COUNTDOWN and race.start_ms is not None and now_ms >= race.start_ms:
        return [Started(start_ms=race.start_ms, closes_ms=race.start_ms + race.created.limit_ms)]
    if race.phase is Phase.RUNNING and race.closes_ms is not None and now_ms >= race.closes_ms + GRACE_MS:
        return [ClosingBegun()]
    return []


def _offer_rematch(race: Race, by: str, new_race: str, link: str) -> list[RaceEvent]:
    if not race.is_together or race.seat(by) is None:
        raise RaceRefused(ErrorCode.NOT_ENTERED)
    if race.phase is not Phase.CLOSED:
        raise RaceRefused(ErrorCode.NOT_CLOSED)
    return [] if race.rematch else [RematchMade(new_race=new_race, link=link)]


def begin(race_id: str, created: Created) -> Race:
    """The race right after its first event."""
    own_clock = created.kind not in TOGETHER
    return Race(
        id=race_id,
        seq=1,
        phase=Phase.RUNNING if own_clock else Phase.OPEN,
        created=created,
        host=created.host,
        start_ms=created.start_ms,
        closes_ms=created.closes_ms,
    )


def evolve(race: Race, event: RaceEvent) -> Race:
    """The race after an event."""
    race = replace(race, seq=race.seq + 1)
    match event:
        case Created():
            return race
        case Entered(player=player):
            return replace(race, seats=(*race.seats, Seat(player)), host=race.host or player.id)
        case Left(player=left, kicked=kicked, host=host):
            seats = tuple(seat for seat in race.seats if seat.player.id != left)
            removed = race.kicked | {left} if kicked else race.kicked
            return replace(race, seats=seats, kicked=removed, host=host)
        case ReadyChanged(player=who, ready=ready):
            return replace(race, seats=_changed(race.seats, who, ready=ready))
        case CountdownBegun(start_ms=start_ms):
            return replace(race, phase=Phase.COUNTDOWN, start_ms=start_ms)
        case Started(start_ms=start_ms, closes_ms=closes_ms):
            return replace(race, phase=Phase.RUNNING, start_ms=start_ms, closes_ms=closes_ms)
        case AttemptEnded(player=who):
            return replace(race, seats=_changed(race.seats, who, ended=event))
        case ClosingBegun():
            return replace(race, phase=Phase.CLOSING)
        case ResultsPublished():
            return replace(race, phase=Phase.CLOSED, closed=event)
        case RematchMade():
            return replace(race, rematch=event)
        case _:
            assert_never(event)


def _changed(
    seats: tuple[Seat, ...], player: str, *, ready: bool | None = None, ended: AttemptEnded | None = None
) -> tuple[Seat, ...]:
    return tuple(
        replace(seat, ready=seat.ready if ready is None else ready, ended=ended or seat.ended)
        if seat.player.id == player
        else seat
        for seat in seats
    )


def load(race_id: str, texts: list[str]) -> Race:
    """The race folded from its stored events, the first of which is `created`; raises ValueError otherwise."""
    events = [parse_event(text) for text in texts]
    if not events or not isinstance(events[0], Created):
        raise ValueError(f"race {race_id} does not begin with created")
    return follow_events(begin(race_id, events[0]), events[1:])


def follow_events(race: Race, events: Iterable[RaceEvent]) -> Race:
    """The race after further events."""
    for event in events:
        race = evolve(race, event)
    return race


def follow(race: Race, texts: Iterable[str]) -> Race:
    """The race after further stored events."""
    return follow_events(race, map(parse_event, texts))
