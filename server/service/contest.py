"""All that a connection may ask of the contest, in one place: what sockets and routes are written against."""

import json
from collections import OrderedDict
from dataclasses import dataclass

from protocol.codes import Phase
from protocol.commands import Create
from protocol.events import Progress, Snapshot
from protocol.fields import LIMIT_MS_MAX
from protocol.parts import PlayerRef
from rules.history import History
from rules.positions import Position
from rules.variants import variants
from server.clock import Clock
from server.race.attempt import Attempt
from server.race.daily import parse_daily_id
from server.race.race import COUNTDOWN_MS, GRACE_MS, LOBBY_MS, Race
from server.race.standing import standing_key
from server.service.archive import Archive
from server.service.boards import Boards
from server.service.creating import Creating
from server.service.dailies import Dailies
from server.service.day_results import DayResults
from server.service.dealing import DealSource
from server.service.finish_rates import FinishRates
from server.service.hints import Hints
from server.service.lives import Lives
from server.service.pairing import Pairing
from server.service.players import Greeting, Players
from server.service.presence import Presence
from server.service.races import Races, attempt_id
from server.service.results import Results
from server.service.seats import Opened, Seats
from server.service.settling import Settling
from server.service.snapshots import Snapshots
from server.service.sweeper import Sweeper
from server.store import Store
from server.store.keys import race_channel

DAILY_POST_MS = 10_000
DAILIES_REMEMBERED = 10_000
LONGEST_RACE_MS = LOBBY_MS + COUNTDOWN_MS + LIMIT_MS_MAX + GRACE_MS
"""From the first entering of a lobby on; nothing that runs was opened earlier."""


@dataclass(frozen=True, slots=True)
class Hello:
    """Who has connected: `token` only for a new guest, `live` the race that they are in the middle of, `seat` the one
    not begun in which they have a seat."""

    player: PlayerRef
    token: str | None
    live: str | None
    seat: str | None


