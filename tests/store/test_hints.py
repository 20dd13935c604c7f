"""The queue of questions: bounded in all, by player and by address; none is lost with whoever was at it."""

import asyncio

from server.store import Store, keys
from server.store.hints import (
    HINTS_PER_MINUTE,
    MOST_OF_ADDRESS,
    MOST_WAITING,
    Asker,
    HintStore,
    KeptHint,
    Question,
)

SHORT_MS = 30


def asker(player: str, race: str = "race", address: str | None = None) -> Asker:
    return Asker(f"{race}.{player}", player, address)


async def ask(hints: HintStore, asker: Asker, version: int = 1) -> bool:
    """Asks as a server does."""
    return await hints.admit(asker) and await hints.ask(asker, version)


async def answered(hints: HintStore, version: int = 1) -> str:
    """Whose turn it was, with an answer kept."""
    question = await hints.take()
    assert question is not None
    await hints.keep(question.attempt_id, KeptHint(version, "unknown"))
    return question.attempt_id


async def test_questions_are_taken_in_the_order_in_which_they_were_asked(store: Store) -> None:
    for player in ("bob", "ann", "cid"):
        assert await ask(store.hints, asker(player))
    assert [await answered(store.hints) for _ in range(3)] == ["race.bob", "race.ann", "race.cid"]
    assert await store.hints.take() is None
    assert await store.link.call("KEYS", "{hints}:[twv]*") == []


async def test_a_player_waits_for_one_hint_at_a_time_and_asks_so_many_a_minute(store: Store) -> None:
    assert await ask(store.hints, asker("ann"))
    assert not await store.hints.admit(asker("ann", "other"))
    assert await answered(store.hints) == "race.ann"
    asked = list[bool]()
    for _ in range(HINTS_PER_MINUTE):
        asked.append(await ask(store.hints, asker("ann")))
        await store.hints.drop("race.ann", 1)
    assert asked == [True] * (HINTS_PER_MINUTE - 1) + [False]
    assert await store.hints.admit(asker("bob"))


async def test_an_address_has_its_share_whoever_asks_and_gets_it_back_with_the_answers(store: Store) -> None:
    for number in range(MOST_OF_ADDRESS):
        assert await ask(store.hints, asker(f"p{number}", address="here"))
    assert not await store.hints.admit(asker("ann", address="here"))
    assert await store.hints.admit(asker("bob", address="there"))
    await answered(store.hints)
    assert await store.hints.admit(asker("ann", address="here"))


async def test_so_many_may_wait_in_all_and_who_has_a_place_already_keeps_it(store: Store) -> None:
    for number in range(MOST_WAITING):
        assert await store.hints.admit(asker(f"p{number}"))
    assert not await store.hints.admit(asker("ann"))
    assert await store.hints.ask(asker("p0"), 1)
    assert not await store.hints.ask(asker("ann"), 1)
    assert await store.hints.waiting() == MOST_WAITING


async def test_what_is_not_asked_yet_is_not_taken_but_its_turn_comes(store: Store) -> None:
    hints = HintStore(store.link, reserved_ms=SHORT_MS)
    assert await hints.admit(asker("ann"))
    assert await hints.take() is None
    await asyncio.sleep(2 * SHORT_MS / 1000)
    assert await hints.take() == Question("race.ann", 1)


async def test_what_a_dead_worker_held_waits_again_and_is_counted(store: Store) -> None:
    hints = HintStore(store.link, lease_ms=SHORT_MS)
    await ask(hints, asker("ann"))
    assert await hints.take() == Question("race.ann", 1)
    assert await hints.take() is None
    await asyncio.sleep(2 * SHORT_MS / 1000)
    assert await hints.take() == Question("race.ann", 2)


async def test_a_hint_asked_while_a_worker_is_at_one_before_waits_for_its_own_answer(store: Store) -> None:
    await ask(store.hints, asker("ann"), 1)
    assert await store.hints.take() == Question("race.ann", 1)
    assert await ask(store.hints, asker("ann"), 2)
    assert await store.hints.take() is None
    await store.hints.keep("race.ann", KeptHint(1, "unknown"))
    assert await store.hints.take() == Question("race.ann", 1)
    await store.hints.keep("race.ann", KeptHint(2, "unknown"))
    assert await store.hints.waiting() == 0


async def test_questions_are_taken_though_the_clock_steps_back(store: Store) -> None:
    await ask(store.hints, asker("ann"))
    await store.hints.take()
    # As it lies there when the clock has gone back by an hour since.
    await store.link.call("ZINCRBY", keys.HINTS[0], 3_600_000, "race.ann")
    assert await store.hints.take() == Question("race.ann", 2)
