"""A raw record checked field by field and read into the fields of `schema`. Errors name the field."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar, cast, get_args

from rules.cards import RANKS
from rules.errors import BadVariant
from rules.schema import (
    Base,
    Build,
    FoundationGroup,
    Layout,
    Match,
    Place,
    RedealRules,
    Space,
    Step,
    StockRules,
    TableauRules,
)

T = TypeVar("T")
_REQUIRED: Any = object()
_MOST_PILES = 64


class Fields:
    """One object of the record: typed reads that name the field, and a refusal of what nobody read."""

    def __init__(self, path: str, raw: object) -> None:
        if not isinstance(raw, Mapping):
            raise BadVariant(path or "record", "must be an object")
        self._path, self._raw = path, raw
        self._read: set[str] = set()

    def name(self, key: str) -> str:
        """The path of a field."""
        return f"{self._path}.{key}" if self._path else key

    def raw(self, key: str, default: Any = _REQUIRED) -> Any:
        """The value as it stands; null is absence."""
        self._read.add(key)
        value = self._raw.get(key)
        if value is None:
            if default is _REQUIRED:
                raise BadVariant(self.name(key), "is missing")
            return default
        return value

    def text(self, key: str, default: Any = _REQUIRED) -> str:
        """A text that is not empty."""
        value = self.raw(key, default)
        if not isinstance(value, str) or not value:
            raise BadVariant(self.name(key), "must be a text")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, empty by default."""
        value = self.raw(key, ())
        if not isinstance(value, Sequence) or isinstance(value, str) or not all(isinstance(x, str) for x in value):
            raise BadVariant(self.name(key), "must be a list of texts")
        return tuple(value)

    def choice(self, key: str, allowed: Collection[str], default: Any = _REQUIRED) -> str:
        """One of a few words."""
        value = self.raw(key, default)
        if not isinstance(value, str) or value not in allowed:
            raise BadVariant(self.name(key), f"must be one of {', '.join(allowed)}")
        return value

    def flag(self, key: str, default: Any = _REQUIRED) -> bool:
        """True or false."""
        value = self.raw(key, default)
        if not isinstance(value, bool):
            raise BadVariant(self.name(key), "must be true or false")
        return value

    def number(self, key: str, low: int, high: int, default: Any = _REQUIRED) -> int:
        """A whole number within bounds."""
        value = self.raw(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise BadVariant(self.name(key), f"must be a whole number from {low} to {high}")
        return value

    def optional_number(self, key: str, low: int, high: int) -> int | None:
        """A whole number within bounds, or null."""
        return None if self.raw(key, None) is None else self.number(key, low, high)

    def numbers(self, key: str, low: int, high: int) -> tuple[int, ...]:
        """A list of whole numbers within bounds, at least one and at most 64."""
        value = self.raw(key)
        if not isinstance(value, Sequence) or isinstance(value, str) or not 1 <= len(value) <= _MOST_PILES:
            raise BadVariant(self.name(key), f"must be a list of 1 to {_MOST_PILES} numbers")
        for item in value:
            if not isinstance(item, int) or isinstance(item, bool) or not low <= item <= high:
                raise BadVariant(self.name(key), f"must hold whole numbers from {low} to {high}")
        return tuple(value)

    def rank(self, key: str) -> int:
        """A rank letter as its number, 0 for null."""
        value = self.raw(key, None)
        return 0 if value is None else RANKS.index(self.choice(key, RANKS)) + 1

    def finish(self) -> None:
        """Refuses fields that nobody asked for."""
        for key in self._raw:
            if key not in self._read:
                raise BadVariant(self.name(str(key)), "is not a field of the schema")


def read_foundations(raw: object) -> tuple[FoundationGroup, ...]:
    """One group, or a list of groups."""
    if isinstance(raw, Sequence) and not isinstance(raw, str):
        if not 1 <= len(raw) <= 4:
            raise BadVariant("foundations", "must be a group or a list of 1 to 4 groups")
        groups = tuple(_read_group(Fields(f"foundations[{number}]", item)) for number, item in enumerate(raw))
        if len(groups) > 1 and any(group.base != "rank" for group in groups):
            raise BadVariant("foundations", "several groups must each have a rank as base")
        return groups
    return (_read_group(Fields("foundations", raw)),)


def _read_group(fields: Fields) -> FoundationGroup:
    base_text = fields.text("base")
    base = base_text if base_text in ("dealt", "chosen-rank", "chosen-each") else "rank"
    base_rank = fields.rank("base") if base == "rank" else 0
    wrap = fields.flag("wrap", default=False)
    up = fields.choice("dir", ("up", "down"), "up") == "up"
    size = fields.number("size", 1, 52, 13)
    if not wrap and (base != "rank" or size > (14 - base_rank if up else base_rank)):
        raise BadVariant(fields.name("wrap"), "must be true: the foundation passes between king and ace")
    complete_run = fields.choice("unit", ("card", "complete-run"), "card") == "complete-run"
    worry_back = fields.flag("worry_back", default=False)
    if complete_run and (worry_back or base != "rank" or not 2 <= size <= 13):
        raise BadVariant(fields.name("unit"), "complete runs need a rank as base, 2 to 13 cards, no worrying back")
    starts = fields.choice("start", ("empty", "base"), "empty") == "base"
    if starts and (base != "rank" or complete_run):
        raise BadVariant(fields.name("start"), "only a foundation with a rank as base can start with it")
    group = FoundationGroup(
        count=fields.number("count", 1, 16),
        base=cast(Base, base),
        base_rank=base_rank,
        starts_with_base=starts,
        up=up,
        match=cast(Match, fields.choice("match", ("suit", "any", "alt"))),
        wrap=wrap,
        size=size,
        worry_back=worry_back,
        complete_run=complete_run,
    )
    fields.finish()
    return group


def read_tableau(raw: object) -> TableauRules:
    """The tableau's building, lifting and spaces."""
    fields = Fields("tableau", raw)
    matches = get_args(Match)
    space = fields.text("space")
    named = space in get_args(Space) and space != "rank"
    if not named and (len(space) != 1 or space not in RANKS):
        raise BadVariant("tableau.space", "must be a rank or one of any, none, base-1, auto-stock, auto-waste")
    match = fields.choice("match", matches)
    lifts_runs = fields.choice("lift", ("one", "run")) == "run"
    bounded = fields.choice("lift_bound", ("none", "spaces"), "none") == "spaces"
    if bounded and not lifts_runs:
        raise BadVariant("tableau.lift_bound", "only runs can be bounded by spaces: lift is one")
    tableau = TableauRules(
        piles=fields.number("piles", 1, _MOST_PILES),
        build=cast(Build, fields.choice("build", get_args(Build))),
        match=cast(Match, match),
        wrap=fields.flag("wrap", default=False),
        lifts_runs=lifts_runs,
        lift_match=cast(Match, fields.choice("lift_match", matches, match)),
        bounded_by_spaces=bounded,
        space=cast(Space, space if named else "rank"),
        space_rank=0 if named else RANKS.index(space) + 1,
        one_card_to_space=fields.choice("space_lift", ("one", "run"), "run") == "one",
        cap=fields.optional_number("cap", 1, 104),
    )
    fields.finish()
    return tableau


def read_layout(raw: object) -> Layout:
    """The deal."""
    fields = Fields("deal", raw)
    steps = fields.raw("steps")
    if not isinstance(steps, Sequence) or isinstance(steps, str) or not 1 <= len(steps) <= 16:
        raise BadVariant("deal.steps", "must be a list of 1 to 16 steps")
    set_aside, sink = fields.rank("set_aside"), fields.rank("sink")
    layout = Layout(
        set_aside=set_aside,
        set_aside_count=fields.number("set_aside_count", 1, 16, 0) if fields.raw("set_aside_count", None) else 0,
        sink=sink,
        sink_mode="slide" if fields.choice("sink_mode", ("swap", "slide"), "swap") == "slide" else "swap",
        steps=tuple(_read_step(Fields(f"deal.steps[{number}]", step)) for number, step in enumerate(steps)),
    )
    if fields.raw("set_aside_count", None) and not set_aside:
        raise BadVariant("deal.set_aside_count", "needs set_aside")
    if fields.raw("sink_mode", None) and not sink:
        raise BadVariant("deal.sink_mode", "needs sink")
    fields.finish()
    return layout


def _read_step(fields: Fields) -> Step:
    to = fields.choice("to", get_args(Place))
    rest = fields.flag("rest", default=False)
    if rest != (to == "stock"):
        raise BadVariant(fields.name("rest"), "the stock, and only the stock, takes all that is left")
    step = Step(
        to=cast(Place, to),
        sizes=() if rest else fields.numbers("sizes", 0, 104),
        from_right=fields.choice("from", ("left", "right"), "left") == "right",
        face_down=fields.choice("face", ("up", "down"), "up") == "down",
        play_up=fields.flag("play_up", default=False),
        replace=fields.rank("replace"),
    )
    if step.face_down and to not in ("tableau", "stock"):
        raise BadVariant(fields.name("face"), "only tableau and stock lie face down")
    if to == "stock" and not step.face_down:
        raise BadVariant(fields.name("face"), "the stock lies face down")
    if step.play_up and to != "tableau":
        raise BadVariant(fields.name("play_up"), "only cards dealt to the tableau go up")
    if step.replace and not step.play_up:
        raise BadVariant(fields.name("replace"), "needs play_up")
    fields.finish()
    return step


def read_stock(raw: object) -> StockRules | None:
    """Null, or turn and passes."""
    if raw is None:
        return None
    fields = Fields("stock", raw)
    stock = StockRules(turn=fields.number("turn", 1, 13), passes=fields.optional_number("passes", 1, 1000))
    fields.finish()
    return stock


def read_redeal(raw: object) -> RedealRules | None:
    """Null, or times, packet, gather and when."""
    if raw is None:
        return None
    fields = Fields("redeal", raw)
    if fields.flag("shuffle", default=False):
        raise BadVariant("redeal.shuffle", "a redeal with a shuffle is not supported")
    redeal = RedealRules(
        times=fields.optional_number("times", 1, 1000),
        packet=fields.number("packet", 1, 52),
        top_first=fields.choice("gather", ("top-first", "bottom-first")) == "top-first",
        only_when_blocked=fields.choice("when", ("any", "blocked"), "any") == "blocked",
    )
    fields.finish()
    return redeal
