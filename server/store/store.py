"""All stores of a process, over one link and one feed."""

from dataclasses import dataclass

from server.store import keys
from server.store.address import parse_url
from server.store.analyses import AnalysisStore
from server.store.attempts import AttemptStore
from server.store.boards import BoardStore
from server.store.deals import DealStore
from server.store.due import DueStore
from server.store.feed import Feed
from server.store.hints import HintStore
from server.store.link import Link
from server.store.links import LinkStore
from server.store.lives import LiveStore
from server.store.players import PlayerStore
from server.store.pool import PoolStore
from server.store.queues import QueueStore
from server.store.races import RaceStore
from server.store.results import FinishStore, ResultStore
from server.store.workers import WorkerStore


@dataclass(frozen=True, slots=True)
class Store:
    """What the services see of Redis."""

    link: Link
    feed: Feed
    attempts: AttemptStore
    races: RaceStore
    due: DueStore
    links: LinkStore
    deals: DealStore
    players: PlayerStore
    queues: QueueStore
    boards: BoardStore
    results: ResultStore
    finishes: FinishStore
    lives: LiveStore
    pool: PoolStore
    analyses: AnalysisStore
    hints: HintStore
    workers: WorkerStore

    async def time_us(self) -> int:
        """Redis's own time, in microseconds."""
        seconds, micros = await self.link.call("TIME")
        return int(seconds) * 1_000_000 + int(micros)

    async def check_writes(self) -> None:
        """Raises `StoreUnavailable` when Redis can't be reached or takes no writes: its disk or memory is full, or its
        replicas are gone. Changes nothing."""
        await self.link.call("SETRANGE", keys.PROBE, 0, "")

    async def close(self) -> None:
        """Closes both connections."""
        await self.feed.close()
        await self.link.close()


async def open_store(url: str, within_s: float = 10.0) -> Store:
    """Connects to `unix://…`, `redis://…` or `rediss://…`; ValueError for a bad URL, `StoreUnavailable` if it fails."""
    address = parse_url(url)
    link, feed = Link(address), Feed(address)
    try:
        await link.open(within_s)
        await feed.open(within_s)
    except BaseException:
        await feed.close()
        await link.close()
        raise
    return Store(
        link,
        feed,
        AttemptStore(link),
        RaceStore(link),
        DueStore(link),
        LinkStore(link),
        DealStore(link),
        PlayerStore(link),
        QueueStore(link),
        BoardStore(link),
        ResultStore(link),
        FinishStore(link),
        LiveStore(link),
        PoolStore(link),
        AnalysisStore(link),
        HintStore(link),
        WorkerStore(link),
    )
