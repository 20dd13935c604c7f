"""How long to wait before connecting again: doubling up to a cap, all of it left to chance so that clients spread."""

from dataclasses import dataclass
from random import Random

FIRST_MS, CAP_MS = 250, 15_000


@dataclass(slots=True)
class Backoff:
    """The pauses of one outage; `reset` after a connection that held."""

    chance: Random
    failures: int = 0

    def next_ms(self, at_least_ms: int = 0) -> int:
        """The next pause: up to 250 ms at first, up to 15 s later, on top of what the server asked for."""
        ceiling = min(CAP_MS, FIRST_MS << min(self.failures, 16))
        self.failures += 1
        return at_least_ms + self.chance.randint(ceiling // 4, ceiling)

    def reset(self) -> None:
        """Starts over."""
        self.failures = 0
