"""Text to command and event to text. What can't be read raises `MalformedMessage`, which becomes an `error` event."""

from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from protocol.codes import MESSAGES, ErrorCode
from protocol.commands import COMMANDS, AnyCommand
from protocol.events import EVENTS, AnyEvent, ErrorEvent, Event
from protocol.fields import CommandId, Key, RaceId

MAX_MESSAGE_BYTES = 16_384


class MalformedMessage(ValueError):  # noqa: N818 - a claim about the message
    """A frame that is no command: `code`, the `field` at fault, what is wrong with it, and which command it was.

    `named` holds `re`, `race`, `key` and `id` of the command as far as they are right themselves.
    """

    def __init__(
        self, code: ErrorCode, field: str | None = None, detail: str | None = None, named: dict[str, Any] | None = None
    ) -> None:
        super().__init__(code, field, detail)
        self.code = code
        self.field = field
        self.detail = detail
        self.named = named or {}

    def event(self) -> ErrorEvent:
        """The `error` event that answers it."""
        message = MESSAGES[self.code]
        if self.field is not None:
            message = f"{self.field}: {self.detail}. {message}"
        return ErrorEvent(code=self.code, message=message, field=self.field, **self.named)


def decode_command(text: str) -> AnyCommand:
    """The command that a text frame holds; raises `MalformedMessage`."""
    try:
        return COMMANDS.validate_json(text)
    except ValidationError as error:
        raise _malformed(text, error) from None
    except (UnicodeEncodeError, RecursionError):
        raise MalformedMessage(ErrorCode.MALFORMED) from None


def _malformed(text: str, error: ValidationError) -> MalformedMessage:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "union_tag_invalid" or first["type"] == "union_tag_not_found":
        return MalformedMessage(ErrorCode.UNKNOWN_TYPE)
    if not first["loc"]:
        return MalformedMessage(ErrorCode.MALFORMED)
    type_, *steps = (str(step) for step in first["loc"])
    # What a whole command must keep to (only `create` has such a rule) has no field of its own: its type stands for it.
    place = ".".join(steps) or type_
    what = first["msg"].removeprefix("Value error, ")[:200]
    if "pattern" in first["type"]:
        what = "this is not of the form that the field takes"
    return MalformedMessage(ErrorCode.BAD_FIELD, place[:80], what, {"re": type_, **_named(text)})


_NAMES: dict[str, TypeAdapter[Any]] = {
    "race": TypeAdapter(RaceId),
    "key": TypeAdapter(Key),
    "id": TypeAdapter(CommandId),
}


def _named(text: str) -> dict[str, Any]:
    """What names the command, so that whoever waits for an answer to it gets one."""
    fields = from_json(text)
    named = {}
    for name, adapter in _NAMES.items():
        try:
            named[name] = adapter.validate_python(fields[name], strict=True)
        except (KeyError, ValidationError):
            continue
    return named


def encode(message: Event | AnyCommand) -> str:
    """The text frame of a message; fields that are None are left out."""
    return message.model_dump_json(exclude_none=True)


def decode_event(text: str) -> AnyEvent:
    """The event that a text frame holds (for clients); raises pydantic's `ValidationError`."""
    return EVENTS.validate_json(text)
