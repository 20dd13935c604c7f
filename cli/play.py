"""`ramparts bot` and `ramparts race`: bots that race, for company and for show."""

import asyncio
import os
import sys
from collections.abc import Coroutine
from random import Random
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

DEFAULT_URL = "http://127.0.0.1:8000"
BOT_PACE_MS = 400

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)

Variant = Annotated[str, typer.Option(help="The variant to play, options after a plus: cruel+bottom-first.")]
Url = Annotated[
    str | None,
    typer.Option(help=f"The server's address. Default: RAMPARTS_URL, else {DEFAULT_URL}.", show_default=False),
]


@app.command()
def bot(
    variant: Variant = "beleaguered-castle",
    races: Annotated[int, typer.Option(min=1, help="How many races to play.")] = 1,
    pace: Annotated[int, typer.Option(min=0, max=60_000, help="Milliseconds a move.")] = BOT_PACE_MS,
    url: Url = None,
) -> int:
    """Play quick matches as a bot, marked as one."""
    _check_variant(variant)
    return _run(_play_bot(_address(url), variant, races, pace))


@app.command()
def race(
    demo: Annotated[bool, typer.Option("--demo", help="Let two bots race, with live progress.")] = False,
    variant: Annotated[
        str | None,
        typer.Option(help="Race on a fresh deal of this variant, not on a known one of Beleaguered Castle."),
    ] = None,
    url: Url = None,
) -> int:
    """Show a race in the terminal, to its standings; it takes some 18 seconds."""
    if not demo:
        print("ramparts race: say --demo to see two bots race; people race in the browser.", file=sys.stderr)
        return 2
    from cli.demo import play_demo

    if variant is not None:
        _check_variant(variant)
    return _run(play_demo(_address(url), variant))


def _address(url: str | None) -> str:
    """The server's address; raises `typer.BadParameter` for a text that is none."""
    chosen = url or os.environ.get("RAMPARTS_URL") or DEFAULT_URL
    try:
        parts = urlsplit(chosen)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_one = False
    if not is_one:
        named = "--url" if url else "RAMPARTS_URL"
        raise typer.BadParameter(f"{named} {chosen!r} is no address; one reads http://127.0.0.1:8000")
    return chosen


def _check_variant(variant: str) -> None:
    """Raises `RulesError`, before anything is asked of a server."""
    from rules.variants import find_variant

    find_variant(variant)


def _run(coroutine: Coroutine[Any, Any, int]) -> int:
    from client.errors import ClientError, Disconnected, Refused, Unreachable

    try:
        return asyncio.run(coroutine)
    except Unreachable as error:
        print(
            f"No Ramparts server answers at {error.url}. Start one with `make run` (or `ramparts serve`), "
            "or name another with --url or RAMPARTS_URL.",
            file=sys.stderr,
        )
    except Refused as error:
        print(f"The server refused: {error.message or error.code}", file=sys.stderr)
    except Disconnected as error:
        print(f"The connection is over: {error}", file=sys.stderr)
    except ClientError as error:
        print(str(error), file=sys.stderr)
    return 1


async def _play_bot(url: str, variant: str, races: int, pace_ms: int) -> int:
    from client.bot import play_races, result_of
    from client.connection import connect
    from client.race import Race

    chance = Random()
    async with connect(url, bot=True, chance=chance) as connection:
        me = connection.player
        print(f"{me.name} (bot) waits for opponents at {variant}.", flush=True)

        def report(closed: Race) -> None:
            result = result_of(closed, me.id)
            place = "no place" if result is None or result.place is None else f"place {result.place}"
            cards = 0 if result is None else result.cards
            print(f"race {closed.id}: {place} with {cards} cards on the foundations", flush=True)

        await play_races(connection, variant, races, pace_ms=pace_ms, chance=chance, report=report)
    return 0
