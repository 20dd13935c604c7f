"""`python -m bench.solver [DEALS] [VARIANT...]`: what is decided how fast, beside fc-solve in the same run.

fc-solve (Debian: freecell-solver-bin) is only looked for, never required; its losses count only with atomic moves.
Both are timed and stopped by CPU time, so that a busy machine is unfair to neither.
"""

import random
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable

from rules.deals import DealCode, deal, r1_seed
from rules.position_texts import format_position
from rules.positions import Position
from solver import native
from solver.games import compile_position
from solver.native import NativeComplete
from solver.searching import Mode, Status
from solver.verdicts import Verdict, solve

VARIANTS = (
    ("beleaguered-castle", 2), ("citadel", 2), ("siegecraft", 2), ("stronghold", 2), ("brigade", 2), ("fortress", 2),
    ("beleaguered-fortress", 2), ("chessboard", 2), ("selective-castle", 2), ("freecell", 2),
    ("streets-and-alleys", 10), ("castle-of-indolence", 10), ("flower-garden", 10), ("wildflower", 10), ("cruel", 10),
    ("klondike-draw1", 10), ("klondike-draw3", 10), ("four-seasons", 10),
)  # fmt: skip
PRESETS = {
    "beleaguered-castle": ("-g", "beleaguered_castle"), "citadel": ("-g", "beleaguered_castle"),
    "streets-and-alleys": ("-g", "beleaguered_castle"), "freecell": ("-g", "freecell"),
    "siegecraft": ("-g", "beleaguered_castle", "--freecells-num", "1"),
    "stronghold": ("-g", "beleaguered_castle", "--freecells-num", "1"),
}  # fmt: skip
Solved = tuple[Verdict, float]


def ours(seconds: float) -> Callable[[str, Position], Solved]:
    def run(_: str, position: Position) -> Solved:
        began = time.process_time()
        until = began + seconds
        verdict = solve(position, sys.maxsize, lambda: time.process_time() > until).verdict
        return verdict, time.process_time() - began

    return run


def fc_solve(program: str, seconds: float) -> Callable[[str, Position], Solved]:
    def run(name: str, position: Position) -> Solved:
        limited = ["sh", "-c", f'ulimit -t {seconds:.0f}; exec "$@"', "sh", program]
        command = [*limited, *PRESETS[name], "-to", "01ABCDE", "-mi", "20000000", "-"]
        began = children_s()
        told = subprocess.run(
            command, input=format_position(position), capture_output=True, text=True, check=False
        ).stdout
        spent = children_s() - began
        if "This game is solveable" in told:
            return Verdict.WINNABLE, spent
        return (Verdict.LOST if "I could not solve this game" in told else Verdict.UNKNOWN), spent

    return run


def children_s() -> float:
    """CPU time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def row(told: str, solved: list[Solved]) -> str:
    times = sorted(spent for _, spent in solved)
    decided = sum(verdict is not Verdict.UNKNOWN for verdict, _ in solved)
    won = sum(verdict is Verdict.WINNABLE for verdict, _ in solved)
    middle, late = times[len(times) // 2], times[min(int(len(times) * 0.95), len(times) - 1)]
    share, wins = 100 * decided / len(solved), 100 * won / max(decided, 1)
    return f"{told:28} {len(solved):4} {share:6.1f} % {wins:6.1f} % {middle * 1000:9.1f} {late * 1000:9.1f}"


def arrivals_a_second() -> float:
    """Moves tried a second in exhaustive search, over hard losses."""
    tried, spent = 0, 0.0
    for number in range(1, 40):
        game, state = compile_position(deal(DealCode("streets-and-alleys", "ms", str(number))))
        search = NativeComplete(game, state, Mode.WORRY)
        began = time.process_time()
        status = search.run(300_000)
        if status is not Status.WON:
            tried, spent = tried + search.arrivals, spent + time.process_time() - began
    return tried / spent


def main(deals: int, *names: str) -> None:
    program = shutil.which("fc-solve")
    print(f"kernel {'C' if native.is_built() else 'Python'}; CPU time; fc-solve {'there' if program else 'not there'}")
    if native.is_built():
        print(f"exhaustive search: {arrivals_a_second() / 1e6:.1f} million arrivals/s")
    print(f"{'':28} {'n':>4} {'decided':>8} {'won of':>8} {'median ms':>9} {'p95 ms':>9}")
    for name, limit in VARIANTS:
        if names and name not in names:
            continue
        chance = random.Random(f"bench {name}")
        codes = [DealCode(name, "r1", r1_seed(chance.randbytes(16))) for _ in range(deals)]
        positions = [deal(code) for code in codes]
        run = ours(limit)
        print(row(f"{name}, {limit:g} s", [run(name, position) for position in positions]), flush=True)
        if program and name in PRESETS:
            other = fc_solve(program, limit)
            print(row("  fc-solve, atomic moves", [other(name, position) for position in positions]), flush=True)


if __name__ == "__main__":
    many, *only = sys.argv[1:] or ["200"]
    main(int(many), *only)
