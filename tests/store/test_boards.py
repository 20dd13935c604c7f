"""Boards: best scores and points once, hidden members, exact pages, rebuilding."""

import random

from server.store import Store
from server.store.boards import BoardRow
from server.store.rankings import Cursor, Row

B = "best:fortress"


async def walk(store: Store, board: str, size: int) -> list[Row]:
    rows: list[Row] = []
    cursor: Cursor | None = None
    while True:
        page = await store.boards.page(board, cursor, size)
        rows += page.rows
        if page.next is None:
            return rows
        cursor = page.next


async def scores(store: Store, board: str = B) -> dict[str, int]:
    return {row.member: row.score for row in await walk(store, board, 50)}


async def test_the_best_score_stays_with_its_row(store: Store) -> None:
    assert await store.boards.post_best(B, "ann", 50, "first")
    assert await store.boards.post_best(B, "ann", 40, "second")
    assert not await store.boards.post_best(B, "ann", 40, "again")
    assert not await store.boards.post_best(B, "ann", 45, "worse")
    assert (await store.boards.page(B, None, 10)).rows == [Row(1, "ann", 40, "second")]


async def test_points_are_added_once_for_each_thing(store: Store) -> None:
    assert await store.boards.post_points("week", "ann", 700, "daily-1", "row")
    assert not await store.boards.post_points("week", "ann", 700, "daily-1", "row")
    assert await store.boards.post_points("week", "bob", 900, "daily-1", "row")
    assert await store.boards.post_points("week", "ann", 500, "daily-2", "row")
    assert [(row.member, -row.score) for row in await walk(store, "week", 5)] == [("ann", 1_200), ("bob", 900)]


async def test_a_hidden_row_never_comes_back(store: Store) -> None:
    await store.boards.post_best(B, "ann", 50, "row")
    await store.boards.hide(B, "ann")
    assert not await store.boards.post_best(B, "ann", 50, "late resend")
    await store.boards.post_best(B, "ann", 10, "late post")
    stamp = await store.boards.stamp(B)
    assert await store.boards.rebuild(B, stamp, [BoardRow("ann", 10, "row"), BoardRow("bob", 20, "row")])
    assert await scores(store) == {"bob": 20}
    assert await store.boards.around(B, "ann") == []


async def test_hiding_before_the_first_post_holds(store: Store) -> None:
    await store.boards.hide(B, "ann")
    await store.boards.hide("week", "ann")
    await store.boards.post_best(B, "ann", 10, "row")
    await store.boards.post_points("week", "ann", 10, "daily-1", "row")
    assert await scores(store) == {}
    assert await scores(store, "week") == {}


async def test_unhiding_shows_what_was_posted_meanwhile(store: Store) -> None:
    for board in (B, "week"):
        await store.boards.post_points(board, "ann", 100, "daily-1", "row")
        await store.boards.hide(board, "ann")
        await store.boards.hide(board, "ann")
    await store.boards.post_points("week", "ann", 50, "daily-2", "row")
    await store.boards.post_points("week", "ann", 100, "daily-1", "row")
    await store.boards.unhide("week", "ann")
    await store.boards.unhide("week", "ann")
    assert await scores(store, "week") == {"ann": -150}
    await store.boards.hide("empty", "ann")
    await store.boards.unhide("empty", "ann")
    assert await scores(store, "empty") == {}


async def test_points_of_a_member_hidden_before_its_first_post_are_summed(store: Store) -> None:
    await store.boards.hide("week", "ann")
    await store.boards.post_points("week", "ann", 100, "daily-1", "row")
    await store.boards.post_points("week", "ann", 200, "daily-2", "row")
    await store.boards.unhide("week", "ann")
    assert await scores(store, "week") == {"ann": -300}


async def test_a_member_is_hidden_on_every_board(store: Store) -> None:
    await store.boards.post_best(B, "ann", 1, "row")
    await store.boards.post_points("week", "ann", 1, "daily-1", "row")
    await store.boards.hide_everywhere("ann")
    assert (await scores(store), await scores(store, "week")) == ({}, {})
    for board in (B, "week"):
        await store.boards.unhide(board, "ann")
    assert (await scores(store), await scores(store, "week")) == ({"ann": 1}, {"ann": -1})


