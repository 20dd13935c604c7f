"""Which names can be claimed, and what is wrong with the others. Who holds which name is not here but in `players`."""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from precis_i18n import get_profile

from server.service.lookalikes import look_alike_key

LENGTH_MIN, LENGTH_MAX = 2, 20
_SEPARATORS = "-_"
_LOOK_EMPTY = "ㅤᅟᅠﾠ឴឵⠀͏"
"""Letters and signs to which no ink belongs."""
_MAPPED = get_profile("UsernameCaseMapped")
_PRESERVED = get_profile("UsernameCasePreserved")

# Recommended for identifiers by UAX #31, table 5; the East Asian ones that are written together count as one.
_ALONE = (
    "LATIN GREEK CYRILLIC ARMENIAN GEORGIAN HEBREW ARABIC DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL TELUGU "
    "KANNADA MALAYALAM SINHALA THAI LAO MYANMAR ETHIOPIC KHMER HANGUL"
)
_SCRIPTS = {script: script for script in _ALONE.split()} | {
    "CJK": "HAN",
    "IDEOGRAPHIC": "HAN",
    "HIRAGANA": "KANA",
    "KATAKANA": "KANA",
    "KATAKANA-HIRAGANA": "KANA",
}
_TOGETHER = ({"HAN", "KANA"}, {"HAN", "HANGUL"})
# How many marks may follow one letter after composition: where accents are composed one is generous already.
_MARKS_MAX = {"LATIN": 1, "GREEK": 1, "CYRILLIC": 1, "KANA": 0, "HAN": 0, "HANGUL": 0}
_MARKS_MAX_ELSEWHERE = 2
_MARK_CATEGORIES = ("Mn", "Mc", "Me")

# Names of offices: not even as one part of a name. The other reserved words stand for nobody in particular.
_OFFICES = (
    "admin administrator mod moderator official operator owner ramparts referee root staff superuser support sysadmin "
    "sysop system webmaster"
)
_RESERVED = (
    "anon anonymous api banned bot bots claimed daily deleted everybody everyone guest help host me nobody none null "
    "player players recover security server settings team undefined unknown you"
)


class NameFlaw(StrEnum):
    """What is wrong with a name; `FLAWS` says it in words."""

    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    INVISIBLE = "invisible"
    CHARACTERS = "characters"
    SCRIPT = "script"
    MIXED_SCRIPTS = "mixed_scripts"
    MARKS = "marks"
    DIRECTION = "direction"
    SEPARATORS = "separators"
    NO_LETTER = "no_letter"
    RESERVED = "reserved"


FLAWS: dict[NameFlaw, str] = {
    NameFlaw.TOO_SHORT: f"A name has at least {LENGTH_MIN} characters.",
    NameFlaw.TOO_LONG: f"A name has at most {LENGTH_MAX} characters.",
    NameFlaw.INVISIBLE: "There is an invisible character in it.",
    NameFlaw.CHARACTERS: "Only letters, the digits 0 to 9, - and _ can be used.",
    NameFlaw.SCRIPT: "There is a letter in it of a script or style that can't be used in names.",
    NameFlaw.MIXED_SCRIPTS: "Its letters are of different scripts.",
    NameFlaw.MARKS: "Too many accents are stacked on one letter.",
    NameFlaw.DIRECTION: "A name written from right to left can't begin or end with another direction.",
    NameFlaw.SEPARATORS: "A name can't begin or end with - or _, nor have two of them in a row.",
    NameFlaw.NO_LETTER: "A name needs at least one letter.",
    NameFlaw.RESERVED: "This name is reserved.",
}


class NameRefused(ValueError):  # noqa: N818 - a claim about the name
    """A name that nobody can claim; `flaw` says why."""

    def __init__(self, flaw: NameFlaw) -> None:
        super().__init__(flaw)
        self.flaw = flaw

    def __str__(self) -> str:
        """What is wrong, in words."""
        return FLAWS[self.flaw]


@dataclass(frozen=True, slots=True)
class Name:
    """A name that may be claimed: as shown, without case (as in addresses), and its look-alike key."""

    shown: str
    folded: str
    key: str


def fold_name(shown: str) -> str:
    """A claimed name without case. Today's rules are not asked: what was claimed under earlier ones still holds."""
    return unicodedata.normalize("NFC", shown.lower())


