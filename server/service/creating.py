"""Making races: private ones, practices and rematches, each once for the key or race it comes from."""

import hashlib
import hmac

from protocol.codes import ErrorCode, Kind
from protocol.commands import Create
from protocol.parts import PlayerRef
from rules.deals import DealCode, deal, deal_keys, format_deal_code, parse_deal_code
from rules.errors import RulesError, UnknownOption, UnknownVariant
from rules.variants import Variant, find_variant
from server.clock import Clock
from server.race import daily
from server.race import race as racing
from server.race.events import Created, Entered, RematchMade
from server.race.race import Race
from server.service.chance import new_link_code, new_nonce, new_race_id
from server.service.dealing import PRACTICE, PRIVATE, DealSource, SecretDeal
from server.service.errors import ContestError
from server.service.races import Races, attempt_id, commitment, is_iron
from server.service.seats import Seats
from server.store import Store
from server.store.races import Secret

PRACTICE_LIMIT_MS = 24 * 3_600_000


class Creating:
    """Makes what players ask for."""

    def __init__(self, store: Store, clock: Clock, races: Races, seats: Seats, deals: DealSource) -> None:
        self._store = store
        self._clock = clock
        self._races = races
        self._seats = seats
        self._deals = deals

    async def create(self, player: PlayerRef, command: Create) -> str:
        """Makes the private race or practice that the command asks for, once for its key; the id of it."""
        fingerprint = hashlib.sha256(command.model_dump_json(exclude={"key"}).encode()).hexdigest()[:16]
        made = await self._store.players.created_key(player.id, command.key, f"{fingerprint}:{new_race_id()}")
        kept, _, race_id = made.partition(":")
        if not hmac.compare_digest(kept, fingerprint):
            raise ContestError(ErrorCode.KEY_REUSED, "key")
        if not await self._store.races.load(race_id):
            await self._make(race_id, player, command)
        return race_id

    async def _make(self, race_id: str, player: PlayerRef, command: Create) -> None:
        now = self._clock.now_ms()
        if command.kind == "practice":
            dealt, of = await self._practice_deal(player.id, command)
            code = dealt.code
            created = Created(
                kind=Kind.PRACTICE,
                variant=code.variant,
                host=player.id,
                limit_ms=PRACTICE_LIMIT_MS,
                iron=is_iron(find_variant(code.variant), command.iron),
                seats=1,
                chosen_deal=command.deal is not None and of is None,
                certified=dealt.certified,
                grade=dealt.grade,
                created_ms=now,
                start_ms=now,
                closes_ms=now + PRACTICE_LIMIT_MS,
                practice_of=of,
            )
            await self._races.make(race_id, Secret(format_deal_code(code), ""), created, Entered(player=player))
            return
        dealt = await self._race_deal(command)
        variant = find_variant(dealt.code.variant)
        await self._seats.take_live(player.id, race_id)
        secret = Secret(format_deal_code(dealt.code), new_nonce())
        created = Created(
            kind=Kind.PRIVATE,
            variant=variant.id,
            host=player.id,
            link=new_link_code(),
            limit_ms=command.limit_ms,
            iron=is_iron(variant, command.iron),
            seats=command.seats,
            start=command.start,
            chosen_deal=command.deal is not None,
            certified=dealt.certified,
            grade=dealt.grade,
            commitment=commitment(secret),
            created_ms=now,
        )
        await self._races.make(race_id, secret, created, Entered(player=player))
        await self._seats.confirm_live(player.id, race_id)

    async def _practice_deal(self, player: str, command: Create) -> tuple[SecretDeal, str | None]:
        if command.deal is None:
            return await self._deals.take(_variant(command.variant), PRACTICE), None
        if daily.parse_daily_id(command.deal) is not None:
            return await self._own_daily(player, command.deal)
        code = _parse_deal(command)
        if await self._store.deals.is_live(deal_keys(code)):
            raise ContestError(ErrorCode.DEAL_LIVE, "deal")
        return SecretDeal(code), None

    async def _own_daily(self, player: str, race_id: str) -> tuple[SecretDeal, str]:
        """A daily may be tried again, as practice, by who has ended the attempt that counts."""
        row = await self._store.attempts.load(attempt_id(race_id, player))
        if row is None or row.end is None:
            raise ContestError(ErrorCode.DEAL_LIVE, "deal")
        secret = await self._races.secret(race_id)
        created = (await self._races.load(race_id)).created
        return SecretDeal(parse_deal_code(secret.deal), created.certified, created.grade), race_id

    async def _race_deal(self, command: Create) -> SecretDeal:
        if command.deal is None:
            return await self._deals.take(_variant(command.variant), PRIVATE)
        code = _parse_deal(command)
        if find_variant(code.variant).has_hidden_cards:
            raise ContestError(ErrorCode.HIDDEN_NEEDS_SECRET, "deal")
        return SecretDeal(code)

    async def rematch(self, player: PlayerRef, race_id: str) -> str:
        """A new race like this one, made once for all who ask; who was in the old one may enter it by its id."""
        race = await self._races.find(player.id, race_id)
        race, events = await self._races.change(race.id, racing.OfferRematch(player.id, new_race_id(), new_link_code()))
        offered = race.rematch
        if offered is None:
            raise ContestError(ErrorCode.NOT_CLOSED)
        if events or not await self._store.races.load(offered.new_race):
            await self._make_rematch(race, offered)
        return offered.new_race

    async def _make_rematch(self, race: Race, offered: RematchMade) -> None:
        dealt = await self._deals.take(find_variant(race.created.variant), PRIVATE)
        secret = Secret(format_deal_code(dealt.code), new_nonce())
        created = race.created.model_copy(
            update={
                "kind": Kind.PRIVATE,
                "host": None,
                "link": offered.link,
                "seats": max(2, race.created.seats),
                "chosen_deal": False,
                "certified": dealt.certified,
                "grade": dealt.grade,
                "commitment": commitment(secret),
                "created_ms": self._clock.now_ms(),
                "rematch_of": race.id,
            }
        )
        await self._races.make(offered.new_race, secret, created)


def _variant(variant_id: str | None) -> Variant:
    if variant_id is None:
        raise ContestError(ErrorCode.BAD_FIELD, "variant", "Name a variant or a deal.")
    try:
        return find_variant(variant_id)
    except (UnknownVariant, UnknownOption) as error:
        raise ContestError(ErrorCode.UNKNOWN_VARIANT, "variant", str(error)) from None
    except RulesError as error:
        raise ContestError(ErrorCode.BAD_FIELD, "variant", str(error)) from None


def _parse_deal(command: Create) -> DealCode:
    if command.variant is not None:
        raise ContestError(ErrorCode.BAD_FIELD, "variant", "A deal names its variant: leave this out.")
    try:
        code = parse_deal_code(command.deal or "")
        deal(code)
    except (UnknownVariant, UnknownOption) as error:
        raise ContestError(ErrorCode.UNKNOWN_VARIANT, "deal", str(error)) from None
    except RulesError as error:
        raise ContestError(ErrorCode.BAD_DEAL, "deal", str(error)) from None
    return code
