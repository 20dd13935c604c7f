"""The small parts at the edge: origins, paces, errands; and what becomes of a bug."""

import asyncio
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from protocol.codes import ErrorCode
from server import app as making
from server.config import Settings
from server.race.pacing import Allowance, Verdict
from server.service.errors import ContestError
from server.store import StoreUnavailable
from server.web import paces as pacing
from server.web.addresses import address_of
from server.web.desk import Desk
from server.web.errands import Errands
from server.web.http.tolls import Tolls
from server.web.origins import Origins
from server.web.paces import Buckets, Paces, worst
from tests.web.site import Player, Site

Logged = list[MutableMapping[str, Any]]


def headers(host: str = "play.example", *origins: str) -> list[tuple[bytes, bytes]]:
    return [(b"host", host.encode()), *((b"origin", origin.encode()) for origin in origins)]


@pytest.mark.parametrize(
    ("sent", "allowed"),
    [
        (headers(), True),
        (headers("play.example", "https://play.example"), True),
        (headers("play.example:8000", "http://play.example:8000"), True),
        (headers("PLAY.example", "https://play.EXAMPLE"), True),
        (headers("play.example", "https://friend.example"), True),
        (headers("play.example", "https://evil.example"), False),
        (headers("play.example", "https://play.example.evil.example"), False),
        (headers("play.example", "https://play.example:444"), False),
        (headers("play.example", "null"), False),
        (headers("play.example", ""), False),
        (headers("play.example", "https://play.example", "https://evil.example"), False),
        ([(b"origin", b"https://play.example")], False),
    ],
)
def test_only_pages_of_this_host_and_of_friends_may_open_a_socket(
    sent: list[tuple[bytes, bytes]], allowed: bool
) -> None:
    assert Origins(["https://friend.example/"]).allows(sent) is allowed


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:0:1::5", "2001:db8:0:1::/64"),
        ("2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"),
        ("2001:db8:0:2::5", "2001:db8:0:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::ffff:127.0.0.1", "127.0.0.1"),
        ("::1", "::1"),
        ("a socket's path", "a socket's path"),
    ],
)
def test_a_household_counts_as_one_address(address: str, counted: str) -> None:
    assert address_of({"client": (address, 1)}) == counted


def test_no_client_no_address() -> None:
    assert address_of({"client": None}) == address_of({}) == ""


def some_paces() -> Paces:
    return Paces(Allowance(10, 20), Allowance(100, 200), frozenset({"127.0.0.1"}))


def test_a_player_has_one_bucket_wherever_they_connect() -> None:
    paces = some_paces()
    assert paces.of_player("alice", 0) is paces.of_player("alice", 5)
    assert paces.of_player("alice", 0) is not paces.of_player("bob", 0)


def test_a_player_can_not_take_an_address_s_bucket_by_name() -> None:
    paces = some_paces()
    assert paces.of_player("203.0.113.1", 0) is not paces.of_address("203.0.113.1", 0)


def test_an_address_that_stands_for_many_has_no_bucket() -> None:
    assert some_paces().of_address("127.0.0.1", 0) is None


def test_who_has_been_quiet_is_forgotten_and_who_is_in_debt_is_not() -> None:
    buckets = Buckets(Allowance(10, 20))
    debtor = buckets.of("debtor", 0)
    for _ in range(40):
        debtor.take(0)
    for number in range(30):
        buckets.of(str(number), 1)
    assert buckets.of("debtor", 1) is debtor
    for number in range(30, 60):
        buckets.of(str(number), 10_000)
    assert len(buckets) <= 2


@pytest.mark.parametrize("kind", ["players", "addresses", "tolls"])
def test_no_flood_of_senders_makes_a_table_of_buckets_grow_beyond_its_bound(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(pacing, "MOST_KEPT", 10)
    paces, tolls = some_paces(), Tolls()
    for number in range(100):
        sender = f"2001:db8::{number:x}"
        paces.of_player(sender, 0).take(0)
        bucket = paces.of_address(sender, 0)
        assert bucket is not None
        bucket.take(0)
        tolls.takes(sender, 1, 0)
    table = {"players": paces._players, "addresses": paces._addresses, "tolls": tolls._buckets}[kind]
    assert len(table) == 10


def test_the_strictest_verdict_holds() -> None:
    assert worst(Verdict.FLOWING, Verdict.CUT_OFF) is Verdict.CUT_OFF
    assert worst(Verdict.BRAKED, Verdict.FLOWING) is Verdict.BRAKED
    assert worst(Verdict.FLOWING, Verdict.FLOWING) is Verdict.FLOWING


@pytest.mark.parametrize("error", [ContestError(ErrorCode.CLOSED), StoreUnavailable("gone")])
async def test_an_errand_that_can_not_be_done_is_left_to_the_sweep(error: Exception, logged: Logged) -> None:
    async def errand() -> None:
        raise error

    errands = Errands()
    errands.send(errand())
    await errands.finish(1)
    assert [entry["event"] for entry in logged] == ["errand.undone"]


async def test_an_errand_with_a_bug_is_logged_and_harms_nobody(logged: Logged) -> None:
    async def errand() -> None:
        raise KeyError("bug")

    errands = Errands()
    errands.send(errand())
    await errands.finish(1)
    assert [entry["event"] for entry in logged] == ["errand.failed"]
    logged.clear()


async def test_errands_are_waited_for_and_then_cancelled() -> None:
    done: list[str] = []

    async def short() -> None:
        await asyncio.sleep(0.01)
        done.append("short")

    errands = Errands()
    errands.send(short())
    errands.send(asyncio.sleep(60))
    await errands.finish(0.1)
    assert done == ["short"]
    assert not errands._tasks


async def test_a_bug_closes_its_own_connection_with_1011_without_details(
    site: Site, logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = await Player.join(site), await Player.join(site)
    attempt = await other.practise()

    def broken(*_: object) -> None:
        raise ZeroDivisionError("secret detail")

    with monkeypatch.context() as patched:
        patched.setattr(Desk, "play", broken)
        await one.say("restart", race="somewhere", id=1, version=0)
        assert await one.hear_close() == 1011
    assert "secret" not in str(one.seen)
    await attempt.play(attempt.legal()[0])
    [entry] = [entry for entry in logged if entry["log_level"] == "error"]
    assert (entry["event"], entry["player"]) == ("socket.failed", one.id)
    logged.clear()


async def test_a_bug_in_a_slow_command_closes_with_1011(
    site: Site, logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = await Player.join(site)

    async def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(site.app.state.contest.creating, "create", broken)
    await player.say("create", key="12345678", kind="practice", deal="fortress:ms:1")
    assert await player.hear_close() == 1011
    logged.clear()


async def test_a_store_that_is_not_there_stops_the_start_with_its_reason(
    tmp_path: Path, logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "STORE_WITHIN_S", 0.1)
    settings = Settings(redis_url=SecretStr(f"unix://{tmp_path}/none.sock"), data_dir=tmp_path)
    app = making.create_app(settings)
    with pytest.raises(making.StartFailed):
        async with app.router.lifespan_context(app):
            pass
    assert [entry["event"] for entry in logged] == ["start.failed"]
    logged.clear()
