"""What every connection is given: the contest and the things of this process that connections share."""

from collections.abc import Callable
from dataclasses import dataclass

from protocol.codec import MAX_MESSAGE_BYTES
from protocol.parts import Limits
from server.race.attempt import MAX_ENTRIES
from server.service.contest import Contest
from server.web.errands import Errands
from server.web.hub import Hub
from server.web.paces import Paces


@dataclass(frozen=True, slots=True)
class Services:
    """Handed down by the app; two apps can live in one process."""

    contest: Contest
    hub: Hub
    paces: Paces
    errands: Errands
    now_ms: Callable[[], int]
    hello_within_s: float = 10.0

    def limits(self) -> Limits:
        """What one connection may do, as `welcome` says it."""
        return Limits(
            message_bytes=MAX_MESSAGE_BYTES,
            commands_per_second=self.paces.player.per_second,
            entries_per_attempt=MAX_ENTRIES,
        )
