"""`ramparts serve` and `ramparts config show` as a person runs them."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from cli.main import main; main()"]
ROOT = Path(__file__).parents[2]


def environment(folder: Path, **settings: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAMPARTS_")}
    chosen = {f"RAMPARTS_{name}": value for name, value in settings.items()}
    return {**kept, "PYTHONPATH": str(ROOT), "RAMPARTS_DATA_DIR": str(folder), **chosen}


def run(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(folder, **settings),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@contextmanager
def serving(folder: Path, **settings: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A server and its address."""
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0"],
        env=environment(folder, **settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None, process.stderr.read() if process.stderr else ""
        yield process, found[0]
    finally:
        process.terminate()
        process.communicate(timeout=30)


def test_serve_says_where_it_is_and_answers_there(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, url):
        assert json.load(urllib.request.urlopen(f"{url}/healthz"))["status"] == "alive"  # noqa: S310 - our own server


def test_a_stop_by_signal_ends_in_order(tmp_path: Path) -> None:
    for stop in (signal.SIGTERM, signal.SIGINT):
        with serving(tmp_path) as (process, _):
            process.send_signal(stop)
            _, errors = process.communicate(timeout=30)
        assert process.returncode == 0, errors
        assert "Traceback" not in errors


def test_the_embedded_store_ends_with_the_server(tmp_path: Path) -> None:
    with serving(tmp_path):
        pid = int((tmp_path / "valkey.pid").read_text())
        os.kill(pid, 0)
    assert not (tmp_path / "valkey.pid").exists() or not is_running(pid)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_second_server_on_the_same_data_says_who_has_it(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, _):
        second = run(tmp_path, "serve", "--port", "0")
    assert second.returncode != 0
    assert f"process {process.pid}" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_port_that_is_taken_is_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = run(tmp_path, "serve", "--port", str(port))
    assert refused.returncode != 0
    assert str(port) in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.slow
def test_a_redis_that_is_not_there_stops_the_start_without_a_traceback(tmp_path: Path) -> None:
    refused = run(tmp_path, "serve", "--port", "0", REDIS_URL=f"unix://{tmp_path}/none.sock", STOP_WITHIN_S="1")
    assert refused.returncode != 0
    assert "start.failed" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_bad_setting_stops_the_start_and_names_itself(tmp_path: Path) -> None:
    refused = run(tmp_path, "serve", PORT="http")
    assert refused.returncode == 2
    assert "RAMPARTS_PORT='http'" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_setting_that_is_none_is_warned_about(tmp_path: Path) -> None:
    shown = run(tmp_path, "config", "show", PROT="1")
    assert shown.returncode == 0
    assert "RAMPARTS_PROT is no setting; did you mean RAMPARTS_PORT?" in shown.stderr


def test_config_show_prints_each_setting_with_its_source(tmp_path: Path) -> None:
    shown = run(tmp_path, "config", "show", PORT="9001")
    assert "RAMPARTS_PORT=9001  (environment)" in shown.stdout
    assert "RAMPARTS_HOST=127.0.0.1  (default)" in shown.stdout


def test_data_is_kept_across_restarts(tmp_path: Path) -> None:
    def post(url: str, path: str, token: str | None = None) -> dict[str, str]:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(f"{url}{path}", data=b"{}", headers=headers, method="POST")  # noqa: S310
        answer: dict[str, str] = json.load(urllib.request.urlopen(request))  # noqa: S310 - our own server
        return answer

    with serving(tmp_path) as (_, url):
        token = post(url, "/api/v1/players")["token"]
    with serving(tmp_path) as (_, url):
        request = urllib.request.Request(f"{url}/api/v1/players/me", headers={"Authorization": f"Bearer {token}"})  # noqa: S310
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - our own server
            assert answer.status == 200
