"""`ramparts race --demo` and `ramparts bot`, run as a person runs them, against a real server."""

import asyncio
import os
import re
import resource
import shlex
import sys
from pathlib import Path

import pytest

from cli.demo import LIMIT_MS, own_command
from rules.record import parse_record
from server.race.race import COUNTDOWN_MS, GRACE_MS

LONGEST_S = 20.0
"""So long the demo may take from its call to its end, on a machine with nothing else to do."""
PROGRAM = (sys.executable, "-c", "from cli.main import main; main()")


async def run(*arguments: str, **environment: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    process = await asyncio.create_subprocess_exec(
        *PROGRAM,
        *arguments,
        env={**os.environ, **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(90):
        out, errors = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), errors.decode()


def cpu_s() -> float:
    """The computing time of all commands that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("variant", [None, "bisley"])
async def test_the_demo_shows_a_race_in_time_and_the_line_it_prints_verifies_its_records(
    url: str, variant: str | None, tmp_path: Path
) -> None:
    before = cpu_s()
    chosen = ("--variant", variant) if variant else ()
    # A name with a space in it: what is printed must work in a shell all the same.
    folder = tmp_path / "kept here"
    folder.mkdir()
    code, out, errors = await run("race", "--demo", *chosen, "--url", url, TMPDIR=str(folder))
    assert (code, errors) == (0, "")
    assert {parse_record(path.read_text()).limit_ms for path in folder.rglob("*.record")} == {LIMIT_MS}
    # What the race lasts at most, and what else there is to do: how long that takes, the machine decides.
    assert (COUNTDOWN_MS + LIMIT_MS + GRACE_MS) / 1000 + cpu_s() - before < LONGEST_S
    assert "Standings" in out
    assert out.count(": verified") == 2
    assert re.search(r"Deal: bisley:r1:[a-z2-7]{26}" if variant else r"Deal: beleaguered-castle:ms:\d+", out)
    if variant is None:
        counts = re.findall(r"running: [^(]+ \(bot\) (\d+)[^,]*, [^(]+ \(bot\) (\d+)", out)
        assert len(set(counts)) >= 4, "progress is shown as it goes"
        assert any(first != second for first, second in counts)
        assert max(int(cards) for pair in counts for cards in pair) > 15
    printed = next(line.strip() for line in out.splitlines() if line.strip().startswith("ramparts verify"))
    shell = await asyncio.create_subprocess_shell(
        printed.replace("ramparts", shlex.join(PROGRAM), 1), stdout=asyncio.subprocess.PIPE
    )
    said, _ = await shell.communicate()
    assert shell.returncode == 0
    assert said.decode().count(": ok: ") == 2


async def test_two_bots_play_a_quick_match_and_end(url: str) -> None:
    arguments = ("bot", "--variant", "cruel", "--pace", "5")
    results = await asyncio.gather(*(run(*arguments, RAMPARTS_URL=url) for _ in range(2)))
    assert [code for code, _, _ in results] == [0, 0]
    races = {found[1] for _, out, _ in results if (found := re.search(r"race (\S+): ", out))}
    assert len(races) == 1


async def test_without_a_server_one_line_says_what_to_do() -> None:
    for command in (("race", "--demo"), ("bot",)):
        code, out, errors = await run(*command, "--url", "http://127.0.0.1:9")
        assert (code, out) == (1, "")
        assert errors.count("\n") == 1
        assert "make run" in errors


@pytest.mark.parametrize("command", [("bot",), ("race", "--demo")])
async def test_an_unknown_variant_is_one_line_whether_or_not_a_server_is_there(command: tuple[str, ...]) -> None:
    code, _, errors = await run(*command, "--variant", "no-such-variant", "--url", "http://127.0.0.1:9")
    assert code == 2
    assert errors.count("\n") == 1
    assert "no variant 'no-such-variant'" in errors


@pytest.mark.parametrize("address", ["foo", "http://", "ftp://host", "http://host:port", "http://[::1"])
async def test_an_address_that_is_none_is_one_line(address: str) -> None:
    for command, environment in ((("--url", address), {}), ((), {"RAMPARTS_URL": address})):
        code, out, errors = await run("race", "--demo", *command, **environment)
        assert (code, out) == (2, "")
        assert errors.count("\n") == 1
        assert address in errors
        assert "RAMPARTS_URL" in errors or "--url" in errors


def test_a_command_called_by_its_path_is_printed_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called = tmp_path / "ramparts"
    called.touch(mode=0o755)
    monkeypatch.setattr(sys, "argv", [str(called)])
    monkeypatch.setenv("PATH", "/nowhere")
    assert own_command() == str(called)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert own_command() == "ramparts"
