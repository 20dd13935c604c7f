"""The link: batching, errors, loss and return of the connection; seen through a relay that a test can cut."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from server.store import StoreRefused, StoreUnavailable, connection, open_store
from server.store.address import parse_url
from server.store.link import Link


class Relay:
    """Passes bytes between a link and the server; can be cut, made mute, and counts what came in how many pieces."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.mute = False
        self.pieces: list[bytes] = []
        self.port = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            self.cut()
            await self._server.wait_closed()
            self._server = None
        await asyncio.gather(*self._tasks)

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_unix_connection(self.target)
        self._writers |= {writer, inner_writer}
        for source, sink, counts in ((reader, inner_writer, True), (inner_reader, writer, False)):
            task = asyncio.create_task(self._pass(source, sink, counts=counts))
            self._tasks.add(task)

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, counts: bool) -> None:
        try:
            while piece := await source.read(1 << 20):
                if counts:
                    self.pieces.append(piece)
                if not self.mute:
                    sink.write(piece)
        except ConnectionError:
            pass
        sink.close()


@pytest.fixture
async def relay(redis_url: str) -> AsyncIterator[Relay]:
    made = Relay(redis_url.removeprefix("unix://"))
    await made.start()
    yield made
    await made.stop()


@pytest.fixture
async def link(relay: Relay) -> AsyncIterator[Link]:
    made = Link(parse_url(f"redis://127.0.0.1:{relay.port}"))
    await made.open(5)
    yield made
    await made.close()


async def test_all_calls_of_one_tick_leave_in_one_write(link: Link, relay: Relay) -> None:
    relay.pieces.clear()
    futures = [link.call("INCR", "n") for _ in range(100)]
    assert [await future for future in futures] == list(range(1, 101))
    assert len(relay.pieces) == 1


async def test_replies_come_in_the_order_of_the_calls(link: Link) -> None:
    replies = await asyncio.gather(*(link.call("ECHO", number) for number in range(1_000)))
    assert replies == [str(number) for number in range(1_000)]


async def test_an_error_of_redis_fails_its_own_call_only(link: Link) -> None:
    before, wrong, after = link.call("ECHO", "a"), link.call("INCR", "n", "m"), link.call("ECHO", "b")
    with pytest.raises(StoreRefused, match="wrong number of arguments"):
        await wrong
    assert (await before, await after) == ("a", "b")


async def test_an_answer_that_cannot_be_read_fails_its_own_call_only(link: Link) -> None:
    wrong, after = link.call("ECHO", "x", parse=int), link.call("ECHO", "b")
    with pytest.raises(StoreRefused):
        await wrong
    assert await after == "b"


async def test_a_call_given_up_by_its_caller_does_not_shift_the_others(link: Link) -> None:
    given_up, kept = link.call("ECHO", "a"), link.call("ECHO", "b")
    given_up.cancel()
    assert await kept == "b"


async def test_what_waits_when_the_connection_is_lost_is_unavailable_and_not_sent_again(
    link: Link, relay: Relay
) -> None:
    relay.mute = True
    waiting = [link.call("INCR", "n") for _ in range(3)]
    await asyncio.sleep(0.05)
    relay.mute = False
    relay.cut()
    for future in waiting:
        with pytest.raises(StoreUnavailable):
            await future
    await link.wait_up(5)
    assert await link.call("GET", "n") is None


async def test_without_a_connection_a_call_fails_at_once(link: Link, relay: Relay) -> None:
    await relay.stop()
    await asyncio.sleep(0.05)
    with pytest.raises(StoreUnavailable, match="not connected"):
        await link.call("PING")


async def test_it_comes_back_when_the_server_does(link: Link, relay: Relay) -> None:
    for _ in range(3):
        await relay.stop()
        await asyncio.sleep(0.05)
        assert not link.up
        await relay.start()
        await link.wait_up(5)
        assert await link.call("PING") == "PONG"


