"""Players over HTTP: becoming a guest, claiming a name, recovering, looking at others, and what is one's own to take
away or delete."""

from typing import Annotated

from pydantic import Field

from protocol.codes import ErrorCode
from protocol.fields import RaceId
from protocol.parts import PlayerRef
from server.service.players import Export
from server.web.http.operations import Access, Answer, Body, Cache, Call, HttpRefused, NoBody, NoQuery, Operation, Reply

_NAME_ME = "me"
NameText = Annotated[str, Field(min_length=1, max_length=100)]
Device = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class GuestBody(Body):
    """`bot` marks the player as a bot for ever; `device` is a random id that the client keeps beside its token."""

    bot: bool = False
    device: Device | None = None


class NewPlayer(Answer):
    """A new guest. The token comes this once: keep it."""

    player: PlayerRef
    token: str


class ClaimBody(Body):
    """The name that is wanted."""

    name: NameText


class Claimed(Answer):
    """The name is claimed. The recovery code comes this once: write it down."""

    player: PlayerRef
    recovery_code: str


class RecoverBody(Body):
    """A claimed name and its recovery code."""

    name: NameText
    code: Annotated[str, Field(min_length=1, max_length=100)]


class Recovered(Answer):
    """A new token; those before it work no longer."""

    player: PlayerRef
    token: str


class Me(Answer):
    """One's own player."""

    player: PlayerRef
    created_ms: int
    claimed_ms: int | None = None
    is_ranked: bool
    """Would a daily begun now be on the ranked board?"""
    live: RaceId | None = None
    """A race started together in which one has an attempt that has not ended."""


class Profile(Answer):
    """A player as others see them."""

    player: PlayerRef
    since_ms: int


class Deleted(Answer):
    """The player is deleted; the name stays reserved and the rows on boards are hidden."""

    deleted: PlayerRef


async def make_guest(call: Call[GuestBody, NoQuery]) -> Reply:
    """A new guest with a friendly name."""
    greeting = await call.contest.players.hello(None, call.body.bot, call.address, call.body.device)
    if greeting.token is None:
        raise HttpRefused(ErrorCode.INTERNAL)
    return Reply(NewPlayer(player=greeting.player, token=greeting.token))


async def show_me(call: Call[NoBody, NoQuery]) -> Reply:
    """Who the token belongs to."""
    row = call.player
    me = Me(
        player=await call.contest.players.ref(row.id),
        created_ms=row.created_ms,
        claimed_ms=row.claimed_ms,
        is_ranked=call.contest.players.is_ranked(row, call.contest.clock.now_ms()),
        live=await call.contest.seats.live(row.id),
    )
    return Reply(me)


async def claim_name(call: Call[ClaimBody, NoQuery]) -> Reply:
    """Claims a name for the player; all results stay."""
    code = await call.contest.players.claim(call.player.id, call.body.name)
    return Reply(Claimed(player=await call.contest.players.ref(call.player.id), recovery_code=code))


async def recover(call: Call[RecoverBody, NoQuery]) -> Reply:
    """A new token for who knows name and recovery code."""
    player, token = await call.contest.players.recover(call.body.name, call.body.code)
    return Reply(Recovered(player=player, token=token))


async def export_me(call: Call[NoBody, NoQuery]) -> Reply:
    """All that is stored about the player."""
    return Reply(await call.contest.players.export(call.player.id))


async def delete_me(call: Call[NoBody, NoQuery]) -> Reply:
    """Deletes the player."""
    player = await call.contest.players.ref(call.player.id)
    await call.contest.delete(player.id)
    return Reply(Deleted(deleted=player))


async def show_player(call: Call[NoBody, NoQuery]) -> Reply:
    """The player who has claimed a name."""
    row = await call.contest.players.by_name(call.path["name"])
    if row is None:
        raise HttpRefused(ErrorCode.NOT_FOUND)
    profile = Profile(player=await call.contest.players.ref(row.id), since_ms=row.claimed_ms or row.created_ms)
    return Reply(profile, Cache.MOMENT)


_TOKEN = (ErrorCode.UNAUTHORIZED, ErrorCode.TOKEN_UNKNOWN)

OPERATIONS = (
    Operation(
        "POST",
        "/api/v1/players",
        make_guest,
        "A new guest; the token comes once.",
        answer=NewPlayer,
        body=GuestBody,
        query=NoQuery,
        status=201,
        cost=2,
        errors=(ErrorCode.BAD_FIELD, ErrorCode.TOO_MANY),
    ),
    Operation(
        "POST",
        "/api/v1/players/recover",
        recover,
        "A new token by name and recovery code.",
        answer=Recovered,
        body=RecoverBody,
        query=NoQuery,
        cost=10,
        errors=(ErrorCode.BAD_FIELD, ErrorCode.RECOVERY_REFUSED, ErrorCode.TOO_MANY),
    ),
    Operation(
        "GET",
        f"/api/v1/players/{_NAME_ME}",
        show_me,
        "Who the token belongs to.",
        answer=Me,
        body=NoBody,
        query=NoQuery,
        access=Access.PLAYER,
        is_open=False,
        errors=_TOKEN,
    ),
    Operation(
        "DELETE",
        f"/api/v1/players/{_NAME_ME}",
        delete_me,
        "Deletes the player: running attempts are resigned, the token stops working, rows on boards are hidden, the "
        "name stays reserved.",
        answer=Deleted,
        body=NoBody,
        query=NoQuery,
        access=Access.PLAYER,
        cost=2,
        errors=_TOKEN,
    ),
    Operation(
        "POST",
        f"/api/v1/players/{_NAME_ME}/claim",
        claim_name,
        "Claims a name; the recovery code comes once.",
        answer=Claimed,
        body=ClaimBody,
        query=NoQuery,
        access=Access.PLAYER,
        cost=5,
        errors=(
            *_TOKEN,
            ErrorCode.BAD_FIELD,
            ErrorCode.NAME_REFUSED,
            ErrorCode.NAME_TAKEN,
            ErrorCode.NAME_CLAIMED_ALREADY,
            ErrorCode.TOO_MANY,
        ),
    ),
    Operation(
        "GET",
        f"/api/v1/players/{_NAME_ME}/export",
        export_me,
        "All that is stored about the player.",
        answer=Export,
        body=NoBody,
        query=NoQuery,
        access=Access.PLAYER,
        is_open=False,
        cost=2,
        errors=_TOKEN,
    ),
    Operation(
        "GET",
        "/api/v1/players/{name}",
        show_player,
        "The player who has claimed a name.",
        answer=Profile,
        body=NoBody,
        query=NoQuery,
        errors=(ErrorCode.NOT_FOUND,),
    ),
)
