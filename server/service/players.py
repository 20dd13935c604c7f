"""Players: guests at once, claimed names, recovery, export, deletion, and who was seen together."""

import json
import secrets
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from protocol.codes import ErrorCode
from protocol.parts import Entrant, PlayerRef, Standing
from server.clock import Clock
from server.race.daily import day_of
from server.service.board_names import is_for_bots
from server.service.chance import random_code
from server.service.errors import ContestError
from server.service.guests import Chance, guest_name
from server.service.names import NameRefused, fold_name, parse_name
from server.service.tokens import (
    hash_recovery_code,
    hash_token,
    is_recovery_code,
    new_recovery_code,
    new_token,
    salted_hash,
)
from server.store import Store
from server.store.keys import SIGNED_OUT_CHANNEL
from server.store.players import Claim, PlayerRow
from server.store.reports import ReportStore
from server.store.reviews import ReviewStore

ID_LETTERS = 24
"""Longer than any name, so that an id is never taken for one."""
REMOVED = "removed player"
"""Shown instead of the name of who was deleted or hidden."""
_SIGHTINGS_KEPT = 50_000

Shown = TypeVar("Shown", Entrant, Standing)


@dataclass(frozen=True, slots=True)
class Greeting:
    """Who says hello; `token` only for a new guest."""

    player: PlayerRef
    token: str | None


class ExportedRow(BaseModel):
    """A row on a board."""

    model_config = ConfigDict(frozen=True)

    board: str
    place: int
    score: int
    row: str | None = None


class Export(BaseModel):
    """All that is stored about a player, but for hashes of token and codes."""

    model_config = ConfigDict(frozen=True)

    player: PlayerRef
    created_ms: int
    claimed_ms: int | None = None
    first_day: int | None = None
    """The first day with a closed daily or quick match, in days since 1970."""
    attempts: list[str] = []
    """Ids, latest first; what was played is read at `attempts/{id}/replay`."""
    boards: list[ExportedRow] = []
    results: list[str] = []
    """JSON as stored, with the race, the latest first; statistics are made from them."""


