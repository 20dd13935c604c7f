"""Settings: what is read, what is refused and how it is named, and the secret that is made once."""

import logging
import stat
import sys
from pathlib import Path

import pytest
import structlog

from server.config import BadSetting, Settings, describe, load_settings, unknown_variables, variable_of
from server.logs import set_up_logs
from server.secret import load_secret
from server.starting import why_not_started


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for field in Settings.model_fields:
        monkeypatch.delenv(variable_of(field), raising=False)


def test_with_nothing_set_everything_has_a_value_that_works() -> None:
    settings = load_settings()
    assert (settings.host, settings.port, settings.redis_url, settings.data_dir) == (
        "127.0.0.1",
        8000,
        None,
        Path("data"),
    )


@pytest.mark.parametrize(
    ("variable", "value", "field", "read"),
    [
        ("RAMPARTS_PORT", "9000", "port", 9000),
        ("RAMPARTS_HOST", "0.0.0.0", "host", "0.0.0.0"),  # noqa: S104 - only read here
        ("RAMPARTS_DATA_DIR", "/var/lib/ramparts", "data_dir", Path("/var/lib/ramparts")),
        ("RAMPARTS_FSYNC", "always", "fsync", "always"),
        ("RAMPARTS_ALLOWED_ORIGINS", "https://a.example, https://b.example", "allowed_origins", None),
        ("RAMPARTS_TRUSTED_PROXIES", "10.0.0.0/8,::1", "trusted_proxies", ("10.0.0.0/8", "::1")),
        ("RAMPARTS_COMMANDS_PER_SECOND", "7", "commands_per_second", 7),
    ],
)
def test_a_setting_is_read_from_its_variable(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, field: str, read: object
) -> None:
    monkeypatch.setenv(variable, value)
    wanted = read if read is not None else tuple(value.split(", "))
    assert getattr(load_settings(), field) == wanted


@pytest.mark.parametrize("url", ["unix:///run/valkey.sock", "redis://u:p@host:6379/2", "rediss://host"])
def test_a_redis_of_ones_own_is_taken(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("RAMPARTS_REDIS_URL", url)
    given = load_settings().redis_url
    assert given is not None
    assert given.get_secret_value() == url


@pytest.mark.parametrize(
    ("variable", "value", "allowed"),
    [
        ("RAMPARTS_PORT", "99999", "takes a whole number from 0 to 65535"),
        ("RAMPARTS_PORT", "http", "takes a whole number from 0 to 65535"),
        ("RAMPARTS_MAX_SOCKETS", "none", "takes a whole number of 1 or more"),
        ("RAMPARTS_FSYNC", "never", "everysec"),
        ("RAMPARTS_LOG_LEVEL", "loud", "warning"),
        ("RAMPARTS_LOG_FORMAT", "xml", "json"),
        ("RAMPARTS_ALLOWED_ORIGINS", "example.org", "https://"),
        ("RAMPARTS_TRUSTED_PROXIES", "*", "networks"),
        ("RAMPARTS_COMMANDS_PER_SECOND", "0", "1"),
        ("RAMPARTS_VALKEY_SERVER", "/nowhere/valkey-server", "no such file"),
        ("RAMPARTS_SECRET", "short", "32"),
    ],
)
def test_a_bad_value_names_the_variable_and_what_is_allowed(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, allowed: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(BadSetting) as refused:
        load_settings()
    assert refused.value.variable == variable
    assert variable in str(refused.value)
    assert allowed in str(refused.value)
    assert variable == "RAMPARTS_SECRET" or value in str(refused.value)


def test_a_bad_redis_url_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAMPARTS_REDIS_URL", "http://user:hunter2@host")
    with pytest.raises(BadSetting) as refused:
        load_settings()
    assert "RAMPARTS_REDIS_URL" in str(refused.value)
    assert "hunter2" not in str(refused.value)


def test_an_unknown_variable_is_warned_about_with_the_nearest_known_one() -> None:
    environment = {
        "RAMPARTS_PROT": "1",
        "RAMPARTS_PORT": "2",
        "RAMPARTS_SOLVER": "python",
        "RAMPARTS_URL": "http://x",
        "PATH": "/bin",
        "RAMPARTS_ZZZZZZZ": "x",
    }
    assert unknown_variables(environment) == [
        "RAMPARTS_PROT is no setting; did you mean RAMPARTS_PORT?",
        "RAMPARTS_ZZZZZZZ is no setting and is ignored",
    ]


def test_every_setting_is_described_and_no_secret_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAMPARTS_REDIS_URL", "redis://:hunter2@host")
    monkeypatch.setenv("RAMPARTS_SECRET", "s" * 40)
    rows = describe(load_settings())
    assert [row[0] for row in rows] == [variable_of(field) for field in Settings.model_fields]
    assert all(row[3] for row in rows)
    assert "hunter2" not in str(rows)
    assert "ssss" not in str(rows)
    assert ("RAMPARTS_REDIS_URL", "environment") in [(row[0], row[2]) for row in rows]


def test_the_secret_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    made = load_secret(tmp_path / "new")
    assert len(made) == 32
    assert load_secret(tmp_path / "new") == made
    assert stat.S_IMODE((tmp_path / "new" / "secret").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["secret"]


def test_two_installations_have_two_secrets(tmp_path: Path) -> None:
    assert load_secret(tmp_path / "a") != load_secret(tmp_path / "b")


def test_of_two_that_start_at_once_both_have_the_secret_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load_secret(tmp_path)
    exists = Path.exists
    monkeypatch.setattr(Path, "exists", lambda path: path.name != "secret" and exists(path))
    assert load_secret(tmp_path) == first


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (PermissionError(13, "Permission denied"), "this user can't write there"),
        (OSError(28, "No space left on device"), "the data can't be kept there: No space left on device"),
    ],
)
def test_an_error_of_the_data_folder_is_told_with_its_setting(tmp_path: Path, error: OSError, told: str) -> None:
    settings = Settings(data_dir=tmp_path)
    assert why_not_started(settings, error).startswith(f"RAMPARTS_DATA_DIR={tmp_path}: {told}")


def test_logs_are_text_on_a_terminal_and_json_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, root = structlog.get_config(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    told = {}
    try:
        for is_terminal in (True, False):
            monkeypatch.setattr(sys.stderr, "isatty", lambda is_terminal=is_terminal: is_terminal)
            for chosen in (None, "json", "text"):
                set_up_logs("info", chosen)
                structlog.get_logger().info("it.happened")
                told[is_terminal, chosen] = capsys.readouterr().err.startswith("{")
    finally:
        structlog.configure(**kept)
        root.handlers[:] = handlers
        root.setLevel(level)
    assert [form for form, is_json in told.items() if is_json] == [(True, "json"), (False, None), (False, "json")]
