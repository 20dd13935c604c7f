"""`ramparts race --demo` and `ramparts bot`, run as a person runs them, against a real server."""

import asyncio
import os
import re
import sys
import time

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


async def test_the_demo_goes_to_its_standings_in_time_and_its_records_verify(url: str) -> None:
    began = time.monotonic()
    code, out, errors = await run("race", "--demo", "--variant", "bisley", "--url", url)
    assert (code, errors) == (0, "")
    assert time.monotonic() - began < 20
    assert "Standings" in out
    assert out.count(": verified") == 2
    assert re.search(r"Deal: bisley:r1:[a-z2-7]{26}", out)
    assert "ramparts verify" in out


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


async def test_an_unknown_variant_is_one_line(url: str) -> None:
    code, _, errors = await run("bot", "--variant", "no-such-variant", "--url", url)
    assert code == 1
    assert errors.count("\n") == 1
    assert "variant" in errors
