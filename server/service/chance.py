"""Where ids, link codes and nonces come from."""

import secrets

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
