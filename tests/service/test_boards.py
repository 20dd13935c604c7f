import asyncio
import json
import random
from datetime import date, timedelta

import pytest

from protocol.codes import End, ErrorCode, Kind
from protocol.parts import PlayerRef, Standing
from server.race.daily import LIMIT_MS, Daily, day_of, parse_day
from server.race.events import ClosingBegun, Created, ResultsPublished, format_event
from server.race.race import Race
from server.race.race import load as load_race
from server.race.standing import BEST_TIME_RULE, POINTS_RULE, RANKING_RULE, standing_key
from server.service.board_names import BoardName, Side, Span, format_board, parse_board
from server.service.boards import BoardPage, BoardRow, Boards
from server.service.errors import ContestError
from server.service.rebuilding import Rebuilding
from server.store import keys
from server.store.races import Secret
from tests.service.world import NOON, World

TODAY = day_of(NOON)
DAILY = Daily(TODAY, "citadel")
BOARD = "day:2027-01-15:citadel"
WEEK, MONTH = "week:2027-W02:citadel", "month:2027-01:citadel"
BEST = "best:citadel:ungraded"


@pytest.fixture
def boards(world: World) -> Boards:
    return world.contest.boards


@pytest.fixture
def rebuilding(world: World) -> Rebuilding:
    return Rebuilding(world.store, world.contest.races, world.contest.boards)


async def ranked_player(world: World, name: str) -> PlayerRef:
    player = await world.guest()
    await world.contest.players.claim(player.id, name)
    await world.contest.players.note_closed(player.id, TODAY - 1)
    return await world.contest.players.ref(player.id)


async def play(
    world: World, player: PlayerRef, left: int | None, at_ms: int, end: End | None = None, daily: Daily = DAILY
) -> None:
    """An attempt at the daily that has built all but `left` cards by `at_ms`, and ended if `end` says so."""
    ident = f"{daily.race_id}.{player.id}"
    start_ms = daily.opens_ms + 43_200_000
    await world.store.races.add_entrant(daily.race_id, player.id, start_ms)
    row = await world.store.attempts.enter(ident, player.id, daily.race_id, start_ms)
    await world.store.attempts.append(
        ident,
        epoch=row.epoch,
        version=0,
        id=1,
        at_ms=at_ms,
        limit_ms=LIMIT_MS,
        left=left,
        end=f"{end} {at_ms}" if end else None,
        lines=["t0-f0"],
    )
    if end is not None:
        key = None if left is None else standing_key(left, at_ms)
        if key is not None:
            await world.store.races.post(daily.race_id, player.id, key)
        await world.contest.boards.post_daily_attempt(daily, player.id, key)


async def store_daily(world: World, daily: Daily = DAILY, *, closed: bool = False, grade: int | None = None) -> None:
    created = Created(
        kind=Kind.DAILY,
        variant=daily.variant,
        limit_ms=LIMIT_MS,
        seats=0,
        certified=grade is not None,
        grade=grade,
        created_ms=daily.opens_ms - 1,
        start_ms=daily.opens_ms,
        closes_ms=daily.closes_ms,
    )
    events = [format_event(created)]
    if closed:
        published = ResultsPublished(results=[], deal="x", nonce="y", closed_ms=daily.closes_ms)
        events += [format_event(ClosingBegun()), format_event(published)]
    await world.store.races.create(daily.race_id, Secret("x", "y"), events)


def lines(page: BoardPage) -> list[tuple[int, str, int | None, int | None]]:
    return [(row.place, row.player.name, row.cards, row.at_ms) for row in page.rows]


async def walk(boards: Boards, board: str, size: int) -> list[BoardRow]:
    rows: list[BoardRow] = []
    cursor = None
    while True:
        page = await boards.page(board, cursor, size)
        rows += page.rows
        cursor = page.next
        if cursor is None:
            return rows


