"""Analyses of attempts, asked for and waited for over HTTP once their race has closed."""

import asyncio
from typing import Any

import httpx2

from client.records import TIMEOUT_S


async def fetch_analysis(url: str, race: str, player: str, token: str, within_s: float = 120.0) -> dict[str, Any]:
    """Where a player's attempt was lost, as `attempts/{id}/analysis` answers it, asked for with one's own token.

    Raises `httpx2.HTTPStatusError` when it is refused; the server's code and words are in its response. Raises
    TimeoutError when no worker has answered in time: what was asked for stays asked for.
    """
    address = f"{url.rstrip('/')}/api/v1/attempts/{race}.{player}/analysis"
    headers = {"Authorization": f"Bearer {token}"}
    async with asyncio.timeout(within_s), httpx2.AsyncClient(timeout=TIMEOUT_S, headers=headers) as client:
        answer = await client.post(address)
        while True:
            answer.raise_for_status()
            told: dict[str, Any] = answer.json()
            if told["state"] == "ready":
                return told
            await asyncio.sleep(told["retry_after_ms"] / 1000)
            answer = await client.get(address)
