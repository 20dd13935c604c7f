"""`ramparts verify`: play records of attempts again and say whether each holds."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cli.words import explained
from rules.errors import RecordRefused
from rules.record import Fault, Record, parse_record, verify

app = typer.Typer(add_completion=False, rich_markup_mode=None)

JSON = "This is JSON, not a record: a server gives records at addresses that end in ?format=record."
UNREADABLE = 2
REFUSED = 1
_MOST_BYTES = 16 * 1024 * 1024
"""No attempt comes near; what is larger is not read in."""

Files = Annotated[list[str], typer.Argument(metavar="FILE", help="records as the server gives them; - is stdin")]
Digest = Annotated[
    str | None, typer.Option("--digest", metavar="HEX", help="the published digest that every record must have")
]


@app.command("verify")
def verify_records(files: Files, digest: Digest = None) -> int:
    """Play records of attempts again and say of each whether it holds, one line a file.

    The exit code is 0 when all hold, 1 when one does not, 2 when one can't be read.
    """
    return max(_verify_file(name, digest) for name in files)


def _verify_file(name: str, digest: str | None) -> int:
    try:
        text = _read(name)
    except OSError as error:
        print(f"ramparts verify: {name}: {error.strerror or error}", file=sys.stderr)
        return UNREADABLE
    try:
        record = _verified(text, digest)
    except RecordRefused as error:
        is_json = error.why == Fault.NOT_A_RECORD and text.lstrip().startswith("{")
        told = f"{error}. {JSON}" if is_json else explained(error)
        print(f"{name}: refused: {told}")
        return REFUSED
    print(f"{name}: ok: {_told(record)}")
    return 0


def _verified(text: str, digest: str | None) -> Record:
    record = parse_record(text)
    verify(record)
    if digest not in (None, record.digest):
        raise RecordRefused(Fault.OTHER_DIGEST)
    return record


def _read(name: str) -> str:
    """The text of a file; bytes that are not UTF-8 become marks that no record has. Raises OSError."""
    if name == "-":
        raw = sys.stdin.buffer.read(_MOST_BYTES + 1)
    else:
        with Path(name).open("rb") as file:
            raw = file.read(_MOST_BYTES + 1)
    if len(raw) > _MOST_BYTES:
        raise OSError("larger than any record")
    return raw.decode("utf-8", errors="replace")


def _told(record: Record) -> str:
    result = record.result
    return (
        f"{record.deal} by {record.player}: {record.end.kind} at {record.end.at_ms} ms,"
        f" {result.cards} cards at {result.at_ms} ms, {result.moves} moves, {result.undos} undos,"
        f" {result.redos} redos, {result.restarts} restarts,{f' {result.hints} hints,' if result.hints else ''}"
        f" digest {record.digest}"
    )
