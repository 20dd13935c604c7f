"""One race as one connection follows it: what it was told last, and the play on the own attempt if there is one."""

from dataclasses import dataclass, field

from server.race.attempt import Attempt
from server.service.seats import Opened
from server.web.hub import Gap, Heard
from server.web.play import Play

MAX_HELD = 1_000


@dataclass(slots=True)
class Following:
    """`seq` is the number of the last life-cycle event told; None while a snapshot is on its way.

    What is heard meanwhile is held until the snapshot has been told, so that nothing is told twice or out of order.
    """

    race: str
    seq: int | None = None
    held: list[Heard] = field(default_factory=list)
    opened: Opened | None = None
    play: Play | None = None
    news: Attempt | None = None
    has_ended: bool = False
    is_posting: bool = False
    is_closed: bool = False
    is_seated: bool = False
    """The player has a seat, in a race whose players see each other come and go: to play, or only to be led there."""
    in_line: int = 0
    """Commands that wait for a hint to be admitted, or are one."""

    def hold(self) -> None:
        """A snapshot is fetched."""
        self.seq = None

    def hear(self, heard: Heard) -> None:
        """Holds what was heard; beyond the bound only that something was missed."""
        if len(self.held) < MAX_HELD:
            self.held.append(heard)
        else:
            self.held[-1] = Gap()
