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
    chosen = {f"RAMPARTS_{name}": value for name, value in {"WORKERS": "0", **settings}.items()}
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


def test_a_server_whose_store_s_supervisor_was_killed_says_so_in_one_line_and_fails(tmp_path: Path) -> None:
    with serving(tmp_path, LOG_LEVEL="error") as (process, _):
        valkey = int((tmp_path / "valkey.pid").read_text())
        stat = Path(f"/proc/{valkey}/stat").read_text()
        os.kill(int(stat.rpartition(")")[2].split()[1]), signal.SIGKILL)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert errors.startswith("ramparts: The supervisor of the embedded Valkey has ended")
    assert str(tmp_path) in errors
    assert (errors.count("\n"), out) == (1, "")


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
        for arguments, settings in ((("--port", str(port)), {}), ((), {"PORT": str(port)})):
            told = refusal(tmp_path / "data", *arguments, **settings)
            assert told.startswith(f"ramparts: RAMPARTS_PORT={port}: something listens on this port")
            assert f"--port {port + 1}" in told
    assert not (tmp_path / "data").exists(), "nothing else is started before"


def refusal(folder: Path, *arguments: str, **settings: str) -> str:
    """What a server that can't start says, in one line."""
    refused = run(folder, "serve", *arguments, **settings)
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert refused.stderr.count("\n") == 1, refused.stderr
    return refused.stderr


def test_a_host_that_is_not_this_machine_is_one_clear_line(tmp_path: Path) -> None:
    for host in ("192.0.2.1", "no.such.host.invalid"):
        told = refusal(tmp_path, "--port", "0", HOST=host)
        assert told.startswith(f"ramparts: RAMPARTS_HOST={host}: this machine has no such address.")


def test_a_data_folder_that_is_a_file_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder, why in (
        (tmp_path / "file", "this is a file"),
        (tmp_path / "file" / "below", "a file stands in the way"),
    ):
        assert refusal(folder, "--port", "0").startswith(f"ramparts: RAMPARTS_DATA_DIR={folder}: {why}.")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_data_folder_that_can_not_be_written_is_one_clear_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    told = refusal(tmp_path / "data", "--port", "0")
    assert told.startswith(f"ramparts: RAMPARTS_DATA_DIR={tmp_path / 'data'}: this user can't write there.")


@pytest.mark.slow
def test_a_redis_that_is_not_there_is_waited_for_aloud_and_then_named_without_its_password(tmp_path: Path) -> None:
    refused = run(tmp_path, "serve", "--port", "0", REDIS_URL="redis://:hunter2@127.0.0.1:9/0", LOG_FORMAT="text")
    assert refused.returncode == 1
    waiting, told = refused.stderr.splitlines()
    assert "waiting for the store" in waiting
    assert told.startswith("ramparts: RAMPARTS_REDIS_URL=redis://127.0.0.1:9: no Valkey or Redis")
    assert "hunter2" not in refused.stderr


def test_a_stop_says_where_the_data_is(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, _):
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    assert out == f"Stopped; the data is in {tmp_path}.\n"


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
