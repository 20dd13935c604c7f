"""What a variant is: the fields of its record, read and checked. Nothing here knows any one variant."""

from dataclasses import dataclass, field
from typing import Literal

from rules.tables import Tables

Build = Literal["down", "up", "both", "none"]
Match = Literal["any", "suit", "alt", "color", "other"]
Base = Literal["rank", "dealt", "chosen-rank", "chosen-each"]
Space = Literal["any", "none", "rank", "base-1", "auto-stock", "auto-waste"]
Place = Literal["tableau", "reserve", "cells", "foundation", "stock"]


@dataclass(frozen=True, slots=True)
class FoundationGroup:
    """Foundations that build alike; most variants have one group."""

    count: int
    base: Base
    base_rank: int
    """The rank they start with; 0 unless `base` is `rank`."""
    starts_with_base: bool
    up: bool
    match: Match
    wrap: bool
    size: int
    worry_back: bool
    complete_run: bool
    """Only a whole run of `size` cards goes up, as one move."""

    @property
    def fixed_suits(self) -> bool:
        """Four in-suit foundations are clubs, spades, hearts, diamonds in that order; otherwise any may start any."""
        return self.match == "suit" and self.count == 4


@dataclass(frozen=True, slots=True)
class TableauRules:
    """How the tableau builds and what may fill its spaces."""

    piles: int
    build: Build
    match: Match
    wrap: bool
    lifts_runs: bool
    lift_match: Match
    bounded_by_spaces: bool
    space: Space
    space_rank: int
    """The rank that fills a space; 0 unless `space` is `rank`."""
    one_card_to_space: bool
    cap: int | None

    @property
    def fills_itself(self) -> bool:
        """An emptied pile takes a card from stock or waste at once."""
        return self.space in ("auto-stock", "auto-waste")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the deal."""

    to: Place
    sizes: tuple[int, ...]
    """Cards to each pile, row by row; empty for all that is left."""
    from_right: bool
    face_down: bool
    play_up: bool
    replace: int
    """A card of this rank that went up is replaced on its slot; 0 for none."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How the shuffled cards are laid out."""

    set_aside: int
    """Cards of this rank start the foundations; 0 for none."""
    set_aside_count: int
    sink: int
    """Cards of this rank go to the bottom of their piles; 0 for none."""
    sink_mode: Literal["swap", "slide"]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class StockRules:
    """Turned to the waste so many at a time; `passes` None is unlimited."""

    turn: int
    passes: int | None


@dataclass(frozen=True, slots=True)
class RedealRules:
    """The tableau gathered and dealt again in packets; `times` None is unlimited."""

    times: int | None
    packet: int
    top_first: bool
    only_when_blocked: bool


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """The rules of one game. `id` carries the sorted options: `cruel+bottom-first`; `record` is the patched JSON."""

    id: str
    base_id: str
    name: str
    aka: tuple[str, ...]
    related: tuple[str, ...]
    sources: tuple[str, ...]
    options: tuple[str, ...]
    """The names of the options that its record offers."""
    decks: int
    layout: Layout
    foundations: tuple[FoundationGroup, ...]
    tableau: TableauRules
    cells: int
    reserve: tuple[int, ...]
    stock: StockRules | None
    redeal: RedealRules | None
    all_visible: bool
    ranked_by_default: bool
    record: str
    tables: Tables = field(repr=False)

    @property
    def has_hidden_cards(self) -> bool:
        """Some cards as dealt may not be known to the player."""
        return not self.all_visible and any(step.face_down for step in self.layout.steps)

    @property
    def has_face_down_tableau(self) -> bool:
        """Some tableau cards are dealt face down."""
        return any(step.to == "tableau" and step.face_down for step in self.layout.steps)

    @property
    def cards(self) -> int:
        """How many cards are dealt."""
        return 52 * self.decks

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Variant) and (self.id, self.record) == (other.id, other.record))

    def __hash__(self) -> int:
        return hash(self.id)