async def test_every_row_is_on_exactly_one_page(store: Store) -> None:
    chance = random.Random(7)
    posted = {f"p{number}": chance.randrange(12) for number in range(150)}
    for member, score in posted.items():
        await store.boards.post_best(B, member, score, "row")
    expected = sorted(posted, key=lambda member: (posted[member], member))
    for size in (1, 7, 50, 149, 150, 151):
        rows = await walk(store, B, size)
        assert [row.member for row in rows] == expected
        assert [row.place for row in rows] == [1 + sum(one < row.score for one in posted.values()) for row in rows]


async def test_an_unchanged_row_is_on_exactly_one_page_while_others_move(store: Store) -> None:
    chance = random.Random(11)
    posted = {f"p{number}": 10 + chance.randrange(6) for number in range(120)}
    for member, score in posted.items():
        await store.boards.post_best(B, member, score, "row")
    seen: list[str] = []
    moved: set[str] = set()
    cursor: Cursor | None = None
    while True:
        page = await store.boards.page(B, cursor, 7)
        seen += [row.member for row in page.rows]
        if page.next is None:
            break
        cursor = page.next
        for member in (cursor.member, *chance.sample(sorted(posted), 5)):
            moved.add(member)
            await store.boards.post_best(B, member, chance.randrange(16), "row")
        hidden = f"p{chance.randrange(120)}"
        moved.add(hidden)
        await store.boards.hide(B, hidden)
    unchanged = set(posted) - moved
    assert len(unchanged) > 10
    assert {member: seen.count(member) for member in unchanged} == dict.fromkeys(unchanged, 1)


async def test_members_are_ordered_by_their_bytes(store: Store) -> None:
    members = ["Z", "a", "a-", "a.b", "aa", "ä", "B", "10", "9"]
    for member in members:
        await store.boards.post_best(B, member, 5, "row")
    assert [row.member for row in await walk(store, B, 1)] == sorted(members, key=str.encode)


async def test_ones_row_comes_with_its_neighbours(store: Store) -> None:
    for number in range(9):
        await store.boards.post_best(B, f"p{number}", number, f"row{number}")
    assert await store.boards.around(B, "p4", 1) == [
        Row(4, "p3", 3, "row3"),
        Row(5, "p4", 4, "row4"),
        Row(6, "p5", 5, "row5"),
    ]


async def test_a_rebuild_replaces_all_rows_and_sums(store: Store) -> None:
    await store.boards.post_points("week", "wrong", 9, "daily-0", "row")
    stamp = await store.boards.stamp("week")
    rows = [BoardRow("ann", -300, "a"), BoardRow("bob", -100, "b")]
    posted = {("daily-1", "ann"): 100, ("daily-2", "ann"): 200, ("daily-1", "bob"): 100}
    assert await store.boards.rebuild("week", stamp, rows, posted)
    assert await scores(store, "week") == {"ann": -300, "bob": -100}
    assert not await store.boards.post_points("week", "ann", 200, "daily-2", "a")
    assert await store.boards.post_points("week", "bob", 200, "daily-2", "b")


async def test_a_rebuild_is_refused_when_something_was_posted_meanwhile(store: Store) -> None:
    stamp = await store.boards.stamp(B)
    await store.boards.post_best(B, "ann", 1, "row")
    assert not await store.boards.rebuild(B, stamp, [])
    assert await scores(store) == {"ann": 1}


async def test_a_rebuild_keeps_what_a_hidden_member_has(store: Store) -> None:
    for member in ("ann", "bob"):
        await store.boards.post_points("week", member, 100, "daily-1", member)
    await store.boards.hide("week", "ann")
    stamp = await store.boards.stamp("week")
    assert await store.boards.rebuild("week", stamp, [BoardRow("bob", -90, "b")], {("daily-1", "bob"): 90})
    await store.boards.post_points("week", "ann", 100, "daily-1", "resend")
    await store.boards.unhide("week", "ann")
    assert [(row.member, row.score, row.row) for row in await walk(store, "week", 9)] == [
        ("ann", -100, "ann"),
        ("bob", -90, "b"),
    ]
