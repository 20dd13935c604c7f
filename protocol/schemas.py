"""JSON Schema 2020-12 of every message, made from the models; `protocol/schemas/` holds what this module makes.

A command's schema says what a client may send: nothing beyond its fields. An event's says what a client can rely on:
fields that are always there are required, the others are left out when there is nothing to say (never null), and new
fields may come.
"""

import json
from collections.abc import Mapping
from typing import Any, get_args

from pydantic import BaseModel

from protocol.codes import PROTOCOL_VERSION
from protocol.commands import AnyCommand, Command
from protocol.events import AnyEvent, Event

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]
NAMED = frozenset({"properties", "$defs"})
"""Keywords whose keys are names, of which "title" might be one."""

COMMAND_MODELS: tuple[type[Command], ...] = get_args(AnyCommand)
EVENT_MODELS: tuple[type[Event], ...] = get_args(AnyEvent)


def type_of(model: type[BaseModel]) -> str:
    """The value of `type` that tags the messages of this model."""
    (tag,) = get_args(model.model_fields["type"].annotation)
    return str(tag)


def command_schema(model: type[Command]) -> Schema:
    """The schema of one command, its parts under `$defs`."""
    schema = _without_titles(model.model_json_schema())
    return {"$schema": DIALECT, "title": type_of(model), **schema}


def event_schema(model: type[Event]) -> Schema:
    """The schema of one event, its parts under `$defs`."""
    schema = _without_titles(model.model_json_schema(mode="serialization"))
    _say_what_is_sent(schema)
    for part in schema.get("$defs", {}).values():
        _say_what_is_sent(part)
    return {"$schema": DIALECT, "title": type_of(model), **schema}


def command_schemas() -> dict[str, Schema]:
    """The schema of each command by its type."""
    return {type_of(model): command_schema(model) for model in COMMAND_MODELS}


def event_schemas() -> dict[str, Schema]:
    """The schema of each event by its type."""
    return {type_of(model): event_schema(model) for model in EVENT_MODELS}


def union_schema(schemas: Mapping[str, Schema], title: str) -> Schema:
    """One schema for any of these messages: each under `$defs`, told apart by `type`."""
    parts: dict[str, Schema] = {}
    for name, schema in schemas.items():
        body = {key: value for key, value in schema.items() if key not in {"$schema", "$defs", "title"}}
        parts[f"{title[:-1]}_{name}"] = body
        parts.update(schema.get("$defs", {}))
    return {
        "$schema": DIALECT,
        "title": title,
        "description": f"Any of the {title} of wire version {PROTOCOL_VERSION}.",
        "oneOf": [{"$ref": f"#/$defs/{title[:-1]}_{name}"} for name in schemas],
        "$defs": dict(sorted(parts.items())),
    }


def schema_files() -> dict[str, str]:
    """The text of every schema file by its path below `protocol/schemas/`."""
    commands, events = command_schemas(), event_schemas()
    files = {f"commands/{name}.json": schema for name, schema in commands.items()}
    files |= {f"events/{name}.json": schema for name, schema in events.items()}
    files["commands.json"] = union_schema(commands, "commands")
    files["events.json"] = union_schema(events, "events")
    return {path: format_json(schema) for path, schema in files.items()}


def format_json(value: object) -> str:
    """Indented JSON that ends in a line feed: the form in which generated files are kept."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _without_titles(schema: Schema) -> Schema:
    """Drops the titles that only repeat the names of fields."""

    def cleaned(node: Any) -> Any:
        if isinstance(node, list):
            return [cleaned(item) for item in node]
        if not isinstance(node, dict):
            return node
        return {
            key: {name: cleaned(sub) for name, sub in value.items()} if key in NAMED else cleaned(value)
            for key, value in node.items()
            if key != "title" or not isinstance(value, str)
        }

    result: Schema = cleaned(schema)
    return result


def _say_what_is_sent(schema: Schema) -> None:
    """What may be None is never sent as null: such a field is optional, and all others are always there."""
    properties: dict[str, Schema] | None = schema.get("properties")
    if properties is None:
        return
    required = []
    for name, field in properties.items():
        field.pop("default", None)
        choices = field.get("anyOf", [])
        if {"type": "null"} not in choices:
            required.append(name)
            continue
        (choice,) = (choice for choice in choices if choice != {"type": "null"})
        del field["anyOf"]
        properties[name] = {**choice, **field}
    schema["required"] = required
