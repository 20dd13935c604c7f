"""JSON merge patches (RFC 7396) and whether two of them can hold together."""

import json
from collections.abc import Iterator, Mapping
from typing import Any


def merge_patch(target: Any, patch: Any) -> Any:
    """`patch` applied to `target`, which stays as it is: objects merge, null removes, all else replaces."""
    if not isinstance(patch, Mapping):
        return patch
    merged = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value)
    return merged


def contradiction(first: Mapping[str, Any], second: Mapping[str, Any]) -> str | None:
    """The path of a field that the two patches set differently, if there is one."""
    others = dict(_leaves(second))
    for path, value in _leaves(first):
        for other, other_value in others.items():
            shared = min(len(path), len(other))
            if path[:shared] == other[:shared] and (path != other or not _same(value, other_value)):
                return ".".join(path[:shared])
    return None


def _leaves(patch: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in patch.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*path, key))
        else:
            yield (*path, key), value


def _same(first: Any, second: Any) -> bool:
    return json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)
