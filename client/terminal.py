"""A race shown in the terminal: who is in it, live progress, standings. Plain lines where there is no terminal."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from client.race import Race
from protocol.codes import End, Phase
from protocol.parts import Entrant, PlayerRef, RaceState, Standing
from rules.variants import find_variant

REFRESH_S = 0.1
PHASES = {
    Phase.OPEN: "waiting for players",
    Phase.COUNTDOWN: "starts in {seconds} s",
    Phase.RUNNING: "running",
    Phase.CLOSING: "closing",
    Phase.CLOSED: "closed",
}
ENDS = {End.FINISHED: "finished", End.RESIGNED: "resigned", End.EXPIRED: "out of time"}


@asynccontextmanager
async def shown(race: Race, console: Console, now_ms: Callable[[], int]) -> AsyncIterator[None]:
    """Shows the race's progress while the block runs: live in a terminal, a line for each event otherwise."""
    show = _show_live if console.is_terminal else _show_lines
    showing = asyncio.create_task(show(race, console, now_ms))
    try:
        yield
    finally:
        showing.cancel()
        await asyncio.gather(showing, return_exceptions=True)


async def _show_live(race: Race, console: Console, now_ms: Callable[[], int]) -> None:
    with Live(progress_table(race, now_ms()), console=console, auto_refresh=False) as live:
        try:
            while True:
                live.update(progress_table(race, now_ms()), refresh=True)
                await asyncio.sleep(REFRESH_S)
        finally:
            live.update(progress_table(race, now_ms()), refresh=True)


async def _show_lines(race: Race, console: Console, now_ms: Callable[[], int]) -> None:
    shown_before = ""
    while True:
        line = progress_line(race, now_ms())
        if line != shown_before:
            console.print(line, highlight=False)
            shown_before = line
        await asyncio.sleep(1.0)


def progress_table(race: Race, now_ms: int) -> Table:
    """The race now: a bar for each entrant."""
    state = race.state
    total = find_variant(state.variant).cards
    title = f"{find_variant(state.variant).name}: {_phase(race, now_ms)}"
    table = Table(title=title, caption=deal_words(state), box=None, pad_edge=False)
    for name in ("player", "on the foundations", "", "since", ""):
        table.add_column(name)
    for entrant in state.entrants:
        table.add_row(
            _name(entrant.player),
            ProgressBar(total=total, completed=entrant.cards, width=30),
            f"{entrant.cards}/{total}",
            _seconds(entrant.at_ms),
            _end(entrant),
        )
    return table


def deal_words(state: RaceState) -> str | None:
    """What is known of a race's deal; None of a chosen one."""
    if state.chosen_deal:
        return None
    if not state.certified:
        return "fresh, not certified"
    return "certified winnable" + (f", difficulty {state.grade} of 5" if state.grade else "")


def progress_line(race: Race, now_ms: int) -> str:
    """The race now, in one line."""
    entrants = ", ".join(
        f"{_name(entrant.player)} {entrant.cards}{' ' + _end(entrant) if entrant.end else ''}"
        for entrant in race.state.entrants
    )
    return f"{_phase(race, now_ms)}: {entrants}"


def standings_table(standings: list[Standing], total: int) -> Table:
    """The result; the rule that ranks stands below."""
    table = Table(title="Standings", caption="most cards on the foundations first, then who got there sooner")
    for name in ("place", "player", "cards", "reached after", "end", "moves"):
        table.add_column(name, justify="right" if name in ("place", "cards", "moves") else "left")
    for standing in standings:
        table.add_row(
            "–" if standing.place is None else str(standing.place),
            _name(standing.player),
            f"{standing.cards}/{total}",
            _seconds(standing.at_ms),
            ENDS[standing.end] if standing.end else "",
            "" if standing.moves is None else str(standing.moves),
        )
    return table


def _phase(race: Race, now_ms: int) -> str:
    left = max(0, (race.state.start_ms or now_ms) - now_ms)
    return PHASES[race.phase].format(seconds=-(-left // 1000))


def _end(entrant: Entrant) -> str:
    return ENDS[entrant.end] if entrant.end else ""


def _name(player: PlayerRef) -> Text | str:
    return f"{player.name} (bot)" if player.bot else player.name


def _seconds(at_ms: int) -> str:
    return f"{at_ms / 1000:.2f} s"
