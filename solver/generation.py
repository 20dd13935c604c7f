"""Which moves a search tries: one only where it is safe or forced, otherwise all that lose nothing.

The reference for kernel/moves.h: the same moves in the same order. A move is one number:
source | target << 8 | count << 16 | draws before it << 24.
"""

from solver.board import Board
from solver.games import REDEAL_WORD, WASTE, Safe
from solver.searching import Mode

Source = tuple[int, int, int]
"""Pile, card, actions on the talon before it."""


def list_moves(board: Board, mode: Mode) -> list[int]:
    """The moves worth trying from here."""
    game, piles = board.game, board.piles
    sources = list_sources(board)
    moves: list[int] = []
    for source in sources:
        for foundation in _foundations_for(board, source[1]):
            free = _may_force(board, source)
            if free and (
                (mode & Mode.FORCE and not _is_choice(board, foundation)) or _is_safe(board, source[1], foundation)
            ):
                return [_move(source, foundation)]
            moves.append(_move(source, foundation))
    spaces = [number for number in range(game.tableau) if not piles[number]]
    moves += _builds(board, sources)
    if game.lifts and (mode & Mode.CARRY or not game.bounded):
        moves += _runs(board, spaces)
    moves += _fillings(board, sources, spaces)
    cell = next((number for number in range(game.foundation_end, game.cell_end) if not piles[number]), -1)
    if cell >= 0:
        moves += [_move(s, cell) for s in sources if s[0] < game.tableau or s[0] >= game.cell_end]
    if mode & Mode.WORRY:
        moves += _worried(board)
    redeals_left = game.packet and (game.redeals < 0 or board.redeals < game.redeals)
    if redeals_left and not (game.only_blocked and moves) and len(spaces) < game.tableau:
        moves.append(REDEAL_WORD)
    return moves


def _builds(board: Board, sources: list[Source]) -> list[int]:
    """Single cards onto tableau piles."""
    game, piles, moves = board.game, board.piles, list[int]()
    ends = [(number, piles[number][-1]) for number in range(game.tableau) if piles[number]]
    for source in sources:
        takes = game.takes[source[1]]
        for number, end in ends:
            if takes >> end & 1 and number != source[0] and not (game.cap and len(piles[number]) >= game.cap):
                moves.append(_move(source, number))
    return moves


def _fillings(board: Board, sources: list[Source], spaces: list[int]) -> list[int]:
    """Single cards into spaces; a lone card would only rename them."""
    game, piles, moves = board.game, board.piles, list[int]()
    fills = game.fills[board.base]
    for source in sources if spaces else ():
        if not fills >> source[1] & 1:
            continue
        if source[0] < game.tableau and len(piles[source[0]]) == 1 and not game.ordered:
            continue
        moves += [_move(source, space) for space in (spaces if game.ordered else spaces[:1])]
    return moves


def list_sources(board: Board) -> list[Source]:
    """Every single card that may move: ends of tableau piles, cells, reserve, then what the talon can turn up."""
    game = board.game
    places = (*range(game.tableau), *range(game.foundation_end, game.reserve_end))
    sources = [(number, board.piles[number][-1], 0) for number in places if board.piles[number]]
    if not game.turn or not board.talon:
        return sources
    place: tuple[int, int] | None = (board.waste, board.passes)
    seen: set[int] = set()
    draws = 0
    while place is not None and place[0] not in seen and draws < 255:
        seen.add(place[0])
        if place[0]:
            sources.append((WASTE, board.talon[place[0] - 1][1], draws))
        place = board.draw_once(*place)
        draws += 1
    return sources


def _move(source: Source, target: int) -> int:
    return source[0] | target << 8 | 1 << 16 | source[2] << 24


def _foundations_for(board: Board, card: int) -> list[int]:
    """The foundations that take a card; of those that stand alike only the first."""
    game, piles, found = board.game, board.piles, list[int]()
    for number in range(game.tableau, game.foundation_end):
        pile, index = piles[number], number - game.tableau
        if not pile:
            if not game.starts[index][board.base] >> card & 1:
                continue
        elif len(pile) >= game.size[index] or not game.builds[index][pile[-1]] >> card & 1:
            continue
        if not any(_stand_alike(board, other, number, card) for other in found):
            found.append(number)
    return found


