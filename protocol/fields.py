"""What single fields of messages may hold: ids, keys, names of piles, numbers."""

from typing import Annotated

from pydantic import Field

MAX_SAFE = 2**53 - 1
MAX_ID = 10**9 - 1

RaceId = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[A-Za-z0-9._+-]+$")]
"""A race's public id, or the secret code of its link: `enter` takes either."""
PlayerId = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9]+$")]
VariantId = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[a-z0-9+-]+$")]
DealText = Annotated[str, Field(min_length=1, max_length=300)]
Key = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
"""A key the client makes for each thing it creates: the same key again gets the same thing."""
PileName = Annotated[str, Field(min_length=1, max_length=4, pattern=r"^(?:[tfcr](?:0|[1-9][0-9]?)|s|w)$")]
CommandId = Annotated[int, Field(ge=1, le=MAX_ID)]
Count = Annotated[int, Field(ge=0, le=MAX_SAFE)]
Grade = Annotated[int, Field(ge=1, le=5)]
LIMIT_MS_MIN, LIMIT_MS_MAX = 10_000, 24 * 3_600_000
