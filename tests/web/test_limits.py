"""What one client may do: how fast, how much unread, how many; and what happens to the others meanwhile."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest

from server.web import desk
from tests.web.site import Attempt, Player, Site, race_of_two, serving


@pytest.fixture
async def strict(redis_url: str, tmp_path: Path) -> AsyncIterator[Site]:
    """A server that takes five messages a second from a player, ten at once."""
    async with serving(redis_url, tmp_path, commands_per_second=5) as running:
        yield running


@pytest.fixture
async def narrow(redis_url: str, tmp_path: Path) -> AsyncIterator[Site]:
    """A server that lets an address send as much as one player, and knows no local address."""
    async with serving(
        redis_url, tmp_path, commands_per_second=5, players_per_address=1, unlimited_addresses=("203.0.113.9",)
    ) as running:
        yield running


async def test_too_many_messages_are_told_so_and_not_carried_out(strict: Site) -> None:
    player = await Player.join(strict)
    for number in range(14):
        await player.say("ping", id=number)
    for _ in range(14):
        await player.hear_any()
    answers = [frame["type"] for frame in player.seen[1:]]
    assert answers[:10] == ["pong"] * 10
    assert {frame.get("code") for frame in player.seen[11:]} <= {"too_many_messages", None}
    assert "error" in answers


async def test_a_braked_command_is_not_played_and_can_be_sent_again(strict: Site) -> None:
    player = await Player.join(strict)
    attempt = await player.practise()
    for _ in range(8):
        await player.say("ping")
    await attempt.send_move(attempt.legal()[0])
    error = await player.hear("error")
    while error.get("id") is None:
        error = await player.hear("error")
    assert (error["code"], error["race"], error["id"]) == ("too_many_messages", attempt.race, 1)
    await asyncio.sleep(2.5)
    attempt.last_id = 0
    await attempt.play(attempt.legal()[0])


async def test_who_hammers_on_is_closed_with_4029(strict: Site) -> None:
    player = await Player.join(strict)
    for number in range(40):
        await player.say("ping", id=number)
    assert await player.hear_close() == 4029
    assert "error" in {frame["type"] for frame in player.seen}


async def test_malformed_frames_count_too(strict: Site) -> None:
    player = await Player.join(strict)
    for _ in range(40):
        await player.say_raw("{")
    assert await player.hear_close() == 4029


async def test_many_sockets_of_one_player_share_one_allowance(strict: Site) -> None:
    first = await Player.join(strict)
    second = await Player.join(strict, first.token)
    for _ in range(10):
        await first.say("ping")
    for _ in range(10):
        await first.hear("pong")
    await second.say("ping")
    assert (await second.hear_any())["type"] == "error"


async def test_many_players_of_one_address_share_the_address_s_allowance(narrow: Site) -> None:
    first, second = await Player.join(narrow), await Player.join(narrow)
    for _ in range(10):
        await first.say("ping")
    await second.say("ping")
    assert (await second.hear_any())["code"] == "too_many_messages"


async def test_the_welcome_says_the_limits(strict: Site) -> None:
    player = await Player.join(strict)
    assert player.seen[0]["limits"] == {
        "message_bytes": 16_384,
        "commands_per_second": 5,
        "entries_per_attempt": 5_000,
    }


async def test_who_does_not_read_is_closed_with_4008_and_the_opponent_plays_on(
    redis_url: str, tmp_path: Path, logged: list[MutableMapping[str, Any]]
) -> None:
    async with serving(redis_url, tmp_path, commands_per_second=100_000) as site:
        one, other = await Player.join(site), await Player.join(site)
        first, _ = await race_of_two(one, other)
        await _overrun(site, other, first)
        await one.ping()
    assert next(entry["code"] for entry in logged if entry["event"] == "socket.closed") == 4008


async def _overrun(site: Site, other: Player, first: Attempt) -> None:
    """Asks for more than is read, while the opponent plays, until the server has had enough."""
    _, writer = await _deaf_player(site, other.token, first.race)
    for number in range(1, 4_000):
        if site.app.state.running.socket.open_count < 3:
            break
        writer.write(_frame({"type": "resync", "race": first.race}))
        if number % 20 == 0:
            await asyncio.sleep(0.02)
            restarted = await first.send("restart")
            first.version = (await first.player.hear("accepted", id=restarted))["version"]
    assert site.app.state.running.socket.open_count == 2
    writer.close()


async def _deaf_player(site: Site, token: str, race: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection that says hello and enters, and then takes in next to nothing."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    sock.setblocking(False)
    await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", site.server.bound_port))
    reader, writer = await asyncio.open_connection(sock=sock, limit=1_024)
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    writer.write(_frame({"type": "hello", "protocol": 1, "token": token}))
    await asyncio.sleep(0.2)
    writer.write(_frame({"type": "watch", "race": race}))
    return reader, writer


def _frame(message: object) -> bytes:
    """A masked text frame, masked with zeros."""
    payload = json.dumps(message).encode()
    assert len(payload) < 126
    return bytes([0x81, 0x80 | len(payload), 0, 0, 0, 0]) + payload


async def test_who_pings_and_never_reads_the_pongs_is_cut_off(site: Site) -> None:
    one, other = await Player.join(site), await Player.join(site)
    first, _ = await race_of_two(one, other)
    _, writer = await _deaf_player(site, other.token, first.race)
    pings = (bytes([0x89, 0x80 | 125, 0, 0, 0, 0]) + b"p" * 125) * 500
    sent = 0
    with pytest.raises(ConnectionError):
        while sent < 50_000_000:
            writer.write(pings)
            sent += len(pings)
            await asyncio.sleep(0)
            await writer.drain()
    await one.ping()


async def test_the_head_of_a_request_is_bounded(site: Site) -> None:
    for endless in (b"x: " + b"a" * 4_096 + b"\r\n", b"a" * 4_096):
        _, writer = await asyncio.open_connection("127.0.0.1", site.server.bound_port)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nx: ")
        with pytest.raises(ConnectionError):
            for _ in range(5_000):
                writer.write(endless)
                await writer.drain()
                await asyncio.sleep(0)
        writer.close()


async def test_a_long_head_within_the_bound_is_answered(site: Site) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", site.server.bound_port)
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx: " + b"a" * 30_000 + b"\r\n\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    writer.close()


async def test_a_full_server_says_try_later(redis_url: str, tmp_path: Path) -> None:
    async with serving(redis_url, tmp_path, max_sockets=1) as site:
        await Player.join(site)
        refused = Player(await site.open_socket())
        assert await refused.hear_close() == 1013


async def test_connections_that_close_make_room(redis_url: str, tmp_path: Path) -> None:
    async with serving(redis_url, tmp_path, max_sockets=1) as site:
        for _ in range(3):
            player = await Player.join(site)
            await player.leave()
            await site.app.state.running.socket._emptied.wait()
        assert (await (await Player.join(site)).ping())["type"] == "pong"


async def test_a_client_that_vanishes_in_mid_frame_leaves_nothing_behind(site: Site) -> None:
    player = await Player.join(site)
    await player.practise()
    player.socket.transport.abort()
    async with asyncio.timeout(5):
        await site.app.state.running.socket._emptied.wait()
    await asyncio.sleep(0.05)
    assert not site.app.state.running.socket._services.hub._channels


async def test_a_command_of_long_ago_costs_more_the_longer_the_log_and_a_recent_one_does_not(site: Site) -> None:
    attempt = await (await Player.join(site)).practise()
    player = attempt.player
    for version in range(40):
        await attempt.send("restart", version=version)
        await player.hear("accepted")
    [conversation] = site.app.state.running.socket._conversations
    spent = []
    for id_ in (40, 1):
        before = conversation._bucket.credits
        await attempt.send("restart", id_=id_, version=0)
        await player.hear("accepted", id=id_)
        spent.append(before - conversation._bucket.credits)
    assert spent[0] <= 1_000 < spent[1]


async def test_old_commands_sent_again_and_again_are_braked_before_they_take_the_server_s_time(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "ENTRIES_PER_CREDIT", 1)
    attempt = await (await Player.join(site)).practise()
    player = attempt.player
    for version in range(40):
        await attempt.send("restart", version=version)
        await player.hear("accepted")
    for id_ in (1, 2, 3):
        await attempt.send("restart", id_=id_, version=0)
    refused = await player.hear("error")
    assert refused["code"] == "too_many_messages"
