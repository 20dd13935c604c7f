"""The pool is filled with deals that are winnable, each is handed out once, and analyses come back."""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor

import pytest

from rules.deals import DealCode, deal, parse_deal_code
from rules.history import parse_entry
from rules.record import format_record, write_record
from rules.variants import featured_variant
from server.race.daily import Daily, day_of, grade_of_day
from server.store import Store, StoreUnavailable, keys
from server.store.analyses import AnalysisStore, Asked
from server.store.pool import PoolStore
from server.workers import keeping
from server.workers.keeping import Keeper, again, labourers
from server.workers.labour import analyse_text, mint_fresh
from solver.verdicts import Verdict, solve
from tests.workers.beside import beside

VARIANT = "beleaguered-fortress"
GRADES = range(6)
RECORD = format_record(
    write_record(
        parse_deal_code("citadel:ms:3"),
        race="r1",
        player="brave-otter",
        kind="practice",
        iron=False,
        limit_ms=60_000,
        started_ms=0,
        entries=[parse_entry("9000 1.4 resign")],
    )
)


@pytest.fixture
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as threads:
        yield threads


def keeper(store: Store, executor: Executor, wanted: int) -> Keeper:
    return Keeper(store, executor, [VARIANT], wanted)


async def fill(keeper: Keeper, pool: PoolStore) -> None:
    """Mints until something lies in the pool."""
    for _ in range(500):
        await keeper.mint_one()
        if any([await pool.size(VARIANT, grade) for grade in GRADES]):
            return
    pytest.fail("no winnable deal among 500")


