"""`ramparts bot` and `ramparts race`: bots that race, for company and for show."""

import asyncio
import os
import sys
from collections.abc import Coroutine
from random import Random
from typing import Annotated, Any

import typer

DEFAULT_URL = "http://127.0.0.1:8000"
DEMO_LIMIT_MS = 11_000
DEMO_PACES_MS = (70, 60)
DEMO_LOOKS = (3_000, 1_500)
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
    return _run(_play_bot(_address(url), variant, races, pace))


@app.command()
def race(
    demo: Annotated[bool, typer.Option("--demo", help="Let two bots race, with live progress.")] = False,
    variant: Variant = "beleaguered-castle",
    url: Url = None,
) -> int:
    """Show a race in the terminal, to its standings."""
    if not demo:
        print("ramparts race: say --demo to see two bots race; people race in the browser.", file=sys.stderr)
        return 2
    return _run(_play_demo(_address(url), variant))


def _address(url: str | None) -> str:
    return url or os.environ.get("RAMPARTS_URL") or DEFAULT_URL


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


async def _play_demo(url: str, variant: str) -> int:
    from rich.console import Console

    from client.bot import play_attempt
    from client.connection import connect
    from client.race import is_over
    from client.terminal import shown, standings_table
    from rules.variants import find_variant

    total = find_variant(variant).cards
    console = Console()
    async with connect(url, bot=True) as first, connect(url, bot=True) as second:
        hosted = await first.create("private", variant=variant, limit_ms=DEMO_LIMIT_MS)
        entered = await second.enter(hosted.state.link or hosted.id)
        async with shown(hosted, console, first.now_ms):
            await asyncio.gather(hosted.ready(), entered.ready())
            await asyncio.gather(
                *(
                    play_attempt(each, pace_ms=pace_ms, chance=Random(), looked_at=looked_at)
                    for each, pace_ms, looked_at in zip((hosted, entered), DEMO_PACES_MS, DEMO_LOOKS, strict=True)
                )
            )
            await hosted.wait_until(is_over)
        results = hosted.state.results
        if not results:
            console.print("The race closed without a result.", style="red")
            return 1
        console.print(standings_table(results, total))
        console.print(f"Deal: {hosted.state.deal}", highlight=False)
        return await _check_records(url, hosted.id, [standing.player.id for standing in results], first.token, console)


async def _check_records(url: str, race: str, players: list[str], token: str | None, console: Any) -> int:
    """Fetches each record and plays it again; the exit code."""
    import httpx2

    from client.records import fetch_record, record_address
    from rules.errors import RulesError
    from rules.record import parse_record, verify

    failed = 0
    for player in players:
        address = record_address(url, race, player)
        try:
            verify(parse_record(await fetch_record(url, race, player, token)))
            said = "verified"
        except RulesError as error:
            said, failed = f"refused: {error}", 1
        except httpx2.HTTPError as error:
            said, failed = f"not to be had: {error}", 1
        console.print(f"Record {address}: {said}", highlight=False, soft_wrap=True)
    console.print(
        f"To check one yourself: curl -s '{record_address(url, race, players[0])}' > race.record "
        "&& ramparts verify race.record",
        highlight=False,
        soft_wrap=True,
    )
    return failed
