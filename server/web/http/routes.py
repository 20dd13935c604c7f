"""All routes of the HTTP API, for the application to take in; each finds its services in `app.state.contest`."""

from collections.abc import Collection
from typing import Any

from prometheus_client import CollectorRegistry
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from protocol.asyncapi import asyncapi
from protocol.schemas import format_json
from server.web.http import analyses, attempts, boards, daily, players, races, reports, statistics, variants
from server.web.http.health import health_routes
from server.web.http.metrics import HttpMetrics
from server.web.http.openapi import openapi
from server.web.http.operations import Operation
from server.web.http.serving import make_routes
from server.web.http.tolls import LOCAL, Tolls

OPERATIONS: tuple[Operation[Any, Any], ...] = (
    *players.OPERATIONS,
    *variants.OPERATIONS,
    *daily.OPERATIONS,
    *races.OPERATIONS,
    *attempts.OPERATIONS,
    *analyses.OPERATIONS,
    *boards.OPERATIONS,
    *reports.OPERATIONS,
    *statistics.OPERATIONS,
)
_DOCUMENT = {
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "public, max-age=3600",
    "X-Content-Type-Options": "nosniff",
}


def _document_route(path: str, text: str) -> BaseRoute:
    async def show_document(_request: Request) -> Response:
        return Response(text, media_type="application/json", headers=_DOCUMENT)

    return Route(path, show_document, methods=["GET"], include_in_schema=False)


def http_routes(registry: CollectorRegistry, unlimited_addresses: Collection[str] = LOCAL) -> list[BaseRoute]:
    """The routes, counting into the registry; `/metrics` shows all that is in it.

    What creates or changes something is limited by address, but for those that stand for many people.
    """
    metrics = HttpMetrics(registry)
    return [
        *health_routes(metrics),
        _document_route("/openapi.json", format_json(openapi(OPERATIONS))),
        _document_route("/asyncapi.json", format_json(asyncapi())),
        *make_routes(OPERATIONS, metrics, Tolls(unlimited_addresses)),
    ]
