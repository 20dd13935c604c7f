"""Every game played at random: the engine against the oracle, and what must hold of every position on the way."""

from __future__ import annotations

import json
import random
from itertools import permutations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules.cards import PACK, UNKNOWN, Card, format_card, parse_card
from rules.collect import full_collect, safe_collect
from rules.deals import deal_deck, deck, format_deal_code, parse_deal_code
from rules.history import Act, Entry, History, format_entry, parse_entry
from rules.moves import (
    DRAW,
    REDEAL,
    Move,
    Refusal,
    format_move,
    format_pile,
    is_blocked,
    is_won,
    legal_moves,
    parse_move,
    parse_pile,
    play,
    play_unchecked,
    refusal,
)
from rules.position_texts import format_position, parse_position
from rules.positions import Position, decode_position, encode_position, reveal, turned, view
from rules.variants import Variant
from tests.rules import oracle
from tests.rules.bridge import all_variants, dealt, every_move, option_ids, raw_variants, record_of, state_of

NAMES = sorted(all_variants())
SEEDS = st.integers(32_000, 10**20)


def check_cards(position: Position) -> None:
    cards = sorted(card for pile in position.piles for card in pile)
    assert cards == sorted(PACK * position.variant.decks)
    assert all(
        len(pile) <= 1 for pile in position.piles[position.variant.tables.foundation_end :][: position.variant.cells]
    )
    assert all(down == 0 or down < len(pile) for down, pile in zip(position.down, position.tableau, strict=True))
    assert position.progress + position.cards_left == position.variant.cards


def check_same(position: Position, state: oracle.State) -> None:
    expected = state_of(position)
    for part in ("piles", "turnovers", "redeals", "base"):
        assert expected[part] == state[part]
    assert expected["down"] == {name: down for name, down in state["down"].items() if down}


def check_legal(position: Position, state: oracle.State) -> None:
    moves = legal_moves(position)
    texts = [format_move(move) for move in moves]
    assert len(set(texts)) == len(texts)
    assert set(texts) == oracle.moves(state)


def check_refusals(position: Position) -> None:
    """`legal_moves` is exactly what `refusal` lets pass, over all pile pairs and counts."""
    passed = {move for move in every_move(position) if refusal(position, move) is None}
    assert passed == set(legal_moves(position))


def check_texts(position: Position) -> None:
    variant = position.variant
    assert decode_position(variant, json.loads(json.dumps(encode_position(position)))) == position
    assert parse_position(variant, format_position(position)) == position
    seen = view(position)
    assert decode_position(variant, json.loads(json.dumps(encode_position(seen)))) == seen
    for move in legal_moves(position):
        assert parse_move(format_move(move)) == move
        entry = Entry(1234, 2, 17, move)
        assert parse_entry(format_entry(entry)) == entry
    for name in variant.tables.names:
        assert format_pile(*parse_pile(name)) == name


def check_view(position: Position) -> None:
    """A view hides the face-down cards and the order of a stock not gone through, and nothing else."""
    variant, seen = position.variant, view(position)
    record = record_of(variant)
    hidden_game = record.get("visible", "as-dealt") == "as-dealt" and any(
        step.get("face") == "down" for step in record["deal"]["steps"]
    )
    for number, name in enumerate(variant.tables.names):
        hidden = 0
        if hidden_game and name[0] == "t":
            hidden = position.down[number]
        if hidden_game and name == "s" and not position.passes:
            hidden = len(position.stock)
        assert seen.piles[number] == (UNKNOWN,) * hidden + position.piles[number][hidden:]
    assert (seen.down, seen.passes, seen.redeals, seen.base) == (
        position.down,
        position.passes,
        position.redeals,
        position.base,
    )


def check_ends(position: Position, state: oracle.State) -> None:
    assert is_won(position) == (oracle.cards_left(state) == 0)
    assert position.cards_left == oracle.cards_left(state)
    assert is_blocked(position) == oracle.is_blocked(state)


def check_all(position: Position, state: oracle.State) -> None:
    check_cards(position)
    check_same(position, state)
    check_legal(position, state)
    check_refusals(position)
    check_texts(position)
    check_view(position)
    check_ends(position, state)


