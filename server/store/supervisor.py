"""The process between us and the embedded server: it starts the server, starts it again when it dies, and stops it
when we do, however we die. Run as a script of its own, with the standard library alone.

    supervisor.py LOCK_FD SOCKET_FOLDER SYNCED_FOLDER SERVER ARG...      stdin: a pipe from the owner

The pipe's end means that the owner is gone: stop. A line on it means that the server was seen ready: from then on it is
started again when it dies; before, its death ends the supervisor too. LOCK_FD is the locked data folder; the server
inherits it, so that the folder stays locked as long as any of them lives. The files in SYNCED_FOLDER (none: "") are
synced to the disk once a second, which the server must not do itself: while its own sync is slow it answers before it
has written, and would lose that by kill -9.
"""

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import time

STOP_S = 20.0
SYNC_S = 1.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 2.0


def main(lock_fd: int, folder: str, synced: str, command: list[str]) -> int:
    """Runs until the owner is gone, or the server died before it was ready; the exit code."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Whoever stops a whole group of processes means the owner; it says when it needs the store no more.
        signal.signal(number, signal.SIG_IGN)
    bell = _child_bell()
    ready = False
    pause = FIRST_PAUSE_S
    try:
        while True:
            began = time.monotonic()
            server = subprocess.Popen(  # noqa: S603 - the owner's words
                command,
                pass_fds=(lock_fd,),
                stdin=subprocess.DEVNULL,
                preexec_fn=_as_child,  # noqa: PLW1509 - there are no threads here
            )
            ready, gone = _attend(server, bell, synced, ready=ready)
            if gone:
                _stop(server)
                return 0
            if not ready:
                return server.returncode or 1
            pause = FIRST_PAUSE_S if time.monotonic() - began > LONGEST_PAUSE_S else min(2 * pause, LONGEST_PAUSE_S)
            time.sleep(pause)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _as_child() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    if sys.platform == "linux":
        # Should the supervisor itself be killed, the kernel stops the server.
        import ctypes  # noqa: PLC0415 - costs 5 ms, and only here

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def _child_bell() -> int:
    """A pipe that can be read whenever a child has died."""
    bell, rope = os.pipe()
    for end in (bell, rope):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(rope, warn_on_full_buffer=False)
    return bell


def _attend(server: "subprocess.Popen[bytes]", bell: int, synced: str, *, ready: bool) -> tuple[bool, bool]:
    """Waits for the server's death or the owner's: (was it seen ready?, is the owner gone?)."""
    while server.poll() is None:
        heard, _, _ = select.select([0, bell], [], [], SYNC_S if synced else None)
        if bell in heard:
            os.read(bell, 512)
        if 0 in heard:
            if not os.read(0, 64):
                return ready, True
            ready = True
        if not heard:
            sync_files(synced)
    return ready, False


def sync_files(folder: str) -> int:
    """Syncs every file of a folder to the disk; how many."""
    synced = 0
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            file = os.open(entry.path, os.O_RDONLY)
            try:
                os.fsync(file)
            finally:
                os.close(file)
            synced += 1
    return synced


def _stop(server: "subprocess.Popen[bytes]") -> None:
    server.terminate()
    try:
        server.wait(STOP_S)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]))
