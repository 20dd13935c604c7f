"""What waits to go to one client: answers and events in order, of progress only the newest, and bounds on both.

Full means that the client does not read: the outbox says so once and takes nothing more. No I/O here.
"""

from collections import deque

MAX_FRAMES = 512
MAX_LETTERS = 1_000_000
PROGRESS_EVERY_MS = 100
"""Progress of a race goes out at most this often; between, a newer one of a player takes the older one's place."""


class Outbox:
    """Frames on their way to one client."""

    def __init__(self, max_frames: int = MAX_FRAMES, max_letters: int = MAX_LETTERS) -> None:
        self.is_overrun = False
        self._frames: deque[str] = deque()
        self._letters = 0
        self._max_frames = max_frames
        self._max_letters = max_letters
        self._latest: dict[str, dict[str, str]] = {}
        self._due_ms: dict[str, int] = {}

    def put(self, frame: str) -> None:
        """Adds a frame that must arrive, in order."""
        if self.is_overrun:
            return
        self._frames.append(frame)
        self._letters += len(frame)
        if len(self._frames) > self._max_frames or self._letters > self._max_letters:
            self.is_overrun = True
            self.clear()

    def put_latest(self, race: str, player: str, frame: str) -> None:
        """Adds a frame that only counts until a newer one of the same player comes; lost when the outbox is full."""
        if not self.is_overrun:
            self._latest.setdefault(race, {})[player] = frame

    def forget(self, race: str) -> None:
        """Drops progress of a race that is not followed any more."""
        self._latest.pop(race, None)
        self._due_ms.pop(race, None)

    def take(self, now_ms: int) -> str | None:
        """The next frame to send; None when none is due."""
        if self._frames:
            frame = self._frames.popleft()
            self._letters -= len(frame)
            return frame
        for race in [race for race in self._latest if self._due_ms.get(race, 0) <= now_ms]:
            self._due_ms[race] = now_ms + PROGRESS_EVERY_MS
            for frame in self._latest.pop(race).values():
                self.put(frame)
        return self.take(now_ms) if self._frames else None

    def take_all(self, now_ms: int) -> list[str]:
        """All frames that are due."""
        frames = []
        while (frame := self.take(now_ms)) is not None:
            frames.append(frame)
        return frames

    def wait_ms(self, now_ms: int) -> int | None:
        """How long until progress that is held back is due; None when none is."""
        if not self._latest:
            return None
        return max(0, min(self._due_ms.get(race, 0) for race in self._latest) - now_ms)

    def clear(self) -> None:
        """Drops everything."""
        self._frames.clear()
        self._letters = 0
        self._latest.clear()
