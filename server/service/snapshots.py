"""What a viewer may know of a race now."""

from protocol.codes import Phase
from protocol.events import Snapshot
from protocol.parts import Entrant, RaceState
from rules.variants import find_variant
from server.clock import Clock
from server.race.race import Race
from server.race.standing import split_standing_key
from server.service.players import Players
from server.service.races import Races
from server.store import Store


class Snapshots:
    """Makes snapshots from what is stored."""

    def __init__(self, store: Store, clock: Clock, races: Races, players: Players) -> None:
        self._store = store
        self._clock = clock
        self._races = races
        self._players = players

    async def take(self, race_id: str, viewer: str | None) -> Snapshot:
        """All that a viewer may know of a race now; their attempt is not in it."""
        race = await self._races.load(race_id)
        within = viewer is not None and race.seat(viewer) is not None
        created, closed = race.created, race.closed
        secret_open = closed is not None and created.practice_of is None
        deal_text = closed.deal if closed is not None and secret_open else None
        if created.chosen_deal and self._races.has_started(race):
            deal_text = (await self._races.secret(race_id)).deal
        return Snapshot(
            race=race_id,
            seq=race.seq,
            now_ms=self._clock.now_ms(),
            state=RaceState(
                id=race_id,
                kind=race.kind,
                variant=created.variant,
                phase=race.phase if self._races.has_started(race) or race.is_together else Phase.OPEN,
                host=race.host,
                link=created.link if within else None,
                limit_ms=created.limit_ms,
                iron=created.iron,
                seats=created.seats,
                start=created.start,
                chosen_deal=created.chosen_deal,
                certified=created.certified,
                grade=created.grade,
                commitment=created.commitment,
                committed_before=created.committed_before,
                deal=deal_text,
                nonce=closed.nonce if closed is not None and secret_open else None,
                created_ms=created.created_ms,
                start_ms=race.start_ms,
                closes_ms=race.closes_ms,
                rematch=race.rematch.new_race if race.rematch else None,
                entrants=await self._players.refresh(await self.entrants(race, viewer)),
                results=await self._players.refresh(closed.results) if closed is not None else None,
            ),
        )

    async def entrants(self, race: Race, viewer: str | None = None) -> list[Entrant]:
        """Who is in a race and how far, with the names of their time; the viewer, who asks, is here."""
        if not race.seats:
            return []
        cards = find_variant(race.created.variant).cards
        dealt = (await self._races.dealt(race.id)).progress if self._races.has_started(race) else 0
        keys = dict(await self._store.races.standings(race.id))
        away = await self._store.races.away(race.id, self._clock.now_ms())
        entrants = []
        for seat in race.seats:
            left, at_ms = cards - dealt, 0
            if seat.player.id in keys:
                left, at_ms = split_standing_key(keys[seat.player.id])
            entrants.append(
                Entrant(
                    player=seat.player,
                    ready=seat.ready,
                    here=seat.player.id == viewer or seat.player.id not in away,
                    cards=seat.ended.cards if seat.ended else cards - left,
                    at_ms=seat.ended.at_ms if seat.ended else at_ms,
                    end=seat.ended.end if seat.ended else None,
                    end_ms=seat.ended.end_ms if seat.ended else None,
                )
            )
        return entrants
