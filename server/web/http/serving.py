"""Serving operations over HTTP: from table to routes, from request to call, from reply or refusal to response.

This is the one place where an unforeseen error is caught: it is logged with an id and answered without details.
"""

import hashlib
import secrets
from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import Any, cast

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from protocol.codes import ErrorCode
from server.service.contest import Contest
from server.service.errors import ContestError
from server.service.queries import Queries
from server.store import StoreUnavailable
from server.store.players import PlayerRow
from server.web.addresses import address_of
from server.web.http.metrics import HttpMetrics
from server.web.http.operations import (
    RETRY_AFTER_S,
    Access,
    Cache,
    Call,
    ErrorAnswer,
    HttpRefused,
    NoBody,
    Operation,
    Reply,
    status_of,
)
from server.web.http.requests import read_body, read_query, read_token
from server.web.http.tolls import Tolls

AnyOperation = Operation[Any, Any]
_SAFE = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
_OPEN = {"Access-Control-Allow-Origin": "*"}

log = structlog.get_logger()


def make_routes(operations: Iterable[AnyOperation], metrics: HttpMetrics, tolls: Tolls) -> list[BaseRoute]:
    """One route for each address of the table, with all its methods, and one for all that is not there."""
    by_path: dict[str, list[AnyOperation]] = {}
    for operation in operations:
        by_path.setdefault(operation.path, []).append(operation)
    routes: list[BaseRoute] = [
        Route(path, Address(path, several, metrics, tolls), include_in_schema=False)
        for path, several in by_path.items()
    ]
    routes.append(Route("/api/{rest:path}", Address("/api", (), metrics, tolls), include_in_schema=False))
    return routes


class Address:
    """The ASGI application of one address: picks the operation by method and answers."""

    def __init__(self, path: str, operations: Sequence[AnyOperation], metrics: HttpMetrics, tolls: Tolls) -> None:
        self._path = path
        self._operations = {operation.method: operation for operation in operations}
        self._metrics = metrics
        self._tolls = tolls

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answers one request."""
        request = Request(scope, receive)
        begun = perf_counter()
        try:
            response = await self._answer(request)
        except ClientDisconnect:
            return
        self._metrics.answered(self._path, request.method, response.status_code, perf_counter() - begun)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        if method == "OPTIONS":
            return self._preflight()
        operation = self._operations.get(cast(Any, method))
        is_open = operation is None or (operation.method == "GET" and operation.is_open)
        try:
            response = await self._carry_out(operation, request)
        except HttpRefused as refused:
            response = _refuse(refused.code, refused.message, refused.field, refused.status)
        except ContestError as error:
            response = _refuse(error.code, error.message, error.field)
        except StoreUnavailable:
            response = _refuse(ErrorCode.RETRY, "The server can't reach its store just now. Try again shortly.")
        except ClientDisconnect:
            raise
        except Exception:
            incident = secrets.token_hex(4)
            log.exception("http.failed", incident=incident, path=self._path, method=method)
            response = _refuse(ErrorCode.INTERNAL)
            response.headers["X-Incident"] = incident
        if response.status_code == 405:
            response.headers["Allow"] = self._allow()
        if is_open:
            response.headers.update(_OPEN)
        return response

    async def _carry_out(self, operation: AnyOperation | None, request: Request) -> Response:
        if operation is None:
            raise self._not_there()
        reply = await self._call(operation, request)
        response = _respond(reply, operation.status, request.headers.get("if-none-match"))
        if operation.access is Access.VIEWER:
            # What was kept for nobody in particular is no answer to who comes with a token.
            response.headers["Vary"] = "Authorization"
        return response

    async def _call(self, operation: AnyOperation, request: Request) -> Reply:
        contest: Contest = request.app.state.contest
        address = address_of(request.scope)
        if not self._tolls.takes(address, operation.cost, contest.clock.now_ms()):
            raise HttpRefused(ErrorCode.TOO_MANY)
        viewer = await _viewer(operation.access, request, contest)
        body = NoBody() if operation.body is NoBody else await read_body(request, operation.body)
        call = Call(
            contest=contest,
            queries=Queries(contest),
            path={name: str(value) for name, value in request.path_params.items()},
            body=body,
            query=read_query(_once(request), operation.query),
            viewer=viewer,
            address=address,
        )
        return await operation.endpoint(call)

    def _not_there(self) -> HttpRefused:
        if not self._operations:
            return HttpRefused(ErrorCode.NOT_FOUND)
        return HttpRefused(ErrorCode.NOT_FOUND, "method", f"This address takes {self._allow()}.", 405)

    def _allow(self) -> str:
        methods = [*self._operations, "OPTIONS"]
        return ", ".join(["HEAD", *methods] if "GET" in methods else methods)

    def _preflight(self) -> Response:
        response = Response(status_code=204, headers={"Allow": self._allow()})
        operation = self._operations.get("GET")
        if operation is not None and operation.is_open:
            response.headers.update(_OPEN)
            response.headers["Access-Control-Allow-Methods"] = "GET, HEAD"
            response.headers["Access-Control-Allow-Headers"] = "If-None-Match"
            response.headers["Access-Control-Max-Age"] = "86400"
        return response


def _once(request: Request) -> dict[str, str]:
    pairs = request.query_params.multi_items()
    if len({name for name, _ in pairs}) != len(pairs):
        raise HttpRefused(ErrorCode.BAD_FIELD, "query", "A name stands twice behind the question mark.")
    return dict(pairs)


async def _viewer(access: Access, request: Request, contest: Contest) -> PlayerRow | None:
    if access is Access.ANYONE:
        return None
    token = read_token(request)
    if token is None:
        if access is Access.PLAYER:
            raise HttpRefused(ErrorCode.UNAUTHORIZED)
        return None
    row = await contest.players.by_token(token)
    if row is None:
        raise HttpRefused(ErrorCode.TOKEN_UNKNOWN, message="This token is not known. Recover your player by its code.")
    return row


def _respond(reply: Reply, status: int, known: str | None) -> Response:
    if isinstance(reply.content, str):
        body, media = reply.content.encode(), "text/plain; charset=utf-8"
    else:
        body, media = reply.content.model_dump_json(exclude_none=True).encode(), "application/json"
    headers = {**_SAFE, "Cache-Control": reply.cache.value}
    if reply.retry_after_ms is not None:
        headers["Retry-After"] = str(-(-reply.retry_after_ms // 1000))
    if reply.cache in (Cache.REVALIDATE, Cache.LONG):
        tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
        headers["ETag"] = tag
        if known is not None and tag in (one.strip().removeprefix("W/") for one in known.split(",")):
            return Response(status_code=304, headers=headers)
    return Response(body, reply.status or status, headers, media)


def _refuse(
    code: ErrorCode, message: str | None = None, field: str | None = None, status: int | None = None
) -> Response:
    refused = HttpRefused(code, field, message)
    answer = ErrorAnswer(code=code, message=refused.message, field=field)
    headers = {**_SAFE, "Cache-Control": Cache.NEVER.value}
    status = status or status_of(code)
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if code in RETRY_AFTER_S:
        headers["Retry-After"] = str(RETRY_AFTER_S[code])
    return Response(answer.model_dump_json(exclude_none=True), status, headers, "application/json")
