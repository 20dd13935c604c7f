"""The Lua library: every function says what it takes, keeps to its slot, and stands beside another version's."""

import re
from importlib.resources import files

import pytest
from redis.crc import key_slot

from server.store import Store, keys
from server.store.library import function_name, library_text

LUA = files("server.store") / "lua"
FUNCTIONS = sorted(entry.name for entry in LUA.iterdir() if not entry.name.startswith("_"))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_names_its_keys_arguments_and_answer(name: str) -> None:
    text = (LUA / name).read_text("utf-8")
    head = text[: text.index("\n", text.index("-- answer"))]
    assert all(line.startswith("--") for line in head.splitlines())
    assert "-- KEYS    1 " in head
    assert ("-- ARGV    1 " in head) == ("args" in text)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_touches_only_keys_that_it_was_given(name: str) -> None:
    text = (LUA / name).read_text("utf-8")
    touched = re.findall(r"call\('([A-Z]+)', ([^,)]+)", text)
    named = re.compile(r"keys\[\w+\]|ranking|log|hash")
    assert [key for command, key in touched if not named.fullmatch(key) and command != "PUBLISH"] == []


@pytest.mark.parametrize(
    "together",
    [
        keys.attempt("race.player"),
        tuple(
            part("race")
            for part in (
                keys.race_log,
                keys.race_secret,
                keys.race_standings,
                keys.race_entrants,
                keys.race_away,
                keys.race_here,
            )
        ),
        keys.queue("fortress"),
        tuple(keys.pool("fortress", grade) for grade in range(1, 6)),
        (*keys.ANALYSES, keys.analysis_share("digest")),
        (*keys.HINTS, keys.hint_pace("player"), keys.hint_share("digest")),
        keys.board("best:fortress"),
        keys.DUE,
        tuple(keys.player("p", part) for part in ("", "tokens", "live", "attempts", "key:k")),
    ],
)
def test_an_aggregates_keys_share_one_slot(together: keys.Keys) -> None:
    assert len({key_slot(key.encode()) for key in together}) == 1
    assert len(set(together)) == len(together)


async def test_two_versions_of_the_library_stand_beside_each_other(store: Store) -> None:
    digest = function_name("swap").removeprefix("swap_")
    await store.link.call("FUNCTION", "LOAD", library_text().replace(digest, "another"))
    assert await store.link.fcall("swap", ("key",), "", "new") == 1
    assert await store.link.call("FCALL", "swap_another", 1, "key", "new", "newer") == 1
    await store.link.call("FUNCTION", "DELETE", "ramparts_another")
