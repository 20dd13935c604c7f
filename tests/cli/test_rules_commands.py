"""The commands `variants`, `deal` and `legal`, run in this process and, where it matters, as a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli import main as entry
from cli.main import COMMANDS, run
from rules.deals import deal, parse_deal_code
from rules.position_texts import format_position, parse_position
from rules.positions import decode_position
from rules.variants import find_variant, make_variant, variants

ROOT = Path(__file__).parents[2]


def lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """What a command that succeeds prints."""
    assert run(arguments) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out.splitlines()


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command that fails says, in one line."""
    assert run(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err


def test_variants_are_listed_with_their_other_names_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    listed = lines(capsys, "variants")
    assert [line.split()[0] for line in listed] == [variant.id for variant in variants()]
    assert listed[0] == "beleaguered-castle     Beleaguered Castle (Laying Siege, Sham Battle) +worry-back"


def test_variants_as_json_are_the_records(capsys: pytest.CaptureFixture[str]) -> None:
    made = [make_variant(json.loads(line)) for line in lines(capsys, "variants", "--json")]
    assert made == list(variants())


def test_a_deal_is_printed_as_its_board(capsys: pytest.CaptureFixture[str]) -> None:
    run(["deal", "cruel:ms:1"])
    assert capsys.readouterr().out == format_position(deal(parse_deal_code("cruel:ms:1")))


def test_several_deals_have_an_empty_line_between(capsys: pytest.CaptureFixture[str]) -> None:
    run(["deal", "cruel:ms:1", "fortress:pysol:99999", "klondike-draw1:ms:7"])
    boards = capsys.readouterr().out.split("\n\n")
    assert len(boards) == 3
    assert parse_position(find_variant("fortress"), boards[1]) == deal(parse_deal_code("fortress:pysol:99999"))


def test_a_deal_as_json_reads_back(capsys: pytest.CaptureFixture[str]) -> None:
    for line in lines(capsys, "deal", "--json", "four-seasons:ms:1", "cruel+worry-back+relaxed:ms:2"):
        told = json.loads(line)
        dealt = deal(parse_deal_code(told["deal"]))
        assert decode_position(dealt.variant, told["position"]) == dealt


def test_legal_moves_are_listed_after_the_moves(capsys: pytest.CaptureFixture[str]) -> None:
    before = lines(capsys, "legal", "fortress:ms:11982")
    assert before == sorted(before) == ["t0-t1", "t1-t0"]
    assert lines(capsys, "legal", "fortress:ms:11982", "t0-t1") == ["t0-t5", "t5-t0"]


def test_every_prints_the_sets_along_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    moves = ["t0-t1"]
    printed = lines(capsys, "legal", "fortress:ms:11982", *moves, "--every")
    assert len(printed) == 2
    assert printed[0] == "t0-t1 t1-t0"
    assert printed[1].split() == lines(capsys, "legal", "fortress:ms:11982", *moves)


def test_a_set_without_moves_is_an_empty_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert lines(capsys, "legal", "somerset:ms:1", *stuck(capsys), "--every")[-1] == ""
    assert lines(capsys, "legal", "somerset:ms:1", *stuck(capsys)) == []


def stuck(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The only line of somerset:ms:1; it ends at once."""
    return lines(capsys, "legal", "somerset:ms:1")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["deal", "tetris:ms:1"], "there is no variant 'tetris'; `ramparts variants` lists them"),
        (["deal", "citadell:ms:1"], "did you mean citadel?"),
        (["deal", "cruel:ms:1", "cruel:ms:0"], "ms has no seed '0'"),
        (["deal", "cruel:dice:1"], "there is no generator 'dice'"),
        (["deal", "cruel+fly:ms:1"], "cruel has no option 'fly'"),
        (["deal", "klondike-draw1+one-pass+three-passes:ms:1"], "can't hold together"),
        (
            ["deal", "cruel"],
            "not a deal code: 'cruel' (it reads variant:generator:seed); such as beleaguered-castle:ms:1",
        ),
        (["deal"], "Missing argument"),
        (["deal", "cruel:ms:1", "--fast"], "No such option"),
        (["legal", "cruel:ms:1", "t0"], "not a move: 't0'; moves read t3-f0, t3-t5*4"),
        (["legal", "cruel:ms:1", "t0-t1"], "t0-t1 is refused here: rank. The rank does not follow."),
        (["fly"], "there is no command 'fly'; there are: serve, config, race"),
        (["boards", "fly"], "ramparts boards: there is no command 'fly'; there are: list, show, rebuild"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert told in complaint(capsys, *arguments)


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["help"]])
def test_help_names_every_command(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    printed = "\n".join(lines(capsys, *arguments))
    assert all(f"  {name} " in printed for name in COMMANDS)


@pytest.mark.parametrize("name", ["variants", "deal", "legal"])
def test_each_command_explains_itself(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert f"ramparts {name}" in "\n".join(lines(capsys, name, "--help"))


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert lines(capsys, "--version")[0].startswith("ramparts ")


def test_help_loads_no_command() -> None:
    script = (
        "import sys; from cli.main import run; run(['--help']); sys.exit(any(m in sys.modules for m in sys.argv[1:]))"
    )
    heavy = ["typer", "starlette", "pydantic", "rich", "cli.rules", "rules.variants"]
    done = subprocess.run(
        [sys.executable, "-c", script, *heavy], cwd=ROOT, capture_output=True, timeout=30, check=False
    )
    assert done.returncode == 0


def test_control_c_is_quiet(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "_dispatch", interrupt)
    assert run(["deal"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_closed_pipe_is_quiet() -> None:
    codes = [f"fortress:ms:{number}" for number in range(1, 1500)]
    script = "from cli.main import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", script, "deal", *codes], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 1
