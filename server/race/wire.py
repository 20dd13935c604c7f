"""A race's stored events as the events that players and watchers get."""

from typing import assert_never

from protocol import events as wire
from rules.positions import Position, encode_position, view
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
)


def to_wire(race: str, seq: int, event: RaceEvent, now_ms: int, dealt: Position | None) -> wire.RaceEvent | None:
    """The event for the wire; None for `created`, which nobody can have been there to hear.

    `dealt` is the deal, given once it has been revealed: `started` then shows what a player may know of it.
    """
    match event:
        case Created():
            return None
        case Entered(player=player):
            return wire.Entered(race=race, seq=seq, now_ms=now_ms, player=player)
        case Left(player=player, kicked=kicked, host=host):
            return wire.Left(race=race, seq=seq, now_ms=now_ms, player=player, kicked=kicked, host=host)
        case ReadyChanged(player=player, ready=ready):
            return wire.ReadyEvent(race=race, seq=seq, now_ms=now_ms, player=player, ready=ready)
        case CountdownBegun(start_ms=start_ms):
            return wire.Countdown(race=race, seq=seq, now_ms=now_ms, start_ms=start_ms)
        case Started(start_ms=start_ms, closes_ms=closes_ms):
            position = None if dealt is None else encode_position(view(dealt))
            return wire.Started(
                race=race, seq=seq, now_ms=now_ms, start_ms=start_ms, closes_ms=closes_ms, position=position
            )
        case AttemptEnded():
            return wire.Finished(
                race=race,
                seq=seq,
                now_ms=now_ms,
                player=event.player,
                end=event.end,
                end_ms=event.end_ms,
                cards=event.cards,
                at_ms=event.at_ms,
            )
        case ClosingBegun():
            return wire.Closing(race=race, seq=seq, now_ms=now_ms)
        case ResultsPublished(results=results, deal=deal, nonce=nonce):
            return wire.Closed(race=race, seq=seq, now_ms=now_ms, results=results, deal=deal, nonce=nonce)
        case RematchMade(new_race=new_race):
            return wire.RematchOffered(race=race, seq=seq, now_ms=now_ms, new_race=new_race)
        case _:
            assert_never(event)
