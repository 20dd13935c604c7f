"""The clock of a server in the test's own loop, moved by hand: time that passes at once, and instants held still."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from server.clock import Clock
from tests.web.site import Site


def now_ms(site: Site) -> int:
    """The server's time."""
    clock: Clock = site.app.state.contest.clock
    return clock.now_ms()


@dataclass
class _Ahead:
    usual_ms: Callable[[], float]
    ms: int = 0

    def __call__(self) -> float:
        return self.usual_ms() + self.ms


def forward(site: Site, ms: int) -> None:
    """Lets so much time pass at once; the server does not follow its reference back."""
    clock: Clock = site.app.state.contest.clock
    if not isinstance(clock._uptime_ms, _Ahead):
        clock._uptime_ms = _Ahead(clock._uptime_ms)
    clock._uptime_ms.ms += ms


def forward_to(site: Site, instant_ms: int) -> None:
    """Lets time pass until an instant of the server's clock."""
    forward(site, instant_ms - now_ms(site))


@contextmanager
def received_at(site: Site, instant_ms: int) -> Iterator[None]:
    """Whatever frame the server receives meanwhile is stamped with this instant; its clock runs on."""
    services = site.app.state.running.socket._services
    usual = services.now_ms
    object.__setattr__(services, "now_ms", lambda: instant_ms)
    try:
        yield
    finally:
        object.__setattr__(services, "now_ms", usual)