def _stand_alike(board: Board, one: int, other: int, card: int) -> bool:
    """Both take `card`, and it makes no difference which of the two does."""
    game, first, second = board.game, board.piles[one], board.piles[other]
    if game.group[one - game.tableau] != game.group[other - game.tableau] or len(first) != len(second):
        return False
    if not first:
        return bool(game.starts[one - game.tableau][board.base] >> card & 1)
    return game.foundation_code[first[-1]] == game.foundation_code[second[-1]]


def _may_force(board: Board, source: Source) -> bool:
    return source[0] != WASTE or (board.game.turn == 1 and (not source[2] or board.game.passes < 0))


def _is_choice(board: Board, foundation: int) -> bool:
    """This foundation's base is chosen by playing there."""
    chosen = board.game.chosen
    return bool(chosen) and not board.piles[foundation] and (chosen == 2 or not board.base)


def _is_safe(board: Board, card: int, foundation: int) -> bool:
    game, rank = board.game, card % 13 + 1
    heights = [len(pile) for pile in board.piles[game.tableau : game.foundation_end]]
    match game.safe:
        case Safe.ALWAYS:
            return True
        case Safe.BUT_BASE:
            return bool(board.piles[foundation])
        case Safe.ANY:
            return min(heights) >= rank - 2
        case Safe.LEVEL:
            return min(heights) >= rank - 1
        case Safe.ALT:
            return all(heights[suit] >= rank - (3 if suit >> 1 == card // 13 >> 1 else 2) for suit in range(4))
        case Safe.UNBUILT:
            if not board.piles[foundation] and game.chosen and not game.fixed_base:
                return False
            up = {other for pile in board.piles[game.tableau : game.foundation_end] for other in pile}
            return all(other in up for other in range(52) if game.holds[card] >> other & 1)
        case _:
            return False


def _runs(board: Board, spaces: list[int]) -> list[int]:
    """Moves of two and more cards at once."""
    game, piles, moves = board.game, board.piles, list[int]()
    carried = 1 + sum(not piles[number] for number in range(game.foundation_end, game.cell_end))
    for source in range(game.tableau):
        pile, down, up = piles[source], True, True
        for count in range(2, len(pile) - board.down[source] + 1):
            head, over = pile[-count], pile[-count + 1]
            down = down and bool(game.links_down[head] >> over & 1)
            up = up and bool(game.links_up[head] >> over & 1)
            if not down and not up:
                break
            for target in range(game.tableau):
                under = piles[target]
                if target == source or (game.cap and len(under) + count > game.cap):
                    continue
                if under:
                    if not game.takes[head] >> under[-1] & 1:
                        continue
                elif not _run_fills(board, spaces, target, head, whole=count == len(pile)):
                    continue
                most = carried << (len(spaces) - (not under)) if game.space_any else carried
                if not game.bounded or count <= most:
                    moves.append(source | target << 8 | count << 16)
    return moves


def _run_fills(board: Board, spaces: list[int], target: int, head: int, *, whole: bool) -> bool:
    game = board.game
    if game.one_to_space or not game.fills[board.base] >> head & 1:
        return False
    return game.ordered or (target == spaces[0] and not whole)


def _worried(board: Board) -> list[int]:
    """Moves from foundations to the tableau."""
    game, piles, moves = board.game, board.piles, list[int]()
    for number in range(game.tableau, game.foundation_end):
        if not game.worry[number - game.tableau] or not piles[number]:
            continue
        card, filled = piles[number][-1], False
        for target in range(game.tableau):
            under = piles[target]
            if game.cap and len(under) >= game.cap:
                continue
            if under:
                fits = game.takes[card] >> under[-1] & 1
            else:
                fits = (not filled or game.ordered) and game.fills[board.base] >> card & 1
                filled = filled or bool(fits)
            if fits:
                moves.append(number | target << 8 | 1 << 16)
    return moves
