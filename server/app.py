"""The only place where things are made and joined: store, clock, contest, hub, sockets and routes of one process."""

import asyncio
import os
import secrets
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import structlog
from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send

from server.clock import Clock
from server.config import Settings
from server.race.pacing import Allowance
from server.secret import load_secret
from server.service.boards import Boards
from server.service.contest import Contest
from server.service.dealing import DealSource, PoolDeals
from server.service.players import Players
from server.starting import redis_place, why_not_started
from server.store import StoreError, open_store
from server.store.embedded import Embedded, start_embedded
from server.store.keys import SIGNED_OUT_CHANNEL
from server.web.addresses import counted_as
from server.web.errands import Errands
from server.web.http.routes import http_routes
from server.web.hub import Hub
from server.web.origins import Origins
from server.web.paces import Paces
from server.web.pages import page_routes
from server.web.services import Services
from server.web.socket import RaceSocket

ERRANDS_S = 3.0
WATCH_S = 1.0
STORE_WITHIN_S = 10.0
WAITING_S = 1.5
"""After this a start that takes long says what it waits for."""

log = structlog.get_logger()


@dataclass(slots=True)
class Running:
    """What of a started app its server must know to stop it well."""

    socket: RaceSocket
    app: Starlette

    async def stop_taking(self, retry_after_ms: int, within_s: float) -> None:
        """Not ready any more: every client is told when to come back and closed with 1012."""
        self.app.state.stopping = True
        await self.socket.say_goodbye(retry_after_ms, within_s)


def create_app(settings: Settings, deals: DealSource | None = None, *, expects_worker: bool = False) -> Starlette:
    """The ASGI application. Its lifespan opens the store, starting an embedded one if none is configured.

    While it runs, `app.state.contest` is the contest and `app.state.running` what its server stops it by. When it
    can't start, `app.state.why_not_started` says why, and `app.state.why_ended` when it had to end later. Tests hand in
    where secret deals come from. `expects_worker`: one will be started beside it.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            told = asyncio.get_running_loop().call_later(WAITING_S, _tell_waiting, settings)
            try:
                await _start(app, settings, deals, stack, expects_worker=expects_worker)
            except (StoreError, OSError) as error:
                app.state.why_not_started = why_not_started(settings, error)
                log.error("start.failed", why=app.state.why_not_started)  # noqa: TRY400 - the reason is all that helps
                raise StartFailed from None
            finally:
                told.cancel()
            yield

    registry = CollectorRegistry()
    app = Starlette(lifespan=lifespan)
    # An address that is not there is answered as such, not sent on to one without its slash.
    app.router.redirect_slashes = False
    app.state.stopping = False
    app.state.failed = None
    app.state.why_not_started = None
    app.state.why_ended = None
    app.router.routes += [
        WebSocketRoute("/ws", _Socket(app)),
        *http_routes(registry, _unlimited(settings)),
        *page_routes(settings.public_url, _unlimited(settings)),
    ]
    return app


class StartFailed(Exception):  # noqa: N818 - a claim about the start
    """The app can't start; why was logged."""


