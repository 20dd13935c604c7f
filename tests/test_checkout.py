"""What is tested is this checkout, and what it hands out can be used."""

import re
from pathlib import Path

import pytest

import client
import protocol
import rules
import server
import solver
from cli.main import run
from rules.deals import deal, format_deal_code, parse_deal_code
from rules.record import parse_record, verify

ROOT = Path(__file__).resolve().parents[1]
SEEDS = sorted((ROOT / "seeds").glob("*.txt"))


def test_the_packages_that_are_tested_lie_in_this_checkout() -> None:
    for package in (rules, solver, protocol, server, client):
        assert Path(package.__file__ or "").is_relative_to(ROOT)


@pytest.mark.parametrize("file", SEEDS, ids=lambda file: file.stem)
def test_every_practice_deal_can_be_dealt(file: Path) -> None:
    codes = file.read_text().split()
    assert len(codes) >= 50
    assert len(set(codes)) == len(codes)
    for text in codes:
        code = parse_deal_code(text)
        assert format_deal_code(code) == text
        assert code.variant == file.stem
        assert deal(code).cards_left > 0


def test_the_example_record_holds() -> None:
    history = verify(parse_record((ROOT / "docs" / "example.record").read_text("utf-8")))
    assert history.finished_ms is not None


def test_the_commands_of_the_readme_that_need_no_server_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    lines = re.findall(
        r"^    ramparts ((?:variants|deal|legal|verify|solve)\b.*?)(?:  |$)",
        (ROOT / "README.md").read_text("utf-8"),
        re.M,
    )
    assert len(lines) == 5
    for line in lines:
        assert run(line.split()) == 0, line
        assert capsys.readouterr().out