class Attempt(RuleBasedStateMachine):
    """One game played at random by engine, oracle and a client that knows only its view."""

    @initialize(name=st.sampled_from(NAMES), seed=SEEDS)
    def deal(self, name: str, seed: int) -> None:
        variant = all_variants()[name]
        cards = oracle.pysol_deck(seed, variant.decks)
        self.state = oracle.deal(record_of(variant), cards)
        self.history = History.begin(dealt(variant, cards), iron=False, hints_allowed=True)
        self.known = view(self.history.position)
        self.first = self.here()
        self.id = 0
        self.past: list[tuple[Position, oracle.State, Position]] = []
        self.future: list[tuple[Position, oracle.State, Position]] = []

    def here(self) -> tuple[Position, oracle.State, Position]:
        return self.history.position, self.state, self.known

    def act(self, act: Act) -> None:
        assert self.history.refusal(act) is None
        self.id += 1
        self.history = self.history.advance(Entry(self.id * 100, 1, self.id, act))

    def move(self, move: Move) -> None:
        self.past.append(self.here())
        self.future = []
        self.id += 1
        self.follow(move)

    def follow(self, move: Move) -> None:
        """One move under the last id, followed by oracle and client."""
        before = self.history.position
        assert self.history.refusal(move) is None
        self.history = self.history.advance(Entry(self.id * 100, 1, self.id, move))
        after = self.history.position
        assert after == play(before, move)
        self.state = oracle.play(self.state, format_move(move))
        self.known = reveal(play_unchecked(self.known, move), turned(before, after))

    @precondition(lambda self: not self.history.has_ended and bool(legal_moves(self.history.position)))
    @rule(choice=st.integers(0, 10**6))
    def play_one(self, choice: int) -> None:
        moves = legal_moves(self.history.position)
        self.move(moves[choice % len(moves)])

    @precondition(lambda self: not self.history.has_ended)
    @rule(seed=st.integers(0, 10**6), steps=st.integers(5, 60))
    def stroll(self, seed: int, steps: int) -> None:
        """Many moves at once, foundations first, so that late positions are seen too."""
        chance = random.Random(seed)
        for _ in range(steps):
            moves = legal_moves(self.history.position)
            if not moves or self.history.has_ended:
                return
            up = [move for move in moves if move.target[0] == "f"]
            self.move(chance.choice(up if up and chance.random() < 0.9 else moves))

    @precondition(lambda self: not self.history.has_ended)
    @rule(whole=st.booleans())
    def collect(self, whole: bool) -> None:
        """A collect is one group: one step back takes all of it back."""
        moves = (full_collect if whole else safe_collect)(self.history.position)
        if moves:
            self.past.append(self.here())
            self.future = []
            self.id += 1
        for move in moves:
            self.follow(move)

    @precondition(lambda self: not self.history.has_ended)
    @rule()
    def restart(self) -> None:
        self.past.append(self.here())
        self.future = []
        self.act(Act.RESTART)
        assert self.history.position == self.first[0]
        _, self.state, self.known = self.first

    @precondition(lambda self: self.history.hints_allowed and not self.history.has_ended)
    @rule()
    def hint(self) -> None:
        """A hint moves nothing, and what can be undone and redone stays as it was: `undo` and `redo` know of none."""
        before = self.here()
        self.act(Act.HINT)
        assert self.here() == before

    @precondition(lambda self: self.history.has_ended)
    @rule()
    def end(self) -> None:
        """After the end everything is refused."""
        for what in (*every_move(self.history.position), *Act):
            assert self.history.refusal(what) is Refusal.ENDED

    @precondition(lambda self: bool(self.past) and not self.history.has_ended)
    @rule()
    def undo(self) -> None:
        self.future.append(self.here())
        self.act(Act.UNDO)
        position, self.state, self.known = self.past.pop()
        assert self.history.position == position

    @precondition(lambda self: bool(self.future) and not self.history.has_ended)
    @rule()
    def redo(self) -> None:
        self.past.append(self.here())
        self.act(Act.REDO)
        position, self.state, self.known = self.future.pop()
        assert self.history.position == position

    @invariant()
    def the_rules_hold(self) -> None:
        check_all(self.history.position, self.state)

    @invariant()
    def a_client_that_is_told_what_turned_knows_its_view(self) -> None:
        assert self.known == view(self.history.position)

    @invariant()
    def what_can_be_undone_is_known(self) -> None:
        ended = self.history.has_ended
        assert self.history.can_undo == (bool(self.past) and not ended)
        assert self.history.can_redo == (bool(self.future) and not ended)