class StoreGone(Exception):  # noqa: N818 - a claim about the store
    """The embedded server's supervisor has ended, and the server with it: start again, the data is kept."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            "The supervisor of the embedded Valkey has ended, probably killed, and nothing would start that again: the "
            f"server has stopped. Nothing is lost, the data is in {folder}. Start it again: ramparts serve"
        )


def _tell_waiting(settings: Settings) -> None:
    log.info("store.waiting", why="waiting for the store ...", at=redis_place(settings) or str(settings.data_dir))


class _Socket:
    """The route of the socket, which exists only while the app runs."""

    def __init__(self, app: Starlette) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        running: Running = self._app.state.running
        await running.socket(scope, receive, send)


async def _start(
    app: Starlette, settings: Settings, deals: DealSource | None, stack: AsyncExitStack, *, expects_worker: bool
) -> None:
    embedded = None if settings.redis_url is not None else await _embedded(settings, stack)
    url = embedded.url if embedded is not None else _chosen_url(settings)
    store = await open_store(url, STORE_WITHIN_S)
    stack.push_async_callback(store.close)
    clock = Clock(store.time_us)
    await clock.sync()
    players = Players(store, clock, salt=_salt(settings), unlimited=_unlimited(settings))
    boards = Boards(store, clock, players)
    owner = f"{os.getpid()}-{secrets.token_hex(4)}"
    contest = Contest(
        store,
        clock,
        deals or PoolDeals(store.pool),
        owner=owner,
        players=players,
        boards=boards,
        expects_worker=expects_worker,
    )
    errands = Errands()
    hub = Hub(store.feed, contest, clock.now_ms, errands)
    services = Services(contest, hub, _paces(settings), errands, clock.now_ms)
    app.state.contest = contest
    socket = RaceSocket(services, Origins(settings.allowed_origins), settings.max_sockets)
    await store.feed.subscribe(SIGNED_OUT_CHANNEL, socket.sign_out)

    def catch_up() -> None:
        """For what the feed may have missed."""
        hub.tell_gap()
        errands.send(socket.sign_out_void())

    store.feed.on_gap = catch_up
    app.state.running = Running(socket, app)
    await stack.enter_async_context(_in_background(app, clock, contest, embedded))
    stack.push_async_callback(errands.finish, ERRANDS_S)


def _chosen_url(settings: Settings) -> str:
    return "" if settings.redis_url is None else settings.redis_url.get_secret_value()


async def _embedded(settings: Settings, stack: AsyncExitStack) -> Embedded:
    embedded = await asyncio.to_thread(
        start_embedded, settings.data_dir, chosen=settings.valkey_server, fsync=settings.fsync
    )
    stack.push_async_callback(asyncio.to_thread, embedded.stop)
    log.info("store.embedded", folder=str(embedded.folder), fsync=settings.fsync)
    return embedded


async def _watch(embedded: Embedded | None) -> None:
    """Ends the process when the embedded server's supervisor has gone: nothing would start the server again."""
    while embedded is None or embedded.is_running:  # noqa: ASYNC110 - another process, which wakes nobody
        await asyncio.sleep(WATCH_S)
    signal.raise_signal(signal.SIGTERM)
    raise StoreGone(embedded.folder)


def _salt(settings: Settings) -> bytes:
    if settings.secret is not None:
        return settings.secret.get_secret_value().encode()
    return load_secret(settings.data_dir)


def _paces(settings: Settings) -> Paces:
    player = Allowance(settings.commands_per_second, 2 * settings.commands_per_second)
    address = player.times(settings.players_per_address)
    return Paces(player, address, _unlimited(settings))


def _unlimited(settings: Settings) -> frozenset[str]:
    return frozenset(map(counted_as, settings.unlimited_addresses))


@asynccontextmanager
async def _in_background(
    app: Starlette, clock: Clock, contest: Contest, embedded: Embedded | None
) -> AsyncIterator[None]:
    """The clock follows its reference and due races move on for as long as the app runs."""
    tasks = [
        asyncio.create_task(clock.run(lost=StoreError), name="clock"),
        asyncio.create_task(contest.sweeper.run(), name="sweeper"),
        asyncio.create_task(_watch(embedded), name="the store's supervisor"),
    ]
    for task in tasks:
        task.add_done_callback(partial(_report, app))
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _report(app: Starlette, task: asyncio.Task[None]) -> None:
    """None of them ends by itself: without one of them this process is not ready."""
    if task.cancelled():
        return
    app.state.failed = task.get_name()
    error = task.exception()
    if isinstance(error, StoreGone):
        app.state.why_ended = str(error)
        log.error("store.gone", why=app.state.why_ended)
    else:
        log.error("background.failed", task=task.get_name(), exc_info=error)
