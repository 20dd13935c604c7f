"""The OpenAPI 3.1 document of the HTTP API, made from the table of operations and their models.

`python -m cli.generate` writes it to `docs/openapi.json`.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from server.web.http.operations import (
    OTHERWISE,
    Access,
    ErrorAnswer,
    NoBody,
    NoQuery,
    Operation,
    status_of,
)

AnyOperation = Operation[Any, Any]
Schema = dict[str, Any]
_REF = "#/components/schemas/{model}"
_PARAMETERS = {
    "attempt": "The race's id, a dot and the player's id.",
    "board": "The board's name.",
    "date": "A day (UTC) as YYYY-MM-DD, or `today`.",
    "name": "A claimed name; case does not count. Below it `me` is who sends the token.",
    "month": "A month (UTC) as YYYY-MM.",
    "race": "The race's public id, or the secret code of its link.",
    "variant": "A variant's id, with options as in `cruel+bottom-first`.",
}


def openapi(operations: Iterable[AnyOperation]) -> Schema:
    """The document of these operations."""
    table = tuple(operations)
    paths: dict[str, Schema] = {}
    for operation in table:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "Ramparts",
            "version": "1.0.0",
            "description": "Races on identical seeded deals of patience. What is played goes over the socket; see "
            "docs/protocol.md. Errors have one shape, and addresses without a token may be read from any origin.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": _schemas(table),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "A player's token, told once to a guest."}
            },
        },
    }


def _operation(operation: AnyOperation) -> Schema:
    content: Schema = {"application/json": {"schema": _ref(operation.answer)}}
    if operation.also_text:
        content["text/plain"] = {"schema": {"type": "string"}}
    described: Schema = {
        "operationId": operation.endpoint.__name__,
        "summary": operation.summary,
        "tags": [operation.path.split("/")[3]],
        "parameters": list(_parameters(operation)),
        "responses": {str(operation.status): {"description": "Done.", "content": content}, **_errors(operation)},
    }
    if operation.later is not None:
        described["responses"]["202"] = {
            "description": "Being made: ask again after `Retry-After`.",
            "content": {"application/json": {"schema": _ref(operation.later)}},
        }
    if operation.body is not NoBody:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _ref(operation.body)}},
        }
    if operation.access is Access.PLAYER:
        described["security"] = [{"token": []}]
    elif operation.access is Access.VIEWER:
        described["security"] = [{}, {"token": []}]
    return described


def _parameters(operation: AnyOperation) -> Iterator[Schema]:
    for name in re.findall(r"{(\w+)}", operation.path):
        yield {
            "name": name,
            "in": "path",
            "required": True,
            "description": _PARAMETERS[name],
            "schema": {"type": "string"},
        }
    if operation.query is not NoQuery:
        fields: dict[str, Schema] = operation.query.model_json_schema()["properties"]
        for name, schema in fields.items():
            plain = _without_null(_without_title(schema))
            described: Schema = {"name": name, "in": "query", "required": False}
            if "description" in plain:
                described["description"] = plain.pop("description")
            yield {**described, "schema": plain}


def _errors(operation: AnyOperation) -> Schema:
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys(operation.errors):
        by_status.setdefault(status_of(code), []).append(code.value)
    answer = {"application/json": {"schema": _ref(ErrorAnswer)}}
    errors: Schema = {
        str(status): {"description": "Refused: " + ", ".join(f"`{code}`" for code in codes) + ".", "content": answer}
        for status, codes in sorted(by_status.items())
    }
    errors["default"] = {"description": f"Refused, by code; {OTHERWISE} if it does not go now.", "content": answer}
    return errors


def _schemas(operations: tuple[AnyOperation, ...]) -> Schema:
    sent: dict[type[BaseModel], None] = {}
    read: dict[type[BaseModel], None] = {}
    for operation in operations:
        sent[operation.answer] = None
        if operation.later is not None:
            sent[operation.later] = None
        if operation.body is not NoBody:
            read[operation.body] = None
    sent[ErrorAnswer] = None
    _, answers = models_json_schema([(model, "serialization") for model in sent], ref_template=_REF)
    _, bodies = models_json_schema([(model, "validation") for model in read], ref_template=_REF)
    for schema in answers["$defs"].values():
        _say_what_is_sent(schema)
    schemas: Schema = {**answers["$defs"], **bodies["$defs"]}
    return {name: _without_title(schema) for name, schema in sorted(schemas.items())}


def _ref(model: type[BaseModel]) -> Schema:
    return {"$ref": _REF.format(model=model.__name__)}


def _say_what_is_sent(schema: Schema) -> None:
    """What may be None is left out of answers, never null; all other fields are always there."""
    properties: dict[str, Schema] = schema.get("properties", {})
    if properties:
        schema["required"] = [name for name, field in properties.items() if {"type": "null"} not in _choices(field)]
        schema["properties"] = {name: _without_null(field) for name, field in properties.items()}


def _choices(field: Schema) -> list[Schema]:
    choices: list[Schema] = field.get("anyOf", [])
    return choices


def _without_null(field: Schema) -> Schema:
    choices = [choice for choice in _choices(field) if choice != {"type": "null"}]
    if len(choices) == len(_choices(field)):
        return field
    rest = {key: value for key, value in field.items() if key not in ("anyOf", "default")}
    return {**choices[0], **rest} if len(choices) == 1 else {"anyOf": choices, **rest}


def _without_title(node: Any) -> Any:
    """The schema without the titles that only repeat names."""
    if isinstance(node, list):
        return [_without_title(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: _without_title(value) for key, value in node.items() if key != "title" or not isinstance(value, str)}
