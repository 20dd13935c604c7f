"""Each kind of bad input gets its documented code; the connection stays, nothing is logged, no attempt changes."""

import asyncio
import json
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.web.site import Player, Site

MOVE = {"type": "move", "race": "RACE", "id": 1, "version": 0, "source": "t0", "target": "t1"}


def changed(**fields: Any) -> str:
    """A move with some fields changed; None takes one away."""
    return json.dumps({name: value for name, value in (MOVE | fields).items() if value is not None})


BAD = {
    "nothing": ("", "malformed"),
    "no JSON": ("{", "malformed"),
    "a word": ("hello", "malformed"),
    "null": ("null", "malformed"),
    "a number": ("1", "malformed"),
    "an array": ("[]", "malformed"),
    "an array of commands": (f"[{changed()}]", "malformed"),
    "two objects": (changed() * 2, "malformed"),
    "deep nesting": ("[" * 16_000, "malformed"),
    "deep nesting in a field": ('{"type":"ping","id":' + '{"a":' * 2_500 + "1" + "}" * 2_500 + "}", "malformed"),
    "a lone surrogate": ('{"type":"ping","id":"\\ud800"}', "malformed"),
    "a lone surrogate as the type": ('{"type":"\\udfff"}', "malformed"),
    "a NUL": ('{"type":"enter","race":"a\\u0000b"}', "bad_field"),
    "no type": ("{}", "unknown_type"),
    "an unknown type": ('{"type":"fly"}', "unknown_type"),
    "an event as a command": ('{"type":"accepted"}', "unknown_type"),
    "a type that is a number": ('{"type":1}', "unknown_type"),
    "a type that is null": ('{"type":null}', "unknown_type"),
    "a missing field": (changed(source=None), "bad_field"),
    "a field too many": (changed(extra=1), "bad_field"),
    "a text for a number": (changed(id="1"), "bad_field"),
    "a fraction": (changed(id=1.5), "bad_field"),
    "a whole fraction": (changed(id=1.0), "bad_field"),
    "a truth for a number": (changed(id=True), "bad_field"),
    "NaN": (changed(version=float("nan")), "bad_field"),
    "Infinity": (changed(version=float("inf")), "bad_field"),
    "a number beyond all bounds": (changed(id=10**300), "bad_field"),
    "an id of zero": (changed(id=0), "bad_field"),
    "a negative version": (changed(version=-1), "bad_field"),
    "no pile": (changed(source="x9"), "bad_field"),
    "a pile in other digits": (changed(source="t٣"), "bad_field"),
    "a count of none": (changed(count=0), "bad_field"),
    "a race that is a list": (changed(race=[]), "bad_field"),
    "a race id of line feeds": (changed(race="a\n"), "bad_field"),
    "an empty race id": (changed(race=""), "bad_field"),
    "a race id that is too long": (changed(race="a" * 121), "bad_field"),
    "a deal and a variant": (
        '{"type":"create","key":"12345678","kind":"practice","deal":"a","variant":"fortress"}',
        "bad_field",
    ),
    "a second hello": ('{"type":"hello","protocol":1}', "hello_twice"),
}


@pytest.mark.parametrize("kind", BAD)
async def test_a_bad_frame_gets_its_code_and_changes_nothing(site: Site, kind: str) -> None:
    player = await Player.join(site)
    attempt = await player.practise()
    before = await attempt.stored()
    frame, code = BAD[kind]
    await player.say_raw(frame.replace("RACE", attempt.race))
    error = await player.hear_any()
    assert (error["type"], error["code"]) == ("error", code)
    assert error["message"]
    assert await attempt.stored() == before
    await attempt.play(attempt.legal()[0])


async def test_a_binary_frame_gets_its_code_and_changes_nothing(site: Site) -> None:
    player = await Player.join(site)
    attempt = await player.practise()
    before = await attempt.stored()
    await player.say_raw(json.dumps(MOVE).encode())
    assert (await player.hear_any())["code"] == "binary"
    assert await attempt.stored() == before


async def test_an_error_names_the_field_and_the_command(site: Site) -> None:
    player = await Player.join(site)
    await player.say_raw(changed(source="x9"))
    error = await player.hear("error")
    assert (error["field"], error["re"]) == ("source", "move")