def parse_name(text: str) -> Name:
    """The name that a player asks for; raises `NameRefused`.

    Case is kept for showing in Latin only: elsewhere capitals look like letters of other scripts.
    """
    text = unicodedata.normalize("NFC", text)
    if len(text) > LENGTH_MAX:
        raise NameRefused(NameFlaw.TOO_LONG)
    shown, folded = _enforce(text)
    _check_length(folded)
    script = _check_letters(folded)
    _check_separators(folded)
    key = look_alike_key(folded)
    if _is_reserved(folded, key):
        raise NameRefused(NameFlaw.RESERVED)
    return Name(shown if script == "LATIN" else folded, folded, key)


def is_blank(text: str) -> bool:
    """Is nothing to be seen of this text?"""
    return all(letter in _LOOK_EMPTY or unicodedata.category(letter)[0] not in "LNPS" for letter in text)


def _enforce(text: str) -> tuple[str, str]:
    for letter in text:
        if unicodedata.category(letter) in ("Cf", "Zl", "Zp", "Cc") or letter in _LOOK_EMPTY:
            raise NameRefused(NameFlaw.INVISIBLE)
    try:
        return _PRESERVED.enforce(text), _MAPPED.enforce(text)
    except UnicodeEncodeError as error:
        if error.reason.endswith("/empty"):
            raise NameRefused(NameFlaw.TOO_SHORT) from None
        if error.reason.endswith("/bidi_rule"):
            raise NameRefused(NameFlaw.DIRECTION) from None
        raise NameRefused(NameFlaw.CHARACTERS) from None


def _check_length(name: str) -> None:
    if len(name) < LENGTH_MIN:
        raise NameRefused(NameFlaw.TOO_SHORT)
    if len(name) > LENGTH_MAX:
        raise NameRefused(NameFlaw.TOO_LONG)


def _check_letters(name: str) -> str:
    """The script of the name's letters; raises `NameRefused` for characters, scripts and marks."""
    scripts: set[str] = set()
    marks = marks_max = 0
    for letter in name:
        if letter in _SEPARATORS or (letter.isascii() and letter.isdigit()):
            marks = marks_max = 0
            continue
        category = unicodedata.category(letter)
        if category in _MARK_CATEGORIES:
            marks += 1
            if marks > marks_max:
                raise NameRefused(NameFlaw.MARKS)
            continue
        if not category.startswith("L"):
            raise NameRefused(NameFlaw.CHARACTERS)
        script = _script(letter)
        scripts.add(script)
        marks, marks_max = 0, _MARKS_MAX.get(script, _MARKS_MAX_ELSEWHERE)
    if not scripts:
        raise NameRefused(NameFlaw.NO_LETTER)
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        raise NameRefused(NameFlaw.MIXED_SCRIPTS)
    return scripts.pop()


def _script(letter: str) -> str:
    script = _SCRIPTS.get(unicodedata.name(letter, "").partition(" ")[0])
    point = ord(letter)
    if script is None:
        raise NameRefused(NameFlaw.SCRIPT)
    if script == "LATIN" and not (point < 0x1C0 or 0x1C4 <= point < 0x250 or 0x1E00 <= point < 0x1F00):
        # Phonetic letters and the like; those of African alphabets are let in.
        if letter not in "ɓɔɖɗəɛɣɨɩɲʃʊʋʒ":
            raise NameRefused(NameFlaw.SCRIPT)
    elif script == "CYRILLIC" and not 0x400 <= point < 0x530:
        raise NameRefused(NameFlaw.SCRIPT)
    return script


def _check_separators(name: str) -> None:
    pairs = pairwise(name)
    if name[0] in _SEPARATORS or name[-1] in _SEPARATORS:
        raise NameRefused(NameFlaw.SEPARATORS)
    if any(a in _SEPARATORS and b in _SEPARATORS for a, b in pairs):
        raise NameRefused(NameFlaw.SEPARATORS)


_OFFICE_KEYS = frozenset(look_alike_key(word) for word in _OFFICES.split())
_RESERVED_KEYS = _OFFICE_KEYS | {look_alike_key(word) for word in _RESERVED.split()}
_OURS = look_alike_key("ramparts")


def _is_reserved(folded: str, key: str) -> bool:
    parts = folded.replace("_", "-").split("-")
    without_digits = look_alike_key(folded.rstrip("0123456789-_"))
    return (
        key in _RESERVED_KEYS
        or without_digits in _RESERVED_KEYS
        or any(look_alike_key(part) in _OFFICE_KEYS for part in parts)
        or _OURS in key
    )