@pytest.mark.parametrize(
    "text",
    [
        BOARD,
        BOARD + ":open",
        BOARD + ":bots",
        WEEK,
        WEEK + ":bots",
        MONTH,
        MONTH + ":bots",
        BEST,
        BEST + ":bots",
        "best:citadel:1",
        "best:citadel:5:bots",
        "day:2028-02-29:beleaguered-castle",
    ],
)
def test_the_names_of_boards_round_trip(text: str) -> None:
    assert format_board(parse_board(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "day", "day:2027-01-15", "day:2027-02-30:citadel", "day:2027-1-5:citadel", "week:2027-W54:citadel",
     "week:2027-W00:citadel", "week:2027-01:citadel", "month:2027-13:citadel", "month:0000-01:citadel",
     "best:citadel:", "best:citadel:UP", "best:citadel:6", "best:citadel:0", "best:citadel",
     WEEK + ":open", BEST + ":open", BOARD + ":closed",
     BOARD + ":", BOARD + ":bots:bots", "year:2027:citadel", "day:2027-01-15:cruel+bottom-first",
     "day:１９９９-01-01:citadel", "month:9999-12:citadel"],
)  # fmt: skip
def test_there_are_no_other_boards(text: str) -> None:
    with pytest.raises(ContestError) as error:
        parse_board(text)
    assert error.value.code is ErrorCode.NOT_FOUND


def test_a_board_of_an_unknown_variant_says_so() -> None:
    with pytest.raises(ContestError) as error:
        parse_board("day:2027-01-15:solitaire")
    assert error.value.code is ErrorCode.UNKNOWN_VARIANT


def test_weeks_and_months_cover_their_days() -> None:
    week = BoardName(Span.WEEK, "2026-W53", "citadel").days()
    assert [(date(1970, 1, 1) + timedelta(days=day)).isoformat() for day in (week[0], week[-1])] == [
        "2026-12-28",
        "2027-01-03",
    ]
    assert len(BoardName(Span.MONTH, "2028-02", "citadel").days()) == 29
    december = BoardName(Span.MONTH, "2026-12", "citadel").days()
    assert december == list(range(parse_day("2026-12-01"), parse_day("2027-01-01")))


async def test_a_day_ranks_by_cards_then_by_who_got_there_sooner(world: World, boards: Boards) -> None:
    for name, left, at_ms in [("Ann", 10, 50), ("Bob", 0, 900), ("Cid", 0, 800), ("Dan", 10, 40)]:
        await play(world, await ranked_player(world, name), left, at_ms, End.RESIGNED if left else End.FINISHED)
    page = await boards.page(BOARD, None, 10)
    assert lines(page) == [(1, "Cid", 52, 800), (2, "Bob", 52, 900), (3, "Dan", 42, 40), (4, "Ann", 42, 50)]
    assert [row.end for row in page.rows] == [End.FINISHED, End.FINISHED, End.RESIGNED, End.RESIGNED]
    assert page.rows[0].race == DAILY.race_id
    assert page.rule == RANKING_RULE
    assert page.as_of == NOON


async def test_equals_share_a_place_also_across_pages_and_in_a_row_of_ones_own(world: World, boards: Boards) -> None:
    named = {name: await ranked_player(world, name) for name in ("Ann", "Bob", "Cid", "Dan", "Eve")}
    for name, at_ms in [("Ann", 10), ("Bob", 20), ("Cid", 20), ("Dan", 20), ("Eve", 30)]:
        await play(world, named[name], 5, at_ms, End.RESIGNED)
    for size in (1, 2, 3, 10):
        assert sorted(row.place for row in await walk(boards, BOARD, size)) == [1, 2, 2, 2, 5]
    for name, place in [("Ann", 1), ("Bob", 2), ("Cid", 2), ("Dan", 2), ("Eve", 5)]:
        around = await boards.around(BOARD, named[name].id, 1)
        mine = next(row for row in around.rows if row.player.name == name)
        assert mine.place == place
        assert around.total == 5


