"""Logging for the whole process: structlog's lines and those of libraries in one form, on standard error."""

import logging
import sys
from typing import Literal

import structlog
from structlog.typing import EventDict, WrappedLogger


def set_up_logs(level: str, chosen: Literal["json", "text"] | None) -> None:
    """Sends every log line of this process to standard error; where nothing is chosen, text to a terminal, else JSON.

    Tracebacks are plain: no local variables, which could hold a secret deal or a token.
    """
    form = chosen or ("text" if sys.stderr.isatty() else "json")
    shared: list[structlog.typing.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[_drop_what_is_said, *shared, _renderer(form)],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _renderer(form)],
        )
    )
    handler.addFilter(_without_clients_nonsense)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(number)
    # Addresses and paths of every request are nobody's business; what matters is counted in /metrics.
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets"):
        logging.getLogger(name).setLevel(max(number, logging.WARNING))


def _renderer(form: Literal["json", "text"]) -> structlog.typing.Processor:
    if form == "json":
        return structlog.processors.JSONRenderer()
    return _render_text


def _drop_what_is_said(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """The command itself says why a start failed or the server ended, in a line for people."""
    if event.get("event") in ("start.failed", "store.gone"):
        raise structlog.DropEvent
    return event


def _render_text(_: WrappedLogger, __: str, event: EventDict) -> str:
    when, level, what = event.pop("timestamp", ""), event.pop("level", ""), event.pop("event", "")
    trace = event.pop("exception", None)
    facts = " ".join(f"{key}={value}" for key, value in event.items() if not key.startswith("_"))
    line = f"{when} {level:7} {what} {facts}".rstrip()
    return line if trace is None else f"{line}\n{trace}"


def _without_clients_nonsense(record: logging.LogRecord) -> bool:
    """What a client sends wrongly below the messages (bad UTF-8, a broken handshake) is no error of ours."""
    if record.name == "uvicorn.error":
        text = record.getMessage()
        # Why a start failed is said by itself, without its traceback.
        return not any(nonsense in text for nonsense in ("Invalid UTF-8", "StartFailed", "startup failed"))
    return not record.name.startswith("websockets")
