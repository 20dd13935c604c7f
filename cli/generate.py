"""`python -m cli.generate` writes what is made from the models: schemas, AsyncAPI, OpenAPI, tables of the docs."""

from pathlib import Path

from cli.shares import fill_shares, read_shares, shares_for_guides
from protocol.asyncapi import asyncapi
from protocol.schemas import format_json, schema_files
from protocol.tables import fill
from protocol.typescript import declarations
from server.web.http.openapi import openapi
from server.web.http.routes import OPERATIONS

ROOT = Path(__file__).parent.parent


def generated_files() -> dict[Path, str]:
    """The text of each generated file by its path in the checkout."""
    schemas = ROOT / "protocol" / "schemas"
    document = ROOT / "docs" / "protocol.md"
    files = {schemas / path: text for path, text in schema_files().items()}
    files[ROOT / "client" / "web" / "js" / "protocol.d.ts"] = declarations()
    files[schemas / "asyncapi.json"] = format_json(asyncapi())
    files[ROOT / "docs" / "openapi.json"] = format_json(openapi(OPERATIONS))
    files[document] = fill(document.read_text(encoding="utf-8"))
    shares, table = read_shares(ROOT / "docs" / "winnable-share.json"), ROOT / "docs" / "winnable-share.md"
    files[table] = fill_shares(table.read_text(encoding="utf-8"), shares)
    files[ROOT / "client" / "web" / "winnable-share.json"] = shares_for_guides(shares)
    return files


def write() -> list[Path]:
    """Writes the files that are not current and deletes schemas of messages that are no more; returns both."""
    files = generated_files()
    changed = [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path], encoding="utf-8")
    stale = [path for path in (ROOT / "protocol" / "schemas").rglob("*.json") if path not in files]
    for path in stale:
        path.unlink()
    return changed + stale


if __name__ == "__main__":
    for written in write():
        print(written.relative_to(ROOT))