async def test_my_row_comes_with_its_neighbours(world: World, boards: Boards) -> None:
    players = [await ranked_player(world, f"Player-{letter}") for letter in "abcdefg"]
    for number, player in enumerate(players):
        await play(world, player, 5, number, End.RESIGNED)
    around = await boards.around(BOARD, players[3].id, 2)
    assert [row.place for row in around.rows] == [2, 3, 4, 5, 6]
    assert [row.place for row in (await boards.around(BOARD, players[0].id, 2)).rows] == [1, 2, 3]
    assert (await boards.around(BOARD, "nobody", 2)).rows == ()


async def test_an_attempt_that_has_built_nothing_is_on_no_board(world: World, boards: Boards) -> None:
    await play(world, await ranked_player(world, "Ann"), None, 10, End.RESIGNED)
    assert (await boards.page(BOARD, None, 10)).total == 0


async def test_guests_newcomers_and_bots_are_on_boards_of_their_own(world: World, boards: Boards) -> None:
    newcomer = await world.guest()
    await world.contest.players.claim(newcomer.id, "Newcomer")
    await play(world, await ranked_player(world, "Ann"), 5, 1, End.RESIGNED)
    await play(world, await world.guest(), 5, 2, End.RESIGNED)
    await play(world, newcomer, 5, 3, End.RESIGNED)
    await play(world, await world.guest(bot=True), 5, 4, End.RESIGNED)
    assert lines(await boards.page(BOARD, None, 10)) == [(1, "Ann", 47, 1)]
    opened = await boards.page(BOARD + ":open", None, 10)
    assert [(row.at_ms, row.player.guest) for row in opened.rows] == [(2, True), (3, False)]
    assert [row.player.bot for row in (await boards.page(BOARD + ":bots", None, 10)).rows] == [True]


async def test_a_row_stays_on_the_board_it_was_first_posted_to(world: World, boards: Boards) -> None:
    player = await world.guest()
    await play(world, player, 5, 2, End.RESIGNED)
    await world.contest.players.claim(player.id, "Late")
    await world.contest.players.note_closed(player.id, TODAY - 1)
    await boards.close_day(DAILY, 10)
    assert (await boards.page(BOARD, None, 10)).total == 0
    assert (await boards.page(BOARD + ":open", None, 10)).total == 1


async def test_posting_again_late_or_worse_changes_nothing(world: World, boards: Boards) -> None:
    player = await ranked_player(world, "Ann")
    await play(world, player, 3, 500, End.RESIGNED)
    await boards.post_daily_attempt(DAILY, player.id, standing_key(3, 500))
    await boards.post_daily_attempt(DAILY, player.id, standing_key(9, 100))
    assert lines(await boards.page(BOARD, None, 10)) == [(1, "Ann", 49, 500)]


async def test_closing_a_day_gives_points_by_place_over_its_ranked_entrants_once(world: World, boards: Boards) -> None:
    for name, at_ms in [("Ann", 10), ("Bob", 20), ("Cid", 20), ("Dan", 30)]:
        await play(world, await ranked_player(world, name), 5, at_ms, End.RESIGNED)
    await play(world, await world.guest(), 5, 5, End.RESIGNED)
    await play(world, await world.guest(bot=True), 5, 5, End.RESIGNED)
    for _ in range(3):
        await boards.close_day(DAILY, 10)
    for board in (WEEK, MONTH):
        page = await boards.page(board, None, 10)
        points = {row.player.name: (row.place, row.points) for row in page.rows}
        assert points == {"Ann": (1, 1000), "Bob": (2, 750), "Cid": (2, 750), "Dan": (4, 250)}
        assert page.rule == POINTS_RULE
        bots = await boards.page(board + ":bots", None, 10)
        assert [row.points for row in bots.rows] == [1000]


