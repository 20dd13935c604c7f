"""The buckets of everyone who sends or asks, by player and by address, shared by all connections and requests here."""

from collections import OrderedDict

from server.race.pacing import Allowance, Bucket, Verdict

MOST_KEPT = 20_000
"""Buckets of one kind that are kept; beyond, who has been quiet for longest is forgotten."""


class Buckets:
    """One bucket for each name, all of one allowance."""

    def __init__(self, allowance: Allowance) -> None:
        self.allowance = allowance
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, name: str, now_ms: int) -> Bucket:
        """The bucket of this name; a full one for who has not been seen, or not for long."""
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = self._buckets[name] = Bucket.full(self.allowance, now_ms)
            self._forget(now_ms)
        else:
            self._buckets.move_to_end(name)
        return bucket

    def _forget(self, now_ms: int) -> None:
        """Who has been quiet until their bucket was full again loses nothing; the bound holds for all others too."""
        while len(self._buckets) > 1:
            name, bucket = next(iter(self._buckets.items()))
            if len(self._buckets) <= MOST_KEPT and not bucket.is_full(now_ms):
                break
            del self._buckets[name]

    def __len__(self) -> int:
        return len(self._buckets)


class Paces:
    """Who may send how much. A local address (a proxy, a test, a bench) stands for many people and has no bucket."""

    def __init__(self, player: Allowance, address: Allowance, unlimited: frozenset[str]) -> None:
        self.player = player
        self._players = Buckets(player)
        self._addresses = Buckets(address)
        self._unlimited = unlimited

    def of_player(self, player: str, now_ms: int) -> Bucket:
        """A player's bucket, the same for all their connections."""
        return self._players.of(player, now_ms)

    def of_stranger(self, now_ms: int) -> Bucket:
        """The bucket of a connection that has not said hello."""
        return Bucket.full(self.player, now_ms)

    def of_address(self, address: str, now_ms: int) -> Bucket | None:
        """An address's bucket; None if it has no limit."""
        return None if address in self._unlimited else self._addresses.of(address, now_ms)


def worst(*verdicts: Verdict) -> Verdict:
    """The strictest of several verdicts on one message."""
    order = (Verdict.CUT_OFF, Verdict.BRAKED, Verdict.FLOWING)
    return next(verdict for verdict in order if verdict in verdicts)
