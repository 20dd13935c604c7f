"""`ramparts verify`: what it prints and its exit codes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from cli.main import run
from rules.deals import parse_deal_code
from rules.history import parse_entry
from rules.record import FAULTS, Fault, format_record, write_record
from rules.refusals import PROSE, Refusal

RECORD = write_record(
    parse_deal_code("beleaguered-castle:ms:1"),
    race="r1",
    player="brave-otter",
    kind="practice",
    iron=False,
    limit_ms=60_000,
    started_ms=1_795_910_400_000,
    entries=[parse_entry(text) for text in ("700 1.1 t6-f2", "1500 1.2 undo", "2100 1.3 redo", "9000 1.4 resign")],
)
TEXT = format_record(RECORD)


@pytest.fixture
def good(tmp_path: Path) -> str:
    path = tmp_path / "good.record"
    path.write_text(TEXT)
    return str(path)


@pytest.fixture
def forged(tmp_path: Path) -> str:
    path = tmp_path / "forged.record"
    path.write_text(TEXT.replace("700 1.1", "600 1.1"))
    return str(path)


def test_a_true_record_is_accepted_with_its_result(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", good]) == 0
    assert capsys.readouterr().out == (
        f"{good}: ok: beleaguered-castle:ms:1 by brave-otter: resigned at 9000 ms, 5 cards at 700 ms,"
        f" 1 moves, 1 undos, 1 redos, 0 restarts, digest {RECORD.digest}\n"
    )


def test_a_changed_time_is_refused_with_reason_and_line(forged: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", forged]) == 1
    assert capsys.readouterr().out == (f"{forged}: refused: line 14: wrong_result. The moves come to another result.\n")


def test_one_bad_record_among_good_ones_fails_the_lot(
    good: str, forged: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", good, forged, good]) == 1
    words = [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()]
    assert words == ["ok", "refused", "ok"]


def test_a_file_that_can_not_be_read_is_told_apart(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", good, good + ".missing"]) == 2
    out, err = capsys.readouterr()
    assert out.startswith(f"{good}: ok")
    assert err == f"ramparts verify: {good}.missing: No such file or directory\n"


def test_a_folder_is_not_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(tmp_path)]) == 2
    assert "Is a directory" in capsys.readouterr().err


def test_bytes_that_are_not_text_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "noise"
    path.write_bytes(b"\xff\xfe\x00noise")
    assert run(["verify", str(path)]) == 1
    assert capsys.readouterr().out == (
        f"{path}: refused: line 1: not_a_record. A record begins with the line `ramparts record 1`.\n"
    )


def test_json_in_place_of_a_record_is_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "answer"
    path.write_text('{"code": "race_unknown"}')
    assert run(["verify", str(path)]) == 1
    assert "line 1: not_a_record. This is JSON, not a record" in capsys.readouterr().out


def test_a_move_that_is_not_legal_is_told_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "forged.record"
    path.write_text(TEXT.replace("t6-f2", "t6-f3"))
    assert run(["verify", str(path)]) == 1
    told = f"line 9: illegal (suit). {FAULTS[Fault.ILLEGAL]} {PROSE[Refusal.SUIT]}"
    assert capsys.readouterr().out == f"{path}: refused: {told}\n"


def test_every_fault_has_words() -> None:
    assert set(FAULTS) == set(Fault)
    assert all(words.endswith(".") for words in FAULTS.values())


def test_a_dash_reads_from_stdin(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert run(["verify", "-"]) == 0
    assert capsys.readouterr().out.startswith("-: ok: ")


def test_windows_line_ends_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "mailed.record"
    path.write_bytes(TEXT.replace("\n", "\r\n").encode())
    assert run(["verify", str(path)]) == 0


def test_the_published_digest_can_be_asked_for(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--digest", RECORD.digest, good]) == 0
    assert run(["verify", "--digest", "0" * 64, good]) == 1
    assert capsys.readouterr().out.splitlines()[1] == (f"{good}: refused: other_digest. {FAULTS[Fault.OTHER_DIGEST]}")


def test_no_file_named_is_a_mistake_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify"]) == 2
    assert "FILE" in capsys.readouterr().err