async def test_two_processes_closing_a_day_at_once_give_points_once(world: World, boards: Boards) -> None:
    for name in ("Ann", "Bob"):
        await play(world, await ranked_player(world, name), 5, len(name), End.RESIGNED)
    await asyncio.gather(*(boards.close_day(DAILY, 10) for _ in range(5)))
    assert [row.points for row in (await boards.page(WEEK, None, 10)).rows] == [1000, 1000]


async def test_points_of_several_days_add_up(world: World, boards: Boards) -> None:
    ann, bob = await ranked_player(world, "Ann"), await ranked_player(world, "Bob")
    for daily, first in [(DAILY, ann), (Daily(TODAY + 1, "citadel"), bob)]:
        for player in (ann, bob):
            await play(world, player, 5, 1 if player is first else 2, End.RESIGNED, daily)
        await boards.close_day(daily, 10)
    assert [(row.place, row.points) for row in (await boards.page(WEEK, None, 10)).rows] == [(1, 1500), (1, 1500)]


async def test_closing_a_day_seals_attempts_that_are_still_open_and_ranks_them(world: World, boards: Boards) -> None:
    ann, bob = await ranked_player(world, "Ann"), await ranked_player(world, "Bob")
    await play(world, ann, 7, 100)
    await play(world, bob, 8, 50, End.RESIGNED)
    standings = await boards.close_day(DAILY, 10)
    assert [(one.place, one.player.name, one.end) for one in standings] == [
        (1, "Ann", End.EXPIRED),
        (2, "Bob", End.RESIGNED),
    ]
    assert standings[0].end_ms == LIMIT_MS
    assert lines(await boards.page(BOARD, None, 10)) == [(1, "Ann", 45, 100), (2, "Bob", 44, 50)]
    row = await world.store.attempts.load(f"{DAILY.race_id}.{ann.id}")
    assert row is not None
    assert row.sealed


async def test_closing_a_day_lists_who_built_nothing_and_notes_all_who_played(world: World, boards: Boards) -> None:
    players = [await world.guest() for _ in range(3)]
    await play(world, players[0], None, 10)
    await play(world, players[1], 5, 10)
    await world.store.races.add_entrant(DAILY.race_id, players[2].id, DAILY.opens_ms)
    standings = await boards.close_day(DAILY, 10)
    idle = sorted((players[0].id, players[2].id))
    assert [(one.place, one.player.id) for one in standings] == [(1, players[1].id), *((None, one) for one in idle)]
    assert {one.end for one in standings} == {End.EXPIRED}
    days = [(await world.contest.players.get(player.id)).first_day for player in players]
    assert days == [TODAY, TODAY, None], "the last never came to play"


async def test_finishes_of_ranked_players_and_bots_are_on_the_boards_of_best_times(
    world: World, boards: Boards
) -> None:
    await play(world, await ranked_player(world, "Ann"), 0, 90_000, End.FINISHED)
    await play(world, await ranked_player(world, "Bob"), 1, 10, End.RESIGNED)
    await play(world, await world.guest(), 0, 80_000, End.FINISHED)
    await play(world, await world.guest(bot=True), 0, 5_000, End.FINISHED)
    await boards.close_day(DAILY, 10)
    page = await boards.page(BEST, None, 10)
    assert [(row.player.name, row.at_ms, row.race) for row in page.rows] == [("Ann", 90_000, DAILY.race_id)]
    assert page.rule == BEST_TIME_RULE
    assert [row.at_ms for row in (await boards.page(BEST + ":bots", None, 10)).rows] == [5_000]


def quick_race(
    standings: list[Standing], *, kind: Kind = Kind.QUICK, chosen: bool = False, grade: int | None = None
) -> Race:
    created = Created(
        kind=kind, variant="citadel", limit_ms=1, seats=2, chosen_deal=chosen, grade=grade, created_ms=NOON
    )
    published = ResultsPublished(results=standings, deal="citadel:ms:1", closed_ms=NOON)
    return load_race("race1", [format_event(event) for event in (created, ClosingBegun(), published)])


