import asyncio
from pathlib import Path

import pytest

from cli import tending
from cli.main import run
from protocol.codes import Kind
from server.clock import Clock
from server.config import Settings
from server.race.daily import Daily
from server.race.events import Created, format_event
from server.race.standing import standing_key
from server.service.board_names import Side, day_board
from server.service.boards import Boards
from server.service.players import Players
from server.service.races import attempt_id
from server.store import open_store
from server.store.embedded import Embedded, start_embedded

BOARD = "best:citadel:ungraded"


@pytest.fixture
def configured(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("RAMPARTS_REDIS_URL", redis_url)
    return redis_url


async def fill(url: str) -> list[str]:
    """Two claimed players with a row each, the second one's by a race that says nothing of it; their ids."""
    store = await open_store(url)
    clock = Clock(store.time_us)
    await clock.sync()
    players = Players(store, clock)
    ids = []
    for number, name in enumerate(("Anna", "Bert")):
        player = (await players.hello(None, False, "")).player
        await players.claim(player.id, name)
        await store.boards.post_best(BOARD, player.id, 60_000 + number, '{"race": "forgotten"}')
        ids.append(player.id)
    await players.report(ids[0], "name", ids[1], None, "rüde")
    await store.close()
    return ids


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(arguments) == code
    captured = capsys.readouterr()
    return captured.out + captured.err


async def in_thread(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    return await asyncio.to_thread(told, capsys, *arguments, code=code)


async def test_a_board_is_listed_shown_and_rebuilt(configured: str, capsys: pytest.CaptureFixture[str]) -> None:
    await fill(configured)
    assert await in_thread(capsys, "boards", "list") == f"{BOARD}\n"
    shown = await in_thread(capsys, "boards", "show", BOARD)
    assert [line.split()[:2] for line in shown.splitlines()[:2]] == [["1", "Anna"], ["2", "Bert"]]
    assert "60.000 s" in shown
    assert "fastest finish" in shown
    assert await in_thread(capsys, "boards", "rebuild") == f"{BOARD}: 2 rows\n"
    assert await in_thread(capsys, "boards", "rebuild", BOARD) == f"{BOARD}: 2 rows\n"


async def test_results_and_finishes_are_made_anew(configured: str, capsys: pytest.CaptureFixture[str]) -> None:
    anna, _ = await fill(configured)
    assert await in_thread(capsys, "players", "rebuild", "anna") == f"{anna}: 0 results\n"
    store = await open_store(configured)
    await store.finishes.note("citadel", "forgotten", "ungraded", 3, 1)
    await store.close()
    assert await in_thread(capsys, "boards", "recount", "citadel") == "citadel: 0 races, 1 of 3 attempts finished\n"
    assert (await in_thread(capsys, "boards", "recount", "chess", code=1)).startswith("ramparts: ")


async def test_players_unknown_are_named_at_the_end_and_keep_no_other_from_being_made_anew(
    configured: str, capsys: pytest.CaptureFixture[str]
) -> None:
    anna, bert = await fill(configured)
    *made, unknown = (
        await in_thread(capsys, "players", "rebuild", "anna", "nobody", "never", bert, code=1)
    ).splitlines()
    assert made == [f"{anna}: 0 results", f"{bert}: 0 results"]
    assert unknown.startswith("ramparts: No player has the name or the id 'nobody', 'never'.")


async def test_without_names_the_results_of_all_who_have_played_are_made_anew_on_a_board_or_not(
    configured: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await fill(configured)
    daily = Daily(20_000, "citadel")
    store = await open_store(configured)
    clock = Clock(store.time_us)
    await clock.sync()
    created = Created(kind=Kind.DAILY, variant="citadel", limit_ms=1, seats=0, created_ms=0)
    await store.races.create(daily.race_id, None, [format_event(created)])
    player = (await Players(store, clock).hello(None, False, "192.0.2.1")).player.id
    ident = attempt_id(daily.race_id, player)
    await store.players.add_attempt(player, ident, daily.opens_ms)
    row = await store.attempts.enter(ident, player, daily.race_id, daily.opens_ms)
    moved = {"epoch": row.epoch, "version": 0, "id": 1, "at_ms": 5, "limit_ms": 99, "left": 9}
    await store.attempts.append(ident, **moved, end="resigned 5", lines=["resign"])
    await store.close()
    assert await in_thread(capsys, "players", "rebuild") == f"{player}: 1 results\n"


async def test_a_player_is_hidden_and_shown_again_by_name_or_id(
    configured: str, capsys: pytest.CaptureFixture[str]
) -> None:
    anna, _ = await fill(configured)
    assert anna in await in_thread(capsys, "players", "hide", "anna")
    assert "Anna" not in await in_thread(capsys, "boards", "show", BOARD)
    for who in ("Anna", anna):
        await in_thread(capsys, "players", "unhide", who)
        assert "Anna" in await in_thread(capsys, "boards", "show", BOARD)
        await in_thread(capsys, "players", "hide", who)
        assert "Anna" not in await in_thread(capsys, "boards", "show", BOARD)


async def test_a_review_is_ended_and_the_row_loses_its_mark(
    configured: str, capsys: pytest.CaptureFixture[str]
) -> None:
    daily = Daily(20_000, "citadel")
    store = await open_store(configured)
    clock = Clock(store.time_us)
    await clock.sync()
    players = Players(store, clock)
    created = Created(kind=Kind.DAILY, variant="citadel", limit_ms=1, seats=0, created_ms=0)
    await store.races.create(daily.race_id, None, [format_event(created)])
    for number, name in enumerate(("Anna", "Bert")):
        player = (await players.hello(None, False, "192.0.2.1")).player.id
        await players.claim(player, name)
        await store.races.add_entrant(daily.race_id, player, daily.opens_ms)
        await players.note_opening(player, daily.race_id)
        ident = attempt_id(daily.race_id, player)
        row = await store.attempts.enter(ident, player, daily.race_id, daily.opens_ms)
        moved = {"epoch": row.epoch, "version": 0, "id": 1, "at_ms": 5 + number, "limit_ms": 99, "left": 9}
        await store.attempts.append(ident, **moved, end=f"resigned {5 + number}", lines=["resign"])
        await Boards(store, clock, players).post_daily_attempt(daily, player, standing_key(9, 5 + number))
    await store.close()
    board = day_board(daily, Side.OPEN)
    before = (await in_thread(capsys, "boards", "show", board)).splitlines()
    assert ["under review" in line for line in before[:2]] == [False, True]
    assert "no longer" in await in_thread(capsys, "players", "end-review", "bert", daily.race_id)
    assert "under review" not in await in_thread(capsys, "boards", "show", board)
    assert await in_thread(capsys, "boards", "list") == f"{board}\n"
    for who, race in (("bert", daily.race_id), ("anna", "no-daily")):
        assert "under review" in await in_thread(capsys, "players", "end-review", who, race, code=1)


async def test_reports_are_printed_one_a_line(configured: str, capsys: pytest.CaptureFixture[str]) -> None:
    await fill(configured)
    shown = await in_thread(capsys, "reports")
    assert len(shown.splitlines()) == 1
    assert "r\\u00fcde" in shown


async def test_what_is_not_there_is_one_clear_line(configured: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = ""
    for arguments in (("boards", "show", "nothing"), ("boards", "rebuild", "x:y"), ("players", "hide", "Nobody")):
        said = await in_thread(capsys, *arguments, code=1)
        assert said.startswith("ramparts: ")
        assert len(said.splitlines()) == 1
    assert "No player has the name or the id 'Nobody'" in said


async def test_the_running_servers_own_valkey_is_used_and_otherwise_one_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("RAMPARTS_REDIS_URL", raising=False)
    monkeypatch.setenv("RAMPARTS_DATA_DIR", str(tmp_path))
    running: Embedded = await asyncio.to_thread(start_embedded, tmp_path)
    try:
        await fill(running.url)
        assert BOARD in await in_thread(capsys, "boards", "list")
        assert running.is_running
    finally:
        await asyncio.to_thread(running.stop)
    assert BOARD in await in_thread(capsys, "boards", "list")


async def test_an_address_that_a_killed_server_has_left_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("RAMPARTS_REDIS_URL", raising=False)
    monkeypatch.setenv("RAMPARTS_DATA_DIR", str(tmp_path))
    (tmp_path / "redis.url").write_text(f"unix://{tmp_path}/gone.sock\n", "utf-8")
    assert "no server runs on the data" in await in_thread(capsys, "worker", "--until-full", code=2)
    assert await in_thread(capsys, "boards", "list") == ""


async def test_the_chosen_server_program_is_the_one_that_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("RAMPARTS_REDIS_URL", raising=False)
    monkeypatch.setenv("RAMPARTS_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(tending, "load_settings", lambda: Settings(valkey_server=Path("no-such-valkey")))
    assert "RAMPARTS_VALKEY_SERVER=no-such-valkey" in await in_thread(capsys, "boards", "list", code=2)


def test_a_data_folder_that_is_a_file_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("RAMPARTS_REDIS_URL", raising=False)
    (tmp_path / "file").touch()
    monkeypatch.setenv("RAMPARTS_DATA_DIR", str(tmp_path / "file"))
    said = told(capsys, "boards", "list", code=2)
    assert said.startswith(f"ramparts: RAMPARTS_DATA_DIR={tmp_path / 'file'}: this is a file.")
    assert said.count("\n") == 1
