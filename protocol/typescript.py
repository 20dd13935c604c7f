"""TypeScript declarations of every message, made from the schemas: what the browser client's types are checked by."""

from collections.abc import Mapping
from typing import Any

from protocol.schemas import Schema, command_schemas, event_schemas

HEAD = "// Made by `python -m cli.generate` from the models of the wire. Not to be edited.\n"
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def declarations() -> str:
    """The text of `protocol.d.ts`: an interface for each command, event and part, and their unions."""
    commands, events = command_schemas(), event_schemas()
    parts: dict[str, Schema] = {}
    for schema in (*commands.values(), *events.values()):
        parts |= schema.get("$defs", {})
    blocks = [HEAD]
    blocks += [_declare(name, schema) for name, schema in sorted(parts.items())]
    blocks += [_declare(_name(tag, "Command"), schema) for tag, schema in commands.items()]
    blocks += [_declare(_name(tag, "Event"), schema) for tag, schema in events.items()]
    blocks.append(f"export type AnyCommand = {' | '.join(_name(tag, 'Command') for tag in commands)};\n")
    blocks.append(f"export type AnyEvent = {' | '.join(_name(tag, 'Event') for tag in events)};\n")
    return "\n".join(blocks)


def _name(tag: str, kind: str) -> str:
    return "".join(word.capitalize() for word in tag.split("_")) + kind


def _declare(name: str, schema: Schema) -> str:
    doc = f"/** {schema['description'].strip()} */\n".replace("\n\n", "\n") if "description" in schema else ""
    if "properties" not in schema:
        return f"{doc}export type {name} = {_type(schema)};\n"
    required = set(schema.get("required", ()))
    lines = [_field(key, each, key in required) for key, each in schema["properties"].items()]
    return f"{doc}export interface {name} {{\n" + "".join(lines) + "}\n"


def _field(key: str, schema: Schema, is_required: bool) -> str:
    return f"  {key}{'' if is_required else '?'}: {_type(schema)};\n"


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(_type(each) for each in schema["anyOf"])
    if schema.get("type") == "array":
        return f"({_type(schema.get('items', {}))})[]"
    if schema.get("type") == "object":
        return "Record<string, any>"
    return _PLAIN.get(str(schema.get("type")), "unknown")