async def test_quick_matches_on_secret_deals_feed_best_times_and_other_races_nothing(
    world: World, boards: Boards
) -> None:
    ann, bob = await ranked_player(world, "Ann"), await ranked_player(world, "Bob")
    standings = [
        Standing(place=1, player=ann, cards=52, at_ms=70_000, end=End.FINISHED),
        Standing(place=2, player=bob, cards=51, at_ms=60_000, end=End.RESIGNED),
    ]
    for race in (quick_race(standings, kind=Kind.PRIVATE), quick_race(standings, chosen=True)):
        await boards.post_quick(race, standings)
    assert (await boards.page(BEST, None, 10)).total == 0
    await boards.post_quick(quick_race(standings), standings)
    assert [(row.player.name, row.at_ms) for row in (await boards.page(BEST, None, 10)).rows] == [("Ann", 70_000)]


async def test_a_finish_is_posted_for_what_the_player_is_now(world: World, boards: Boards) -> None:
    greeting = await world.contest.hello(None, False, "")
    standings = [Standing(place=1, player=greeting.player, cards=52, at_ms=70_000, end=End.FINISHED)]
    await world.contest.hello(greeting.token, True, "")
    await boards.post_quick(quick_race(standings), standings)
    assert (await boards.page(BEST, None, 10)).total == 0
    assert (await boards.page(BEST + ":bots", None, 10)).total == 1


async def test_who_becomes_a_bot_while_a_row_is_posted_is_on_no_board_for_people(world: World, boards: Boards) -> None:
    ann = await ranked_player(world, "Ann")
    side_of = boards.side_of

    async def then_a_bot(daily: Daily, player: str, start_ms: int) -> Side:
        side = await side_of(daily, player, start_ms)
        await world.store.players.set_bot(player)
        return side

    boards.side_of = then_a_bot  # type: ignore[method-assign]  # the moment between looking and posting
    await play(world, ann, 5, 10, End.RESIGNED)
    assert (await boards.page(BOARD, None, 10)).total == 0


async def test_a_hidden_player_does_not_come_back_by_a_late_post_a_close_or_a_rebuild(
    world: World, boards: Boards, rebuilding: Rebuilding
) -> None:
    ann, bob = await ranked_player(world, "Ann"), await ranked_player(world, "Bob")
    await store_daily(world)
    await play(world, ann, 5, 10, End.RESIGNED)
    await play(world, bob, 0, 20, End.FINISHED)
    await world.contest.players.hide(bob.id)
    await boards.post_daily_attempt(DAILY, bob.id, standing_key(0, 20))
    await boards.close_day(DAILY, 10)
    for board in await world.store.boards.boards():
        if not board.startswith("day:"):
            continue
        await rebuilding.rebuild(board)
    for board in await world.store.boards.boards():
        assert bob.id not in [row.player.id for row in await walk(boards, board, 10)], board
    assert lines(await boards.page(BOARD, None, 10)) == [(1, "Ann", 47, 10)]


async def test_who_is_hidden_while_a_board_is_made_is_hidden_on_it(world: World, boards: Boards) -> None:
    ann = await ranked_player(world, "Ann")
    await world.store.players.set_hidden(ann.id, hidden=True)  # and not yet on any board
    await play(world, ann, 5, 10, End.RESIGNED)
    assert (await boards.page(BOARD, None, 10)).total == 0


async def test_a_shown_again_player_has_the_row_back(world: World, boards: Boards) -> None:
    ann = await ranked_player(world, "Ann")
    await play(world, ann, 5, 10, End.RESIGNED)
    await world.contest.players.hide(ann.id)
    await world.contest.players.unhide(ann.id)
    assert lines(await boards.page(BOARD, None, 10)) == [(1, "Ann", 47, 10)]