ORDINARY = settings(
    max_examples=60,
    stateful_step_count=10,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestAttempt = Attempt.TestCase
TestAttempt.settings = ORDINARY


class LongAttempt(Attempt):
    """The same, more often and longer."""


TestLongAttempt = pytest.mark.slow(pytest.mark.timeout(3000)(LongAttempt.TestCase))
TestLongAttempt.settings = settings(ORDINARY, max_examples=400, stateful_step_count=15)


def walk(name: str, seed: int, plies: int, check_every: int) -> int:
    """Engine and oracle side by side on one deal; how many positions were compared."""
    variant = all_variants()[name]
    cards = oracle.pysol_deck(32_000 + seed, variant.decks)
    position, state = dealt(variant, cards), oracle.deal(record_of(variant), cards)
    chance, compared = random.Random(f"{name} {seed}"), 0
    for ply in range(plies):
        if ply % check_every == 0:
            check_all(position, state)
            compared += 1
        moves = legal_moves(position)
        if not moves:
            break
        up = [move for move in moves if move.target[0] == "f"]
        move = chance.choice(up if up and chance.random() < 0.7 else moves)
        position, state = play(position, move), oracle.play(state, format_move(move))
    check_all(position, state)
    return compared


@pytest.mark.parametrize("name", NAMES)
def test_engine_and_oracle_agree_along_a_random_line(name: str) -> None:
    assert walk(name, 1, 40, 13) >= 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("last", ["AC AD", "AS", "2C KS", "KC KD"])
def test_engine_and_oracle_deal_alike_whatever_comes_last(name: str, last: str) -> None:
    variant = all_variants()[name]
    for seed in range(5):
        cards = oracle.pysol_deck(40_000 + seed, variant.decks)
        for card in last.split():
            cards.remove(card)
            cards.append(card)
        check_same(dealt(variant, cards), oracle.deal(record_of(variant), cards))


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("name", NAMES)
def test_engine_and_oracle_agree_along_many_random_lines(name: str) -> None:
    assert sum(walk(name, seed, 150, 5) for seed in range(2, 6)) >= 4


def renamed_card(card: Card, suits: tuple[int, ...]) -> Card:
    return Card(13 * suits[card // 13] + card % 13)


def renamed_pile(variant: Variant, name: str, suits: tuple[int, ...]) -> str:
    """Foundations that stand for suits change places with them."""
    if name[0] != "f":
        return name
    start = 0
    for group in variant.foundations:
        number = int(name[1:]) - start
        if number < group.count:
            return f"f{start + suits[number]}" if group.fixed_suits else name
        start += group.count
    raise AssertionError(name)


def renamed_position(position: Position, suits: tuple[int, ...]) -> Position:
    variant, tables = position.variant, position.variant.tables
    piles: list[tuple[Card, ...]] = [()] * len(position.piles)
    for name, pile in zip(tables.names, position.piles, strict=True):
        piles[tables.index[renamed_pile(variant, name, suits)]] = tuple(renamed_card(card, suits) for card in pile)
    return Position(variant, tuple(piles), position.down, position.passes, position.redeals, position.base)


def symmetries(variant: Variant) -> list[tuple[int, ...]]:
    """The renamings of suits that the game can't tell apart: where colours count, those that keep colours together."""
    record = record_of(variant)
    words = [record["tableau"]["match"], record["tableau"].get("lift_match")]
    words += [group["match"] for group in oracle.foundation_groups(record)]
    every = list(permutations(range(4)))
    if not {"alt", "color"} & set(words):
        return every
    return [suits for suits in every if suits[0] // 2 == suits[1] // 2]


@pytest.mark.parametrize("name", NAMES)
def test_renaming_suits_changes_nothing(name: str) -> None:
    variant = all_variants()[name]
    chance = random.Random(name)
    suits = chance.choice(symmetries(variant)[1:])
    cards = tuple(parse_card(text) for text in oracle.pysol_deck(chance.randrange(32_000, 10**20), variant.decks))
    position = deal_deck(variant, cards)
    twin = deal_deck(variant, tuple(renamed_card(card, suits) for card in cards))
    by_position = not all(group.fixed_suits for group in variant.foundations) and variant.layout.set_aside
    assert by_position or twin == renamed_position(position, suits)
    for _ in range(40):
        twin = renamed_position(position, suits)
        renamed = {
            move
            if move in (DRAW, REDEAL)
            else Move(renamed_pile(variant, move.source, suits), renamed_pile(variant, move.target, suits), move.count)
            for move in legal_moves(position)
        }
        assert set(legal_moves(twin)) == renamed
        assert is_blocked(twin) == is_blocked(position)
        if not renamed:
            break
        position = play(position, chance.choice(legal_moves(position)))


def test_every_option_and_raw_record_is_among_the_games_played() -> None:
    assert set(option_ids()) | set(raw_variants()) == set(NAMES)
    assert len(NAMES) > 80


def test_all_cards_round_trip() -> None:
    assert [parse_card(format_card(card)) for card in (*PACK, UNKNOWN)] == [*PACK, UNKNOWN]


@pytest.mark.parametrize("name", option_ids())
def test_deal_codes_of_every_variant_round_trip(name: str) -> None:
    for seed in ("ms:1", "ms:2147483647", "pysol:100000000000000000000", "r1:" + "a" * 26):
        text = f"{name}:{seed}"
        assert format_deal_code(parse_deal_code(text)) == text


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("seed", ["a" * 26, "7xk2mzq4h5c6b3a2lqwertyui4", "zzzzzzzzzzzzzzzzzzzzzzzzzy"])
def test_our_own_numbering_is_read_alike_from_its_description(seed: str, decks: int) -> None:
    assert [format_card(card) for card in deck("r1", seed, decks)] == oracle.r1_deck(seed, decks)
