"""The variants: the records of `variants.json`, their options as merge patches, and records of one's own."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from itertools import combinations
from typing import Any, Final

from rules.compilation import compile_tables
from rules.consistency import check_consistency
from rules.errors import BadVariant, ContradictingOptions, MalformedText, UnknownOption, UnknownVariant
from rules.patches import contradiction, merge_patch
from rules.schema import Variant
from rules.validation import Fields, read_foundations, read_layout, read_redeal, read_stock, read_tableau

__all__ = ["Variant", "featured_variant", "find_record", "find_variant", "make_variant", "parse_variant_id", "variants"]

_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MOST_LETTERS: Final = 200


@cache
def _file() -> dict[str, Any]:
    text = resources.files("rules").joinpath("variants.json").read_text("utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


@cache
def _records() -> dict[str, dict[str, Any]]:
    return {record["id"]: record for record in _file()["variants"]}


@cache
def variants() -> tuple[Variant, ...]:
    """Every base variant, in the order of the file."""
    return tuple(find_variant(name) for name in _records())


def featured_variant() -> Variant:
    """The one that is shown first."""
    return find_variant(_file()["featured"])


def find_record(base_id: str) -> dict[str, Any]:
    """A copy of the raw record of a base variant. Raises UnknownVariant."""
    record = _records().get(base_id)
    if record is None:
        raise UnknownVariant(base_id)
    copied: dict[str, Any] = json.loads(json.dumps(record))
    return copied


def parse_variant_id(text: str) -> tuple[str, tuple[str, ...]]:
    """Base id and options, sorted: `cruel+worry-back+bottom-first`. Raises MalformedText."""
    names = text.split("+")
    if len(text) > _MOST_LETTERS or not all(_NAME.fullmatch(name) for name in names):
        raise MalformedText("variant id", text)
    base, *options = names
    if len(set(options)) < len(options):
        raise MalformedText("variant id", text, "an option is named twice")
    return base, tuple(sorted(options))


def find_variant(text: str) -> Variant:
    """The variant of an id, its options in any order. Raises UnknownVariant, MalformedText, and as `make_variant`."""
    base, options = parse_variant_id(text)
    if base not in _records():
        raise UnknownVariant(base)
    return _made(base, options)


@cache
def _made(base: str, options: tuple[str, ...]) -> Variant:
    return make_variant(_records()[base], options)


def make_variant(record: Mapping[str, Any], options: Iterable[str] = ()) -> Variant:
    """The variant of a raw record with some of its options. Raises BadVariant, UnknownOption, ContradictingOptions."""
    patches = _read_patches(record)
    chosen = tuple(sorted(set(options)))
    base_id = Fields("", record).text("id")
    for option in chosen:
        if option not in patches:
            raise UnknownOption(base_id, option, tuple(patches))
    for first, second in combinations(chosen, 2):
        path = contradiction(patches[first], patches[second])
        if path is not None:
            raise ContradictingOptions(base_id, (first, second), f"both set {path}")
    patched: Any = record
    for option in chosen:
        patched = merge_patch(patched, patches[option])
    try:
        return _read(patched, "+".join((base_id, *chosen)), tuple(patches))
    except BadVariant as error:
        if len(chosen) < 2:
            raise
        raise ContradictingOptions(base_id, chosen, str(error)) from error


def _read_patches(record: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    fields = Fields("", record)
    raw = fields.raw("options", {})
    if not isinstance(raw, Mapping):
        raise BadVariant("options", "must be an object of merge patches")
    for name, patch in raw.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise BadVariant("options", f"{name!r} is not a name of small letters, digits and hyphens")
        if not isinstance(patch, Mapping) or not patch:
            raise BadVariant(f"options.{name}", "must be a merge patch that sets something")
        if patch.keys() & {"id", "name", "aka", "related", "sources", "ranked", "options"}:
            raise BadVariant(f"options.{name}", "may change the rules only")
    return {name: raw[name] for name in sorted(raw)}


def _read(record: Mapping[str, Any], full_id: str, options: tuple[str, ...]) -> Variant:
    fields = Fields("", record)
    base_id = fields.text("id")
    if not _NAME.fullmatch(base_id):
        raise BadVariant("id", "must be small letters, digits and hyphens")
    fields.raw("options", {})
    groups, tableau = read_foundations(fields.raw("foundations")), read_tableau(fields.raw("tableau"))
    cells = fields.number("cells", 0, 16, 0)
    reserve = fields.numbers("reserve", 0, 104) if fields.raw("reserve", None) is not None else ()
    stock = read_stock(fields.raw("stock", None))
    variant = Variant(
        id=full_id,
        base_id=base_id,
        name=fields.text("name"),
        aka=fields.texts("aka"),
        related=fields.texts("related"),
        sources=fields.texts("sources"),
        options=options,
        decks=fields.number("decks", 1, 4),
        layout=read_layout(fields.raw("deal")),
        foundations=groups,
        tableau=tableau,
        cells=cells,
        reserve=reserve,
        stock=stock,
        redeal=read_redeal(fields.raw("redeal", None)),
        all_visible=fields.choice("visible", ("as-dealt", "all"), "as-dealt") == "all",
        ranked_by_default=fields.flag("ranked", default=False),
        record=json.dumps(record, sort_keys=True, ensure_ascii=False),
        tables=compile_tables(tableau, groups, cells, len(reserve), stock is not None),
    )
    fields.finish()
    check_consistency(variant)
    return variant
