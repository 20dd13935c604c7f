"""One attempt's line of play, folded from its log entries: used by the running attempt and by the check of its record.

Nothing here asks for the time: every entry carries its own. Lines of one `epoch.id` are one group: a collect is
undone and redone as one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from rules.errors import MalformedText
from rules.legality import refusal
from rules.notation import Move, format_move, parse_move
from rules.play import is_won, play_unchecked
from rules.positions import Position
from rules.refusals import Refusal


class Act(StrEnum):
    """What a player may do besides moving."""

    UNDO = "undo"
    REDO = "redo"
    RESTART = "restart"
    RESIGN = "resign"
    HINT = "hint"
    """Asked the solver. It moves no card and is never undone: it only stands in the log."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an attempt's log; `at_ms` counts from the attempt's start, `epoch.id` names the command."""

    at_ms: int
    epoch: int
    id: int
    what: Move | Act


_ENTRY: Final = re.compile(r"(0|[1-9][0-9]{0,11}) (0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8}) ([a-z0-9*-]{1,16})")
_ACTS: Final = {str(act): act for act in Act}


def parse_entry(text: str) -> Entry:
    """`1234 1.17 t3-f0` or `1300 1.18 undo`. Raises MalformedText."""
    found = _ENTRY.fullmatch(text)
    if found is None:
        raise MalformedText("log entry", text)
    return Entry(int(found[1]), int(found[2]), int(found[3]), _ACTS.get(found[4]) or parse_move(found[4]))


def format_entry(entry: Entry) -> str:
    """The text that `parse_entry` reads."""
    what = entry.what if isinstance(entry.what, Act) else format_move(entry.what)
    return f"{entry.at_ms} {entry.epoch}.{entry.id} {what}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Link:
    """A position one can come back to and those before it: linked, so that a fold costs the same at any length."""

    position: Position
    before: "_Link | None"


@dataclass(frozen=True, slots=True)
class History:
    """Where an attempt stands after its entries so far. `version` counts entries; undo works by groups."""

    start: Position
    iron: bool
    hints_allowed: bool
    position: Position
    best_left: int
    """Fewest cards left so far; the entry's time at which it was first reached is `best_ms`."""
    best_ms: int = 0
    version: int = 0
    moves: int = 0
    undos: int = 0
    redos: int = 0
    restarts: int = 0
    hints: int = 0
    hint_version: int = 0
    """The version after the last hint: the position is still the one it was asked on if it is `version`."""
    resigned_ms: int | None = None
    finished_ms: int | None = None
    last: tuple[int, int] = (-1, -1)
    """`epoch, id` of the last entry."""
    undo_links: _Link | None = field(default=None, compare=False, repr=False)
    redo_links: _Link | None = field(default=None, compare=False, repr=False)

    @classmethod
    def begin(cls, start: Position, iron: bool, hints_allowed: bool = False) -> "History":
        """An attempt at its start; iron refuses undo, redo and restart, hidden cards refuse hints even if allowed."""
        return cls(start, iron, hints_allowed and not start.variant.has_hidden_cards, start, start.cards_left)

    @property
    def can_undo(self) -> bool:
        """There is a group to take back."""
        return self.undo_links is not None and not self.iron and not self.has_ended

    def undo_positions(self) -> Iterator[Position]:
        """The positions that one, two, three … undos come back to."""
        link = self.undo_links
        while link is not None:
            yield link.position
            link = link.before

    @property
    def can_redo(self) -> bool:
        """There is a group to play again."""
        return self.redo_links is not None and not self.iron and not self.has_ended

    @property
    def is_hinted(self) -> bool:
        """The last entry is a hint."""
        return self.hints > 0 and self.hint_version == self.version

    @property
    def has_ended(self) -> bool:
        """Finished or resigned; nothing may follow."""
        return self.finished_ms is not None or self.resigned_ms is not None

    def refusal(self, what: Move | Act) -> Refusal | None:
        """Why this may not come next, or None if it may."""
        if self.finished_ms is not None or self.resigned_ms is not None:
            return Refusal.ENDED
        if not isinstance(what, Act):
            return refusal(self.position, what)
        if what is Act.RESIGN:
            return None
        if what is Act.HINT:
            return None if self.hints_allowed else Refusal.NO_HINTS
        if self.iron:
            return Refusal.IRON
        if what is Act.UNDO:
            return Refusal.NOTHING_TO_UNDO if self.undo_links is None else None
        if what is Act.REDO:
            return Refusal.NOTHING_TO_REDO if self.redo_links is None else None
        return None

    def advance(self, entry: Entry) -> "History":
        """The history with one more entry, which `refusal` allows."""
        what = entry.what
        if isinstance(what, Act):
            return self._act(what, entry)
        key = (entry.epoch, entry.id)
        position = play_unchecked(self.position, what)
        left = position.cards_left
        better = left < self.best_left
        return History(
            self.start,
            self.iron,
            self.hints_allowed,
            position,
            left if better else self.best_left,
            entry.at_ms if better else self.best_ms,
            self.version + 1,
            self.moves + 1,
            self.undos,
            self.redos,
            self.restarts,
            self.hints,
            self.hint_version,
            None,
            entry.at_ms if is_won(position) else None,
            key,
            self.undo_links if key == self.last else _Link(self.position, self.undo_links),
            None,
        )

    def _act(self, act: Act, entry: Entry) -> "History":
        folded = replace(self, version=self.version + 1, last=(entry.epoch, entry.id))
        here, undo, redo = self.position, self.undo_links, self.redo_links
        if act is Act.RESIGN:
            return replace(folded, resigned_ms=entry.at_ms)
        if act is Act.HINT:
            return replace(folded, hints=self.hints + 1, hint_version=folded.version)
        if act is Act.RESTART:
            return replace(
                folded,
                position=self.start,
                undo_links=_Link(here, undo),
                redo_links=None,
                restarts=self.restarts + 1,
            )
        if act is Act.UNDO and undo is not None:
            return replace(
                folded,
                position=undo.position,
                undo_links=undo.before,
                redo_links=_Link(here, redo),
                undos=self.undos + 1,
            )
        if act is Act.REDO and redo is not None:
            return replace(
                folded,
                position=redo.position,
                undo_links=_Link(here, undo),
                redo_links=redo.before,
                redos=self.redos + 1,
            )
        return folded
