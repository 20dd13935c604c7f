"""Tokens and recovery codes: made here, told once, and kept only as hashes."""

import hashlib
import hmac
import secrets

TOKEN_BYTES = 24
"""192 random bits: nothing that could be guessed, so a plain hash is enough to keep it by."""
_CODE_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_CODE_GROUPS, _CODE_GROUP = 5, 5
_READ_AS = str.maketrans({"o": "0", "i": "1", "l": "1", "-": None, " ": None})


def new_token() -> str:
    """A player's token, safe in addresses and headers."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    """SHA-256 of a token in hex: what is stored."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def new_recovery_code() -> str:
    """A recovery code that can be written on paper: `7k2pm-…`, 125 random bits."""
    letters = [secrets.choice(_CODE_LETTERS) for _ in range(_CODE_GROUPS * _CODE_GROUP)]
    return "-".join("".join(letters[at : at + _CODE_GROUP]) for at in range(0, len(letters), _CODE_GROUP))


def hash_recovery_code(code: str) -> str:
    """SHA-256 of a recovery code as it may be typed: case, hyphens, spaces and look-alike letters don't count."""
    return hash_token("recovery " + code.lower().translate(_READ_AS))


def is_recovery_code(code: str, kept: str | None) -> bool:
    """Is this the code whose hash was kept?"""
    return hmac.compare_digest(hash_recovery_code(code), kept or "")


def salted_hash(salt: bytes, kind: str, text: str) -> str:
    """What is kept of a device or address: it can't be told from this without the salt."""
    return hmac.new(salt, f"{kind} {text}".encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:32]
