"""Hints in practice: who may ask, and what the solver said. A worker answers; here nothing is searched.

That an attempt is one of practice is made sure of below, by `rules.history`, which refuses the entry. What only the
store can know is asked here: is the deal raced just now, and does a solver run.
"""

from protocol.codes import ErrorCode, Phase
from protocol.events import Hint
from rules.deals import deal_keys, parse_deal_code
from rules.record import has_hints
from server.service.errors import ContestError
from server.service.players import Players
from server.service.races import Races, attempt_id
from server.store import Store
from server.store.hints import Asker


class Hints:
    """Questions to the solver and its answers."""

    def __init__(self, store: Store, races: Races, players: Players) -> None:
        self._store = store
        self._races = races
        self._players = players

    async def admit(self, player: str, race_id: str, address: str) -> None:
        """Before a hint is played: raises `ContestError` deal_live, no_solver or too_many_hints."""
        await self._check_deal(race_id)
        if not await self._store.workers.is_running():
            raise ContestError(ErrorCode.NO_SOLVER)
        if not await self._store.hints.admit(self._asker(player, race_id, address)):
            raise ContestError(ErrorCode.TOO_MANY_HINTS)

    async def seek(self, player: str, race_id: str, version: int, address: str) -> Hint | None:
        """What the solver said of an attempt whose last entry, at this version, is a hint.

        None as long as it has not: then it is asked, and the race's channel will tell. Raises `ContestError` deal_live,
        and too_many_hints for one that was answered so long ago that it is asked anew.
        """
        await self._check_deal(race_id)
        kept = await self._store.hints.answer(attempt_id(race_id, player))
        if kept is None or kept.version != version:
            if not await self._store.hints.ask(self._asker(player, race_id, address), version):
                raise ContestError(ErrorCode.TOO_MANY_HINTS)
            return None
        return Hint(
            race=race_id,
            version=version,
            verdict=kept.verdict,
            move=kept.line[0] if kept.line else None,
            left=len(kept.line) or None,
            back=kept.back,
            deal=kept.deal,
        )

    def _asker(self, player: str, race_id: str, address: str) -> Asker:
        return Asker(attempt_id(race_id, player), player, self._players.share_of(address))

    async def _check_deal(self, race_id: str) -> None:
        """A practice may be older than the race on its deal, and one of a daily begins while that is open to others."""
        race = await self._races.load(race_id)
        code = parse_deal_code((await self._races.secret(race_id)).deal)
        of = race.created.practice_of
        is_open = of is not None and (await self._races.load(of)).phase is not Phase.CLOSED
        if is_open or not has_hints(race.kind, code) or await self._store.deals.is_live(deal_keys(code)):
            raise ContestError(ErrorCode.DEAL_LIVE)