async def today(store: Store) -> int:
    return day_of(await store.time_us() // 1000)


async def mint_for_today(keeper: Keeper, store: Store, variant: str) -> None:
    """Mints until a deal for the variant's daily of today lies in the pool."""
    grade = grade_of_day(await today(store))
    for _ in range(500):
        await keeper.mint_one()
        if await store.pool.size(variant, grade):
            return
    pytest.fail("no deal of today's difficulty among 500")


async def test_the_dailies_of_today_get_their_deals_before_anything_else_is_made(
    store: Store, executor: Executor
) -> None:
    supplied, lacking = VARIANT, "cruel"
    await store.pool.add(supplied, grade_of_day(await today(store)), "seed")
    await mint_for_today(Keeper(store, executor, [supplied, lacking], 2), store, lacking)
    assert sum(await store.pool.sizes(supplied, GRADES)) == 1


async def test_the_featured_game_s_daily_comes_first(store: Store, executor: Executor) -> None:
    featured = featured_variant().id
    await mint_for_today(Keeper(store, executor, [VARIANT, featured], 1), store, featured)
    assert not any(await store.pool.sizes(VARIANT, GRADES))


async def test_a_daily_that_was_chosen_wants_no_further_deal_before_the_others(
    store: Store, executor: Executor
) -> None:
    chosen, lacking = featured_variant().id, VARIANT
    await store.races.create(Daily(await today(store), chosen).race_id, None, ["{}"])
    await mint_for_today(Keeper(store, executor, [chosen, lacking], 1), store, lacking)
    assert not any(await store.pool.sizes(chosen, GRADES))


async def test_a_game_that_somebody_waits_for_goes_first(store: Store, executor: Executor) -> None:
    featured = featured_variant().id
    both = Keeper(store, executor, [featured, VARIANT], 1)
    await store.pool.hurry(VARIANT)
    await fill(both, store.pool)
    assert not any(await store.pool.sizes(featured, GRADES))


async def test_what_lies_in_the_pool_is_winnable(store: Store, executor: Executor) -> None:
    pool = store.pool
    await fill(keeper(store, executor, 1), pool)
    taken = await pool.take(VARIANT, list(GRADES))
    assert taken is not None
    assert solve(deal(DealCode(VARIANT, "r1", taken[0]))).verdict is Verdict.WINNABLE


async def test_a_deal_is_handed_out_once_and_the_grades_are_asked_in_their_order(store: Store) -> None:
    pool = store.pool
    await pool.add(VARIANT, 2, "a")
    await pool.add(VARIANT, 3, "b")
    await pool.add(VARIANT, 3, "c")
    assert await pool.take(VARIANT, [3, 2]) == ("b", 3)
    both = await asyncio.gather(pool.take(VARIANT, [3, 2]), pool.take(VARIANT, [3, 2]))
    assert sorted(both, key=str) == [("a", 2), ("c", 3)]
    assert await pool.take(VARIANT, [3, 2]) is None
    assert await pool.take("fortress", [3, 2]) is None


async def test_a_variant_that_can_seldom_be_won_does_not_hold_up_the_others(store: Store, executor: Executor) -> None:
    both = Keeper(store, executor, ["four-seasons", "cruel"], 1)
    for _ in range(8):
        assert await both.mint_one()
    assert any(await store.pool.sizes("cruel", GRADES))


async def test_a_full_pool_mints_no_more(store: Store, executor: Executor) -> None:
    pool = store.pool
    for grade in GRADES:
        await pool.add(VARIANT, grade, "seed")
    assert not await keeper(store, executor, 1).mint_one()


async def test_a_pool_with_more_than_is_wanted_holds_up_no_other_variant(store: Store, executor: Executor) -> None:
    for seed, grade in [("old", 0), *((f"{grade}{n}", grade) for grade in range(1, 6) for n in range(2))]:
        await store.pool.add(VARIANT, grade, seed)
    both = Keeper(store, executor, [VARIANT, "cruel"], 2)
    for _ in range(4):
        assert await both.mint_one()
    assert any(await store.pool.sizes("cruel", GRADES))


async def test_an_analysis_that_was_asked_for_is_made_and_kept(store: Store, executor: Executor) -> None:
    analyses = store.analyses
    assert await analyses.ask("race.anna", RECORD, "anna") is Asked.QUEUED
    assert await analyses.result("race.anna") is None
    assert await keeper(store, executor, 1).answer_one()
    assert await analyses.result("race.anna") == analyse_text(RECORD)
    assert await analyses.waiting() == 0
    assert not await keeper(store, executor, 1).answer_one()


async def test_a_record_that_ends_workers_is_given_up_and_said_so(
    store: Store, executor: Executor, caplog: pytest.LogCaptureFixture
) -> None:
    analyses = AnalysisStore(store.link, 1)
    assert await analyses.ask("race.anna", RECORD, "anna") is Asked.QUEUED
    for takes in range(1, 4):
        taken = await analyses.take()
        assert taken is not None
        assert taken.takes == takes
        await asyncio.sleep(0.01)
    assert await keeper(store, executor, 1).answer_one()
    assert set(json.loads(await analyses.result("race.anna") or "")) == {"error"}
    assert await analyses.waiting() == 0
    assert 0 < await store.link.call("PTTL", keys.analysis("race.anna")) <= 3_600_000


def test_a_record_that_can_not_be_read_is_answered_with_why() -> None:
    assert set(json.loads(analyse_text("no record"))) == {"error"}
    assert json.loads(analyse_text(RECORD))["verdicts"] == [{"first": 0, "last": 1, "verdict": "winnable"}]


def test_a_lost_deal_is_not_minted() -> None:
    entropies = [bytes([number] * 16) for number in range(6)]
    minted = [mint_fresh(VARIANT, entropy) for entropy in entropies]
    assert None in minted
    for found in filter(None, minted):
        assert solve(deal(DealCode(VARIANT, "r1", found.seed))).verdict is Verdict.WINNABLE


async def test_labour_is_done_in_a_niced_process_of_its_own(store: Store) -> None:
    async with labourers(1) as processes:
        await asyncio.wait_for(fill(keeper(store, processes, 1), store.pool), 60)
        loop = asyncio.get_running_loop()
        assert await loop.run_in_executor(processes, os.getpid) != os.getpid()
        assert await loop.run_in_executor(processes, os.nice, 0) > os.nice(0)
        if sys.platform == "linux":
            assert await loop.run_in_executor(processes, os.sched_getscheduler, 0) == os.SCHED_IDLE


async def test_a_step_that_fails_as_nobody_foresaw_is_logged_and_tried_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcomes = [ValueError("an odd record")]
    answered = asyncio.Event()

    async def step() -> bool:
        if outcomes:
            raise outcomes.pop()
        answered.set()
        return False

    async with beside(again("analyse", step, 0.001)):
        await asyncio.wait_for(answered.wait(), 10)
    assert "an odd record" in capsys.readouterr().out


async def test_a_store_that_is_away_is_told_of_once_and_asked_slowly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(keeping, "WAIT_S", 0.01)
    tries = 0
    answered = asyncio.Event()

    async def step() -> bool:
        nonlocal tries
        tries += 1
        if tries <= 5:
            raise StoreUnavailable("no space left")
        answered.set()
        return False

    async with beside(again("hint", step, 0)):
        await asyncio.wait_for(answered.wait(), 10)
    assert capsys.readouterr().out.count("no space left") == 1
