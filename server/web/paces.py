"""The buckets of everyone who sends: one per player and one per address, shared by all their connections here."""

from server.race.pacing import Allowance, Bucket, Verdict

SWEEP_EVERY = 4_096
"""After so many new senders, those who have been quiet are forgotten."""


class Paces:
    """Who may send how much. A local address (a proxy, a test, a bench) stands for many people and has no bucket."""

    def __init__(self, player: Allowance, address: Allowance, unlimited: frozenset[str]) -> None:
        self.player = player
        self._address = address
        self._unlimited = unlimited
        self._buckets: dict[str, Bucket] = {}
        self._sweep_at = SWEEP_EVERY

    def of_player(self, player: str, now_ms: int) -> Bucket:
        """A player's bucket, the same for all their connections."""
        return self._bucket(f"p:{player}", self.player, now_ms)

    def of_stranger(self, now_ms: int) -> Bucket:
        """The bucket of a connection that has not said hello."""
        return Bucket.full(self.player, now_ms)

    def of_address(self, address: str, now_ms: int) -> Bucket | None:
        """An address's bucket; None if it has no limit."""
        if address in self._unlimited:
            return None
        return self._bucket(f"a:{address}", self._address, now_ms)

    def _bucket(self, key: str, allowance: Allowance, now_ms: int) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= self._sweep_at:
                self._buckets = {name: kept for name, kept in self._buckets.items() if not kept.is_full(now_ms)}
                self._sweep_at = len(self._buckets) + SWEEP_EVERY
            bucket = self._buckets[key] = Bucket.full(allowance, now_ms)
        return bucket


def worst(*verdicts: Verdict) -> Verdict:
    """The strictest of several verdicts on one message."""
    order = (Verdict.CUT_OFF, Verdict.BRAKED, Verdict.FLOWING)
    return next(verdict for verdict in order if verdict in verdicts)
