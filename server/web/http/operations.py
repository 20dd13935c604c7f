"""What an operation of the HTTP API is: the one table that routes and OpenAPI document are both made from."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict

from protocol.codes import MESSAGES, ErrorCode
from server.service.contest import Contest
from server.service.queries import Queries
from server.store.players import PlayerRow


class Answer(BaseModel):
    """What the server says; open to new fields. A field with nothing to say is left out, never null."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True)


class Body(BaseModel):
    """What a client sends; unknown fields and values of another type are refused."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


class Query(BaseModel):
    """What stands behind the question mark of an address; unknown names are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


def _plain(value: object) -> object:
    """Python reads `1_0`, ` 10` and `+10` as numbers, too."""
    if isinstance(value, str) and not (value.isascii() and value.isdecimal()):
        raise ValueError("it takes plain digits")
    return value


Digits = BeforeValidator(_plain)
"""Of a number in a query."""


class NoBody(Body):
    """Nothing is sent."""


class NoQuery(Query):
    """Nothing stands behind the question mark."""


class Access(Enum):
    """Whom an operation needs to know."""

    ANYONE = "no token is looked at"
    VIEWER = "a token is looked at if one is sent"
    PLAYER = "a player's token is needed"


class Cache(Enum):
    """How long an answer may be kept by who got it: the value of `Cache-Control`."""

    NEVER = "no-store"
    MOMENT = "public, max-age=2"
    REVALIDATE = "no-cache"
    LONG = "public, max-age=3600"


class HttpRefused(Exception):  # noqa: N818 - a claim about the request
    """A request that was not carried out: its code, the field at fault, and words where the code's own don't fit."""

    def __init__(
        self, code: ErrorCode, field: str | None = None, message: str | None = None, status: int | None = None
    ) -> None:
        super().__init__(code, field, message, status)
        self.code = code
        self.field = field
        self.message = message or MESSAGES[code]
        self.status = status


B = TypeVar("B", bound=BaseModel)
Q = TypeVar("Q", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Call(Generic[B, Q]):
    """A request as read: everything in it has been checked against the operation's models."""

    contest: Contest
    queries: Queries
    path: dict[str, str]
    body: B
    query: Q
    viewer: PlayerRow | None
    address: str

    @property
    def player(self) -> PlayerRow:
        """The player whose token was sent, where the operation needs one."""
        if self.viewer is None:
            raise HttpRefused(ErrorCode.UNAUTHORIZED)
        return self.viewer


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with what goes on its envelope. A text is sent as plain text."""

    content: Answer | BaseModel | str
    cache: Cache = Cache.NEVER
    status: int | None = None
    """Where it is not the operation's own."""
    retry_after_ms: int | None = None
    """When it is worth while to ask again."""


@dataclass(frozen=True, slots=True)
class Operation(Generic[B, Q]):
    """One method of one address."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    endpoint: Callable[[Call[B, Q]], Awaitable[Reply]]
    summary: str
    answer: type[BaseModel]
    body: type[B]
    query: type[Q]
    status: int = 200
    access: Access = Access.ANYONE
    is_open: bool = True
    """May pages of other origins read it? Only where no token is needed."""
    cost: int = 0
    """Credits that it takes from the caller's address; 0 for what is cheap."""
    errors: tuple[ErrorCode, ...] = field(default=())
    also_text: bool = False
    """`?format=…` may ask for plain text."""
    later: type[BaseModel] | None = None
    """What is answered, with 202, as long as the answer itself is being made."""


STATUS: dict[ErrorCode, int] = {
    ErrorCode.MALFORMED: 400,
    ErrorCode.BAD_FIELD: 422,
    ErrorCode.TOKEN_UNKNOWN: 401,
    ErrorCode.UNAUTHORIZED: 401,
    ErrorCode.NOT_ENTERED: 403,
    ErrorCode.NOT_HOST: 403,
    ErrorCode.WRITTEN_OUT: 403,
    ErrorCode.KICKED: 403,
    ErrorCode.RECOVERY_REFUSED: 403,
    ErrorCode.RACE_UNKNOWN: 404,
    ErrorCode.NOT_FOUND: 404,
    ErrorCode.NOT_ASKED: 404,
    ErrorCode.UNKNOWN_VARIANT: 404,
    ErrorCode.NAME_REFUSED: 422,
    ErrorCode.BAD_DEAL: 422,
    ErrorCode.HIDDEN_NEEDS_SECRET: 422,
    ErrorCode.TOO_BIG: 413,
    ErrorCode.TOO_MANY: 429,
    ErrorCode.MANY_WAITING: 429,
    ErrorCode.INTERNAL: 500,
    ErrorCode.RETRY: 503,
    ErrorCode.NO_SOLVER: 503,
    ErrorCode.QUEUE_FULL: 503,
}
RETRY_AFTER_S: dict[ErrorCode, int] = {
    ErrorCode.RETRY: 1,
    ErrorCode.TOO_MANY: 5,
    ErrorCode.MANY_WAITING: 5,
    ErrorCode.NO_SOLVER: 30,
    ErrorCode.QUEUE_FULL: 30,
}
"""When to try again what did not go."""
OTHERWISE = 409
"""What asks for something that does not go now."""


def status_of(code: ErrorCode) -> int:
    """The HTTP status that an error code is answered with."""
    return STATUS.get(code, OTHERWISE)


class ErrorAnswer(Answer):
    """Why a request was not carried out: `code` for programs, `message` for people, `field` if one was at fault."""

    code: ErrorCode
    message: str
    field: str | None = None
