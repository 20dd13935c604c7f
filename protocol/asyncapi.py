"""The AsyncAPI 3 document of the socket, made from the messages. The server serves it as `/asyncapi.json`."""

from typing import Any

from protocol.codes import PROTOCOL_VERSION
from protocol.schemas import Schema, command_schemas, event_schemas

SOCKET_PATH = "/ws"


def asyncapi() -> Schema:
    """The document: one channel, the commands a client sends and the events it gets."""
    commands, events = command_schemas(), event_schemas()
    parts: dict[str, Schema] = {}
    for schema in (*commands.values(), *events.values()):
        parts |= schema.get("$defs", {})
    messages = {f"command_{name}": _message(name, schema) for name, schema in commands.items()}
    messages |= {f"event_{name}": _message(name, schema) for name, schema in events.items()}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Ramparts socket",
            "version": f"{PROTOCOL_VERSION}.0.0",
            "description": "One JSON object a text frame, tagged by `type`; see docs/protocol.md.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {
            "socket": {
                "address": SOCKET_PATH,
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
                "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {
            "command": _operation("receive", "What clients ask.", [f"command_{name}" for name in commands]),
            "event": _operation("send", "What has happened.", [f"event_{name}" for name in events]),
        },
        "components": {"messages": messages, "schemas": _moved(dict(sorted(parts.items())))},
    }


def _operation(action: str, summary: str, messages: list[str]) -> Schema:
    return {
        "action": action,
        "summary": summary,
        "channel": {"$ref": "#/channels/socket"},
        "messages": [{"$ref": f"#/channels/socket/messages/{name}"} for name in messages],
    }


def _message(name: str, schema: Schema) -> Schema:
    body = {key: value for key, value in schema.items() if key not in {"$schema", "$defs", "title"}}
    return {"name": name, "summary": schema["description"].partition("\n")[0], "payload": _moved(body)}


def _moved(node: Any) -> Any:
    """The same schema with references to `$defs` pointing at the document's components."""
    if isinstance(node, dict):
        return {
            key: value.replace("#/$defs/", "#/components/schemas/") if key == "$ref" else _moved(value)
            for key, value in node.items()
        }
    return [_moved(item) for item in node] if isinstance(node, list) else node
