"""`ramparts serve` and `ramparts config show`."""

import gc
import os
import sys
from typing import Annotated

import typer

from server.config import BadSetting, Settings, describe, load_settings, unknown_variables

GARBAGE_THRESHOLD = 20_000
# -P: a folder that happens to hold a `rules/` or `cli/` of its own must not stand before ours.
WORKER = (sys.executable, "-P", "-c", "from cli.main import main; main()", "worker", "--beside")

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)
config = typer.Typer(no_args_is_help=True, help="Settings.", rich_markup_mode=None)
app.add_typer(config, name="config")


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on, instead of RAMPARTS_HOST.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, help="Port to listen on, instead of RAMPARTS_PORT; 0: any.")
    ] = None,
) -> int:
    """Start the server, with its own Valkey unless RAMPARTS_REDIS_URL names one. Ctrl+C stops it."""
    settings = _settings()
    if settings is None:
        return 2
    chosen = {key: value for key, value in (("host", host), ("port", port)) if value is not None}
    return _run(settings.model_copy(update=chosen))


def _run(settings: Settings) -> int:
    from server.app import create_app
    from server.beside import Beside
    from server.logs import set_up_logs
    from server.serving import make_server
    from server.starting import CannotStart, open_listeners, why_not_listening

    set_up_logs(settings.log_level, settings.log_format)
    where = "your Redis" if settings.redis_url else f"its own Valkey, data in {settings.data_dir.resolve()}"

    def announce(url: str) -> None:
        # What was made at the start stays: looking through it again and again costs a third of a move's time.
        gc.collect()
        gc.freeze()
        gc.set_threshold(GARBAGE_THRESHOLD)
        print(f"Ramparts is at {url} with {where}{_crew(settings.workers)}. Ctrl+C stops it.", flush=True)

    app = create_app(settings, expects_worker=settings.workers > 0)
    beside = Beside([*WORKER, "--jobs", str(settings.workers)]) if settings.workers else None
    server = make_server(app, settings, announce, beside)
    try:
        # Before anything else is started, so that a port that is taken is said at once.
        server.run(open_listeners(settings))
    except CannotStart as error:
        print(f"ramparts: {error}", file=sys.stderr)
    except OSError as error:
        # Of two that took the port at once, the other listens.
        print(f"ramparts: {why_not_listening(settings, error)}", file=sys.stderr)
    except SystemExit:
        # uvicorn's way of saying that the app has not started.
        print(f"ramparts: {app.state.why_not_started or 'the server did not start'}", file=sys.stderr)
    if app.state.why_ended is not None:
        print(f"ramparts: {app.state.why_ended}", file=sys.stderr)
    if not server.started or app.state.failed is not None:
        return 1
    kept = "your Redis" if settings.redis_url else str(settings.data_dir.resolve())
    print(f"Stopped; the data is in {kept}.", flush=True)
    return 0


def _crew(workers: int) -> str:
    """How many workers it has, for the announcement."""
    return {0: ", without a worker", 1: " and a worker"}.get(workers, f" and {workers} workers")


@config.command()
def show() -> int:
    """Print every setting with its value and where it comes from; secrets are not shown."""
    settings = _settings()
    if settings is None:
        return 2
    for variable, value, source, purpose in describe(settings):
        print(f"{variable}={value}  ({source})\n    {purpose}")
    return 0


def _settings() -> Settings | None:
    for warning in unknown_variables(os.environ):
        print(f"ramparts: {warning}", file=sys.stderr)
    try:
        return load_settings()
    except BadSetting as error:
        print(f"ramparts: {error}", file=sys.stderr)
        return None
