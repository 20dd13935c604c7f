"""The tables of `docs/protocol.md` that are made from the models and codes, so that they can't fall behind."""

from collections.abc import Iterable

from protocol.codes import CLOSE_MESSAGES, MESSAGES, CloseCode, ErrorCode
from protocol.schemas import Schema, command_schemas, event_schemas
from rules.refusals import PROSE, Refusal


def tables() -> dict[str, str]:
    """Each table as Markdown by the name under which the document marks its place."""
    return {
        "commands": _messages(command_schemas()),
        "events": _messages(event_schemas()),
        "refusals": _table(("code", "what it says"), ((f"`{code}`", PROSE[code]) for code in Refusal)),
        "errors": _table(("code", "what to do"), ((f"`{code}`", MESSAGES[code]) for code in ErrorCode)),
        "closes": _table(
            ("close code", "what it means and what to do"),
            ((f"{code.value}", CLOSE_MESSAGES[code]) for code in CloseCode),
        ),
    }


def fill(document: str) -> str:
    """The document with each `<!-- table NAME -->` … `<!-- end -->` filled; ValueError where a mark is missing."""
    for name, table in tables().items():
        begin, end = f"<!-- table {name} -->\n", "<!-- end -->"
        before, mark, rest = document.partition(begin)
        _, closing, after = rest.partition(end)
        if not mark or not closing:
            raise ValueError(f"the document has no place for the table {name}")
        document = f"{before}{begin}\n{table}\n{end}{after}"
    return document


def _messages(schemas: dict[str, Schema]) -> str:
    rows = []
    for name, schema in schemas.items():
        required = schema.get("required", [])
        fields = [field for field in schema["properties"] if field != "type"]
        marked = " ".join(f"`{field}`" if field in required else f"`{field}?`" for field in fields)
        rows.append((f"`{name}`", marked, " ".join(schema["description"].split())))
    return _table(("type", "fields (? may be missing)", "what it says"), rows)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)
