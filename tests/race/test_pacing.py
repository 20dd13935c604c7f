from hypothesis import given, settings
from hypothesis import strategies as st

from server.race.pacing import Allowance, Bucket, Verdict

ALLOWED = Allowance(per_second=10, burst=20)


def take(bucket: Bucket, times: int, now_ms: int) -> list[Verdict]:
    return [bucket.take(now_ms) for _ in range(times)]


def test_a_burst_is_let_through_and_the_next_is_braked() -> None:
    assert take(Bucket.full(ALLOWED, 0), 21, 0) == [Verdict.FLOWING] * 20 + [Verdict.BRAKED]


def test_who_keeps_to_the_rate_is_never_braked() -> None:
    bucket = Bucket.full(ALLOWED, 0)
    take(bucket, 20, 0)
    assert [bucket.take(now_ms) for now_ms in range(100, 10_000, 100)] == [Verdict.FLOWING] * 99


def test_hammering_on_leads_to_the_cut_off() -> None:
    verdicts = take(Bucket.full(ALLOWED, 0), 41, 0)
    assert verdicts == [Verdict.FLOWING] * 20 + [Verdict.BRAKED] * 20 + [Verdict.CUT_OFF]


def test_a_pause_forgives() -> None:
    bucket = Bucket.full(ALLOWED, 0)
    take(bucket, 60, 0)
    assert bucket.take(10_000) is Verdict.FLOWING


def test_refused_messages_cost_too() -> None:
    bucket = Bucket.full(ALLOWED, 0)
    take(bucket, 30, 0)
    assert bucket.take(1_000) is Verdict.BRAKED


def test_debt_has_a_bottom_so_that_a_pause_of_the_same_length_always_helps() -> None:
    bucket = Bucket.full(ALLOWED, 0)
    take(bucket, 10_000, 0)
    assert bucket.take(2_300) is Verdict.FLOWING


def test_a_dear_message_takes_more() -> None:
    bucket = Bucket.full(ALLOWED, 0)
    assert [bucket.take(0, cost=8) for _ in range(3)] == [Verdict.FLOWING, Verdict.FLOWING, Verdict.BRAKED]


def test_a_clock_that_stands_still_or_jumps_back_gives_nothing() -> None:
    bucket = Bucket.full(ALLOWED, 5_000)
    take(bucket, 20, 5_000)
    assert bucket.take(1_000) is Verdict.BRAKED


def test_a_bucket_is_full_again_after_its_time() -> None:
    bucket = Bucket.full(ALLOWED, 0)
    take(bucket, 20, 0)
    assert (bucket.is_full(1_999), bucket.is_full(2_000)) == (False, True)


@settings(deadline=None)
@given(st.lists(st.integers(0, 500), min_size=1, max_size=200))
def test_never_more_than_the_burst_and_the_rate_together(pauses: list[int]) -> None:
    bucket, now_ms, flowed = Bucket.full(ALLOWED, 0), 0, 0
    for pause in pauses:
        now_ms += pause
        flowed += bucket.take(now_ms) is Verdict.FLOWING
    assert flowed <= ALLOWED.burst + now_ms * ALLOWED.per_second / 1000
