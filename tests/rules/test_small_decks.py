"""Claims that only exhaustion shows, on small positions of every variant.

Collecting what is safe never loses a win; blocked is what its definition says. The ordinary run takes the starts in
`data/small-starts.json`, chosen because some of what can be reached from them is won and some is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest

from rules.collect import full_collect, safe_collect
from rules.moves import DRAW, REDEAL, Move, is_blocked, is_won, legal_moves, play_unchecked
from rules.positions import Position
from tests.rules import facts, oracle
from tests.rules.bridge import BASE_IDS, all_variants, state_of
from tests.rules.small import Graph, explore, same_for_play, small_start

NAMES = sorted(all_variants())
KEPT: dict[str, list[int]] = facts.load("small-starts.json")
MOST_STATES = 1_500
MANY_STARTS, MANY_STATES = 25, 3_000

WAITS = {
    "cruel": "a card taken away shifts what a redeal lays where",
    "cruel+worry-back": "the same",
    "chessboard+worry-back": "a base taken back could be chosen anew",
}
"""Games in which safe collecting waits until it wins at once, and why."""


@cache
def kept_graphs(name: str) -> tuple[Graph, ...]:
    """The kept small games of a variant, searched through."""
    graphs = [explore(small_start(all_variants()[name], seed), MOST_STATES) for seed in KEPT[name]]
    assert all(graphs)
    return tuple(graph for graph in graphs if graph is not None)


def many_graphs(name: str) -> Iterator[Graph]:
    """Many small games of a variant, as they come; those too large to search through are passed over."""
    for seed in range(MANY_STARTS):
        graph = explore(small_start(all_variants()[name], seed), MANY_STATES)
        if graph is not None:
            yield graph


def is_mixed(graph: Graph) -> bool:
    return 0 < len(graph.winnable) < len(graph.positions)


def collected(graph: Graph, collect: Callable[[Position], tuple[Move, ...]]) -> tuple[int, list[str]]:
    """From every position with a win: how many moves are collected short of winning, and those that lose the win."""
    moves_short, lost = 0, []
    for place in graph.winnable:
        position = start = graph.positions[place]
        moves = collect(position)
        for move in moves:
            position = play_unchecked(position, move)
            if graph.place(position) not in graph.winnable:
                lost.append(f"{move} in {start}")
        moves_short += 0 if is_won(position) else len(moves)
    return moves_short, lost


@pytest.mark.parametrize("name", KEPT)
def test_safe_collect_never_loses_a_win(name: str) -> None:
    results = [collected(graph, safe_collect) for graph in kept_graphs(name)]
    assert [each for _, lost in results for each in lost] == []
    assert (sum(short for short, _ in results) == 0) == (name in WAITS)


CAN_TELL = ["beleaguered-castle", "citadel", "streets-and-alleys", "stronghold", "freecell", "cruel", "klondike-draw3"]


@pytest.mark.parametrize("name", CAN_TELL)
def test_collecting_all_that_fits_does_lose_wins_so_the_kept_games_can_tell(name: str) -> None:
    assert any(collected(graph, full_collect)[1] for graph in kept_graphs(name))


def is_blocked_by_definition(position: Position) -> bool:
    """Nothing but drawing and redealing leads anywhere new, however often one draws and redeals."""
    seen, waiting = {same_for_play(position)}, [position]
    while waiting:
        here = waiting.pop()
        for move in legal_moves(here):
            if move not in (DRAW, REDEAL):
                if not is_renaming(here, move):
                    return False
                continue
            after = play_unchecked(here, move)
            key = same_for_play(after)
            if key not in seen:
                seen.add(key)
                waiting.append(after)
    return True


def is_renaming(position: Position, move: Move) -> bool:
    """A card from cell to cell, or a whole pile into a space, where no redeal can read the piles in order."""
    if move.source[0] == move.target[0] == "c":
        return True
    whole = move.source[0] == "t" and move.count == len(position.pile(move.source))
    into_space = move.target[0] == "t" and not position.pile(move.target)
    return whole and into_space and position.variant.redeal is None


def check_blocked(graph: Graph, by_oracle: int) -> int:
    """All positions by the definition; some of them, blocked ones first, by the oracle too. How many are blocked."""
    positions = [position for position in graph.positions if not is_won(position)]
    blocked = [is_blocked(position) for position in positions]
    assert blocked == [is_blocked_by_definition(position) for position in positions]
    for i in sorted(range(len(positions)), key=lambda i: not blocked[i])[:by_oracle]:
        assert oracle.is_blocked(state_of(positions[i])) == blocked[i]
    for position, is_stopped in zip(positions, blocked, strict=True):
        assert not (is_stopped and graph.place(position) in graph.winnable)
    return sum(blocked)


@pytest.mark.parametrize("name", KEPT)
def test_blocked_is_what_the_definition_says(name: str) -> None:
    checked = [check_blocked(graph, 3) for graph in kept_graphs(name)]
    assert len(checked) == len(KEPT[name])


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("name", NAMES)
def test_both_hold_in_any_game_with_any_option(name: str) -> None:
    searched = 0
    for graph in many_graphs(name):
        assert collected(graph, safe_collect)[1] == []
        check_blocked(graph, 5)
        searched += 1
    assert searched > 0


def test_the_kept_games_hold_wins_losses_and_blocks_for_every_variant() -> None:
    assert set(BASE_IDS) <= set(KEPT)
    assert [name for name in BASE_IDS if not any(map(is_mixed, kept_graphs(name)))] == []
    blocked = [name for name in BASE_IDS if any(is_blocked(each) for g in kept_graphs(name) for each in g.positions)]
    assert len(blocked) > 15
