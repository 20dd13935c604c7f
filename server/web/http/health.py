"""Is the process alive, may it be sent players, and what has it counted."""

import asyncio
from typing import Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from server.clock import Clock
from server.service.stock import take_stock
from server.store import Store, StoreUnavailable
from server.web.http.metrics import CONTENT_TYPE, HttpMetrics

STORE_ANSWERS_WITHIN_S = 2.0
_UNCACHED = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


def _answer(ready: bool, checks: dict[str, str], *, worker: bool) -> Response:
    status: Literal["ready", "not ready"] = "ready" if ready else "not ready"
    return JSONResponse({"status": status, "checks": checks, "worker": worker}, 200 if ready else 503, _UNCACHED)


async def show_health(_request: Request) -> Response:
    """The event loop turns: that is all that is claimed."""
    return JSONResponse({"status": "alive"}, headers=_UNCACHED)


async def show_readiness(request: Request) -> Response:
    """Not stopping, nothing in the background has ended, the store takes writes, and the clock follows its reference.

    Whether a worker runs is told beside that: races work without.
    """
    store: Store = request.app.state.contest.store
    clock: Clock = request.app.state.contest.clock
    checks = {"server": "stopping" if getattr(request.app.state, "stopping", False) else "ok"}
    failed = getattr(request.app.state, "failed", None)
    if failed is not None:
        checks["server"] = f"{failed} has ended"
    worker = False
    try:
        async with asyncio.timeout(STORE_ANSWERS_WITHIN_S):
            worker = await store.workers.is_running()
            checks["store"] = "takes no writes"
            await store.check_writes()
            checks["store"] = "ok"
    except (StoreUnavailable, TimeoutError):
        checks.setdefault("store", "unreachable")
    checks["clock"] = "ok" if clock.is_steady else f"the store's clock stepped by {clock.drift_ms:.0f} ms"
    return _answer(all(value == "ok" for value in checks.values()), checks, worker=worker)


def health_routes(metrics: HttpMetrics) -> list[BaseRoute]:
    """The routes that machines look at."""

    async def show_metrics(request: Request) -> Response:
        store: Store = request.app.state.contest.store
        try:
            async with asyncio.timeout(STORE_ANSWERS_WITHIN_S):
                metrics.note_stock(await take_stock(store))
        except (StoreUnavailable, TimeoutError):
            # What was true once is not told as what is: the store's own numbers are left out.
            metrics.note_stock(None)
        return Response(metrics.text(), media_type=CONTENT_TYPE, headers=_UNCACHED)

    return [
        Route("/healthz", show_health, methods=["GET"]),
        Route("/readyz", show_readiness, methods=["GET"]),
        Route("/metrics", show_metrics, methods=["GET"]),
    ]