async def test_a_row_under_review_is_marked(world: World, boards: Boards) -> None:
    rehearsing, ann = await world.guest(), await ranked_player(world, "Ann")
    await world.contest.players.note_opening(rehearsing.id, DAILY.race_id)
    await play(world, rehearsing, 5, 10, End.RESIGNED)
    await world.store.races.add_entrant(DAILY.race_id, ann.id, DAILY.opens_ms)
    await world.contest.players.note_opening(ann.id, DAILY.race_id)
    await play(world, ann, 5, 10, End.RESIGNED)
    assert [row.review for row in (await boards.page(BOARD, None, 10)).rows] == [True]
    assert [row.review for row in (await boards.page(BOARD + ":open", None, 10)).rows] == [None]


async def test_while_paging_a_row_that_does_not_change_appears_exactly_once(world: World, boards: Boards) -> None:
    chance = random.Random(5)
    store = world.store.boards
    steady = {f"steady{number:03}": chance.randrange(0, 60) for number in range(120)}
    moving = {f"moving{number:03}": 60 for number in range(60)}
    for member, score in (steady | moving).items():
        await store.post_best(BEST, member, score, "{}")
    seen: list[str] = []
    cursor = None
    while True:
        page = await boards.page(BEST, cursor, 7)
        seen += [row.player.id for row in page.rows]
        cursor = page.next
        if cursor is None:
            break
        for member in chance.sample(sorted(moving), 5):
            moving[member] = chance.randrange(0, moving[member] + 1)
            await store.post_best(BEST, member, moving[member], "{}")
        await store.hide(BEST, chance.choice(sorted(moving)))
    assert sorted(member for member in seen if member.startswith("steady")) == sorted(steady)


async def test_the_last_page_has_no_next(world: World, boards: Boards) -> None:
    for number in range(6):
        await world.store.boards.post_best(BEST, f"player{number}", number, "{}")
    first = await boards.page(BEST, None, 3)
    assert first.next is not None
    second = await boards.page(BEST, first.next, 3)
    assert [row.at_ms for row in second.rows] == [3, 4, 5]
    assert second.next is None


@pytest.mark.parametrize(
    "cursor", ["", "x", "1", "1.", ".a", "01.a", "1e3.a", "nan.a", "1.A", "1.a\n", "9" * 40 + ".a"]
)
async def test_a_made_up_cursor_is_refused(boards: Boards, cursor: str) -> None:
    with pytest.raises(ContestError) as error:
        await boards.page(BEST, cursor, 10)
    assert (error.value.code, error.value.field) == (ErrorCode.BAD_FIELD, "cursor")


async def test_a_damaged_board_is_rebuilt_from_sealed_attempts(
    world: World, boards: Boards, rebuilding: Rebuilding
) -> None:
    await store_daily(world, closed=True)
    for name, left, at_ms in [("Ann", 5, 10), ("Bob", 0, 90_000), ("Cid", 3, 30)]:
        await play(world, await ranked_player(world, name), left, at_ms, End.RESIGNED if left else End.FINISHED)
    await play(world, await world.guest(), 5, 5, End.RESIGNED)
    await boards.close_day(DAILY, 10)
    names = [BOARD, BOARD + ":open", WEEK, MONTH, BEST]
    before = {name: [row.model_dump() for row in await walk(boards, name, 10)] for name in names}
    intruder = await world.guest()
    for name in (BOARD, WEEK, MONTH):
        await world.store.boards.post_best(name, intruder.id, -(10**6), "{}")
    await world.store.link.call("ZREM", f"{{b:{WEEK}}}", (await walk(boards, WEEK, 10))[1].player.id)
    assert {name: [row.model_dump() for row in await walk(boards, name, 10)] for name in names} != before
    await rebuilding.rebuild_all()
    assert {name: [row.model_dump() for row in await walk(boards, name, 10)] for name in names} == before


