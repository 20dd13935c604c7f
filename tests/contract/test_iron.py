"""Iron races, where nothing is taken back, and what goes through a stock or a redeal, over sockets."""

import pytest

from rules.deals import deal, parse_deal_code
from rules.moves import DRAW, REDEAL, legal_moves, play, refusal
from rules.positions import Position, decode_position, view
from rules.variants import find_variant
from tests.e2e.racing import answer, send_line
from tests.web.site import Attempt, Frame, Player, Site, race_of_two

TAKING_BACK = ("undo", "redo", "restart")


async def refusals(attempt: Attempt) -> list[str]:
    """What undo, redo and restart are told."""
    codes = []
    for kind in TAKING_BACK:
        await attempt.send(kind)
        codes.append((await answer(attempt))["code"])
    return codes


@pytest.mark.parametrize(
    ("variant", "asked"), [("beleaguered-castle", True), ("klondike-draw1", False), ("four-seasons", False)]
)
async def test_in_an_iron_race_nothing_is_taken_back_and_with_hidden_cards_every_race_is_iron(
    site: Site, variant: str, asked: bool
) -> None:
    attempts = await race_of_two(await Player.join(site), await Player.join(site), variant=variant, iron=asked)
    for attempt in attempts:
        assert attempt.state["iron"] is True
        assert await refusals(attempt) == ["iron"] * 3
        legal = attempt.legal()
        await send_line(attempt, (next((move for move in legal if move != DRAW), legal[0]),))
        attempt.version = (await answer(attempt))["version"]
        assert await refusals(attempt) == ["iron"] * 3
        stored = await attempt.stored()
        assert (stored["version"], stored["can_undo"], stored["can_redo"]) == (1, False, False)


async def test_a_race_that_is_not_iron_takes_back_and_counts_it(site: Site) -> None:
    first, _ = await race_of_two(await Player.join(site), await Player.join(site))
    await first.play(first.legal()[0])
    for kind in TAKING_BACK:
        await first.send(kind)
        first.version = (await answer(first))["version"]
    stored = await first.stored()
    assert [stored[name] for name in ("undos", "redos", "restarts")] == [1, 1, 1]
    assert first.version == 4


def known(attempt: Attempt, frame: Frame) -> Position:
    return decode_position(find_variant(attempt.state["variant"]), frame["position"])


@pytest.mark.parametrize("code", ["klondike-draw1:ms:5", "klondike-draw3:ms:8", "four-seasons:ms:3"])
async def test_a_stock_is_gone_through_until_it_may_not_be_any_more(site: Site, code: str) -> None:
    attempt = await (await Player.join(site)).practise(code)
    position = deal(parse_deal_code(code))
    for _ in range(80):
        refused = refusal(position, DRAW)
        await attempt.send("draw")
        said = await answer(attempt)
        if refused is not None:
            assert (said["type"], said["code"]) == ("rejected", refused.value)
            break
        assert said["type"] == "accepted"
        before, position = position, play(position, DRAW)
        told = [card for part in said.get("turned", []) for card in part["cards"]]
        assert bool(told) == (before.stock_is_hidden and bool(before.stock))
        attempt.version = said["version"]
    assert known(attempt, await attempt.stored()) == view(position)


async def test_a_redeal_gathers_the_tableau_as_the_rules_do_and_is_undone(site: Site) -> None:
    code = "cruel:ms:1"
    attempt = await (await Player.join(site)).practise(code)
    start = deal(parse_deal_code(code))
    first = legal_moves(start)[0]
    moved = play(start, first)
    for move in (first, REDEAL):
        await send_line(attempt, (move,))
        assert (await answer(attempt))["type"] == "accepted"
    assert known(attempt, await attempt.stored()) == play(moved, REDEAL)
    await attempt.send("undo")
    assert known(attempt, await answer(attempt)) == moved
