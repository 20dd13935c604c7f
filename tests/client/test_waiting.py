"""What a client does about time: the server's clock, pauses between connections, the pace of sending."""

from random import Random

import pytest

from client.backoff import CAP_MS, Backoff
from client.clock import SAMPLES_KEPT, ServerClock
from client.throttle import SHARE, Throttle


def test_the_servers_time_lies_half_a_round_trip_before_the_answer_came() -> None:
    clock = ServerClock()
    clock.measure(sent_ms=1000, received_ms=1100, server_ms=900_050)
    assert clock.server_ms(1100) == 900_100


def test_the_quickest_answer_is_trusted_most() -> None:
    clock = ServerClock()
    clock.measure(sent_ms=0, received_ms=10, server_ms=5_005)
    clock.measure(sent_ms=100, received_ms=900, server_ms=5_105)
    assert clock.server_ms(1000) == 6_000


def test_old_measurements_are_forgotten() -> None:
    clock = ServerClock()
    clock.measure(sent_ms=0, received_ms=1, server_ms=0)
    for _ in range(SAMPLES_KEPT):
        clock.measure(sent_ms=0, received_ms=100, server_ms=1_050)
    assert clock.server_ms(100) == 1_100


def test_another_connection_starts_measuring_anew() -> None:
    clock = ServerClock()
    clock.measure(sent_ms=0, received_ms=0, server_ms=777)
    clock.forget()
    assert clock.server_ms(5) == 5


def test_pauses_grow_up_to_a_cap() -> None:
    backoff = Backoff(Random(1))
    pauses = [backoff.next_ms() for _ in range(40)]
    assert pauses[0] <= 250
    assert max(pauses) <= CAP_MS
    assert max(pauses[8:]) > 8_000


def test_pauses_differ_between_clients() -> None:
    assert len({Backoff(Random(seed)).next_ms() for seed in range(30)}) > 15


def test_what_the_server_asks_for_comes_on_top() -> None:
    assert Backoff(Random(1)).next_ms(3_000) > 3_000


def test_after_a_connection_that_held_the_pauses_are_short_again() -> None:
    backoff = Backoff(Random(1))
    for _ in range(20):
        backoff.next_ms()
    backoff.reset()
    assert backoff.next_ms() <= 250


@pytest.mark.parametrize("per_second", [1, 10, 40])
def test_no_more_is_sent_than_the_server_allows(per_second: int) -> None:
    throttle, now_ms, sent = Throttle(per_second), 0.0, 0
    while now_ms < 20_000:
        now_ms += throttle.delay_ms(now_ms)
        sent += 1
    assert per_second * 20 * SHARE * 0.95 <= sent <= per_second * 20 * SHARE + per_second


def test_a_single_message_after_silence_goes_at_once() -> None:
    throttle = Throttle(10)
    throttle.delay_ms(0)
    assert throttle.delay_ms(10_000) == 0
