"""What the rules cost: CPU time per `refusal` + `play` + progress, and per `legal_moves`, along random play.

`python -m bench.rules [VARIANT…]`; microseconds of this process's CPU, the median of several rounds.
"""

import statistics
import sys
import time
from random import Random

from rules.deals import DealCode, deal
from rules.moves import Move, legal_moves, play_unchecked, refusal
from rules.positions import Position
from rules.variants import find_variant, variants

GAMES, LENGTH, ROUNDS = 12, 60, 5


def playouts(variant: str) -> list[tuple[Position, Move]]:
    """Positions of random play, each with the move that was played in it."""
    chance = Random(variant)
    steps = []
    for seed in range(1, GAMES + 1):
        position = deal(DealCode(variant, "ms", str(seed)))
        for _ in range(LENGTH):
            moves = legal_moves(position)
            if not moves:
                break
            move = chance.choice(moves)
            steps.append((position, move))
            position = play_unchecked(position, move)
    return steps


def us_per_play(steps: list[tuple[Position, Move]]) -> float:
    """One move checked, played, and its progress counted."""
    began = time.process_time_ns()
    for position, move in steps:
        if refusal(position, move) is None:
            _ = play_unchecked(position, move).progress
    return (time.process_time_ns() - began) / 1000 / len(steps)


def us_per_legal_moves(steps: list[tuple[Position, Move]]) -> float:
    """All legal moves of one position."""
    began = time.process_time_ns()
    for position, _ in steps:
        legal_moves(position)
    return (time.process_time_ns() - began) / 1000 / len(steps)


def main() -> None:
    """Prints a line a variant."""
    names = sys.argv[1:] or [variant.id for variant in variants()]
    print(f"{'variant':24}{'refusal + play':>16}{'legal_moves':>14}   us of CPU, median of {ROUNDS}")
    for name in names:
        steps = playouts(find_variant(name).id)
        played = statistics.median(us_per_play(steps) for _ in range(ROUNDS))
        listed = statistics.median(us_per_legal_moves(steps) for _ in range(ROUNDS))
        print(f"{name:24}{played:16.2f}{listed:14.2f}")


if __name__ == "__main__":
    main()
