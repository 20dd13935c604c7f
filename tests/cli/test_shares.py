"""The winnable shares: the docs' table and what the guides show come from one file of counts."""

import json
from pathlib import Path

import pytest

from cli.shares import BEGIN, END, fill_shares, read_shares, shares_for_guides

COUNTS = {"deals": 200, "winnable": 98, "lost": 98, "undecided": 4}


def share_file(folder: Path, **games: dict[str, int]) -> Path:
    path = folder / "shares.json"
    path.write_text(json.dumps({"positions": 1000, "games": games}), "utf-8")
    return path


def test_the_table_and_the_guides_show_the_same_share_and_interval(tmp_path: Path) -> None:
    shares = read_shares(share_file(tmp_path, fortress=COUNTS))
    guides = json.loads(shares_for_guides(shares))["fortress"]
    table = fill_shares(f"# Shares\n\n{BEGIN}{END}\nThe rest.\n", shares)
    low, high = guides["interval"]
    assert guides["share"] == 0.5
    assert low < 0.49
    assert high > 0.51
    assert f"| Fortress | 200 | 98 | 98 | 4 | 50.0 % | {100 * low:.1f} % to {100 * high:.1f} % |" in table
    assert table.endswith("\nThe rest.\n")


def test_winning_every_deal_does_not_prove_that_every_deal_is_won(tmp_path: Path) -> None:
    counts = {"deals": 10_000, "winnable": 10_000, "lost": 0, "undecided": 0}
    assert read_shares(share_file(tmp_path, freecell=counts))[0].interval == (0.999, 1.0)


def test_counts_that_do_not_add_up_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="fortress: winnable, lost and undecided do not make 201 deals"):
        read_shares(share_file(tmp_path, fortress=COUNTS | {"deals": 201}))


def test_a_game_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="fort-knox"):
        read_shares(share_file(tmp_path, **{"fort-knox": COUNTS}))


def test_a_document_without_the_marks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no place"):
        fill_shares("# Shares\n", read_shares(share_file(tmp_path, fortress=COUNTS)))
