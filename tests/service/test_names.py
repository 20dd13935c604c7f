import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.service.guests import ADJECTIVES, ANIMALS, guest_name
from server.service.lookalikes import look_alike_key
from server.service.names import FLAWS, NameFlaw, NameRefused, fold_name, parse_name


def flaw(text: str) -> NameFlaw:
    with pytest.raises(NameRefused) as refused:
        parse_name(text)
    return refused.value.flaw


@pytest.mark.parametrize(
    "text",
    ["not-me", "my-team", "Player-a", "Anna", "bo",
     "Jean-Luc", "mad_dog", "x2", "José", "Łukasz", "Øystein", "straße", "Đặng", "Нина", "Ёжик", "Ελένη",
     "Արամ", "ნინო", "דוד", "محمد", "नेहा", "สมชาย", "さくら", "カード", "田中さん", "王小明", "김민준", "abc12", "Ɛsi",
     "a" * 20, "क्षत्रिय"],
)  # fmt: skip
def test_names_of_one_script_can_be_claimed(text: str) -> None:
    assert parse_name(text).key


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", NameFlaw.TOO_SHORT),
        ("a", NameFlaw.TOO_SHORT),
        ("a" * 21, NameFlaw.TOO_LONG),
        ("a" * 100_000, NameFlaw.TOO_LONG),
        ("an na", NameFlaw.CHARACTERS),
        ("<b>anna", NameFlaw.CHARACTERS),
        ("anna&co", NameFlaw.CHARACTERS),
        ("anna!", NameFlaw.CHARACTERS),
        ("a/../b", NameFlaw.CHARACTERS),
        ("anna😀", NameFlaw.CHARACTERS),
        ("a\ud800b", NameFlaw.CHARACTERS),
        ("ﬁsh", NameFlaw.CHARACTERS),
        ("x٣", NameFlaw.DIRECTION),
        ("नेहा३", NameFlaw.CHARACTERS),
        ("an\u200bna", NameFlaw.INVISIBLE),
        ("an\u200dna", NameFlaw.INVISIBLE),
        ("\u202eanna", NameFlaw.INVISIBLE),
        ("anna\u2066", NameFlaw.INVISIBLE),
        ("an\u00adna", NameFlaw.INVISIBLE),
        ("annaㅤ", NameFlaw.INVISIBLE),
        ("anna\U000e0041", NameFlaw.INVISIBLE),
        ("anna\n", NameFlaw.INVISIBLE),
        ("аnna", NameFlaw.MIXED_SCRIPTS),
        ("Αnna", NameFlaw.MIXED_SCRIPTS),
        ("annaさ", NameFlaw.MIXED_SCRIPTS),
        ("김さく", NameFlaw.MIXED_SCRIPTS),
        ("ꮪꮯ", NameFlaw.SCRIPT),
        ("ⲁⲃ", NameFlaw.SCRIPT),
        ("ǀnna", NameFlaw.SCRIPT),
        ("ᴀnna", NameFlaw.SCRIPT),
        ("a\u0301\u0302\u0303nna", NameFlaw.MARKS),
        ("1\u0301nna", NameFlaw.MARKS),
        ("ก็็็็็", NameFlaw.MARKS),
        ("דוד1a", NameFlaw.DIRECTION),
        ("-anna", NameFlaw.SEPARATORS),
        ("anna_", NameFlaw.SEPARATORS),
        ("an--na", NameFlaw.SEPARATORS),
        ("12345", NameFlaw.NO_LETTER),
        ("admin", NameFlaw.RESERVED),
        ("ADMIN", NameFlaw.RESERVED),
        ("adm1n", NameFlaw.RESERVED),
        ("a-d-m-i-n", NameFlaw.RESERVED),
        ("admin42", NameFlaw.RESERVED),
        ("the-moderator", NameFlaw.RESERVED),
        ("RampartsTeam", NameFlaw.RESERVED),
        ("me", NameFlaw.RESERVED),
        ("воt", NameFlaw.MIXED_SCRIPTS),
        ("вот", NameFlaw.RESERVED),
    ],
)
def test_what_is_wrong_with_a_name_is_said(text: str, expected: NameFlaw) -> None:
    assert flaw(text) is expected
    assert FLAWS[expected] in str(NameRefused(expected))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "anna"),
        ("Anna", "ANNA"),
        ("jose", "José"),
        ("mad-dog", "maddog"),
        ("mad_dog", "Mad-Dog"),
        ("paul", "pau1"),
        ("paul", "PaUI"),
        ("bob", "b0b"),
        ("modern", "modem"),
        ("vvolf", "wolf"),
        ("hoover", "høøver"),
        ("lukasz", "Łukasz"),
        ("ıvan", "Ivan"),
        # Whole names of another script.
        ("cope", "соре"),
        ("pacxa", "расха"),
        ("bop", "ВОР"),
        ("TOM", "ТОМ"),
        ("vivo", "νινο"),
        ("kato", "κατο"),
        ("hnp", "հոք"),
        ("xoc", "хос"),
        ("ロカ", "口力"),
        ("ヘリ", "へり"),
        ("แม", "เเม"),
        ("علي", "على"),
    ],
)
def test_names_that_look_alike_have_one_key(one: str, other: str) -> None:
    assert look_alike_key(one) == look_alike_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("anna", "hanna"), ("bo", "boo"), ("нина", "анна"), ("わた", "たわ"), ("नेहा", "नहा"), ("x2", "x3"), ("王", "玉")],
)
def test_names_that_look_different_have_different_keys(one: str, other: str) -> None:
    assert look_alike_key(one) != look_alike_key(other)


