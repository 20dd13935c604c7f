"""A race as a client follows it: a snapshot, kept current by the events that come after it. No I/O.

Life-cycle events carry `seq`: one that was seen is ignored, a gap asks for a snapshot. Of progress and presence the
latest counts.
"""

from dataclasses import dataclass, field
from typing import Any

from protocol.codes import Phase
from protocol.events import (
    Accepted,
    Closed,
    Closing,
    Countdown,
    Entered,
    Finished,
    Left,
    Presence,
    Progress,
    RaceEvent,
    ReadyEvent,
    RematchOffered,
    Snapshot,
    Started,
)
from protocol.parts import Entrant, RaceState


@dataclass(slots=True)
class Followed:
    """What is known of a race; `needs_resync` asks for a snapshot."""

    state: RaceState
    seq: int
    needs_resync: bool = False
    _progress: dict[str, int] = field(default_factory=dict)
    _presence: dict[str, int] = field(default_factory=dict)

    @classmethod
    def begin(cls, snapshot: Snapshot) -> "Followed":
        """What a first snapshot tells."""
        return cls(snapshot.state, snapshot.seq)

    def renew(self, snapshot: Snapshot) -> bool:
        """Takes in a later snapshot; False for one that is older than what is known."""
        if snapshot.seq < self.seq:
            return False
        self.state, self.seq, self.needs_resync = snapshot.state, snapshot.seq, False
        return True

    def follow(self, event: RaceEvent) -> bool:
        """Takes in a life-cycle event; False if it was known already or lies behind a gap."""
        if event.seq <= self.seq:
            return False
        if event.seq > self.seq + 1:
            self.needs_resync = True
            return False
        self.seq = event.seq
        self.state = _evolved(self.state, event)
        return True

    def follow_progress(self, event: Progress) -> bool:
        """Takes in a player's progress; False for an older one."""
        if event.version < self._progress.get(event.player, 0):
            return False
        self._progress[event.player] = event.version
        self.state = _with(self.state, event.player, cards=event.best_cards, at_ms=event.best_ms)
        return True

    def follow_presence(self, event: Presence) -> bool:
        """Takes in whether a player is connected; False for older news."""
        if event.now_ms < self._presence.get(event.player, 0):
            return False
        self._presence[event.player] = event.now_ms
        self.state = _with(self.state, event.player, here=event.here)
        return True

    def note_own(self, player: str, event: Accepted) -> None:
        """Keeps one's own line current by the answers to one's commands."""
        self.state = _with(self.state, player, cards=event.best_cards, at_ms=event.best_ms)

    def entrant(self, player: str) -> Entrant | None:
        """A player's line; None if they are not in it."""
        return next((entrant for entrant in self.state.entrants if entrant.player.id == player), None)


def _evolved(state: RaceState, event: RaceEvent) -> RaceState:
    change: dict[str, Any]
    match event:
        case Entered(player=player):
            others = [entrant for entrant in state.entrants if entrant.player.id != player.id]
            change = {"entrants": [*others, Entrant(player=player)], "host": state.host or player.id}
        case Left(player=left, host=host):
            rest = [entrant for entrant in state.entrants if entrant.player.id != left]
            change = {"entrants": rest, "host": host}
        case ReadyEvent(player=player_id, ready=ready):
            return _with(state, player_id, ready=ready)
        case Countdown(start_ms=start_ms):
            change = {"phase": Phase.COUNTDOWN, "start_ms": start_ms}
        case Started(start_ms=start_ms, closes_ms=closes_ms):
            change = {"phase": Phase.RUNNING, "start_ms": start_ms, "closes_ms": closes_ms}
        case Finished():
            ended = {"end": event.end, "end_ms": event.end_ms, "cards": event.cards, "at_ms": event.at_ms}
            return _with(state, event.player, **ended)
        case Closing():
            change = {"phase": Phase.CLOSING}
        case Closed(results=results, deal=deal, nonce=nonce):
            change = {"phase": Phase.CLOSED, "results": results, "deal": deal, "nonce": nonce}
        case RematchOffered(new_race=new_race):
            change = {"rematch": new_race}
        case _:
            return state
    return state.model_copy(update=change)


def _with(state: RaceState, player: str, **change: Any) -> RaceState:
    entrants = [
        entrant.model_copy(update=change) if entrant.player.id == player else entrant for entrant in state.entrants
    ]
    return state.model_copy(update={"entrants": entrants})
