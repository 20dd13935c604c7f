"""Sends no faster than the server allows, so that nothing is ever refused for being one message too many. No I/O."""

from dataclasses import dataclass

SHARE = 0.8
"""Of what is allowed: the server counts by its own clock, and pings count too."""


@dataclass(slots=True)
class Throttle:
    """A bucket that holds half a second's messages; times are local milliseconds of a monotonic clock."""

    per_second: float
    credits: float = 1.0
    filled_ms: float = 0.0

    def delay_ms(self, now_ms: float) -> float:
        """Takes one message and says how long to wait before it may go."""
        rate = self.per_second * SHARE / 1000
        most = max(1.0, self.per_second / 2)
        self.credits = min(most, self.credits + (now_ms - self.filled_ms) * rate) - 1
        self.filled_ms = now_ms
        return max(0.0, -self.credits / rate)