def test_case_is_shown_in_latin_and_does_not_count() -> None:
    assert parse_name("McAnna").shown == "McAnna"
    assert parse_name("McAnna").folded == parse_name("mcanna").folded == "mcanna"
    assert parse_name("Нина").shown == "нина"


def test_full_width_letters_are_taken_as_plain_ones() -> None:
    assert parse_name("ａｎｎａ").shown == "anna"


def test_a_claimed_name_is_compared_without_case_and_without_todays_rules() -> None:
    assert fold_name("McAnna") == parse_name("MCANNA").folded
    assert fold_name("<Claimed under earlier rules>") == "<claimed under earlier rules>"


@given(st.text(max_size=24))
def test_any_text_is_a_name_or_refused_and_a_name_is_stable(text: str) -> None:
    try:
        name = parse_name(text)
    except NameRefused:
        return
    again = parse_name(name.shown)
    assert (again.shown, again.folded, again.key) == (name.shown, name.folded, name.key)
    assert fold_name(name.shown) == name.folded
    assert 2 <= len(name.shown) <= 20
    assert not any(unicodedata.category(letter) in ("Cf", "Cc", "Zs") for letter in name.shown)


@given(st.text(alphabet="abcilmnrow01-_IOÉéșøаорехсуιονρ", min_size=1, max_size=12))
def test_a_look_alike_key_is_its_own_key_and_knows_no_case(text: str) -> None:
    key = look_alike_key(text)
    assert look_alike_key(text.upper()) == key
    assert look_alike_key(key) == key.replace("m", "rn").replace("w", "vv")


def test_guests_get_friendly_names_of_two_words_and_a_number() -> None:
    chance = random.Random(7)
    names = {guest_name(chance) for _ in range(500)}
    assert len(names) > 480
    for name in names:
        adjective, animal, number = name.split()
        assert adjective in ADJECTIVES
        assert animal in ANIMALS
        assert 10 <= int(number) <= 999


def test_no_guest_name_can_be_claimed() -> None:
    assert flaw(guest_name(random.Random(1))) is NameFlaw.CHARACTERS


def test_the_word_lists_hold_each_word_once_and_are_big_enough() -> None:
    assert len(ADJECTIVES) == len(set(ADJECTIVES)) >= 100
    assert len(ANIMALS) == len(set(ANIMALS)) >= 120
    assert len(ADJECTIVES) * len(ANIMALS) * 990 > 10_000_000
