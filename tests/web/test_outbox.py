from server.web.outbox import PROGRESS_EVERY_MS, Outbox


def drain(outbox: Outbox, now_ms: int) -> list[str]:
    frames = []
    while (frame := outbox.take(now_ms)) is not None:
        frames.append(frame)
    return frames


def test_frames_leave_in_the_order_in_which_they_came() -> None:
    outbox = Outbox()
    for frame in "abc":
        outbox.put(frame)
    assert drain(outbox, 0) == ["a", "b", "c"]


def test_of_progress_only_the_newest_of_each_player_is_sent() -> None:
    outbox = Outbox()
    outbox.put_latest("r", "one", "old")
    outbox.put_latest("r", "other", "first")
    outbox.put_latest("r", "one", "new")
    assert sorted(drain(outbox, 0)) == ["first", "new"]


def test_progress_of_a_race_is_sent_ten_times_a_second_at_most() -> None:
    outbox = Outbox()
    sent = 0
    for now_ms in range(0, 1_000, 5):
        outbox.put_latest("r", "one", str(now_ms))
        sent += len(drain(outbox, now_ms))
    assert sent == 1_000 // PROGRESS_EVERY_MS


def test_the_last_progress_is_not_lost_but_comes_when_it_is_due() -> None:
    outbox = Outbox()
    outbox.put_latest("r", "one", "1")
    drain(outbox, 0)
    outbox.put_latest("r", "one", "2")
    assert drain(outbox, 10) == []
    assert outbox.wait_ms(10) == PROGRESS_EVERY_MS - 10
    assert drain(outbox, PROGRESS_EVERY_MS) == ["2"]


def test_nothing_held_back_needs_no_waiting() -> None:
    assert Outbox().wait_ms(0) is None


def test_races_are_paced_apart() -> None:
    outbox = Outbox()
    outbox.put_latest("r", "one", "1")
    drain(outbox, 0)
    outbox.put_latest("s", "one", "2")
    assert drain(outbox, 1) == ["2"]


def test_answers_overtake_progress_that_is_held_back() -> None:
    outbox = Outbox()
    outbox.put_latest("r", "one", "1")
    drain(outbox, 0)
    outbox.put_latest("r", "one", "2")
    outbox.put("answer")
    assert drain(outbox, 1) == ["answer"]


def test_too_many_frames_overrun_it_and_free_what_it_held() -> None:
    outbox = Outbox(max_frames=3)
    for _ in range(4):
        outbox.put("x")
    assert outbox.is_overrun
    assert drain(outbox, 0) == []


def test_too_many_letters_overrun_it() -> None:
    outbox = Outbox(max_letters=10)
    outbox.put("x" * 11)
    assert outbox.is_overrun


def test_what_was_sent_makes_room() -> None:
    outbox = Outbox(max_frames=2, max_letters=10)
    for _ in range(50):
        outbox.put("12345")
        assert outbox.take(0) == "12345"
    assert not outbox.is_overrun


def test_an_overrun_outbox_takes_nothing_more() -> None:
    outbox = Outbox(max_frames=1)
    outbox.put("a")
    outbox.put("b")
    outbox.put("c")
    outbox.put_latest("r", "one", "d")
    assert drain(outbox, 0) == []


def test_progress_alone_never_overruns_it() -> None:
    outbox = Outbox(max_frames=3)
    for number in range(10_000):
        outbox.put_latest("r", f"player {number % 3}", str(number))
    assert not outbox.is_overrun
    assert len(drain(outbox, 0)) == 3


def test_a_race_that_is_not_followed_any_more_is_forgotten() -> None:
    outbox = Outbox()
    outbox.put_latest("r", "one", "1")
    outbox.forget("r")
    assert drain(outbox, 0) == []
