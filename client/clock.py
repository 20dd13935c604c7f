"""The server's time as a client can tell it: offsets measured by ping, the quickest answer trusted most. No I/O."""

from collections import deque
from dataclasses import dataclass, field

SAMPLES_KEPT = 8


@dataclass(frozen=True, slots=True)
class Sample:
    """One ping: the round trip and what to add to the local clock, in ms."""

    round_trip_ms: float
    offset_ms: float


@dataclass(slots=True)
class ServerClock:
    """Local milliseconds (of a monotonic clock) to the server's `now_ms`; wrong by half a round trip at most."""

    samples: deque[Sample] = field(default_factory=lambda: deque(maxlen=SAMPLES_KEPT))

    def measure(self, sent_ms: float, received_ms: float, server_ms: int) -> None:
        """Takes in an answer: when the ping left and its answer came (local clock), and what the server said."""
        round_trip = max(0.0, received_ms - sent_ms)
        self.samples.append(Sample(round_trip, server_ms + round_trip / 2 - received_ms))

    @property
    def best(self) -> Sample | None:
        """The quickest of the last samples; None before the first."""
        return min(self.samples, key=lambda sample: sample.round_trip_ms, default=None)

    def server_ms(self, local_ms: float) -> int:
        """The server's time at a local instant; the local clock itself before the first measurement."""
        best = self.best
        return round(local_ms + (best.offset_ms if best else 0.0))

    def forget(self) -> None:
        """Drops all samples: another connection may lead to another process."""
        self.samples.clear()
