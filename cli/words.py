"""What went wrong, for people: an error's own text, the words behind its code, and what to do about it."""

import difflib
from collections.abc import Iterable

from rules.errors import IllegalMove, MalformedText, RecordRefused, UnknownVariant
from rules.record import FAULTS, Fault
from rules.refusals import PROSE, Refusal

FORMS = {
    "deal code": "such as beleaguered-castle:ms:1",
    "move": "moves read t3-f0, t3-t5*4 for a run of four, draw, redeal",
}


def explained(error: Exception) -> str:
    """One line: the error with its code, then the code in words or a hint."""
    if isinstance(error, IllegalMove):
        return f"{error}. {_refusal(error.refusal)}"
    if isinstance(error, RecordRefused):
        return f"{error}. {FAULTS[Fault(error.why)]} {_refusal(error.detail)}".rstrip()
    if isinstance(error, UnknownVariant):
        return f"{error}{nearest(error.variant, _variants())}; `ramparts variants` lists them"
    if isinstance(error, MalformedText) and error.what in FORMS:
        return f"{error}; {FORMS[error.what]}"
    return str(error)


def nearest(asked: str, known: Iterable[str]) -> str:
    """`; did you mean …?` where something known is near, else nothing."""
    near = difflib.get_close_matches(asked, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _refusal(code: str) -> str:
    return PROSE[Refusal(code)] if code in set(Refusal) else ""


def _variants() -> list[str]:
    from rules.variants import variants

    return [variant.id for variant in variants()]
