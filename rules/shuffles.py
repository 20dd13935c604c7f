"""The numberings: how a seed text becomes the order in which cards are dealt. `docs/deals.md` states each exactly."""

import hashlib
import re
from base64 import b32encode
from collections.abc import Callable, Iterator
from itertools import count
from typing import Final

from rules.cards import PACK, Card, parse_card
from rules.errors import SeedOutOfRange, UnknownGenerator

MS_LAST: Final = 2**31 - 1
PYSOL_LAST: Final = 10**20
_PYSOL_AS_MS_LAST: Final = 31_999

_NUMBER: Final = re.compile(r"[1-9][0-9]{0,20}")
_CARDS_SEED: Final = re.compile(r"([A2-9TJQK][CSHD]){52,208}")
_R1_SEED: Final = re.compile(r"[a-z2-7]{25}[aeimquy4]")
_WORDS: Final = 2**32


def deck(generator: str, seed: str, decks: int) -> tuple[Card, ...]:
    """The shuffled cards, the one dealt first first. Raises UnknownGenerator, SeedOutOfRange."""
    check_seed(generator, seed, decks)
    return _SHUFFLES[generator](seed, decks)


def check_seed(generator: str, seed: str, decks: int = 1) -> None:
    """Raises UnknownGenerator, SeedOutOfRange; seeds have exactly one text each."""
    if generator == "cards":
        if not _CARDS_SEED.fullmatch(seed) or sorted(_cards(seed, decks)) != sorted(PACK * decks):
            raise SeedOutOfRange("cards", seed, f"{52 * decks} cards without spaces, the first dealt first")
        return
    if generator == "r1":
        if not _R1_SEED.fullmatch(seed):
            raise SeedOutOfRange("r1", seed, "26 letters of RFC 4648 base32 in lower case, 128 bits, no padding")
        return
    last = {"ms": MS_LAST, "pysol": PYSOL_LAST}.get(generator)
    if last is None:
        raise UnknownGenerator(generator, GENERATORS)
    if not _NUMBER.fullmatch(seed) or int(seed) > last:
        raise SeedOutOfRange(generator, seed, f"whole numbers from 1 to {last} without leading zeros")


def r1_seed(entropy: bytes) -> str:
    """The seed text of 16 random bytes."""
    if len(entropy) != 16:
        raise ValueError("an r1 seed is made of 16 bytes")
    return b32encode(entropy).decode("ascii").rstrip("=").lower()


def seed_key(generator: str, seed: str) -> str:
    """Equal for seeds that shuffle alike: `pysol` up to 31999 is `ms`."""
    if generator == "pysol" and int(seed) <= _PYSOL_AS_MS_LAST:
        return f"ms:{seed}"
    return f"{generator}:{seed}"


def _swap_down(cards: list[Card], draw: Callable[[int], int]) -> None:
    """Fisher–Yates from the end; `draw(n)` gives a number below n."""
    for last in range(len(cards) - 1, 0, -1):
        other = draw(last + 1)
        cards[last], cards[other] = cards[other], cards[last]


def _ms(seed: str, decks: int) -> tuple[Card, ...]:
    if decks == 1:
        cards = [Card(13 * suit + rank) for rank in range(13) for suit in (0, 3, 2, 1)]
    else:
        cards = [Card(13 * suit + rank) for _ in range(decks) for suit in (0, 1, 2, 3) for rank in range(13)]
    state = int(seed)

    def draw(bound: int) -> int:
        nonlocal state
        state = (state * 214013 + 2531011) % 2**31
        return (state >> 16) % bound

    _swap_down(cards, draw)
    return tuple(reversed(cards))


def _pysol(seed: str, decks: int) -> tuple[Card, ...]:
    if int(seed) <= _PYSOL_AS_MS_LAST:
        return _ms(seed, decks)
    cards = list(PACK) * decks
    fractions = _mersenne_fractions(int(seed))
    _swap_down(cards, lambda bound: int(next(fractions) * bound))
    return tuple(reversed(cards))


def _r1(seed: str, decks: int) -> tuple[Card, ...]:
    cards = list(PACK) * decks
    words = _hash_words(seed)

    def draw(bound: int) -> int:
        limit = _WORDS - _WORDS % bound
        return next(word for word in words if word < limit) % bound

    _swap_down(cards, draw)
    return tuple(cards)


def _cards(seed: str, _: int) -> tuple[Card, ...]:
    """An order that someone chose, written out: for studies, imports and tests."""
    return tuple(parse_card(seed[start : start + 2]) for start in range(0, len(seed), 2))


def _hash_words(seed: str) -> Iterator[int]:
    """32-bit words, big-endian, of SHA-256 over `ramparts r1`, the seed and a counter, each on its line."""
    for counter in count():
        block = hashlib.sha256(f"ramparts r1\n{seed}\n{counter}".encode("ascii")).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")


def _mersenne_fractions(seed: int) -> Iterator[float]:
    """MT19937 seeded by array, 53-bit fractions (Matsumoto and Nishimura 2002, `init_by_array`, `genrand_res53`)."""
    words = _mersenne_words(seed)
    while True:
        high, low = next(words) >> 5, next(words) >> 6
        yield (high * 67108864 + low) / 9007199254740992


def _mersenne_words(seed: int) -> Iterator[int]:
    state = _mersenne_start(seed)
    while True:
        for i in range(624):
            mixed = state[i] & 0x80000000 | state[(i + 1) % 624] & 0x7FFFFFFF
            state[i] = state[(i + 397) % 624] ^ mixed >> 1 ^ (0x9908B0DF if mixed & 1 else 0)
        for word in state:
            tempered = word ^ word >> 11
            tempered ^= tempered << 7 & 0x9D2C5680
            tempered ^= tempered << 15 & 0xEFC60000
            yield tempered ^ tempered >> 18


def _mersenne_start(seed: int) -> list[int]:
    key = [seed >> shift & 0xFFFFFFFF for shift in range(0, max(seed.bit_length(), 1), 32)]
    state = [19650218]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) & 0xFFFFFFFF)
    i, j = 1, 0
    for _ in range(max(624, len(key))):
        state[i] = ((state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1664525) + key[j] + j) & 0xFFFFFFFF
        i, j = i + 1, (j + 1) % len(key)
        if i == 624:
            state[0], i = state[623], 1
    for _ in range(623):
        state[i] = ((state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1566083941) - i) & 0xFFFFFFFF
        i += 1
        if i == 624:
            state[0], i = state[623], 1
    state[0] = 0x80000000
    return state


_SHUFFLES: Final = {"ms": _ms, "pysol": _pysol, "r1": _r1, "cards": _cards}
GENERATORS: Final = tuple(_SHUFFLES)
