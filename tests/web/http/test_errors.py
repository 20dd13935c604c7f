"""Whatever is sent, the answer is one clear error, never a traceback."""

import json
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from protocol.codes import ErrorCode
from server.store import Store
from server.web.http.operations import STATUS, Operation, status_of
from server.web.http.routes import OPERATIONS
from tests.web.http.conftest import Api

NESTED = b"[" * 15_000
BAD_BODIES = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"1",
    b'"text"',
    b"\xff\xfe",
    b'{"bot": "\xff"}',
    b'{"device": "\\ud800\\ud800"}',
    b'{"bot": NaN}',
    b'{"bot": 1}',
    b'{"bot": "true"}',
    b'{"bot": null}',
    b'{"bot": {"a": [1]}}',
    b'{"unknown": 1}',
    b'{"device": "short"}',
    b'{"device": 12345678}',
    b'{"bot": true, "token": "x"}',
    b'{"\\ud800": 1}',
    b'{"' + b"k" * 10_000 + b'": 1}',
    NESTED,
    b'{"bot":' + NESTED,
    b'{"bot": 1e999}',
]


@pytest.mark.parametrize("body", BAD_BODIES, ids=range(len(BAD_BODIES)))
async def test_a_bad_body_is_refused_in_the_one_shape(api: Api, body: bytes) -> None:
    answer = await api.send("/players", body)
    assert answer.status_code in (400, 422)
    told = answer.json()
    assert told["code"] in ("malformed", "bad_field")
    assert told["message"]
    assert told.keys() <= {"code", "message", "field"}
    assert len(answer.content) < 1000


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=200) | st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20) | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
).map(lambda value: json.dumps(value).encode()))  # fmt: skip
async def test_no_body_at_all_makes_a_server_error(api: Api, body: bytes) -> None:
    for path in ("/players", "/players/recover"):
        answer = await api.send(path, body)
        assert answer.status_code in (201, 400, 422)
        assert isinstance(answer.json(), dict)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    operation=st.sampled_from([one for one in OPERATIONS if one.method == "GET"]),
    words=st.lists(st.text(min_size=1, max_size=30), min_size=2, max_size=2),
    query=st.dictionaries(
        st.sampled_from(["cursor", "limit", "around", "format", "x"]), st.text(max_size=20), max_size=3
    ),
)
async def test_no_address_at_all_makes_a_server_error(
    api: Api, operation: Operation[Any, Any], words: list[str], query: dict[str, str]
) -> None:
    path = operation.path
    for name in ("{date}", "{variant}", "{race}", "{attempt}", "{board}", "{name}"):
        if name in path:
            path = path.replace(name, quote(words.pop().encode("utf-8", "replace"), safe=""))
    if ".." in path:
        return
    asked = urlencode({name: text.encode("utf-8", "replace") for name, text in query.items()})
    answer = await api.client.get(f"{path}?{asked}")
    assert answer.status_code < 500, answer.text
    # A line feed within a path fits no route of this API: that is a plain 404.
    assert answer.text == "Not Found" or isinstance(answer.json(), dict)


async def test_a_field_at_fault_is_named(api: Api) -> None:
    answer = await api.send("/players", b'{"bot": "yes"}')
    assert answer.status_code == 422
    assert answer.json()["field"] == "bot"


async def test_a_body_that_is_too_big_is_refused_whether_it_says_so_or_not(api: Api) -> None:
    said = await api.send("/players", b" " * 20_000)
    assert (said.status_code, said.json()["code"]) == (413, "too_big")

    async def chunks() -> object:
        for _ in range(100):
            yield b" " * 1000

    unsaid = await api.client.post("/api/v1/players", content=chunks())  # type: ignore[arg-type]  # chunked
    assert (unsaid.status_code, unsaid.json()["code"]) == (413, "too_big")


async def test_a_form_is_not_taken_for_json(api: Api) -> None:
    answer = await api.send("/players", b"bot=true", "application/x-www-form-urlencoded")
    assert (answer.status_code, answer.json()["code"]) == (415, "malformed")


@pytest.mark.parametrize("path", ["/nothing", "", "/players/me/nothing", "/races/a/b", "/variants/a/b", "/socket/x"])
async def test_what_is_not_there_is_answered_in_the_one_shape(api: Api, path: str) -> None:
    answer = await api.get(path)
    assert answer.status_code in (404, 405)
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "POST"])
async def test_a_method_that_does_not_go_is_refused_with_those_that_do(api: Api, method: str) -> None:
    answer = await api.client.request(method, "/api/v1/variants")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "HEAD, GET, OPTIONS"
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=101", "limit=x", "limit=1.5", "limit=", "cursor=%00", "what=1", "limit=1&limit=2",
              "cursor=" + "x" * 500, "around=%FF", "around=A", "limit=9999999999999999999999999",
              "limit=1_0", "limit=%2B10", "limit=%2010", "limit=10.0", "limit=%EF%BC%91"],
)  # fmt: skip
async def test_a_bad_query_is_refused(api: Api, query: str) -> None:
    answer = await api.get(f"/boards/best:citadel:ungraded?{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_field")


async def test_a_store_that_can_not_be_reached_is_said_so(api: Api, store: Store) -> None:
    await store.link.close()
    answer = await api.post("/players", {})
    assert (answer.status_code, answer.json()["code"]) == (503, "retry")
    assert answer.headers["retry-after"] == "1"


async def test_an_unforeseen_error_is_logged_and_answered_without_details(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError("the secret of the deal")

    monkeypatch.setattr(api.world.contest.players, "hello", fail)
    with capture_logs() as logged:
        answer = await api.post("/players", {})
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "secret" not in answer.text
    assert [entry["incident"] for entry in logged] == [answer.headers["x-incident"]]


def test_every_status_fits_its_kind() -> None:
    assert all(400 <= status_of(code) <= 503 for code in ErrorCode)
    assert {status for status in STATUS.values() if status >= 500} == {500, 503}
