"""A player who looks one move ahead, as a measure of how hard a deal is to people. It never asks the solver.

All that can go up goes up. Otherwise it likes what leaves few cards unbuilt or above lower ones, spaces free and next
cards bare; one time in eight it plays anything. It never comes back to where it was.
"""

from random import Random
from typing import Final

from rules.positions import Position
from solver.board import Board
from solver.games import compile_position
from solver.generation import list_moves
from solver.measures import measure
from solver.searching import Mode

PLAYOUTS: Final = 6
_MOST_MOVES: Final = 150
_CHANCE_OF_THE_BEST: Final = 0.875


def cards_left_by_policy(position: Position, seed: int, playouts: int = PLAYOUTS) -> float:
    """The mean share of the cards that such a player leaves behind, 0 where every playout wins."""
    game, state = compile_position(position)
    board = Board(game, state, tuple(range(52)))
    chance, left = Random(seed), 0
    for _ in range(playouts):
        board.load(state)
        left += _play_out(board, chance)
    return left / (playouts * game.cards)


def _play_out(board: Board, chance: Random) -> int:
    """Plays until nothing new is in reach; the fewest cards left on the way."""
    seen, fewest = {board.key}, board.left
    for _ in range(_MOST_MOVES):
        choice = _looked_at(board, list_moves(board, Mode.FORCE | Mode.CARRY), seen)
        if not choice:
            break
        best = chance.random() < _CHANCE_OF_THE_BEST
        board.make(min(choice)[2] if best else chance.choice(choice)[2])
        seen.add(board.key)
        fewest = min(fewest, board.left)
    return fewest


def _looked_at(board: Board, moves: list[int], seen: set[int]) -> list[tuple[int, int, int]]:
    """For each move to a position not seen before: how bad it looks there, the move's place, the move."""
    looked = []
    for place, move in enumerate(moves):
        undo = board.make(move)
        if board.key not in seen:
            looked.append((0 if len(moves) == 1 else _badness(board), place, move))
        board.unmake(undo)
    return looked


def _badness(board: Board) -> int:
    left, own, _, loose, free, cover = measure(board)
    return 2 * left + 3 * own + 3 * loose - 2 * free + cover
