"""What an address may spend on what creates or changes something or takes long; shared by all of a process."""

from collections.abc import Collection

from server.race.pacing import Allowance, Verdict
from server.web.paces import Buckets

WRITES = Allowance(per_second=2, burst=60)
LOCAL = frozenset({"127.0.0.1", "::1", ""})


class Tolls:
    """Credits by address. `unlimited` ones stand for many people, such as a proxy's on this machine."""

    def __init__(self, unlimited: Collection[str] = LOCAL) -> None:
        self._unlimited = frozenset(unlimited)
        self._buckets = Buckets(WRITES)

    def takes(self, address: str, cost: int, now_ms: int) -> bool:
        """Takes credits from the address; False when they are used up."""
        if cost == 0 or address in self._unlimited:
            return True
        return self._buckets.of(address, now_ms).take(now_ms, cost) is Verdict.FLOWING
