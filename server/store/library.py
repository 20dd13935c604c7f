"""The Lua functions of `lua/`, put together as one function library.

Library and functions carry a digest of the text in their names, so that processes of two versions share one server
without replacing each other's functions.
"""

import hashlib
import re
from functools import cache
from importlib.resources import files

_FLAGS = re.compile(r"^-- flags +(.+)$", re.MULTILINE)


@cache
def _sources() -> tuple[tuple[str, str], ...]:
    folder = files(__package__) / "lua"
    texts = [(entry.name, entry.read_text("utf-8")) for entry in folder.iterdir() if entry.name.endswith(".lua")]
    return tuple(sorted((name.removesuffix(".lua"), text) for name, text in texts))


@cache
def _digest() -> str:
    return hashlib.sha256(repr(_sources()).encode()).hexdigest()[:10]


def function_name(name: str) -> str:
    """The name in Redis of the function in `lua/<name>.lua`."""
    return f"{name}_{_digest()}"


@cache
def library_text() -> str:
    """What `FUNCTION LOAD` takes: shared parts (files that begin with `_`) first, then each file's function."""
    shared = [text for name, text in _sources() if name.startswith("_")]
    functions = [_registration(name, text) for name, text in _sources() if not name.startswith("_")]
    return "\n".join([f"#!lua name=ramparts_{_digest()}", *shared, *functions])


def _registration(name: str, text: str) -> str:
    found = _FLAGS.search(text)
    flags = ", ".join(f"'{flag}'" for flag in found[1].split()) if found else ""
    fields = f"function_name = '{function_name(name)}', flags = {{{flags}}}"
    return f"redis.register_function{{{fields}, callback = (function()\n{text}\nend)()}}"
