"""`ramparts worker`: fills the pool of certified deals and analyses closed attempts, beside a server."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from server.config import BadSetting, Settings, load_settings

app = typer.Typer(add_completion=False, rich_markup_mode=None)

UNUSABLE = 2


@app.command("worker")
def work(
    jobs: Annotated[int, typer.Option("--jobs", min=1, metavar="N", help="processes that search")] = 1,
    wanted: Annotated[int, typer.Option("--pool", min=1, metavar="N", help="deals to keep of each grade")] = 10,
    until_full: Annotated[bool, typer.Option("--until-full", help="end when the pool is full")] = False,
) -> int:
    """Keep certified deals ready and analyse closed attempts, until Ctrl+C. The store is the server's."""
    from server.logs import set_up_logs
    from server.store import StoreError

    try:
        settings = load_settings()
        url = store_url(settings)
    except (BadSetting, OSError) as error:
        print(f"ramparts worker: {error}", file=sys.stderr)
        return UNUSABLE
    set_up_logs(settings.log_level, settings.log_format)
    try:
        asyncio.run(_work(url, jobs, wanted, until_full=until_full))
    except StoreError as error:
        print(f"ramparts worker: {error}", file=sys.stderr)
        return UNUSABLE
    return 0


def store_url(settings: Settings) -> str:
    """The configured store, or the embedded one that a server of this user runs in the data folder. Raises OSError."""
    if settings.redis_url is not None:
        return settings.redis_url.get_secret_value()
    from server.store.embedded import URL

    written: Path = settings.data_dir / URL
    try:
        return written.read_text("ascii").strip()
    except FileNotFoundError:
        raise OSError(
            f"no server runs with its data in {settings.data_dir}, and RAMPARTS_REDIS_URL is not set"
        ) from None


async def _work(url: str, jobs: int, wanted: int, *, until_full: bool) -> None:
    from rules.variants import variants
    from server.store import open_store
    from server.store.pool import AnalysisStore, PoolStore
    from server.workers.keeping import Keeper, labourers

    store = await open_store(url)
    try:
        async with labourers(jobs) as executor:
            names = [variant.id for variant in variants() if variant.ranked_by_default]
            keeper = Keeper(PoolStore(store.link), AnalysisStore(store.link), executor, names, wanted)
            if not until_full:
                await keeper.run()
            while await keeper.mint_one():
                pass
    finally:
        await store.close()
