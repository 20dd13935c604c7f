"""Reading a request: body, query and bearer token, each refused with its code when it is not what it should be."""

from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from protocol.codes import ErrorCode
from server.web.http.operations import HttpRefused

BODY_BYTES = 16_384
_TOKEN_MAX = 100
_NOT_JSON = "The body is not one JSON object in UTF-8. Send one as application/json."

M = TypeVar("M", bound=BaseModel)


async def read_body(request: Request, model: type[M]) -> M:
    """The request's JSON body as the model; raises `HttpRefused`. No more than `BODY_BYTES` are ever taken in."""
    media = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if media != "application/json":
        raise HttpRefused(ErrorCode.MALFORMED, "content-type", _NOT_JSON, 415)
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and (len(announced) > 12 or int(announced) > BODY_BYTES):
        raise _too_big()
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_BYTES:
            raise _too_big()
    try:
        return model.model_validate_json(bytes(body))
    except ValidationError as error:
        raise _bad_field(error) from None


def read_query(parameters: Mapping[str, str], model: type[M]) -> M:
    """What stands behind the question mark as the model; raises `HttpRefused` bad_field."""
    try:
        return model.model_validate(dict(parameters))
    except ValidationError as error:
        raise _bad_field(error) from None


def read_token(request: Request) -> str | None:
    """The bearer token that came with the request, None without one; raises `HttpRefused` unauthorized."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or len(token) > _TOKEN_MAX or not token.isascii():
        raise HttpRefused(ErrorCode.UNAUTHORIZED)
    return token


def _too_big() -> HttpRefused:
    return HttpRefused(ErrorCode.TOO_BIG, message=f"The body is too big: {BODY_BYTES} bytes are taken.")


def _bad_field(error: ValidationError) -> HttpRefused:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(step) for step in first["loc"]).encode("utf-8", "replace").decode()
    what = first["msg"].removeprefix("Value error, ")[:200]
    if place and first["type"] != "json_invalid":
        return HttpRefused(ErrorCode.BAD_FIELD, place[:80], f"{place[:80]}: {what}.")
    if first["type"] == "value_error":
        return HttpRefused(ErrorCode.BAD_FIELD, message=f"The fields do not go together: {what}.")
    return HttpRefused(ErrorCode.MALFORMED, message=_NOT_JSON)
