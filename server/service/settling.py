"""Bringing races forward: what is due happens, ended attempts are told, and closing races get their results.

Every step may be interrupted by a crash and is found again: `advance` looks at what is stored and does what is
missing, any number of times, on any process.
"""

from protocol.codes import End, Kind, Phase
from protocol.parts import Standing
from rules.deals import deal, deal_keys, parse_deal_code
from rules.record import Record
from server.clock import Clock
from server.race import daily
from server.race import race as racing
from server.race.events import AttemptEnded
from server.race.race import Race
from server.race.standing import Score, rank
from server.service.boards import Boards
from server.service.finish_rates import FinishRates
from server.service.lives import Lives
from server.service.players import Players
from server.service.presence import Presence
from server.service.races import Races, attempt_id, next_due_ms
from server.service.records import key_of, record_of, standing_of
from server.service.results import Results
from server.store import Store
from server.store.attempts import AttemptRow

RESULTS_IN_EVENT = 100
"""A daily's `closed` event holds so many; all of them are read by pages over HTTP."""
KEPT_MS = {Kind.PRACTICE: 7 * 86_400_000, Kind.PRIVATE: 90 * 86_400_000, Kind.QUICK: 90 * 86_400_000}
"""How long a closed race can still be seen; dailies stay."""


class Settling:
    """Advances races, one at a time, from what is stored."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        races: Races,
        players: Players,
        boards: Boards,
        results: Results,
        finish_rates: FinishRates,
        lives: Lives,
        presence: Presence,
    ) -> None:
        self._store = store
        self._clock = clock
        self._races = races
        self._players = players
        self._boards = boards
        self._results = results
        self._finish_rates = finish_rates
        self._lives = lives
        self._presence = presence

    async def advance(self, race_id: str) -> int | None:
        """Does all that is due for a race; when to look again (ms), None when nothing will ever be due."""
        race, _ = await self._races.change(race_id, racing.PassTime())
        if race.phase is Phase.RUNNING and race.kind is not Kind.DAILY:
            race = await self._tell_ended(race)
        if race.phase is Phase.RUNNING:
            await self._lives.begin(race)
        if race.is_together and race.phase is not Phase.CLOSED:
            await self._presence.lapse(race.id)
        if race.phase is Phase.CLOSING:
            race = await self._close(race)
        if race.phase is Phase.CLOSED:
            await self._after_close(race)
            return None
        return next_due_ms(race, self._clock.now_ms())

    async def _tell_ended(self, race: Race) -> Race:
        """Tells the race of attempts whose end was stored but not told yet."""
        for seat in race.seats:
            if seat.ended is not None:
                continue
            row = await self._store.attempts.load(attempt_id(race.id, seat.player.id))
            if row is not None and row.end is not None:
                race = await self.attempt_ended(race, seat.player.id, row)
        return race

    async def attempt_ended(self, race: Race, player: str, row: AttemptRow) -> Race:
        """Tells the race of an attempt's end; the race after it."""
        record = await self.record(race, player, row)
        key = key_of(record, await self._races.dealt(race.id))
        if key is not None:
            await self._store.races.post(race.id, player, key)
        challenge = daily.parse_daily_id(race.id)
        if challenge is not None:
            await self._boards.post_daily_attempt(challenge, player, key)
            await self._results.note_daily(race, player, row)
            await self._players.note_closed(player, challenge.day)
            return race
        ended = AttemptEnded(
            player=player,
            end=End(record.end.kind),
            end_ms=record.end.at_ms,
            cards=record.result.cards,
            at_ms=record.result.at_ms,
        )
        race, _ = await self._races.change(race.id, racing.EndAttempt(ended))
        return race

    async def expire(self, ident: str) -> None:
        """Seals an own-clock attempt whose limit has passed and posts it."""
        race_id, _, player = ident.rpartition(".")
        race = await self._races.load(race_id)
        row = await self._store.attempts.seal(ident, race.created.limit_ms)
        await self.attempt_ended(race, player, row)

    async def _close(self, race: Race) -> Race:
        secret = await self._races.secret(race.id)
        if race.kind is Kind.DAILY:
            results = await self._daily_results(race)
        else:
            results = await self._result(race)
        opened = race.created.practice_of or secret.deal
        publish = racing.Publish(tuple(results), opened, secret.nonce or None)
        race, _ = await self._races.change(race.id, publish)
        return race

    async def _result(self, race: Race) -> list[Standing]:
        """The result of a race with seats: every attempt is sealed first, then all are ranked."""
        if race.start_ms is None:
            return []
        code = parse_deal_code((await self._races.secret(race.id)).deal)
        start = deal(code)
        refs = await self._players.refs(seat.player.id for seat in race.seats)
        records: dict[str, Record] = {}
        scores = []
        for player in refs:
            row = await self._store.attempts.seal(attempt_id(race.id, player), race.created.limit_ms)
            records[player] = record_of(race, code, player, row)
            key = key_of(records[player], start)
            scores.append(Score(player, key))
            if key is not None:
                await self._store.races.post(race.id, player, key)
        return [standing_of(records[score.player], place, refs[score.player]) for place, score in rank(scores)]

    async def record(self, race: Race, player: str, row: AttemptRow) -> Record:
        """The record of a player's attempt. Whether it may be shown, the caller says."""
        code = parse_deal_code((await self._races.secret(race.id)).deal)
        return record_of(race, code, player, row)

    async def _daily_results(self, race: Race) -> list[Standing]:
        """The head of a daily's result; closing the day seals every attempt first."""
        challenge = daily.parse_daily_id(race.id)
        head = (
            []
            if challenge is None
            else await self._boards.close_day(challenge, limit=RESULTS_IN_EVENT, grade=race.created.grade)
        )
        results = []
        for line in head:
            row = await self._store.attempts.load(attempt_id(race.id, line.player.id))
            record = None if row is None else await self.record(race, line.player.id, row)
            results.append(line if record is None else standing_of(record, line.place, line.player))
        return results

    async def _after_close(self, race: Race) -> None:
        """What follows from a published result; each step may be done again."""
        secret = await self._races.secret(race.id)
        if race.is_together or race.kind is Kind.DAILY:
            await self._store.deals.release(deal_keys(parse_deal_code(secret.deal)), race.id)
        for seat in race.seats:
            await self._store.players.clear_live(seat.player.id, race.id)
        await self._lives.end(race)
        challenge = daily.parse_daily_id(race.id)
        if challenge is not None:
            await self._results.close_day(challenge, race)
            await self._finish_rates.note(race)
        if race.kind is Kind.QUICK and race.closed is not None:
            await self._boards.post_quick(race, race.closed.results)
            await self._results.close_quick(race)
            await self._finish_rates.note(race)
            for seat in race.seats:
                await self._players.note_closed(seat.player.id, daily.day_of(race.closed.closed_ms))
        await self._forget_later(race)

    async def _forget_later(self, race: Race) -> None:
        kept_ms = KEPT_MS.get(race.kind)
        if kept_ms is None:
            return
        await self._store.races.expire(race.id, kept_ms)
        for seat in race.seats:
            await self._store.attempts.expire(attempt_id(race.id, seat.player.id), kept_ms)
        if race.created.link is not None:
            await self._store.links.expire(race.created.link, kept_ms)
