"""How many of the attempts at a variant were finished. Counted are closed dailies and quick matches, people's attempts
alone, in which a move was played: bots are not, nor who was hidden by the time the race closed. Unlike the winnable
share it says nothing of deals.
"""

from dataclasses import dataclass

from protocol.codes import End, Kind
from rules.history import Act
from server.race.race import Race
from server.race.standing import split_standing_key
from server.service.board_names import period_of
from server.service.players import Players
from server.service.races import Races, attempt_id
from server.store import Store


@dataclass(frozen=True, slots=True)
class FinishRate:
    """So many of so many attempts finished."""

    attempts: int
    finished: int


class FinishRates:
    """Counts finishes, each race once."""

    def __init__(self, store: Store, races: Races, players: Players) -> None:
        self._store = store
        self._races = races
        self._players = players

    async def note(self, race: Race) -> None:
        """Counts the attempts of a race whose attempts are all sealed; counted again it replaces what was counted."""
        if race.created.chosen_deal:
            return
        quick_ms = None
        if race.kind is Kind.DAILY:
            ended = await self._of_day(race)
        elif race.kind is Kind.QUICK and race.closed is not None:
            ended = {one.player.id: one.end is End.FINISHED for one in race.closed.results if one.moves}
            quick_ms = race.closed.closed_ms
        else:
            return
        rows = await self._store.players.get_many(ended)
        people = [player for player, row in rows.items() if row is not None and not row.bot and not row.hidden]
        finished = sum(ended[player] for player in people)
        await self._store.finishes.note(
            race.created.variant, race.id, period_of(race.created.grade), len(people), finished, quick_ms
        )

    async def of(self, variant: str) -> dict[str, FinishRate]:
        """By difficulty grade, those with attempts alone."""
        totals = await self._store.finishes.totals(variant)
        return {grade: FinishRate(*numbers) for grade, numbers in sorted(totals.items()) if numbers[0]}

    async def rebuild(self, variant: str) -> int:
        """Counts again every race of a variant that is remembered and can still be read; how many those were."""
        counted = 0
        for race_id in await self._store.finishes.races(variant):
            race = await self._races.find_readable(race_id)
            if race is not None and race.closed is not None:
                await self.note(race)
                counted += 1
        return counted

    async def _of_day(self, race: Race) -> dict[str, bool]:
        standings = dict(await self._store.races.standings(race.id))
        ended: dict[str, bool] = {}
        for player, _ in await self._store.races.entrants(race.id):
            row = await self._store.attempts.load(attempt_id(race.id, player))
            if row is not None and row.entries and not row.entries[0].endswith(f" {Act.RESIGN}"):
                ended[player] = player in standings and split_standing_key(standings[player])[0] == 0
        return ended
