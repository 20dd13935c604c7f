"""A race's life: who may do what when, and what follows from it."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from protocol.codes import End, ErrorCode, Kind, Phase
from protocol.parts import PlayerRef
from server.race.events import AttemptEnded, Created, Entered, format_event, parse_event
from server.race.race import (
    COUNTDOWN_MS,
    GRACE_MS,
    LOBBY_MS,
    BeginCountdown,
    EndAttempt,
    GiveUpSeat,
    OfferRematch,
    PassTime,
    Publish,
    Race,
    RaceCommand,
    RaceRefused,
    Remove,
    SetReady,
    TakeSeat,
    begin,
    decide,
    evolve,
    load,
)

T0 = 1_800_000_000_000
LIMIT = 60_000


def player(name: str) -> PlayerRef:
    return PlayerRef(id=name, name=name.title(), guest=True, bot=False)


def lobby(*names: str, seats: int = 3, start: str = "all_ready") -> Race:
    created = Created.model_validate(
        {
            "kind": Kind.PRIVATE,
            "variant": "citadel",
            "host": names[0],
            "link": "l",
            "limit_ms": LIMIT,
            "seats": seats,
            "start": start,
            "created_ms": T0,
        }
    )
    race = begin("r", created)
    for name in names:
        race = evolve(race, Entered(player=player(name)))
    return race


def after(race: Race, *commands: RaceCommand, now_ms: int = T0) -> Race:
    for command in commands:
        for event in decide(race, command, now_ms):
            race = evolve(race, event)
    return race


def running(*names: str) -> Race:
    race = after(lobby(*names), *(SetReady(name, True) for name in names))
    return after(race, PassTime(), now_ms=T0 + COUNTDOWN_MS)


def ended(name: str) -> EndAttempt:
    return EndAttempt(AttemptEnded(player=name, end=End.RESIGNED, end_ms=5, cards=9, at_ms=4))


def refusal(race: Race, command: RaceCommand) -> ErrorCode:
    with pytest.raises(RaceRefused) as refused:
        decide(race, command, T0)
    return refused.value.code


def test_when_all_are_ready_the_countdown_runs_to_an_absolute_instant() -> None:
    race = after(lobby("ann", "bob"), SetReady("ann", True), SetReady("bob", True))
    assert race.phase is Phase.COUNTDOWN
    assert race.start_ms == T0 + COUNTDOWN_MS


def test_one_player_alone_being_ready_starts_nothing() -> None:
    assert after(lobby("ann"), SetReady("ann", True)).phase is Phase.OPEN


def test_where_the_host_starts_being_ready_is_not_enough() -> None:
    race = after(lobby("ann", "bob", start="host"), SetReady("ann", True), SetReady("bob", True))
    assert race.phase is Phase.OPEN
    assert after(race, BeginCountdown("ann")).phase is Phase.COUNTDOWN


def test_a_race_does_not_start_before_its_instant() -> None:
    race = after(lobby("ann", "bob"), BeginCountdown("ann"))
    assert after(race, PassTime(), now_ms=T0 + COUNTDOWN_MS - 1).phase is Phase.COUNTDOWN
    assert after(race, PassTime(), now_ms=T0 + COUNTDOWN_MS).phase is Phase.RUNNING


def test_only_the_host_may_start_or_remove() -> None:
    race = lobby("ann", "bob")
    assert refusal(race, BeginCountdown("bob")) is ErrorCode.NOT_HOST
    assert refusal(race, Remove("bob", "ann")) is ErrorCode.NOT_HOST


def test_a_host_alone_cannot_start() -> None:
    assert refusal(lobby("ann"), BeginCountdown("ann")) is ErrorCode.NOT_ENOUGH_PLAYERS


def test_entering_twice_takes_one_seat() -> None:
    race = lobby("ann", "bob")
    assert decide(race, TakeSeat(player("bob")), T0) == []


def test_a_full_race_takes_nobody() -> None:
    assert refusal(lobby("ann", "bob", seats=2), TakeSeat(player("cat"))) is ErrorCode.FULL


def test_who_was_removed_cannot_come_back() -> None:
    race = after(lobby("ann", "bob"), Remove("ann", "bob"))
    assert race.seat("bob") is None
    assert refusal(race, TakeSeat(player("bob"))) is ErrorCode.KICKED


def test_the_host_who_leaves_hands_the_race_on() -> None:
    race = after(lobby("ann", "bob", "cat"), GiveUpSeat("ann"))
    assert race.host == "bob"


def test_a_race_that_everyone_left_closes() -> None:
    assert after(lobby("ann"), GiveUpSeat("ann")).phase is Phase.CLOSING


@pytest.mark.parametrize("command", [TakeSeat(player("cat")), GiveUpSeat("ann"), Remove("ann", "bob")])
def test_nobody_comes_or_goes_once_the_countdown_runs(command: RaceCommand) -> None:
    race = after(lobby("ann", "bob"), BeginCountdown("ann"))
    assert refusal(race, command) is ErrorCode.ALREADY_STARTED


def test_a_race_closes_when_its_last_attempt_has_ended_and_not_before() -> None:
    race = after(running("ann", "bob", "cat"), ended("ann"), ended("cat"))
    assert race.phase is Phase.RUNNING
    assert after(race, ended("bob")).phase is Phase.CLOSING


def test_an_attempt_s_end_is_told_once() -> None:
    race = after(running("ann", "bob"), ended("ann"))
    assert decide(race, ended("ann"), T0) == []


def test_a_race_closes_at_its_limit_and_a_grace_for_what_was_received_in_time() -> None:
    race = running("ann", "bob")
    closes = T0 + COUNTDOWN_MS + LIMIT
    assert race.closes_ms == closes
    assert after(race, PassTime(), now_ms=closes + GRACE_MS - 1).phase is Phase.RUNNING
    assert after(race, PassTime(), now_ms=closes + GRACE_MS).phase is Phase.CLOSING


def test_a_lobby_that_never_starts_closes() -> None:
    assert after(lobby("ann", "bob"), PassTime(), now_ms=T0 + LOBBY_MS).phase is Phase.CLOSING


def test_results_are_published_once_and_only_while_closing() -> None:
    publish = Publish((), "citadel:ms:1", "00")
    assert decide(running("ann", "bob"), publish, T0) == []
    closing = after(running("ann", "bob"), ended("ann"), ended("bob"))
    closed = after(closing, publish)
    assert closed.phase is Phase.CLOSED
    assert decide(closed, publish, T0) == []


def test_a_rematch_is_made_once_by_somebody_who_was_there() -> None:
    closed = after(running("ann", "bob"), ended("ann"), ended("bob"), Publish((), "citadel:ms:1", "00"))
    assert refusal(closed, OfferRematch("eve", "r2", "l2")) is ErrorCode.NOT_ENTERED
    offered = after(closed, OfferRematch("ann", "r2", "l2"))
    assert offered.rematch is not None
    assert decide(offered, OfferRematch("bob", "r3", "l3"), T0) == []
    assert refusal(running("ann", "bob"), OfferRematch("ann", "r2", "l2")) is ErrorCode.NOT_CLOSED


class RaceMachine(RuleBasedStateMachine):
    """Any commands in any order: the race is always what its stored events say, and never does the impossible."""

    names = st.sampled_from(["ann", "bob", "cat", "dan"])

    def __init__(self) -> None:
        super().__init__()
        self.race = lobby("ann")
        self.texts = [format_event(self.race.created), format_event(Entered(player=player("ann")))]
        self.now = T0
        self.furthest = Phase.OPEN

    def send(self, command: RaceCommand) -> None:
        try:
            events = decide(self.race, command, self.now)
        except RaceRefused:
            return
        for event in events:
            self.texts.append(format_event(event))
            assert parse_event(self.texts[-1]) == event
            self.race = evolve(self.race, event)

    @rule(name=names)
    def take(self, name: str) -> None:
        self.send(TakeSeat(player(name)))

    @rule(name=names)
    def give_up(self, name: str) -> None:
        self.send(GiveUpSeat(name))

    @rule(name=names, by=names)
    def remove(self, name: str, by: str) -> None:
        self.send(Remove(by, name))

    @rule(name=names, ready=st.booleans())
    def set_ready(self, name: str, ready: bool) -> None:
        self.send(SetReady(name, ready))

    @rule(name=names)
    def start(self, name: str) -> None:
        self.send(BeginCountdown(name))

    @rule(name=names)
    def end(self, name: str) -> None:
        self.send(ended(name))

    @rule(ms=st.sampled_from([1, COUNTDOWN_MS, LIMIT, LOBBY_MS]))
    def wait(self, ms: int) -> None:
        self.now += ms
        self.send(PassTime())

    @rule()
    def publish(self) -> None:
        self.send(Publish((), "citadel:ms:1", None))

    @rule(name=names)
    def rematch(self, name: str) -> None:
        self.send(OfferRematch(name, "r2", "l2"))

    @invariant()
    def the_race_is_what_its_stored_events_say(self) -> None:
        assert load("r", self.texts) == self.race

    @invariant()
    def every_event_counts_once(self) -> None:
        assert self.race.seq == len(self.texts)

    @invariant()
    def phases_never_run_back(self) -> None:
        order = list(Phase)
        assert order.index(self.race.phase) >= order.index(self.furthest)
        self.furthest = self.race.phase

    @invariant()
    def seats_and_host_agree(self) -> None:
        ids = [seat.player.id for seat in self.race.seats]
        assert len(set(ids)) == len(ids) <= 3
        assert self.race.host in ids if ids else self.race.host is None


test_any_commands_leave_a_race_consistent = RaceMachine.TestCase
