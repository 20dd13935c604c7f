"""The race that `ramparts race --demo` shows: two bots that think and move differently, their result and records."""

import asyncio
import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path
from random import Random

from rich.console import Console

from cli.words import explained
from client.bot import play_attempt
from client.connection import Connection, connect
from client.race import Race, is_over
from client.terminal import shown, standings_table
from rules.errors import RulesError
from rules.record import parse_record, verify
from rules.variants import find_variant

LIMIT_MS = 10_000
"""With the countdown, connecting and the records it stays below 20 s."""
PACES_MS = (165, 150)
LOOKS = (3_000, 250)
"""One looks far ahead and takes its time, the other plays faster and thinks less."""
DEALS = ("beleaguered-castle:ms:36", "beleaguered-castle:ms:159")
"""Both bots get far in these, by some fifty moves; on most deals one is blocked after a dozen."""


async def play_demo(url: str, variant: str | None) -> int:
    """Shows the race and says its exit code. Without a variant the deal is one of `DEALS`, else a secret one."""
    console = Console()
    chance = Random()
    deal = None if variant else chance.choice(DEALS)
    async with connect(url, bot=True) as first, connect(url, bot=True) as second:
        hosted = await first.create("private", variant=variant, deal=deal, limit_ms=LIMIT_MS)
        entered = await second.enter(hosted.state.link or hosted.id)
        async with shown(hosted, console, first.now_ms):
            await asyncio.gather(hosted.ready(), entered.ready())
            await asyncio.gather(
                *(
                    play_attempt(each, pace_ms=pace_ms, chance=chance, looked_at=looked_at)
                    for each, pace_ms, looked_at in zip((hosted, entered), PACES_MS, LOOKS, strict=True)
                )
            )
            await hosted.wait_until(is_over)
        results = hosted.state.results
        if not results:
            console.print("The race closed without a result.", style="red")
            return 1
        console.print(standings_table(results, find_variant(hosted.state.variant).cards))
        console.print(f"Deal: {hosted.state.deal}", highlight=False)
        return await _keep_records(url, hosted, first, console)


async def _keep_records(url: str, race: Race, connection: Connection, console: Console) -> int:
    """Saves each record, plays it again, and says how to do so oneself; the exit code."""
    import httpx2

    from client.records import fetch_record

    folder = Path(tempfile.mkdtemp(prefix="ramparts-"))
    kept, failed = [], 0
    for standing in race.state.results or []:
        player = standing.player
        try:
            text = await fetch_record(url, race.id, player.id, connection.token)
        except httpx2.HTTPError as error:
            console.print(f"The record of {player.name} is not to be had: {error}", highlight=False, soft_wrap=True)
            failed = 1
            continue
        path = folder / f"{re.sub(r'[^A-Za-z0-9-]', '', player.name) or player.id}.record"
        path.write_text(text, "utf-8")
        kept.append(path)
        try:
            verify(parse_record(text))
            said = "verified"
        except RulesError as error:
            said, failed = f"refused: {explained(error)}", 1
        console.print(f"Record of {player.name}: {said}, saved as {path}", highlight=False, soft_wrap=True)
    if kept:
        line = shlex.join([own_command(), "verify", *map(str, kept)])
        console.print(f"Check them yourself, no server needed:\n\n    {line}\n", highlight=False, soft_wrap=True)
    return failed


def own_command() -> str:
    """How this shell calls `ramparts`: by its name, or by the path that it was called by."""
    called = Path(sys.argv[0])
    if shutil.which("ramparts") is None and called.name == "ramparts" and called.exists():
        return str(called)
    return "ramparts"
