"""`ramparts worker`: fills the pool of certified deals and analyses closed attempts, beside a server."""

import asyncio
import os
import signal
import sys
from typing import Annotated

import structlog
import typer

from server.config import BadSetting, load_settings

app = typer.Typer(add_completion=False, rich_markup_mode=None)

UNUSABLE = 2
LABOURER_DIED = 1


@app.command("worker")
def work(
    jobs: Annotated[int, typer.Option("--jobs", min=1, metavar="N", help="processes that search")] = 1,
    wanted: Annotated[int, typer.Option("--pool", min=1, metavar="N", help="deals to keep of each grade")] = 10,
    variant: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="certify deals of this game only; may be given again")
    ] = None,
    beside: Annotated[
        bool, typer.Option("--beside", help="end when standard input does: how `ramparts serve` runs it", hidden=True)
    ] = False,
    empty_pool: Annotated[
        bool, typer.Option("--empty-pool", help="first throw away what is in the pool: after putting a backup back")
    ] = False,
    until_full: Annotated[bool, typer.Option("--until-full", help="end when the pool is full")] = False,
) -> int:
    """Keep certified deals ready and analyse closed attempts, until Ctrl+C. The store is the server's."""
    from concurrent.futures.process import BrokenProcessPool

    from cli.stores import NONE_RUNS, find_store
    from rules.variants import variants
    from server.logs import set_up_logs
    from server.store import StoreError
    from solver.native import is_built

    try:
        settings = load_settings()
    except BadSetting as error:
        print(f"ramparts worker: {error}", file=sys.stderr)
        return UNUSABLE
    unknown = sorted(set(variant or ()) - {each.id for each in variants() if each.ranked_by_default})
    if unknown:
        print(f"ramparts worker: no game with dailies is called {', '.join(unknown)}", file=sys.stderr)
        return UNUSABLE
    url = find_store(settings)
    if url is None:
        print(f"ramparts worker: {NONE_RUNS.format(folder=settings.data_dir)}", file=sys.stderr)
        return UNUSABLE
    set_up_logs(settings.log_level, settings.log_format)
    if not is_built():
        structlog.get_logger().warning(
            "worker.without_kernel", why="it was built without a C compiler: searches are slow"
        )
    try:
        asyncio.run(_work(url, jobs, wanted, variant, until_full=until_full, beside=beside, empty_pool=empty_pool))
    except asyncio.CancelledError:
        return 0
    except StoreError as error:
        print(f"ramparts worker: {error}", file=sys.stderr)
        return UNUSABLE
    except BrokenProcessPool:
        return LABOURER_DIED
    except BaseExceptionGroup as group:
        # Beside a server another worker follows; what was asked for and not answered is still in its queue.
        if group.split(BrokenProcessPool)[1] is not None:
            raise
        return LABOURER_DIED
    return 0


async def _work(
    url: str,
    jobs: int,
    wanted: int,
    chosen: list[str] | None,
    *,
    until_full: bool,
    beside: bool,
    empty_pool: bool,
) -> None:
    from rules.variants import variants
    from server.store import open_store
    from server.workers.hinting import Adviser
    from server.workers.keeping import Keeper, labourers
    from server.workers.labour import NICENESS

    if beside:
        os.nice(NICENESS)
        _end_with_standard_input()
    store = await open_store(url)
    try:
        # Hints have a process of their own: a person waits.
        async with labourers(jobs) as executor, labourers(1) as quick:
            names = chosen or [variant.id for variant in variants() if variant.ranked_by_default]
            if empty_pool:
                await asyncio.gather(*map(store.pool.clear, names))
            keeper = Keeper(store, executor, names, wanted, jobs)
            if until_full:
                await keeper.fill()
                return
            async with asyncio.TaskGroup() as group:
                group.create_task(keeper.run())
                group.create_task(Adviser(store, quick).run())
    finally:
        await store.close()


def _end_with_standard_input() -> None:
    """Cancels this task when the server says so, or when the pipe from it ends: then it is gone."""
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - called by a task
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    loop.add_reader(sys.stdin.fileno(), task.cancel)
