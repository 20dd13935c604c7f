"""What is generated is current, and says about each field whether it is always there."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it comes without types

from cli.generate import ROOT, generated_files
from protocol.asyncapi import asyncapi
from protocol.codes import CLOSE_MESSAGES, MESSAGES, CloseCode, ErrorCode
from protocol.schemas import command_schemas, event_schemas, schema_files
from protocol.tables import fill, tables

COMMANDS, EVENTS = command_schemas(), event_schemas()
GENERATED = generated_files()
ATTEMPT_COMMANDS = ("move", "draw", "redeal", "undo", "redo", "restart", "collect", "resign")


@pytest.mark.parametrize("path", sorted(GENERATED), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_generated_file_is_current(path: Any) -> None:
    assert path.read_text(encoding="utf-8") == GENERATED[path], "run python -m cli.generate"


def test_no_schema_is_left_of_a_message_that_is_no_more() -> None:
    folder = ROOT / "protocol" / "schemas"
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.json")} == {
        *schema_files(),
        "asyncapi.json",
    }


@pytest.mark.parametrize("schema", [*COMMANDS.values(), *EVENTS.values()], ids=lambda schema: schema["title"])
def test_a_schema_is_itself_valid(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("schema", [*COMMANDS.values(), *EVENTS.values()], ids=lambda schema: schema["title"])
def test_the_type_is_required(schema: dict[str, Any]) -> None:
    assert "type" in schema["required"]


@pytest.mark.parametrize("name", ATTEMPT_COMMANDS)
def test_a_command_on_an_attempt_needs_race_id_and_version(name: str) -> None:
    assert {"race", "id", "version"} <= set(COMMANDS[name]["required"])


def test_a_field_with_a_default_may_be_left_out_of_a_command() -> None:
    assert COMMANDS["move"]["properties"]["count"]["default"] == 1
    assert "count" not in COMMANDS["move"]["required"]


def test_a_field_with_a_default_is_always_there_in_an_event() -> None:
    entrant = EVENTS["snapshot"]["$defs"]["Entrant"]
    assert {"player", "ready", "here", "cards", "at_ms"} == set(entrant["required"])


def test_no_event_promises_a_null() -> None:
    assert not [name for name, schema in EVENTS.items() if "'null'" in str(schema)]


def test_a_command_takes_no_field_beyond_its_own_and_an_event_leaves_room() -> None:
    assert all(schema["additionalProperties"] is False for schema in COMMANDS.values())
    assert all("additionalProperties" not in schema for schema in EVENTS.values())


def test_every_code_says_what_to_do() -> None:
    assert set(MESSAGES) == set(ErrorCode)
    assert set(CLOSE_MESSAGES) == set(CloseCode)
    assert all(message.endswith(".") for message in (*MESSAGES.values(), *CLOSE_MESSAGES.values()))


def test_the_socket_document_refers_to_nothing_that_is_not_in_it() -> None:
    document = asyncapi()
    references: list[str] = []

    def gather(node: Any) -> None:
        if isinstance(node, dict):
            references.extend(value for key, value in node.items() if key == "$ref")
            for value in node.values():
                gather(value)
        elif isinstance(node, list):
            for item in node:
                gather(item)

    gather(document)
    assert references
    for reference in references:
        place: Any = document
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]
        assert place


def test_a_document_without_a_place_for_a_table_is_refused() -> None:
    whole = "".join(f"<!-- table {name} -->\n<!-- end -->\n" for name in tables())
    assert fill(whole) == fill(fill(whole))
    with pytest.raises(ValueError, match="no place for the table"):
        fill(whole.replace("<!-- table errors -->", ""))
