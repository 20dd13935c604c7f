"""`python -m bench.reach [DEALS] [VARIANT...]`: how far the solver reaches beyond fresh deals.

Par: of so many winnable deals, how many have their par proved within ten seconds. Mid-game: of the positions that a
greedy player who looks a little ahead passes through (`client.choosing`), how many are decided within one second. It
plays winnable and lost deals alike; every fourth position is asked. All seconds are CPU seconds.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator

from client.choosing import Chooser
from rules.deals import DealCode, deal, r1_seed
from rules.moves import is_won, play_unchecked
from rules.positions import Position
from solver.par import find_par
from solver.verdicts import Verdict, solve

VARIANTS = (
    "beleaguered-castle", "citadel", "fortress", "beleaguered-fortress", "siegecraft", "stronghold", "chessboard",
    "selective-castle", "freecell", "streets-and-alleys", "brigade",
)  # fmt: skip
PAR_S = 10.0
VERDICT_S = 1.0
LOOKED_AT = 250
MOST_MOVES = 120
EVERY = 4


def within(seconds: float) -> Callable[[], bool]:
    """Asks whether so much CPU time of this process has passed."""
    until = time.process_time() + seconds
    return lambda: time.process_time() > until


def fresh_deals(name: str) -> Iterator[Position]:
    """Deals without end, the same each time."""
    chance = random.Random(f"reach {name}")
    while True:
        yield deal(DealCode(name, "r1", r1_seed(chance.randbytes(16))))


def pars(name: str, deals: int) -> str:
    """How many pars are proved, and how long the median took."""
    proved, took = 0, list[float]()
    for position in fresh_deals(name):
        line = solve(position).line
        if line is None:
            continue
        began = time.process_time()
        proved += find_par(position, line, sys.maxsize, within(PAR_S)).is_proved
        took.append(time.process_time() - began)
        if len(took) == deals:
            break
    return f"par {proved:4} of {deals:4} proved, median {sorted(took)[deals // 2]:6.2f} s"


def mid_game(name: str, deals: int) -> str:
    """How many positions of the player's records are decided."""
    asked, decided, took = 0, 0, list[float]()
    for position, _ in zip(fresh_deals(name), range(deals), strict=False):
        for number, here in enumerate(played(position)):
            if number % EVERY:
                continue
            began = time.process_time()
            decided += solve(here, sys.maxsize, within(VERDICT_S)).verdict is not Verdict.UNKNOWN
            took.append(time.process_time() - began)
            asked += 1
    share = 100 * decided / asked
    return f"mid-game {decided:5} of {asked:5} decided ({share:.1f} %), median {1000 * sorted(took)[asked // 2]:.1f} ms"


def played(position: Position, most_moves: int = MOST_MOVES) -> Iterator[Position]:
    """The positions of one attempt, from the deal on."""
    chooser = Chooser(looked_at=LOOKED_AT)
    for _ in range(most_moves):
        yield position
        move = None if is_won(position) else chooser.choose(position)
        if move is None:
            return
        position = play_unchecked(position, move)


def main(deals: int, *names: str) -> None:
    """Prints one line a variant."""
    for name in names or VARIANTS:
        print(f"{name:22} {pars(name, deals)}; {mid_game(name, deals)}", flush=True)


if __name__ == "__main__":
    many, *only = sys.argv[1:] or ["40"]
    main(int(many), *only)