async def test_a_create_with_neither_variant_nor_deal_is_told_so_in_plain_words(site: Site) -> None:
    player = await Player.join(site)
    await player.say_raw('{"type":"create","key":"k-12345678","kind":"practice"}')
    assert (await player.hear("error"))["message"].startswith("create: give a variant or a deal, one of the two. ")


async def test_a_text_frame_of_bad_utf8_closes_with_1007(site: Site) -> None:
    player = await Player.join(site)
    attempt = await player.practise()
    await player.say_raw(b'{"type":"ping"\xff\xfe}', as_text=True)
    assert await player.hear_close() == 1007
    again = await Player.join(site, player.token)
    assert (await (await again.enter(attempt.race)).stored())["version"] == 0


async def test_an_oversized_message_closes_with_1009_and_changes_nothing(site: Site) -> None:
    player = await Player.join(site)
    attempt = await player.practise()
    await player.say_raw(changed(race=attempt.race) + " " * 16_384)
    assert await player.hear_close() == 1009
    again = await Player.join(site, player.token)
    assert (await (await again.enter(attempt.race)).stored())["version"] == 0


async def test_the_biggest_message_allowed_is_read(site: Site) -> None:
    player = await Player.join(site)
    ping = '{"type":"ping","id":5}'
    await player.say_raw(ping + " " * (16_384 - len(ping)))
    assert (await player.hear_any())["id"] == 5


@pytest.mark.parametrize("frame", ['{"type":"ping"}', '{"type":"enter","race":"abc"}', "{", changed()])
async def test_before_hello_nothing_else_is_carried_out(site: Site, frame: str) -> None:
    player = Player(await site.open_socket())
    await player.say_raw(frame)
    error = await player.hear_any()
    assert error["code"] == ("malformed" if frame == "{" else "hello_first")
    await player.say("hello", protocol=1)
    assert (await player.hear("welcome"))["token"]


async def test_commands_sent_right_behind_hello_wait_for_it(site: Site) -> None:
    player = Player(await site.open_socket())
    await player.say("hello", protocol=1)
    await player.say("create", key="right-behind", kind="practice", deal="fortress:ms:5")
    await player.hear("welcome")
    assert (await player.hear("snapshot"))["re"] == "right-behind"


async def test_another_protocol_version_closes_with_4010(site: Site) -> None:
    player = Player(await site.open_socket())
    await player.say("hello", protocol=2)
    assert await player.hear_close() == 4010


async def test_an_unknown_token_is_an_error_and_another_hello_may_follow(site: Site) -> None:
    player = Player(await site.open_socket())
    await player.say("hello", protocol=1, token="nobody's")  # noqa: S106 - it opens nothing
    assert (await player.hear("error"))["code"] == "token_unknown"
    await player.say("hello", protocol=1)
    await player.hear("welcome")


async def test_who_says_no_hello_is_closed(site: Site) -> None:
    services = site.app.state.running.socket._services
    object.__setattr__(services, "hello_within_s", 0.1)
    player = Player(await site.open_socket())
    assert await player.hear_close() == 1008


async def test_pings_are_no_hello(site: Site) -> None:
    services = site.app.state.running.socket._services
    object.__setattr__(services, "hello_within_s", 0.2)
    player = Player(await site.open_socket())
    for _ in range(3):
        await player.say("ping")
        await asyncio.sleep(0.02)
    assert await player.hear_close() == 1008


async def test_a_page_of_another_site_can_not_open_a_socket(site: Site) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await site.open_socket(origin="https://evil.example")
    assert refused.value.response.status_code == 403


async def test_a_page_of_this_server_can(site: Site) -> None:
    socket = await site.open_socket(origin=site.http)
    player = Player(socket)
    await player.say("hello", protocol=1)
    assert (await player.hear("welcome"))["protocol"] == 1


async def test_compression_is_not_offered(site: Site) -> None:
    socket = await site.open_socket(compression="deflate")
    assert socket.response is not None
    assert "Sec-WebSocket-Extensions" not in socket.response.headers
    await socket.close()
