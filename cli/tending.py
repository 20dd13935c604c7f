"""`ramparts boards`, `players` and `reports`: what whoever runs the server looks at and repairs, running or not."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated

import typer

from cli.stores import find_store
from protocol.codes import ErrorCode
from rules.errors import RulesError
from rules.variants import find_variant, variants
from server.clock import Clock
from server.config import BadSetting, Settings, load_settings
from server.race.daily import parse_daily_id
from server.service.board_names import Side, Span, day_board, parse_board
from server.service.boards import Boards
from server.service.errors import ContestError
from server.service.finish_rates import FinishRates
from server.service.players import Players
from server.service.races import Races
from server.service.rebuilding import Rebuilding
from server.service.results import Results
from server.starting import why_not_started
from server.store import Store, StoreError, open_store
from server.store.embedded import start_embedded

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)
boards = typer.Typer(no_args_is_help=True, help="Leaderboards.", rich_markup_mode=None)
players = typer.Typer(no_args_is_help=True, help="Players.", rich_markup_mode=None)
app.add_typer(boards, name="boards")
app.add_typer(players, name="players")

ROWS = 20
Who = Annotated[str, typer.Argument(metavar="PLAYER", help="a claimed name or a player's id")]


@dataclass(frozen=True, slots=True)
class _Tools:
    store: Store
    players: Players
    boards: Boards
    rebuilding: Rebuilding
    results: Results
    finish_rates: FinishRates


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[_Tools]:
    """On the configured Redis, or the running server's own, or one started for this command alone."""
    embedded = None
    url = find_store(settings)
    if url is None:
        embedded = await asyncio.to_thread(
            start_embedded, settings.data_dir, chosen=settings.valkey_server, fsync=settings.fsync
        )
        url = embedded.url
    try:
        store = await open_store(url)
        try:
            clock = Clock(store.time_us)
            await clock.sync()
            known = Players(store, clock)
            ranked = Boards(store, clock, known)
            races = Races(store, clock)
            results = Results(store, clock, races, known, ranked)
            rates = FinishRates(store, races, known)
            yield _Tools(store, known, ranked, Rebuilding(store, races, ranked), results, rates)
        finally:
            await store.close()
    finally:
        if embedded is not None:
            await asyncio.to_thread(embedded.stop)


def _carry_out(step: Callable[[_Tools], Awaitable[None]]) -> int:
    async def run(settings: Settings) -> None:
        async with _opened(settings) as tools:
            await step(tools)

    try:
        settings = load_settings()
    except BadSetting as error:
        print(f"ramparts: {error}", file=sys.stderr)
        return 2
    try:
        asyncio.run(run(settings))
    except BrokenPipeError:
        raise
    except (StoreError, OSError) as error:
        print(f"ramparts: {why_not_started(settings, error)}", file=sys.stderr)
        return 2
    except RulesError as error:
        print(f"ramparts: {error}.", file=sys.stderr)
        return 1
    except ContestError as error:
        print(f"ramparts: {error.message}", file=sys.stderr)
        return 1
    return 0


@boards.command("list")
def list_boards() -> int:
    """Print the names of all boards that were ever posted to."""

    async def step(tools: _Tools) -> None:
        for board in sorted(await tools.store.boards.boards()):
            print(board)

    return _carry_out(step)


@boards.command("show")
def show_board(board: str, rows: Annotated[int, typer.Option(min=1, max=1000, help="how many")] = ROWS) -> int:
    """Print the first rows of a board and the rule it ranks by."""

    async def step(tools: _Tools) -> None:
        page = await tools.boards.page(board, None, rows)
        is_of_times = parse_board(board).span is Span.BEST
        for row in page.rows:
            reached = f"{row.points} points" if row.points is not None else f"{(row.at_ms or 0) / 1000:.3f} s"
            cards = "" if row.points is not None or is_of_times else f"{row.cards} cards  "
            print(f"{row.place:5}  {row.player.name:24}  {cards}{reached}{'  (under review)' if row.review else ''}")
        print(f"{page.total} rows. {page.rule}")

    return _carry_out(step)