class Players:
    """The players of a server. `salt` is one secret for all its processes: devices and addresses are hashed with it.

    `unlimited` addresses stand for many people, such as a proxy's on this machine.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        chance: Chance | None = None,
        *,
        salt: bytes | None = None,
        unlimited: Collection[str] = (),
    ) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance or secrets.SystemRandom()
        self._salt = salt or secrets.token_bytes(16)
        self._unlimited = frozenset(unlimited)
        self._reviews = ReviewStore(store.link)
        self._reports = ReportStore(store.link)
        self._sightings: OrderedDict[str, dict[str, str]] = OrderedDict()

    async def hello(self, token: str | None, bot: bool, address: str, device: str | None = None) -> Greeting:
        """The player of a token, or a new guest; raises `ContestError` token_unknown.

        `bot` marks the player for ever; leaving it out later changes nothing.
        """
        if token is not None:
            row = await self.by_token(token)
            if row is None:
                raise ContestError(ErrorCode.TOKEN_UNKNOWN)
            await self._store.players.renew(row.id, hash_token(token))
            if bot and not row.bot:
                row = await self._mark_bot(row)
            told = None
        else:
            told = new_token()
            row = PlayerRow(
                id=random_code(ID_LETTERS), name=guest_name(self._chance), bot=bot, created_ms=self._clock.now_ms()
            )
            await self._store.players.create(row, hash_token(told))
        await self._note_sighting(row.id, address, device)
        return Greeting(_ref(row), told)

    async def _mark_bot(self, row: PlayerRow) -> PlayerRow:
        """Marks a player as a bot and hides it from the boards that are for people."""
        await self._store.players.set_bot(row.id)
        for board in await self._store.boards.boards():
            if not is_for_bots(board):
                await self._store.boards.hide(board, row.id)
        return replace(row, bot=True)

    async def by_token(self, token: str) -> PlayerRow | None:
        """Whose token it is, None if it is nobody's."""
        return await self._store.players.by_token(hash_token(token))

    async def get(self, player_id: str) -> PlayerRow:
        """The player's row; raises `ContestError` not_found."""
        row = await self._store.players.get(player_id)
        if row is None:
            raise ContestError(ErrorCode.NOT_FOUND, "player")
        return row

    async def ref(self, player_id: str) -> PlayerRef:
        """The player as others see them; raises `ContestError` not_found."""
        return _ref(await self.get(player_id))

    async def refs(self, player_ids: Iterable[str]) -> dict[str, PlayerRef]:
        """Players as others see them; one who is not stored any more is shown as removed."""
        rows = await self._store.players.get_many(player_ids)
        return {
            player: _ref(row) if row is not None else PlayerRef(id=player, name=REMOVED, guest=True, bot=False)
            for player, row in rows.items()
        }

    async def refresh(self, shown: Sequence[Shown]) -> list[Shown]:
        """Entrants or standings as stored, with their players as they are now: a name that was removed later is not
        told again from a race's events."""
        refs = await self.refs(one.player.id for one in shown)
        return [one.model_copy(update={"player": refs[one.player.id]}) for one in shown]

    async def by_name(self, text: str) -> PlayerRow | None:
        """Who has claimed this name (case does not count), None if nobody has; a look-alike is not it."""
        row = await self.by_name_or_hidden(text)
        return None if row is None or row.hidden else row

    async def by_name_or_hidden(self, text: str) -> PlayerRow | None:
        """Who has claimed this name, a hidden player too: for whoever runs the server."""
        try:
            name = parse_name(text)
        except NameRefused:
            return None
        row = await self._store.players.by_name(name.key)
        return row if row is not None and fold_name(row.name) == name.folded else None

    async def claim(self, player_id: str, text: str) -> str:
        """Claims a name for good, all results kept; a new recovery code, told this once.

        Claiming one's own name again gives a new code and voids the one before. Raises `ContestError` name_refused,
        name_taken (also for a name that looks like it), name_claimed_already or not_found.
        """
        try:
            name = parse_name(text)
        except NameRefused as refused:
            raise ContestError(ErrorCode.NAME_REFUSED, "name", str(refused)) from None
        match await self._store.players.claim_name(player_id, name.key, name.shown, self._clock.now_ms()):
            case Claim.TAKEN:
                raise ContestError(ErrorCode.NAME_TAKEN, "name")
            case Claim.CLAIMED_ALREADY:
                raise ContestError(ErrorCode.NAME_CLAIMED_ALREADY, "name")
            case Claim.UNKNOWN_PLAYER:
                raise ContestError(ErrorCode.NOT_FOUND, "player")
            case Claim.DONE:
                code = new_recovery_code()
                await self._store.players.set_recovery(player_id, hash_recovery_code(code))
                return code

    async def recover(self, text: str, code: str) -> tuple[PlayerRef, str]:
        """The player of a claimed name and a new token, all older ones being void; raises recovery_refused."""
        row = await self.by_name(text)
        if not is_recovery_code(code, row.recovery if row else None) or row is None:
            raise ContestError(ErrorCode.RECOVERY_REFUSED)
        token = new_token()
        await self._store.players.add_token(row.id, hash_token(token))
        await self._sign_out(row.id, but=hash_token(token))
        return _ref(row), token

    async def _sign_out(self, player_id: str, *, but: str | None = None) -> None:
        """Voids the tokens, but for one, and has the connections closed that said hello with them."""
        await self._store.players.drop_tokens(player_id, but=but)
        await self._store.races.publish(SIGNED_OUT_CHANNEL, player_id)

    async def export(self, player_id: str) -> Export:
        """All that is stored about a player; raises `ContestError` not_found."""
        row = await self.get(player_id)
        boards = [
            ExportedRow(board=board, place=ranked.place, score=ranked.score, row=ranked.row)
            for board in sorted(await self._store.boards.boards())
            for ranked in await self._store.boards.around(board, player_id, 0)
        ]
        return Export(
            player=_ref(row),
            created_ms=row.created_ms,
            claimed_ms=row.claimed_ms,
            first_day=row.first_day,
            attempts=await self._store.players.attempts(player_id),
            boards=boards,
            results=[
                json.dumps({"race": row.member, **json.loads(row.row)})
                for row in await self._store.results.everything(player_id)
                if row.row is not None
            ],
        )

    async def delete(self, player_id: str) -> None:
        """Deletes a player: tokens and recovery code are void, rows on boards hidden, results forgotten, the
        name stays reserved.

        May be done again when it was interrupted.
        """
        await self.hide(player_id)
        await self._store.players.set_recovery(player_id, "")
        await self._store.results.forget(player_id)
        await self._sign_out(player_id)

    async def hide(self, player_id: str) -> None:
        """Hides a player's name and rows everywhere, later rows too; raises `ContestError` not_found."""
        await self.get(player_id)
        await self._store.players.set_hidden(player_id, hidden=True)
        await self._store.boards.hide_everywhere(player_id)

    async def unhide(self, player_id: str) -> None:
        """Shows a hidden player again, a bot on the boards of bots alone; raises `ContestError` not_found, also for one
        who was deleted: that is for good."""
        row = await self.get(player_id)
        if row.is_deleted:
            raise ContestError(ErrorCode.NOT_FOUND, "player")
        await self._store.players.set_hidden(player_id, hidden=False)
        for board in await self._store.boards.boards():
            if is_for_bots(board) or not row.bot:
                await self._store.boards.unhide(board, player_id)

    async def note_closed(self, player_id: str, day: int) -> None:
        """Notes a closed daily or quick match of this day: from the next day on, dailies may be ranked."""
        await self._store.players.attempt_closed(player_id, day)

    def is_ranked(self, row: PlayerRow, start_ms: int) -> bool:
        """Is a daily begun at `start_ms` ranked? With a claimed name and a closed attempt on an earlier day."""
        claimed = row.claimed_ms is not None and row.claimed_ms <= start_ms
        return claimed and not row.bot and row.first_day is not None and row.first_day < day_of(start_ms)

    async def note_opening(self, player_id: str, race_id: str) -> bool:
        """Puts the attempt of who opens a daily under review when somebody of the same device or address has opened it
        too. True if it is under review.

        Call it when the player is among the race's entrants: of two who open it together, one sees the other.
        """
        if not await self._store.races.entrants_among(race_id, await self._companions(player_id)):
            return False
        await self._reviews.add(race_id, player_id)
        return True

    async def is_under_review(self, player_id: str, race_id: str) -> bool:
        """Is the player's attempt at a daily under review?"""
        return await self._reviews.has(race_id, player_id)

    async def end_review(self, player_id: str, race_id: str) -> None:
        """Whoever runs the server has looked at it."""
        await self._reviews.remove(race_id, player_id)

    async def report(self, by: str, reason: str, player: str | None, race: str | None, text: str) -> str:
        """Stores a report for whoever runs the server; its id. Raises `ContestError` not_found for a player or a race
        that is not known."""
        if player is not None:
            await self.get(player)
        if race is not None and not await self._store.races.load(race):
            raise ContestError(ErrorCode.NOT_FOUND, "race")
        report = random_code(12)
        kept = {"id": report, "at_ms": self._clock.now_ms(), "by": by, "reason": reason}
        kept |= {"player": player, "race": race, "text": text}
        await self._reports.add(json.dumps(kept))
        return report

    async def reports(self, limit: int) -> list[str]:
        """The latest reports (JSON), newest first."""
        return await self._reports.latest(limit)

    def share_of(self, address: str) -> str | None:
        """Under which name the share of an address is counted, a salted hash; None if it has as much as it likes."""
        return None if address in self._unlimited else salted_hash(self._salt, "share", address)

    async def _note_sighting(self, player_id: str, address: str, device: str | None) -> None:
        """Keeps a salted hash of device and address for a day, and remembers here which they were."""
        digests = {"address": salted_hash(self._salt, "address", address)} if address else {}
        if device is not None:
            digests["device"] = salted_hash(self._salt, "device", device)
        for kind, digest in digests.items():
            await self._store.players.note_mark(kind, digest, player_id, self._clock.now_ms())
        self._sightings[player_id] = digests
        self._sightings.move_to_end(player_id)
        if len(self._sightings) > _SIGHTINGS_KEPT:
            self._sightings.popitem(last=False)

    async def _companions(self, player_id: str) -> list[str]:
        """Others seen within a day with the device or address that this player was last seen with here."""
        seen: dict[str, None] = {}
        for kind, digest in self._sightings.get(player_id, {}).items():
            seen |= dict.fromkeys(await self._store.players.marked(kind, digest, self._clock.now_ms()))
        return [player for player in seen if player != player_id]


def _ref(row: PlayerRow) -> PlayerRef:
    return PlayerRef(id=row.id, name=REMOVED if row.hidden else row.name, guest=row.guest, bot=row.bot)
