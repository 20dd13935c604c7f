"""Ranking: one number, shared places, points of a day."""

from hypothesis import given
from hypothesis import strategies as st

from server.race.standing import Score, day_points, rank, split_standing_key, standing_key

reached = st.tuples(st.integers(0, 104), st.integers(0, 86_400_000))


def test_more_cards_beat_any_time() -> None:
    assert standing_key(3, 86_400_000) < standing_key(4, 0)


def test_among_equal_progress_the_sooner_is_first() -> None:
    assert standing_key(10, 999) < standing_key(10, 1000)


def test_a_day_and_two_decks_stay_exact_in_a_sorted_set() -> None:
    key = standing_key(104, 86_400_000)
    assert key < 2**53
    assert int(float(key)) == key


@given(reached, reached)
def test_the_key_orders_by_cards_left_and_then_by_time(one: tuple[int, int], other: tuple[int, int]) -> None:
    assert (standing_key(*one) < standing_key(*other)) == (one < other)


@given(reached)
def test_a_standing_key_splits_into_what_it_was_made_of(pair: tuple[int, int]) -> None:
    assert split_standing_key(standing_key(*pair)) == pair


def test_equal_keys_share_a_place_and_the_next_one_is_skipped() -> None:
    scores = [Score("d", 7), Score("a", 5), Score("c", 5), Score("b", 5)]
    assert [(place, score.player) for place, score in rank(scores)] == [(1, "a"), (1, "b"), (1, "c"), (4, "d")]


def test_who_has_built_nothing_is_listed_last_without_a_place() -> None:
    placed = rank([Score("idle", None), Score("late", standing_key(47, 9)), Score("gone", None)])
    assert [(place, score.player) for place, score in placed] == [(1, "late"), (None, "gone"), (None, "idle")]


@given(st.lists(st.integers(1, 5) | st.none(), max_size=20))
def test_a_place_is_one_more_than_the_number_of_better_scores(keys: list[int | None]) -> None:
    placed = rank([Score(f"p{number}", key) for number, key in enumerate(keys)])
    for place, score in placed:
        better = sum(1 for key in keys if key is not None and score.key is not None and key < score.key)
        assert place == (None if score.key is None else better + 1)


def test_the_points_of_a_day_fall_from_a_thousand_in_equal_steps() -> None:
    assert day_points([1, 2, 3, 4]) == [1000, 750, 500, 250]


def test_a_shared_place_gives_the_same_points() -> None:
    assert day_points([1, 1, 3]) == [1000, 1000, 333]