@boards.command("rebuild")
def rebuild_boards(names: Annotated[list[str] | None, typer.Argument(metavar="[BOARD]...")] = None) -> int:
    """Rebuild boards, or all, from the attempts and closed days they were made of. Hidden players stay hidden."""

    async def step(tools: _Tools) -> None:
        if not names:
            rebuilt = await tools.rebuilding.rebuild_all()
        else:
            rebuilt = {name: await tools.rebuilding.rebuild(name) for name in names}
        for name, rows in rebuilt.items():
            print(f"{name}: {rows} rows")

    return _carry_out(step)


@boards.command("recount")
def recount_finishes(names: Annotated[list[str] | None, typer.Argument(metavar="[VARIANT]...")] = None) -> int:
    """Count again how many attempts were finished, of variants or of all, from the races that are still stored."""

    async def step(tools: _Tools) -> None:
        for name in names or [variant.id for variant in variants() if variant.ranked_by_default]:
            variant = find_variant(name).id
            counted = await tools.finish_rates.rebuild(variant)
            rates = (await tools.finish_rates.of(variant)).values()
            finished, attempts = sum(rate.finished for rate in rates), sum(rate.attempts for rate in rates)
            print(f"{variant}: {counted} races, {finished} of {attempts} attempts finished")

    return _carry_out(step)


@players.command("rebuild")
def rebuild_players(who: Annotated[list[str] | None, typer.Argument(metavar="[PLAYER]...")] = None) -> int:
    """Make results, statistics and streaks anew from attempts and races: of players, or of all who have played."""

    async def step(tools: _Tools) -> None:
        chosen = [await _find(tools, each) for each in who or []] or await tools.store.players.with_attempts()
        unknown = []
        for player in chosen:
            try:
                print(f"{player}: {await tools.results.rebuild(player)} results")
            except ContestError as error:
                if error.code is not ErrorCode.NOT_FOUND:
                    raise
                unknown.append(player)
        if unknown:
            raise _no_player(*unknown)

    return _carry_out(step)


@players.command("hide")
def hide_player(who: Who) -> int:
    """Hide a player's name and rows everywhere, later rows too."""
    return _carry_out(lambda tools: _change(tools, who, tools.players.hide, "hidden"))


@players.command("unhide")
def unhide_player(who: Who) -> int:
    """Show a hidden player again."""
    return _carry_out(lambda tools: _change(tools, who, tools.players.unhide, "shown again"))


@players.command("end-review")
def end_review(
    who: Who, race: Annotated[str, typer.Argument(metavar="DAILY", help="such as daily.2026-11-29.citadel")]
) -> int:
    """End the review of a player's attempt at a daily: its row on the day's board loses the mark."""

    async def step(tools: _Tools) -> None:
        daily = parse_daily_id(race)
        player = await _find(tools, who)
        if daily is None or not await tools.players.is_under_review(player, race):
            raise ContestError(ErrorCode.NOT_FOUND, "race", "No such attempt is under review.")
        await tools.players.end_review(player, race)
        posted = await tools.store.boards.boards()
        for board in (day_board(daily, side) for side in Side):
            if board in posted:
                await tools.rebuilding.rebuild(board)
        print(f"{player} is under review no longer.")

    return _carry_out(step)


async def _find(tools: _Tools, who: str) -> str:
    named = await tools.players.by_name_or_hidden(who)
    return named.id if named is not None else who


async def _change(tools: _Tools, who: str, change: Callable[[str], Awaitable[None]], told: str) -> None:
    player = await _find(tools, who)
    try:
        await change(player)
    except ContestError as error:
        if error.code is not ErrorCode.NOT_FOUND:
            raise
        raise _no_player(who) from None
    print(f"{player} is {told}.")


def _no_player(*who: str) -> ContestError:
    return ContestError(ErrorCode.NOT_FOUND, "player", f"No player has the name or the id {', '.join(map(repr, who))}")


@app.command("reports")
def show_reports(limit: Annotated[int, typer.Option(min=1, max=10_000, help="how many")] = ROWS) -> int:
    """Print the latest reports, newest first, one JSON object a line."""

    async def step(tools: _Tools) -> None:
        for report in await tools.players.reports(limit):
            print(json.dumps(json.loads(report), ensure_ascii=True))

    return _carry_out(step)
