"""Records of attempts, fetched by HTTP from the server once their race has closed."""

import httpx2

TIMEOUT_S = 10.0


def record_address(url: str, race: str, player: str) -> str:
    """Where the record of a player's attempt is."""
    return f"{url.rstrip('/')}/api/v1/attempts/{race}.{player}/replay?format=record"


async def fetch_record(url: str, race: str, player: str, token: str | None = None) -> str:
    """The text of a record; raises `httpx2.HTTPError` when it can't be had."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(timeout=TIMEOUT_S) as client:
        answer = await client.get(record_address(url, race, player), headers=headers)
        answer.raise_for_status()
        return answer.text
