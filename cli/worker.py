"""`ramparts worker`: fills the pool of certified deals and analyses closed attempts, beside a server."""

import asyncio
import os
import sys
from typing import Annotated

import typer

from server.config import BadSetting, load_settings

app = typer.Typer(add_completion=False, rich_markup_mode=None)

UNUSABLE = 2


@app.command("worker")
def work(
    jobs: Annotated[int, typer.Option("--jobs", min=1, metavar="N", help="processes that search")] = 1,
    wanted: Annotated[int, typer.Option("--pool", min=1, metavar="N", help="deals to keep of each grade")] = 10,
    beside: Annotated[
        bool, typer.Option("--beside", help="end when standard input does: how `ramparts serve` runs it", hidden=True)
    ] = False,
    until_full: Annotated[bool, typer.Option("--until-full", help="end when the pool is full")] = False,
) -> int:
    """Keep certified deals ready and analyse closed attempts, until Ctrl+C. The store is the server's."""
    from cli.stores import NONE_RUNS, find_store
    from server.logs import set_up_logs
    from server.store import StoreError

    try:
        settings = load_settings()
    except BadSetting as error:
        print(f"ramparts worker: {error}", file=sys.stderr)
        return UNUSABLE
    url = find_store(settings)
    if url is None:
        print(f"ramparts worker: {NONE_RUNS.format(folder=settings.data_dir)}", file=sys.stderr)
        return UNUSABLE
    set_up_logs(settings.log_level, settings.log_format)
    try:
        asyncio.run(_work(url, jobs, wanted, until_full=until_full, beside=beside))
    except asyncio.CancelledError:
        return 0
    except StoreError as error:
        print(f"ramparts worker: {error}", file=sys.stderr)
        return UNUSABLE
    return 0


async def _work(url: str, jobs: int, wanted: int, *, until_full: bool, beside: bool) -> None:
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
        # Hints have a process of their own, made when the first is asked for: a person waits.
        async with labourers(jobs) as executor, labourers(1) as quick:
            names = [variant.id for variant in variants() if variant.ranked_by_default]
            keeper = Keeper(store, executor, names, wanted)
            if not until_full:
                async with asyncio.TaskGroup() as group:
                    group.create_task(keeper.run())
                    group.create_task(Adviser(store, quick).run())
            while await keeper.mint_one():
                pass
    finally:
        await store.close()


def _end_with_standard_input() -> None:
    """Cancels this task when the pipe from the server ends: the server is gone."""
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - called by a task
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), task.cancel)
