"""The HTTP API over a contest on the test's own store, with the clock in the test's hands."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from httpx2 import ASGITransport, AsyncClient, Response
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it has no stubs
from prometheus_client import CollectorRegistry
from starlette.applications import Starlette

from protocol.parts import PlayerRef
from server.store import Store
from server.web.http.openapi import openapi
from server.web.http.routes import OPERATIONS, http_routes
from tests.service.world import Time, World, make_world


@dataclass(frozen=True)
class Api:
    """A client of the API, and the world behind it."""

    client: AsyncClient
    world: World
    app: Starlette

    async def get(self, path: str, token: str | None = None, **headers: str) -> Response:
        return _documented(await self.client.get(f"/api/v1{path}", headers=_headers(token, headers)))

    async def post(self, path: str, body: object, token: str | None = None) -> Response:
        return _documented(await self.client.post(f"/api/v1{path}", json=body, headers=_headers(token, {})))

    async def send(self, path: str, content: bytes, media: str = "application/json") -> Response:
        return await self.client.post(f"/api/v1{path}", content=content, headers={"content-type": media})

    async def guest(self, **body: object) -> tuple[PlayerRef, str]:
        answer = (await self.post("/players", body)).json()
        return PlayerRef.model_validate(answer["player"]), answer["token"]


DOCUMENT = openapi(OPERATIONS)


def _documented(answer: Response) -> Response:
    """The answer, when it is as the OpenAPI document says."""
    path = answer.request.url.path.rstrip("/") or "/"
    for pattern, operations in DOCUMENT["paths"].items():
        method = operations.get(answer.request.method.lower())
        if method is None or not re.fullmatch(re.sub(r"{\w+}", "[^/]+", pattern), path):
            continue
        said = method["responses"].get(str(answer.status_code), method["responses"]["default"])
        if answer.headers.get("content-type") == "application/json":
            schema = said["content"]["application/json"]["schema"]
            Draft202012Validator({**schema, "components": DOCUMENT["components"]}).validate(answer.json())
        break
    return answer


def _headers(token: str | None, headers: dict[str, str]) -> dict[str, str]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return named if token is None else named | {"authorization": f"Bearer {token}"}


def make_client(app: Starlette, address: str = "127.0.0.1") -> AsyncClient:
    return AsyncClient(transport=ASGITransport(app=app, client=(address, 1)), base_url="http://test")


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def world(store: Store, time: Time) -> World:
    return await make_world(store, time, [])


@pytest.fixture
async def api(world: World) -> AsyncIterator[Api]:
    app = Starlette(routes=http_routes(CollectorRegistry()))
    app.router.redirect_slashes = False
    app.state.contest = world.contest
    async with make_client(app) as client:
        yield Api(client, world, app)