async def test_boards_to_which_a_damaged_daily_counts_stay_as_they_are_and_the_others_are_rebuilt(
    world: World, boards: Boards, rebuilding: Rebuilding
) -> None:
    await store_daily(world, closed=True)
    await play(world, await ranked_player(world, "Ann"), 0, 10, End.FINISHED)
    await boards.close_day(DAILY, 10)
    before = {name: await walk(boards, name, 10) for name in (WEEK, MONTH, BEST)}
    await world.store.link.call("LSET", keys.race_log(DAILY.race_id), 0, "never written")
    assert await rebuilding.rebuild_all() == {BOARD: 1, BEST: 1}
    assert {name: await walk(boards, name, 10) for name in before} == before
    assert all(before.values())


async def test_rebuilding_points_can_not_make_them_count_twice(
    world: World, boards: Boards, rebuilding: Rebuilding
) -> None:
    await store_daily(world, closed=True)
    await play(world, await ranked_player(world, "Ann"), 5, 10, End.RESIGNED)
    await boards.close_day(DAILY, 10)
    await rebuilding.rebuild(WEEK)
    await boards.close_day(DAILY, 10)
    assert [row.points for row in (await boards.page(WEEK, None, 10)).rows] == [1000]


async def test_rebuilding_best_times_keeps_quick_matches_that_still_hold_and_drops_others(
    world: World, boards: Boards, rebuilding: Rebuilding
) -> None:
    ann, bob, cid = [await ranked_player(world, name) for name in ("Ann", "Bob", "Cid")]
    standings = [Standing(place=1, player=ann, cards=52, at_ms=70_000, end=End.FINISHED)]
    race = quick_race(standings)
    events = [race.created, ClosingBegun(), race.closed]
    await world.store.races.create(race.id, None, [format_event(event) for event in events if event])
    await boards.post_quick(race, standings)
    await world.store.boards.post_best(BEST, bob.id, 1, json.dumps({"race": race.id}))
    await world.store.boards.post_best(BEST, cid.id, 80_000, json.dumps({"race": "forgotten"}))
    await rebuilding.rebuild(BEST)
    assert [row.player.name for row in (await boards.page(BEST, None, 10)).rows] == ["Ann", "Cid"]


async def test_best_times_are_kept_by_the_difficulty_of_the_deal_and_rebuilt_so(
    world: World, boards: Boards, rebuilding: Rebuilding
) -> None:
    ann, bob = await ranked_player(world, "Ann"), await ranked_player(world, "Bob")
    await store_daily(world, closed=True, grade=4)
    await play(world, ann, 0, 90_000, End.FINISHED)
    await boards.close_day(DAILY, 10, 4)
    standings = [Standing(place=1, player=bob, cards=52, at_ms=70_000, end=End.FINISHED)]
    race = quick_race(standings, grade=2)
    events = [race.created, ClosingBegun(), race.closed]
    await world.store.races.create(race.id, None, [format_event(event) for event in events if event])
    await boards.post_quick(race, standings)
    names = ["best:citadel:4", "best:citadel:2", BEST]

    async def times() -> list[list[int | None]]:
        return [[row.at_ms for row in (await boards.page(name, None, 10)).rows] for name in names]

    assert await times() == [[90_000], [70_000], []]
    for name in names:
        for player in (ann, bob):
            row = json.dumps({"race": race.id if player is bob else DAILY.race_id})
            await world.store.boards.post_best(name, player.id, 1 if name == BEST else 70_000, row)
    for name in names:
        await rebuilding.rebuild(name)
    assert await times() == [[90_000], [70_000], []]


async def test_a_day_whose_race_is_forgotten_is_left_as_it_is(rebuilding: Rebuilding) -> None:
    with pytest.raises(ContestError) as error:
        await rebuilding.rebuild(BOARD)
    assert error.value.code is ErrorCode.NOT_FOUND


async def test_sides_are_decided_by_name_and_earlier_day(world: World, boards: Boards) -> None:
    ann = await ranked_player(world, "Ann")
    assert await boards.side_of(DAILY, ann.id, NOON) is Side.RANKED
    assert await boards.side_of(DAILY, ann.id, NOON - 1) is Side.OPEN
    assert await boards.side_of(DAILY, (await world.guest()).id, NOON) is Side.OPEN
