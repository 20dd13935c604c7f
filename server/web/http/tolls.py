"""What an address may spend on operations that create or change something or take long; shared by all of a process."""

from collections.abc import Collection

from protocol.codes import ErrorCode
from server.race.pacing import Allowance, Verdict
from server.web.http.operations import HttpRefused
from server.web.paces import Buckets

WRITES = Allowance(per_second=2, burst=60)
LOCAL = frozenset({"127.0.0.1", "::1", ""})


class Tolls:
    """Credits by address. `unlimited` ones stand for many people, such as a proxy's on this machine."""

    def __init__(self, unlimited: Collection[str] = LOCAL) -> None:
        self._unlimited = frozenset(unlimited)
        self._buckets = Buckets(WRITES)

    def pay(self, address: str, cost: int, now_ms: int) -> None:
        """Takes credits from the address; raises `HttpRefused` too_many when they are used up."""
        if cost == 0 or address in self._unlimited:
            return
        if self._buckets.of(address, now_ms).take(now_ms, cost) is not Verdict.FLOWING:
            raise HttpRefused(ErrorCode.TOO_MANY)
