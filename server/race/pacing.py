"""How many messages a player or an address may send: a token bucket that may go into debt, without a clock of its own.

FLOWING -> BRAKED (bucket empty: answered `too_many_messages`) -> FLOWING (refilled)
BRAKED -> CUT OFF (as deep in debt as the bucket is large: closed with 4029)
"""

from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """What becomes of a message."""

    FLOWING = "carried out"
    BRAKED = "answered with an error"
    CUT_OFF = "the connection is closed"


@dataclass(frozen=True, slots=True)
class Allowance:
    """`per_second` messages for as long as one likes, and `burst` at once."""

    per_second: int
    burst: int

    def times(self, factor: int) -> "Allowance":
        """The same for `factor` senders together."""
        return Allowance(self.per_second * factor, self.burst * factor)


@dataclass(slots=True)
class Bucket:
    """One sender's credits, in thousandths, so that no fraction of a millisecond's refill is lost to rounding."""

    allowance: Allowance
    credits: int
    filled_ms: int

    @classmethod
    def full(cls, allowance: Allowance, now_ms: int) -> "Bucket":
        """A bucket that nothing has been taken from."""
        return cls(allowance, allowance.burst * 1000, now_ms)

    def take(self, now_ms: int, cost: int = 1) -> Verdict:
        """Counts a message of `cost` credits. One that is refused counts too, so hammering on never helps."""
        ceiling = self.allowance.burst * 1000
        elapsed = now_ms - self.filled_ms
        if elapsed > 0:
            self.credits = min(ceiling, self.credits + elapsed * self.allowance.per_second)
            self.filled_ms = now_ms
        flowing = self.credits >= cost * 1000
        self.credits = max(self.credits - cost * 1000, -ceiling - 1000)
        if flowing:
            return Verdict.FLOWING
        return Verdict.BRAKED if self.credits >= -ceiling else Verdict.CUT_OFF

    def is_full(self, now_ms: int) -> bool:
        """Has the sender been quiet long enough to be forgotten?"""
        refill = max(0, now_ms - self.filled_ms) * self.allowance.per_second
        return self.credits + refill >= self.allowance.burst * 1000
