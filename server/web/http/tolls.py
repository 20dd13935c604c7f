"""What an address may spend on operations that create or change something; shared by all operations of a process."""

from collections.abc import Collection

from protocol.codes import ErrorCode
from server.race.pacing import Allowance, Bucket, Verdict
from server.web.http.operations import HttpRefused

WRITES = Allowance(per_second=2, burst=60)
LOCAL = frozenset({"127.0.0.1", "::1", ""})
_BUCKETS_KEPT = 10_000


class Tolls:
    """Credits by address. `unlimited` ones stand for many people, such as a proxy's on this machine."""

    def __init__(self, unlimited: Collection[str] = LOCAL) -> None:
        self._unlimited = frozenset(unlimited)
        self._buckets: dict[str, Bucket] = {}

    def pay(self, address: str, cost: int, now_ms: int) -> None:
        """Takes credits from the address; raises `HttpRefused` too_many when they are used up."""
        if cost == 0 or address in self._unlimited:
            return
        if len(self._buckets) >= _BUCKETS_KEPT:
            self._buckets = {key: one for key, one in self._buckets.items() if not one.is_full(now_ms)}
        bucket = self._buckets.setdefault(address, Bucket.full(WRITES, now_ms))
        if bucket.take(now_ms, cost) is not Verdict.FLOWING:
            raise HttpRefused(ErrorCode.TOO_MANY)
