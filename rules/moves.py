"""The one door to moving: texts of moves, legality, playing, won and blocked."""

from rules.blocked import is_blocked
from rules.legality import legal_moves, refusal
from rules.notation import DRAW, REDEAL, Move, format_move, parse_move
from rules.piles import KINDS, PileKind, format_pile, parse_pile
from rules.play import is_won, play, play_unchecked
from rules.refusals import PROSE, Refusal

__all__ = [
    "DRAW",
    "KINDS",
    "PROSE",
    "REDEAL",
    "Move",
    "PileKind",
    "Refusal",
    "format_move",
    "format_pile",
    "is_blocked",
    "is_won",
    "legal_moves",
    "parse_move",
    "parse_pile",
    "play",
    "play_unchecked",
    "refusal",
]
