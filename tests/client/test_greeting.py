"""The client's hello when the server can't answer it just now."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from client.connection import connect

WELCOME = {
    "type": "welcome",
    "protocol": 1,
    "player": {"id": "k3f9q2", "name": "Brisk Otter", "guest": True, "bot": False},
    "token": "A" * 32,
    "now_ms": 1_764_450_000_000,
    "limits": {"message_bytes": 16_384, "commands_per_second": 40, "entries_per_attempt": 5_000},
}


@asynccontextmanager
async def answering(*answers: dict[str, object] | int) -> AsyncIterator[str]:
    """A server that answers one hello after the other: with a frame, or by closing with a code."""
    left = list(answers)

    async def converse(socket: ServerConnection) -> None:
        try:
            while left:
                assert json.loads(await socket.recv())["type"] == "hello"
                answer = left.pop(0)
                if isinstance(answer, int):
                    await socket.close(answer)
                    return
                await socket.send(json.dumps(answer))
            await socket.wait_closed()
        except ConnectionClosed:
            pass

    async with serve(converse, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def refusal(code: str) -> dict[str, object]:
    return {"type": "error", "code": code, "message": "Not now.", "re": "hello"}


@pytest.mark.parametrize("answer", [1013, refusal("retry"), refusal("too_many_messages")])
async def test_a_hello_that_can_not_be_answered_just_now_is_said_again(answer: dict[str, object] | int) -> None:
    async with answering(answer, WELCOME) as url, asyncio.timeout(10), connect(url, chance=Random(1)) as connection:
        assert connection.player.name == "Brisk Otter"
