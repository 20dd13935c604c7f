"""The golden messages: what must be read, what it means, and the code that everything else gets."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it comes without types

from protocol.codec import MalformedMessage, decode_command, decode_event, encode
from protocol.codes import MESSAGES, ErrorCode
from protocol.schemas import COMMAND_MODELS, EVENT_MODELS, command_schemas, event_schemas, type_of

VECTORS = Path(__file__).parents[2] / "protocol" / "vectors"
VALID: dict[str, list[dict[str, Any]]] = json.loads((VECTORS / "valid.json").read_text())
MALFORMED: list[dict[str, Any]] = json.loads((VECTORS / "malformed.json").read_text())["frames"]
TEXTS = [frame for frame in MALFORMED if "hex" not in frame]


def text_of(frame: dict[str, Any]) -> str:
    if "repeat" in frame:
        piece, times = frame["repeat"]
        return str(piece) * int(times)
    return str(frame["text"])


@pytest.mark.parametrize("vector", VALID["commands"], ids=lambda vector: vector["name"])
def test_a_command_means_what_its_vector_says(vector: dict[str, Any]) -> None:
    assert decode_command(vector["text"]).model_dump(mode="json", exclude_none=True) == vector["means"]


@pytest.mark.parametrize("vector", VALID["events"], ids=lambda vector: vector["name"])
def test_an_event_means_what_its_vector_says(vector: dict[str, Any]) -> None:
    assert decode_event(vector["text"]).model_dump(mode="json", exclude_none=True) == vector["means"]


@pytest.mark.parametrize("vector", VALID["commands"], ids=lambda vector: vector["name"])
def test_a_command_survives_writing_and_reading(vector: dict[str, Any]) -> None:
    command = decode_command(vector["text"])
    assert decode_command(encode(command)) == command


@pytest.mark.parametrize("vector", VALID["events"], ids=lambda vector: vector["name"])
def test_an_event_survives_writing_and_reading(vector: dict[str, Any]) -> None:
    event = decode_event(vector["text"])
    assert decode_event(encode(event)) == event


@pytest.mark.parametrize("frame", TEXTS, ids=lambda frame: frame["name"])
def test_a_malformed_frame_gets_its_code(frame: dict[str, Any]) -> None:
    with pytest.raises(MalformedMessage) as caught:
        decode_command(text_of(frame))
    named = {name: frame[name] for name in ("re", "race", "key", "id") if name in frame}
    assert (caught.value.code, caught.value.field, caught.value.named) == (frame["code"], frame.get("field"), named)


@pytest.mark.parametrize("frame", TEXTS, ids=lambda frame: frame["name"])
def test_the_error_for_a_malformed_frame_says_what_to_do_and_repeats_nothing_of_it_at_length(
    frame: dict[str, Any],
) -> None:
    with pytest.raises(MalformedMessage) as caught:
        decode_command(text_of(frame))
    event = caught.value.event()
    assert event.message.endswith(MESSAGES[ErrorCode(frame["code"])])
    assert len(encode(event)) < 700


def test_there_is_a_vector_of_every_command_and_every_event() -> None:
    assert {vector["means"]["type"] for vector in VALID["commands"]} == {type_of(model) for model in COMMAND_MODELS}
    assert {vector["means"]["type"] for vector in VALID["events"]} == {type_of(model) for model in EVENT_MODELS}


@pytest.mark.parametrize("vector", VALID["commands"], ids=lambda vector: vector["name"])
def test_a_valid_command_fits_its_schema(vector: dict[str, Any]) -> None:
    command = json.loads(vector["text"])
    assert list(Draft202012Validator(command_schemas()[command["type"]]).iter_errors(command)) == []


@pytest.mark.parametrize("vector", VALID["events"], ids=lambda vector: vector["name"])
def test_what_is_sent_as_an_event_fits_its_schema(vector: dict[str, Any]) -> None:
    event = json.loads(encode(decode_event(vector["text"])))
    assert list(Draft202012Validator(event_schemas()[event["type"]]).iter_errors(event)) == []


# JSON Schema takes 1.0 and 1e2 for integers, the last of two equal fields is all that a parsed object shows,
# and a pattern's `$` lets a line feed pass in Python's `re`: these are stricter on the wire than in the schema.
BEYOND_SCHEMA = {"a fraction of nothing is still a fraction", "an exponent", "a race id with a line feed"}
WRONG_FIELDS = [frame for frame in TEXTS if frame["code"] == "bad_field" and frame["name"] not in BEYOND_SCHEMA]


@pytest.mark.parametrize("frame", WRONG_FIELDS, ids=lambda frame: frame["name"])
def test_a_command_with_a_wrong_field_does_not_fit_its_schema(frame: dict[str, Any]) -> None:
    try:
        command = json.loads(text_of(frame))
    except ValueError:
        pytest.skip("no JSON at all for this parser")
    assert not Draft202012Validator(command_schemas()[command["type"]]).is_valid(command)