async def test_a_server_that_owes_an_answer_for_too_long_is_left(
    redis_url: str, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SILENCE_S", 0.1)
    link = Link(parse_url(f"redis://127.0.0.1:{relay.port}"))
    await link.open(5)
    relay.mute = True
    with pytest.raises(StoreUnavailable):
        await asyncio.wait_for(link.call("PING"), 5)
    relay.mute = False
    await link.wait_up(5)
    assert await link.call("PING") == "PONG"
    await link.close()


async def test_an_idle_link_is_not_taken_for_lost(
    redis_url: str, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SILENCE_S", 0.05)
    link = Link(parse_url(f"redis://127.0.0.1:{relay.port}"))
    await link.open(5)
    relay.pieces.clear()
    await asyncio.sleep(0.3)
    assert link.up
    assert relay.pieces == []
    await link.close()


async def test_functions_that_were_flushed_are_loaded_again(link: Link) -> None:
    await link.call("FUNCTION", "FLUSH")
    with pytest.raises(StoreUnavailable):
        await link.fcall("swap", ("key",), "", "new")
    await link.wait_up(5)
    assert await link.fcall("swap", ("key",), "", "new") == 1


async def test_more_calls_than_may_wait_fail_at_once(link: Link, relay: Relay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.store.link.MAX_PENDING", 2)
    futures = [link.call("ECHO", number) for number in range(3)]
    with pytest.raises(StoreUnavailable, match="too many"):
        await futures[2]
    assert [await futures[0], await futures[1]] == ["0", "1"]


async def test_a_server_that_takes_no_writes_now_is_unavailable(link: Link) -> None:
    await link.call("CONFIG", "SET", "maxmemory", "1")
    try:
        with pytest.raises(StoreUnavailable, match="OOM"):
            await link.call("SET", "a", "b")
    finally:
        await link.call("CONFIG", "SET", "maxmemory", "0")


async def test_opening_fails_with_the_reason_when_nobody_listens() -> None:
    with pytest.raises(StoreUnavailable, match="no connection to Address"):
        await open_store("unix:///nonexistent/socket", within_s=0.1)


async def test_opening_fails_with_the_words_of_a_server_that_takes_no_one_and_hangs_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def refuse(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"-DENIED from here\r\n" * 2)  # one more than was asked, as when it speaks first
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        with pytest.raises(StoreUnavailable, match="DENIED from here"):
            await open_store(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}", within_s=0.3)
    assert not caplog.records


async def test_a_database_of_its_own_can_be_chosen(redis_url: str) -> None:
    store, other = await open_store(redis_url), await open_store(f"{redis_url}?db=3")
    await other.link.call("SET", "a", "1")
    assert await store.link.call("GET", "a") is None
    await store.close()
    await other.close()


async def test_a_password_is_said_first(redis_url: str) -> None:
    store = await open_store(redis_url)
    await store.link.call("ACL", "SETUSER", "racer", "on", ">p@ss word", "~*", "&*", "+@all")
    path = redis_url.removeprefix("unix://")
    try:
        named = await open_store(f"unix://racer:p%40ss%20word@{path}")
        assert await named.link.call("ACL", "WHOAMI") == "racer"
        await named.close()
        with pytest.raises(StoreUnavailable, match="WRONGPASS"):
            await open_store(f"unix://racer:wrong@{path}", within_s=0.2)
    finally:
        await store.link.call("ACL", "DELUSER", "racer")
        await store.close()


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("unix:///run/my%20dir/v.sock?db=2", "Address(unix:///run/my dir/v.sock, db=2)"),
        ("redis://:secret@example.org:7000/4", "Address(redis://example.org:7000, db=4)"),
        ("rediss://user:secret@example.org", "Address(rediss://example.org:6379, db=0)"),
    ],
)
def test_an_address_is_shown_without_its_password(url: str, shown: str) -> None:
    assert repr(parse_url(url)) == shown


@pytest.mark.parametrize("url", ["http://secret@x", "unix://", "redis://:secret@x/one", "redis://x?db=-1", ""])
def test_a_wrong_url_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(ValueError, match=r"URL|number") as refused:
        parse_url(url)
    assert "secret" not in str(refused.value)