class Contest:
    """The services of one process, joined."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        deals: DealSource,
        *,
        owner: str,
        players: Players,
        boards: Boards,
        expects_worker: bool = False,
    ) -> None:
        """`expects_worker`: one is kept running beside this process, whose deals are worth waiting for."""
        self.store = store
        self.clock = clock
        self.players = players
        self.boards = boards
        self._daily_posted: OrderedDict[tuple[str, str], int] = OrderedDict()
        self.races = Races(store, clock)
        self.seats = Seats(store, clock, self.races, players)
        self.creating = Creating(store, clock, self.races, self.seats, deals)
        self.snapshots = Snapshots(store, clock, self.races, players)
        self.results = Results(store, clock, self.races, players, boards)
        self.finish_rates = FinishRates(store, self.races, players)
        self.lives = Lives(store, clock, self.races, players, self.snapshots)
        self.archive = Archive(store, clock, self.results)
        self.day_results = DayResults(store)
        self.presence = Presence(store, clock)
        self.settling = Settling(
            store, clock, self.races, players, boards, self.results, self.finish_rates, self.lives, self.presence
        )
        self.pairing = Pairing(store, clock, self.races, self.seats, players, deals)
        self.hints = Hints(store, self.races, players)
        self.dailies = Dailies(store, clock, self.races, deals, expects_worker=expects_worker)
        self.sweeper = Sweeper(
            store, clock, self.races, self.settling, self.pairing, self.dailies, self.presence, owner
        )

    async def hello(self, token: str | None, bot: bool, address: str, device: str | None = None) -> Hello:
        """The player of a token, or a new guest; raises `ContestError` token_unknown."""
        greeting: Greeting = await self.players.hello(token, bot, address, device)
        race = await self.seats.current(greeting.player.id)
        held = None if race is None else race.id
        has_begun = race is not None and race.phase is not Phase.OPEN
        return Hello(
            greeting.player, greeting.token, live=held if has_begun else None, seat=None if has_begun else held
        )

    async def delete(self, player: str) -> None:
        """Deletes a player, so that nobody waits for them: places in queues and lobbies are given up, and the attempts
        that run are resigned. May be done again when it was interrupted; raises `ContestError` not_found."""
        await self.players.get(player)
        for variant in variants():
            if variant.ranked_by_default:
                await self.pairing.unqueue(player, variant.id)
        since_ms = self.clock.now_ms() - LONGEST_RACE_MS
        for ident in await self.store.players.attempts(player, since_ms):
            race = await self.races.find_readable(ident.rpartition(".")[0])
            if race is not None:
                await self._abandon(player, race)
        await self.players.delete(player)

    async def _abandon(self, player: str, race: Race) -> None:
        if race.phase is Phase.OPEN:
            if race.seat(player) is not None:
                await self.seats.leave(player, race.id)
        elif await self.seats.resign(player, race) and self.races.has_started(race):
            await self.ended(race.id, player)

    async def create(self, player: str, command: Create) -> str:
        """Makes a private race or opens a practice; its id."""
        return await self.creating.create(await self.players.ref(player), command)

    async def enter(self, player: str, race_or_link: str) -> str:
        """Takes a seat if one is needed; the race's id."""
        return await self.seats.enter(await self.players.ref(player), race_or_link)

    async def open(self, player: str, race_id: str) -> Opened:
        """Opens the player's attempt on this connection: its epoch rises, the one before is fenced."""
        return await self.seats.open(await self.players.ref(player), race_id)

    async def snapshot(self, race_id: str, viewer: str | None) -> Snapshot:
        """The race as the viewer may know it, without their attempt."""
        return await self.snapshots.take(race_id, viewer)

    async def watchable(self, player: str, race_or_link: str) -> str:
        """The id of a race that this player may watch."""
        return (await self.races.find(player, race_or_link)).id

    async def dealt(self, race_id: str) -> Position:
        """The deal of a race that has started."""
        return await self.races.dealt(race_id)

    async def leave(self, player: str, race_id: str) -> bool:
        """Gives up a seat."""
        return await self.seats.leave(player, race_id)

    async def kick(self, player: str, race_id: str, kicked: str) -> bool:
        """Removes another player, as host."""
        return await self.seats.kick(player, race_id, kicked)

    async def ready(self, player: str, race_id: str, *, ready: bool) -> bool:
        """Says whether one is ready."""
        return await self.seats.ready(player, race_id, ready=ready)

    async def start(self, player: str, race_id: str) -> bool:
        """Begins the countdown, as host."""
        return await self.seats.start(player, race_id)

    async def rematch(self, player: str, race_id: str) -> str:
        """The id of the race that follows this one."""
        return await self.creating.rematch(await self.players.ref(player), race_id)

    async def queue(self, player: str, variant: str) -> str | None:
        """Waits for an opponent, or the race if there was one."""
        return await self.pairing.queue(await self.players.ref(player), variant)

    async def unqueue(self, player: str, variant: str) -> str | None:
        """Stops waiting, or the race if a pair had been made."""
        return await self.pairing.unqueue(player, variant)

    async def beat(self, player: str, variant: str) -> bool:
        """Who waits is still there; False: this player does not wait."""
        return await self.pairing.beat(player, variant)

    async def moved(self, race_id: str, player: str, attempt: Attempt) -> None:
        """After a stored append: the best progress is posted, and a race started together hears of what changed.

        A daily has no audience while it is played: there the standing is posted now and then, and at the end.
        """
        if parse_daily_id(race_id) is not None and not self._daily_is_due(race_id, player):
            return
        await self._post(race_id, player, attempt.history)
        if parse_daily_id(race_id) is None:
            await self._publish_progress(race_id, player, attempt)

    def _daily_is_due(self, race_id: str, player: str) -> bool:
        """Was this attempt's standing last posted long enough ago?"""
        now_ms, key = self.clock.now_ms(), (race_id, player)
        if now_ms - self._daily_posted.get(key, 0) < DAILY_POST_MS:
            return False
        self._daily_posted[key] = now_ms
        self._daily_posted.move_to_end(key)
        if len(self._daily_posted) > DAILIES_REMEMBERED:
            self._daily_posted.popitem(last=False)
        return True

    async def _post(self, race_id: str, player: str, history: History) -> None:
        if history.best_left < history.start.cards_left:
            key = standing_key(history.best_left, history.best_ms)
            await self.store.races.post(race_id, player, key)

    async def _publish_progress(self, race_id: str, player: str, attempt: Attempt) -> None:
        history = attempt.history
        progress = Progress(
            race=race_id,
            player=player,
            version=attempt.version,
            cards=attempt.position.progress,
            best_cards=attempt.best_cards,
            best_ms=history.best_ms,
            undos=history.undos,
            tops=[len(pile) for pile in attempt.position.foundations],
        )
        payload = json.dumps({"progress": progress.model_dump(mode="json", exclude_none=True)})
        await self.store.races.publish(race_channel(race_id), payload)

    async def ended(self, race_id: str, player: str) -> None:
        """After an attempt's end was stored: the race hears of it, and closes if it was the last."""
        race = await self.races.load(race_id)
        row = await self.store.attempts.load(attempt_id(race_id, player))
        if row is not None and row.end is not None:
            race = await self.settling.attempt_ended(race, player, row)
        if race.phase is Phase.CLOSING:
            await self.settling.advance(race_id)
