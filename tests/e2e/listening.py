"""A player whose frames are taken in the moment they come, each with its instant, whether or not they are asked for."""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from websockets.exceptions import ConnectionClosed

from tests.web.site import Frame, Player


def wall_ms() -> float:
    """This machine's clock, which the server's follows."""
    return time.time() * 1000


@dataclass
class Listener(Player):
    """`arrived` is every frame as text with the instant of its coming, by `clock` (milliseconds)."""

    clock: Callable[[], float] = wall_ms
    arrived: list[tuple[float, str]] = field(default_factory=list)
    note: Callable[[str], None] = lambda _: None
    """Called with each frame as it comes."""

    def __post_init__(self) -> None:
        self._frames: asyncio.Queue[str | None] = asyncio.Queue()
        self._taking_in = asyncio.create_task(self._take_in())

    async def _take_in(self) -> None:
        try:
            async for text in self.socket:
                assert isinstance(text, str)
                self.arrived.append((self.clock(), text))
                self.note(text)
                self._frames.put_nowait(text)
        except ConnectionClosed:
            pass
        self._frames.put_nowait(None)

    async def hear_any(self) -> Frame:
        """The next frame that was not asked for yet; raises `ConnectionClosed` behind the last."""
        text = await self._frames.get()
        if text is None:
            self._frames.put_nowait(None)
            await self.socket.recv()
            raise AssertionError("nothing comes from a closed socket")
        frame: Frame = json.loads(text)
        self.seen.append(frame)
        return frame

    def when(self, type_: str, race: str) -> float:
        """When the first frame of this type about this race came."""
        frames = ((at, json.loads(text)) for at, text in self.arrived)
        return next(at for at, frame in frames if frame["type"] == type_ and frame["race"] == race)
