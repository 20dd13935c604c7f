"""Where ids, link codes, nonces and fresh deals come from. Tests hand in their own."""

import secrets
from typing import Protocol

from rules.deals import DealCode, r1_seed
from rules.variants import Variant

_CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"


def random_code(length: int) -> str:
    """Random letters and digits of Crockford's base 32 in lower case: 5 bits a character."""
    return "".join(secrets.choice(_CROCKFORD) for _ in range(length))


def new_race_id() -> str:
    """A race's public id: 60 bits. Public only: it opens nothing."""
    return random_code(12)


def new_link_code() -> str:
    """The secret code of a race's link: 60 bits, unrelated to the id."""
    return random_code(12)


def new_nonce() -> str:
    """128 random bits in hex, for a race's commitment."""
    return secrets.token_hex(16)


class DealSource(Protocol):
    """Where secret deals come from, each handed out once."""

    async def take(self, variant: Variant) -> DealCode:
        """A deal that nobody knows and that is never handed out again."""
        ...


class FreshDeals:
    """Fresh, uncertified deals of generator `r1`: 128 random bits each."""

    async def take(self, variant: Variant) -> DealCode:
        """A fresh deal of the variant."""
        return DealCode(variant.id, "r1", r1_seed(secrets.token_bytes(16)))
