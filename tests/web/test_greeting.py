"""Hello: what comes with it on its way, what comes behind it, and what becomes of both when it fails."""

import asyncio

import pytest

from server.store import StoreUnavailable
from tests.web.site import Player, Site


async def test_a_hello_that_the_store_could_not_answer_is_to_be_tried_again_later(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(*_: object) -> None:
        raise StoreUnavailable("gone")

    monkeypatch.setattr(site.app.state.contest, "hello", gone)
    player = Player(await site.open_socket())
    await player.say("hello", protocol=1)
    assert await player.hear_close() == 1013
    assert player.seen == []


async def test_a_hello_that_hangs_in_the_store_is_to_be_tried_again_later(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hangs(*_: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(site.app.state.contest, "hello", hangs)
    player = Player(await site.open_socket())
    await player.say("hello", protocol=1)
    async with asyncio.timeout(5):
        while not site.app.state.running.socket._conversations:
            await asyncio.sleep(0.01)
    [conversation] = site.app.state.running.socket._conversations
    while not conversation._is_greeting:
        await asyncio.sleep(0.01)
    conversation.close_unless_greeted()
    assert await player.hear_close() == 1013


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("create", {"key": "12345678", "kind": "practice", "deal": "fortress:ms:1"}),
        ("queue", {"variant": "fortress"}),
        ("watch", {"race": "daily.2026-11-29.fortress"}),
        ("restart", {"race": "somewhere", "id": 1, "version": 0}),
    ],
)
async def test_what_was_sent_behind_a_refused_hello_is_carried_out_for_nobody(
    site: Site, command: str, fields: dict[str, object]
) -> None:
    player = Player(await site.open_socket())
    await player.say("hello", protocol=1, token="A" * 32)
    await player.say(command, **fields)
    assert (await player.hear("error"))["code"] == "token_unknown"
    refused = await player.hear("error")
    assert (refused["code"], refused["re"]) == ("hello_first", command)


async def test_what_was_sent_behind_a_hello_is_carried_out_for_its_player(site: Site) -> None:
    player = Player(await site.open_socket())
    await player.say("hello", protocol=1)
    await player.say("queue", variant="fortress")
    await player.hear("welcome")
    assert (await player.hear("queued"))["waiting"] is True
