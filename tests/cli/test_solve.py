"""`ramparts solve`, `mint`, `certify`, `survey`, `analyse`: what they print, what they write, their exit codes."""

import io
import json
from functools import partial
from pathlib import Path

import pytest

from cli.main import run
from rules.deals import deal, parse_deal_code
from rules.history import parse_entry
from rules.moves import format_move, is_won, parse_move, play
from rules.position_texts import format_position
from rules.record import format_record, write_record
from solver.ladder import mint, parse_ladder, public_seed
from tests.e2e.deals import won

LOST = "fortress:ms:19"
WON = "citadel:ms:3"


def printed(capsys: pytest.CaptureFixture[str], code: int, *arguments: str) -> str:
    assert run(arguments) == code
    return capsys.readouterr().out


def test_a_winnable_deal_is_told_with_a_line_that_wins(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(printed(capsys, 0, "solve", WON, "--json"))
    position = deal(parse_deal_code(WON))
    for move in told["line"]:
        position = play(position, parse_move(move))
    assert is_won(position)
    assert told["verdict"] == "winnable"
    assert "par" not in told


def test_par_is_told_with_its_bound(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(printed(capsys, 0, "solve", WON, "--par", "--json"))
    assert told["par"]["least"] <= told["par"]["moves"] == len(told["line"])
    assert "; par " in printed(capsys, 0, "solve", WON, "--par", "--time", "2")


def test_a_lost_deal_has_exit_code_one_and_an_undecided_one_three(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, 1, "solve", LOST).startswith("lost: every line was tried")
    assert printed(capsys, 3, "solve", "streets-and-alleys:ms:4", "--budget", "1").startswith("unknown: not decided")


def test_a_board_is_read_from_a_file_and_from_stdin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = format_position(deal(parse_deal_code(LOST)))
    board = tmp_path / "board.txt"
    board.write_text(text)
    assert printed(capsys, 1, "solve", str(board), "--variant", "fortress").startswith("lost")
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert printed(capsys, 1, "solve", "-", "--variant", "fortress").startswith("lost")


@pytest.mark.parametrize(
    "arguments",
    [("solve", "nowhere"), ("solve", "fortress:ms:0"), ("solve", "four-seasons+czarina:ms:1"), ("analyse", "nowhere")],
)
def test_what_can_not_be_solved_is_said_in_one_line(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1


def test_a_ladder_is_minted_goes_on_where_it_ended_and_is_certified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ladder = tmp_path / "fortress.ladder"
    printed(capsys, 0, "mint", "fortress", "--deals", "2", "--out", str(ladder))
    first = parse_ladder(ladder.read_text()).deals
    printed(capsys, 0, "mint", "fortress", "--deals", "4", "--out", str(ladder))
    deals = parse_ladder(ladder.read_text()).deals
    assert deals[:2] == first
    made = (certified for _, certified in mint("fortress") if certified)
    assert list(deals) == [next(made) for _ in range(4)]
    assert printed(capsys, 0, "certify", str(tmp_path)).endswith("4 deals, no faults\n")


def test_a_ladder_that_lies_is_found_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ladder = tmp_path / "fortress.ladder"
    printed(capsys, 0, "mint", "fortress", "--deals", "2", "--out", str(ladder))
    head, one, two = ladder.read_text().splitlines()
    ladder.write_text("\n".join([head, one[:-1] + str(9 - int(one[-1])), two, ""]))
    assert "line 2: should read" in printed(capsys, 1, "certify", str(ladder))
    other = two.split()[0]
    words = one.split()
    words[0] = next(seed for seed in map(partial(public_seed, "fortress"), range(9)) if seed not in one + two)
    ladder.write_text("\n".join([head, " ".join(words), two, ""]))
    assert "line 2: " in printed(capsys, 1, "certify", str(ladder), "--quick")
    assert other in two


def test_a_survey_counts_what_it_tried(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(printed(capsys, 0, "survey", "beleaguered-fortress", "--deals", "20", "--json"))
    assert told["deals"] == 20 == told["winnable"] + told["lost"] + told["unknown"]
    assert 0 <= told["low"] <= told["winnable"] / 20 <= told["high"] <= 1


def test_an_attempt_is_analysed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = write_record(
        parse_deal_code("beleaguered-castle:ms:3"),
        race="r1",
        player="brave-otter",
        kind="practice",
        iron=False,
        limit_ms=60_000,
        started_ms=0,
        entries=[parse_entry("9000 1.4 resign")],
    )
    path = tmp_path / "one.record"
    path.write_text(format_record(record))
    told = json.loads(printed(capsys, 0, "analyse", str(path), "--json"))
    assert told["verdicts"] == [{"first": 0, "last": 1, "verdict": "lost"}]
    assert told["losses"] == []
    words = printed(capsys, 0, "analyse", str(path))
    assert words.startswith("beleaguered-castle:ms:3 by brave-otter: resigned")
    assert "this deal can't be won" in words


def test_a_loss_is_told_with_its_move_what_mended_it_and_the_line_that_wins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = won("beleaguered-castle")
    played = [*map(format_move, game.line[:6]), "t1-t2", "undo", "t1-t2", "resign"]
    record = write_record(
        parse_deal_code(game.code),
        race="r1",
        player="brave-otter",
        kind="practice",
        iron=False,
        limit_ms=60_000,
        started_ms=0,
        entries=[parse_entry(f"{1000 * number} 1.{number} {what}") for number, what in enumerate(played, 1)],
    )
    path = tmp_path / "lost.record"
    path.write_text(format_record(record))
    words = printed(capsys, 0, "analyse", str(path)).splitlines()
    assert "winnable 0–6, lost 7–7, winnable 8–8, lost 9–10" in words
    assert "lost by version 7: 7000 1.7 t1-t2; mended at version 8 by undo" in words
    assert "lost by version 9: 9000 1.9 t1-t2" in words
    (line,) = [line for line in words if line.startswith("won from version 8 in ")]
    position = game.positions[6]
    for move in line.partition(": ")[2].split():
        position = play(position, parse_move(move))
    assert is_won(position)


def test_a_worker_without_a_server_says_what_it_misses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAMPARTS_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("RAMPARTS_REDIS_URL", raising=False)
    assert run(["worker"]) == 2
    assert "no server runs on the data in" in capsys.readouterr().err
