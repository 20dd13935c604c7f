"""Questions to the solver that go astray."""

from server.service.races import attempt_id
from server.store import Store, keys
from server.store.hints import HINTS_PER_MINUTE


async def lose_question(store: Store, race: str, player: str) -> None:
    """What the player's attempt at version 1 asks waits no more, and no further question is admitted in this minute."""
    # In this order: a question that is put only now is refused.
    await store.link.call("SET", keys.hint_pace(player), HINTS_PER_MINUTE, "PX", 60_000)
    await store.hints.drop(attempt_id(race, player), 1)
