"""A queue in buckets: lowest priority first, among equals the last that came."""

from typing import Final

_BUCKETS: Final = 4096


class Queue:
    """The reference for `Queue` in kernel/store.h; priorities are held between 0 and 4095."""

    def __init__(self) -> None:
        self._buckets: dict[int, list[int]] = {}
        self.first = _BUCKETS
        """No entry has a lower priority than this."""

    def put(self, priority: int, node: int) -> None:
        """Adds a node."""
        priority = max(0, min(priority, _BUCKETS - 1))
        self._buckets.setdefault(priority, []).append(node)
        self.first = min(self.first, priority)

    def take(self) -> int | None:
        """The next node; None from an empty queue."""
        while self.first < _BUCKETS and not self._buckets.get(self.first):
            self.first += 1
        return self._buckets[self.first].pop() if self.first < _BUCKETS else None
