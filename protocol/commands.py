"""The commands of wire version 1, which clients send.

They are strict: an unknown field or a value of another type is refused. `docs/protocol.md` explains how they play
together with events.
"""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, model_validator

from protocol.fields import (
    LIMIT_MS_MAX,
    LIMIT_MS_MIN,
    CommandId,
    Count,
    DealText,
    Key,
    PileName,
    PlayerId,
    RaceId,
    VariantId,
)


class Command(BaseModel):
    """What a client asks for."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


class RaceCommand(Command):
    """A command about one race."""

    race: RaceId


class AttemptCommand(RaceCommand):
    """A command on one's own attempt: `id` counts up within an epoch, `version` is the one it was made on."""

    id: CommandId
    version: Count


class Hello(Command):
    """The first frame. Without a token the server makes a guest; `bot` marks the player as a bot for ever."""

    type: Literal["hello"]
    protocol: int
    token: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    bot: bool = False
    device: Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")] | None = None
    """A random id that the client keeps beside its token; kept by the server for a day, as a salted hash only."""


class Ping(Command):
    """Asks for the server's time; answered at once by `pong`."""

    type: Literal["ping"]
    id: Count = 0


_ONE_OF_VARIANT_AND_DEAL: list[JsonValue] = [
    {"required": ["variant"], "properties": {"variant": {"type": "string"}, "deal": {"type": "null"}}},
    {"required": ["deal"], "properties": {"deal": {"type": "string"}, "variant": {"type": "null"}}},
]


class RaceWish(Command):
    """A private race or a practice as it is asked for, over the socket or HTTP.

    Either takes a `variant` for a fresh secret deal or a `deal` code for a chosen one: one of the two, never both.
    """

    model_config = ConfigDict(json_schema_extra={"oneOf": _ONE_OF_VARIANT_AND_DEAL})

    key: Key
    kind: Literal["private", "practice"]
    variant: VariantId | None = None
    deal: DealText | None = None
    limit_ms: Annotated[int, Field(ge=LIMIT_MS_MIN, le=LIMIT_MS_MAX)] = 30 * 60_000
    iron: bool = False
    seats: Annotated[int, Field(ge=2, le=100)] = 2
    start: Literal["host", "all_ready"] = "all_ready"

    @model_validator(mode="after")
    def _takes_a_variant_or_a_deal(self) -> Self:
        if (self.variant is None) == (self.deal is None):
            raise ValueError("give a variant or a deal, one of the two")
        return self


class Create(RaceWish):
    """Makes a private race (`kind: private`) or opens a practice on a deal code (`kind: practice`) and enters it.

    Either takes a `variant` for a fresh secret deal or a `deal` code for a chosen one: one of the two, never both.
    """

    type: Literal["create"]


class Enter(RaceCommand):
    """Takes a seat, opens a daily, or comes back to one's attempt from here (the other connection is fenced)."""

    type: Literal["enter"]


class Leave(RaceCommand):
    """Gives up one's seat before the start."""

    type: Literal["leave"]


class Kick(RaceCommand):
    """The host removes a player before the start."""

    type: Literal["kick"]
    player: PlayerId


class Ready(RaceCommand):
    """Says whether one is ready."""

    type: Literal["ready"]
    ready: bool


class Start(RaceCommand):
    """The host starts the countdown."""

    type: Literal["start"]


class MoveCommand(AttemptCommand):
    """Moves `count` cards from one pile to another."""

    type: Literal["move"]
    source: PileName
    target: PileName
    count: Annotated[int, Field(ge=1, le=104)] = 1


class DrawCommand(AttemptCommand):
    """Turns cards from the stock to the waste; with an empty stock turns the waste over."""

    type: Literal["draw"]


class RedealCommand(AttemptCommand):
    """Gathers the tableau and deals it again, where the variant allows it."""

    type: Literal["redeal"]


class UndoCommand(AttemptCommand):
    """Takes the last move (or collect) back."""

    type: Literal["undo"]


class RedoCommand(AttemptCommand):
    """Plays again what was taken back last."""

    type: Literal["redo"]


class RestartCommand(AttemptCommand):
    """Goes back to the deal; the clock runs on."""

    type: Literal["restart"]


class Collect(AttemptCommand):
    """Moves to the foundations all that is safe, or all that fits, as one group."""

    type: Literal["collect"]
    scope: Literal["safe", "all"] = "safe"


class Resign(AttemptCommand):
    """Ends one's attempt; its best progress counts."""

    type: Literal["resign"]


class HintCommand(AttemptCommand):
    """In practice: asks the solver whether it can still be won, and how; answered by `accepted`, then by `hint`."""

    type: Literal["hint"]


class Watch(RaceCommand):
    """Follows a race without taking part."""

    type: Literal["watch"]


class Unwatch(RaceCommand):
    """Stops following a race; answered by `unwatched`. An attempt in it goes on, and `enter` comes back to it."""

    type: Literal["unwatch"]


class QueueCommand(Command):
    """Waits for an opponent; answered by `queued`, later by `matched`. Asking again changes nothing."""

    type: Literal["queue"]
    variant: VariantId


class Unqueue(Command):
    """Stops waiting. Answered by `queued` with `waiting` false, or by `matched` if a pair was made before."""

    type: Literal["unqueue"]
    variant: VariantId


class Rematch(RaceCommand):
    """Asks for a new race like this one with the same players; whoever asks first creates it."""

    type: Literal["rematch"]


class Resync(RaceCommand):
    """Asks for a fresh `snapshot`, after a gap in `seq` or when in doubt."""

    type: Literal["resync"]


AnyAttemptCommand = (
    MoveCommand
    | DrawCommand
    | RedealCommand
    | UndoCommand
    | RedoCommand
    | RestartCommand
    | Collect
    | Resign
    | HintCommand
)
AnyCommand = (
    Hello
    | Ping
    | Create
    | Enter
    | Leave
    | Kick
    | Ready
    | Start
    | AnyAttemptCommand
    | Watch
    | Unwatch
    | QueueCommand
    | Unqueue
    | Rematch
    | Resync
)

COMMANDS: TypeAdapter[AnyCommand] = TypeAdapter(Annotated[AnyCommand, Field(discriminator="type")])
