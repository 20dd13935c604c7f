"""The board that the Python searches play on: piles with running hashes, moves made and unmade.

The reference for kernel/board.h. Which moves are worth trying is in `generation`.
"""

import hashlib
from functools import cache
from typing import Final, NamedTuple

from solver.games import REDEAL_WORD, WASTE, Game, State

_MASK: Final = (1 << 128) - 1
_ODD: Final = 0x9E3779B97F4A7C15F39CC0605CEDC835


@cache
def _random_key(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest())


_CARD_KEYS: Final = tuple(_random_key(f"card {number}") for number in range(52))


def _chained(key: int, addend: int) -> int:
    key = (key ^ addend) * _ODD & _MASK
    return key ^ key >> 67


class Undo(NamedTuple):
    """What taking back a move needs besides the move."""

    move: int
    flipped: bool
    waste: int
    passes: int
    talon_card: int
    kept: tuple[tuple[int, ...], ...] | None
    """The tableau before a redeal."""


class Board:
    """A state that is changed in place. `key` is the same for positions that differ only in what has no meaning."""

    def __init__(self, game: Game, state: State, code: tuple[int, ...]) -> None:
        self.game = game
        self._keys = tuple(_CARD_KEYS[code[card]] for card in range(52))
        self._foundation_keys = tuple(_CARD_KEYS[game.foundation_code[card]] for card in range(52))
        self._salts = tuple(_random_key(f"pile {salt}") for salt in game.salts)
        self.load(state)

    def load(self, state: State) -> None:
        """Sets the board to a state."""
        game = self.game
        self.piles = [list(pile) for pile in state.piles]
        self.down = list(state.down)
        self.talon = list(enumerate(state.talon))
        """(which of the talon's first cards, the card)."""
        self.waste, self.passes, self.redeals = state.waste, state.passes, state.redeals
        self.started = sum(map(len, self.piles[game.tableau : game.foundation_end]))
        self.base = state.base
        self.left = game.cards - self.started
        self._sum = 0
        self._hashes: list[list[int]] = []
        for number, pile in enumerate(self.piles):
            hashes = [self._salts[number]]
            for card in pile:
                hashes.append(_chained(hashes[-1], self._key_of(number, card)))
            self._hashes.append(hashes)
            self._sum += self._worth(number)

    def save(self) -> State:
        """The board as a state; a talon is numbered anew, so that keys of such states compare only among each other."""
        piles = tuple(map(tuple, self.piles))
        talon = tuple(card for _, card in self.talon)
        return State(self.base, self.redeals, piles, tuple(self.down), talon, self.waste, self.passes)

    @property
    def key(self) -> int:
        """128 bits; what has no order is summed."""
        game, total = self.game, self._sum
        if game.turn:
            total += sum(_random_key(f"talon {number}") for number, _ in self.talon)
            if game.turn > 1 or game.passes >= 0:
                total += _random_key(f"place {self.waste} {self.passes if game.passes >= 0 else 0}")
        if game.redeals > 0:
            total += _random_key(f"redeals {self.redeals}")
        return total & _MASK

    def _is_foundation(self, pile: int) -> bool:
        return self.game.tableau <= pile < self.game.foundation_end

    def _key_of(self, pile: int, card: int) -> int:
        return self._foundation_keys[card] if self._is_foundation(pile) else self._keys[card]

    def _worth(self, pile: int) -> int:
        hashes = self._hashes[pile]
        if len(hashes) == 1:
            return 0
        down = self.down[pile]
        return _chained(hashes[-1], _random_key(f"down {down}")) if down else hashes[-1]

    def _push(self, pile: int, card: int) -> None:
        self.piles[pile].append(card)
        hashes = self._hashes[pile]
        hashes.append(_chained(hashes[-1], self._key_of(pile, card)))

    def _pop(self, pile: int, count: int) -> list[int]:
        cards = self.piles[pile][-count:]
        del self.piles[pile][-count:]
        del self._hashes[pile][-count:]
        return cards

    def _rise(self, card: int) -> None:
        game = self.game
        if game.chosen == 1 and not self.started and not game.fixed_base:
            self.base = card % 13 + 1
        self.started += 1
        self.left -= 1

    def _sink(self) -> None:
        game = self.game
        self.started -= 1
        self.left += 1
        if game.chosen == 1 and not self.started and not game.fixed_base:
            self.base = 0

    def draw_once(self, waste: int, passes: int) -> tuple[int, int] | None:
        """Cards in the waste and passes after one action on the talon; None if there is none."""
        game, cards = self.game, len(self.talon)
        if waste < cards:
            return min(waste + game.turn, cards), passes
        if not cards or (game.passes >= 0 and passes + 1 >= game.passes):
            return None
        return 0, passes + 1

    def key_after(self, move: int) -> int | None:
        """The key after a move of one card between piles that turns nothing up; None for any other move."""
        source, target = move & 255, move >> 8 & 255
        if source >= WASTE or move >> 16 & 255 != 1 or self.down[source]:
            return None
        old = self._hashes[source]
        under = old[-2] if len(old) > 2 else 0
        onto = self._hashes[target]
        new = _chained(onto[-1], self._key_of(target, self.piles[source][-1]))
        down = self.down[target]
        if down:
            new = _chained(new, _random_key(f"down {down}"))
        return (self.key - old[-1] + under - self._worth(target) + new) & _MASK

    def make(self, move: int) -> Undo:
        """Plays a move that `generation` gave."""
        if move & 0xFFFF == REDEAL_WORD:
            return self._redeal(move)
        source, target, count = move & 255, move >> 8 & 255, move >> 16 & 255
        waste, passes, flipped, talon_card = self.waste, self.passes, False, 0
        if source == WASTE:
            for _ in range(move >> 24):
                self.waste, self.passes = self.draw_once(self.waste, self.passes) or (self.waste, self.passes)
            self.waste -= 1
            talon_card, card = self.talon.pop(self.waste)
            self._sum -= self._worth(target)
            self._push(target, card)
            self._sum += self._worth(target)
        else:
            self._sum -= self._worth(source) + self._worth(target)
            for card in self._pop(source, count):
                self._push(target, card)
            if self.down[source] and self.down[source] == len(self.piles[source]):
                self.down[source] -= 1
                flipped = True
            self._sum += self._worth(source) + self._worth(target)
            if self._is_foundation(source):
                self._sink()
        if self._is_foundation(target):
            self._rise(self.piles[target][-1])
        return Undo(move, flipped, waste, passes, talon_card, None)

    def unmake(self, undo: Undo) -> None:
        """Takes back the last move."""
        if undo.kept is not None:
            self._lay_out(undo.kept)
            self.redeals -= 1
            return
        source, target, count = undo.move & 255, undo.move >> 8 & 255, undo.move >> 16 & 255
        if self._is_foundation(target):
            self._sink()
        if source == WASTE:
            self._sum -= self._worth(target)
            card = self._pop(target, 1)[0]
            self._sum += self._worth(target)
            self.talon.insert(self.waste, (undo.talon_card, card))
            self.waste, self.passes = undo.waste, undo.passes
            return
        self._sum -= self._worth(source) + self._worth(target)
        self.down[source] += undo.flipped
        for card in self._pop(target, count):
            self._push(source, card)
        self._sum += self._worth(source) + self._worth(target)
        if self._is_foundation(source):
            self._rise(self.piles[source][-1])

    def _redeal(self, move: int) -> Undo:
        game = self.game
        kept = tuple(map(tuple, self.piles[: game.tableau]))
        order = [card for pile in kept for card in (pile[::-1] if game.top_first else pile)]
        extra = max(0, len(order) - game.packet * game.tableau)
        packets, start = [], 0
        for number in range(game.tableau):
            size = game.packet + extra // game.tableau + (number < extra % game.tableau)
            packet = tuple(order[start : start + size])
            packets.append(packet[::-1] if game.top_first else packet)
            start += size
        self._lay_out(tuple(packets))
        self.redeals += 1
        return Undo(move, flipped=False, waste=0, passes=0, talon_card=0, kept=kept)

    def _lay_out(self, tableau: tuple[tuple[int, ...], ...]) -> None:
        for number, pile in enumerate(tableau):
            self._sum -= self._worth(number)
            self.piles[number].clear()
            del self._hashes[number][1:]
            for card in pile:
                self._push(number, card)
            self._sum += self._worth(number)
