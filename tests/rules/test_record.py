"""Attempts written out: the text, and what `verify` refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import format_cards
from rules.collect import safe_collect
from rules.deals import DealCode, deal, parse_deal_code
from rules.errors import RecordRefused
from rules.history import Act, Entry, History, parse_entry
from rules.moves import Move, format_move, legal_moves, parse_move
from rules.record import (
    FIRST_ENTRY_LINE,
    End,
    EndKind,
    Fault,
    Record,
    digest_of,
    format_record,
    parse_record,
    verify,
    write_record,
)
from rules.shuffles import deck
from tests.rules import facts
from tests.rules.bridge import BASE_IDS

LINES = facts.load("winning-lines.json")
LIMIT_MS = 1_800_000


def written_deal(game: str) -> DealCode:
    return parse_deal_code(f"{game}:cards:{LINES[game]['deck'].replace(' ', '')}")


def written(
    entries: list[Entry],
    deal_code: DealCode | None = None,
    *,
    iron: bool = False,
    player: str = "brave-otter",
    kind: str = "daily",
) -> Record:
    return write_record(
        deal_code or written_deal("citadel"),
        race="daily.2026-11-29.citadel",
        player=player,
        kind=kind,
        iron=iron,
        limit_ms=LIMIT_MS,
        started_ms=1_795_910_400_000,
        entries=entries,
    )


def won(game: str) -> list[Entry]:
    return [
        Entry(700 * number, 1, number, parse_move(text)) for number, text in enumerate(LINES[game]["line"].split(), 1)
    ]


def lively() -> list[Entry]:
    """Undo, redo, restart, a collect, a takeover and a resignation, all in one attempt."""
    texts = (
        "900 1.1 t2-t5|1800 1.2 undo|2000 1.3 redo|2600 1.5 t3-t4|3000 1.6 restart|3100 1.7 undo"
        "|4000 2.1 undo|4400 2.2 undo|9000 2.3 t2-t5|9500 2.4 resign"
    )
    return [parse_entry(text) for text in texts.split("|")]


def collecting() -> list[Entry]:
    """The won line of a game, each run of safe moves as one collect."""
    game, entries, number = "freecell", [], 0
    moves = [parse_move(text) for text in LINES[game]["line"].split()]
    history = History.begin(deal(written_deal(game)), iron=False)
    while moves:
        number += 1
        group = safe_collect(history.position) or (moves[0],)
        if not all(move in moves for move in group):
            group = (moves[0],)
        for move in group:
            moves.remove(move)
            entry = Entry(1000 * number, 1, number, move)
            assert history.refusal(move) is None
            history = history.advance(entry)
            entries.append(entry)
    return entries


def refused(record: Record) -> tuple[str, int, str]:
    with pytest.raises(RecordRefused) as caught:
        verify(record)
    return caught.value.why, caught.value.line, caught.value.detail


def with_entries(record: Record, entries: list[Entry]) -> Record:
    """The record with other entries and a digest that fits them, as a forger would write it."""
    forged = replace(record, entries=tuple(entries))
    return replace(forged, digest=digest_of(forged))


@pytest.mark.parametrize("game", BASE_IDS)
def test_a_won_attempt_of_every_variant_is_written_read_and_verified(game: str) -> None:
    record = written(won(game), written_deal(game), iron=True)
    assert parse_record(format_record(record)) == record
    assert verify(record).finished_ms == record.end.at_ms == 700 * len(record.entries)
    assert (record.end.kind, record.result.cards) == (EndKind.FINISHED, record.result.cards)
    assert record.result.cards == len(LINES[game]["deck"].split())


def test_the_text_is_what_the_format_says() -> None:
    record = written(lively())
    assert format_record(record).splitlines()[2:] == [
        "race: daily.2026-11-29.citadel",
        "player: brave-otter",
        "kind: daily",
        "iron: no",
        "limit: 1800000",
        "started: 1795910400000",
        "900 1.1 t2-t5",
        "1800 1.2 undo",
        "2000 1.3 redo",
        "2600 1.5 t3-t4",
        "3000 1.6 restart",
        "3100 1.7 undo",
        "4000 2.1 undo",
        "4400 2.2 undo",
        "9000 2.3 t2-t5",
        "9500 2.4 resign",
        "end: resigned 9500",
        f"result: cards {record.result.cards} at 0 moves 3 undos 4 redos 1 restarts 1",
        f"digest: {record.digest}",
    ]


def test_undos_redos_restarts_and_takeovers_verify() -> None:
    record = written(lively())
    assert parse_record(format_record(record)) == record
    assert verify(record).resigned_ms == 9500


def test_a_collect_is_one_group_and_verifies() -> None:
    record = written(collecting(), written_deal("freecell"))
    ids = [entry.id for entry in record.entries]
    assert len(set(ids)) < len(ids)
    assert verify(parse_record(format_record(record))).finished_ms is not None


def test_an_attempt_that_was_never_played_expires_at_its_limit() -> None:
    record = written([])
    assert record.end == End(EndKind.EXPIRED, LIMIT_MS)
    assert verify(parse_record(format_record(record))).moves == 0


def test_windows_line_ends_and_a_missing_last_one_are_taken() -> None:
    record = written(lively())
    text = format_record(record)
    assert parse_record(text.replace("\n", "\r\n")) == parse_record(text.rstrip("\n")) == record


@pytest.mark.parametrize(
    ("player", "line"), [("", 4), (" otter", 4), ("otter ", 4), ("ot\tter", 4), ("otter\nrace: x", 5)]
)
def test_a_name_that_is_not_one_line_of_print_is_refused(player: str, line: int) -> None:
    text = format_record(written([], player=player))
    with pytest.raises(RecordRefused) as caught:
        parse_record(text)
    assert (caught.value.why, caught.value.line) == (Fault.MALFORMED, line)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda e: [e[0], replace(e[1], what=parse_move("t7-t6")), *e[2:]], (Fault.ILLEGAL, 1, "rank")),
        (lambda e: [replace(e[0], what=Act.UNDO), *e[1:]], (Fault.ILLEGAL, 0, "nothing_to_undo")),
        (lambda e: [*e, e[-1]], (Fault.ILLEGAL, 62, "ended")),
        (lambda e: [*e, replace(e[-1], id=63)], (Fault.ILLEGAL, 62, "ended")),
        (lambda e: [e[0], replace(e[1], at_ms=699), *e[2:]], (Fault.TIME_BACKWARDS, 1, "")),
        (lambda e: [*e[:-1], replace(e[-1], at_ms=LIMIT_MS + 1)], (Fault.TOO_LATE, 61, "")),
        (lambda e: [replace(e[0], epoch=2), *e[1:]], (Fault.EPOCH_BACKWARDS, 1, "")),
        (lambda e: [replace(e[0], id=9), *e[1:]], (Fault.ID_BACKWARDS, 1, "")),
        (lambda e: [replace(e[0], id=2), *e[1:]], (Fault.BAD_GROUP, 1, "")),
        (lambda e: e[:-1], (Fault.WRONG_END, 61, "")),
        (lambda e: [*e[:-1], replace(e[-1], at_ms=e[-1].at_ms + 1)], (Fault.WRONG_END, 62, "")),
    ],
)
def test_a_forged_entry_is_refused_where_it_stands(change: object, expected: tuple[str, int, str]) -> None:
    assert callable(change)
    record = written(won("citadel"))
    fault, entry, detail = expected
    assert refused(with_entries(record, change(list(record.entries)))) == (fault, FIRST_ENTRY_LINE + entry, detail)


def hinted(code: str = "citadel:ms:3") -> Record:
    """A practice of two hints and a move, then resigned."""
    first = legal_moves(deal(parse_deal_code(code)))[0]
    texts = ["100 1.1 hint", f"900 1.2 {format_move(first)}", "950 1.3 hint", "9500 1.4 resign"]
    return written([parse_entry(text) for text in texts], parse_deal_code(code), kind="practice")


def test_the_hints_of_a_practice_stand_in_its_record_and_in_its_result() -> None:
    text = format_record(hinted())
    assert "\n100 1.1 hint\n" in text
    assert " moves 1 undos 0 redos 0 restarts 0 hints 2\n" in text
    assert verify(parse_record(text)).hints == 2


def test_a_record_without_hints_does_not_speak_of_them() -> None:
    assert "hint" not in format_record(written(won("citadel"), kind="practice"))


@pytest.mark.parametrize("kind", ["daily", "quick", "private", "tournament"])
def test_a_hint_in_the_record_of_a_race_is_refused(kind: str) -> None:
    assert refused(replace(hinted(), kind=kind)) == (
        Fault.ILLEGAL,
        FIRST_ENTRY_LINE,
        "no_hints",
    )


def test_a_hint_on_a_layout_that_was_written_out_is_refused() -> None:
    written_out = parse_deal_code(f"citadel:cards:{format_cards(deck('ms', '3', 1)).replace(' ', '')}")
    assert refused(replace(hinted(), deal=written_out))[::2] == (Fault.ILLEGAL, "no_hints")


def test_hints_that_the_result_leaves_out_are_missed() -> None:
    text = format_record(hinted())
    assert refused(parse_record(text.replace(" hints 2", "")))[0] == Fault.WRONG_RESULT


def test_two_lines_of_one_command_at_two_times_are_refused() -> None:
    record = written(collecting(), written_deal("freecell"))
    ids = [entry.id for entry in record.entries]
    second = next(i for i in range(1, len(ids)) if ids[i] == ids[i - 1])
    entries = list(record.entries)
    entries[second] = replace(entries[second], at_ms=entries[second].at_ms + 1)
    assert refused(with_entries(record, entries)) == (Fault.BAD_GROUP, FIRST_ENTRY_LINE + second, "")


def test_an_undo_in_an_iron_attempt_is_refused() -> None:
    forged = replace(written(lively()), iron=True)
    assert refused(forged) == (Fault.ILLEGAL, FIRST_ENTRY_LINE + 1, "iron")


@pytest.mark.parametrize("field", ["cards", "at_ms", "moves", "undos", "redos", "restarts"])
def test_a_forged_result_is_refused(field: str) -> None:
    record = written(won("citadel"))
    forged = replace(record, result=replace(record.result, **{field: getattr(record.result, field) + 1}))
    forged = replace(forged, digest=digest_of(forged))
    assert refused(forged) == (Fault.WRONG_RESULT, FIRST_ENTRY_LINE + len(record.entries) + 1, "")


def test_a_forged_head_is_refused_by_the_digest() -> None:
    record = written(won("citadel"))
    for forged in (replace(record, player="sly-fox"), replace(record, started_ms=0), replace(record, race="r2")):
        assert refused(forged)[0] == Fault.WRONG_DIGEST


def test_another_deal_does_not_take_the_moves() -> None:
    record = written(won("citadel"))
    assert refused(replace(record, deal=parse_deal_code("citadel:ms:617")))[0] == Fault.ILLEGAL


def test_writing_a_record_of_illegal_entries_is_refused() -> None:
    with pytest.raises(RecordRefused):
        written([Entry(1, 1, 1, parse_move("t0-f3"))])


@pytest.mark.parametrize(
    ("text", "fault", "line"),
    [
        ("", Fault.NOT_A_RECORD, 1),
        ("something else\n", Fault.NOT_A_RECORD, 1),
        ("ramparts record 2\n", Fault.UNKNOWN_FORMAT, 1),
        ("ramparts record 1\n", Fault.MALFORMED, 1),
    ],
)
def test_what_is_no_record_says_so(text: str, fault: Fault, line: int) -> None:
    with pytest.raises(RecordRefused) as caught:
        parse_record(text)
    assert (caught.value.why, caught.value.line) == (fault, line)


def test_a_deal_that_can_not_be_dealt_is_refused_with_its_reason() -> None:
    text = format_record(written([]))
    head, _, rest = text.partition("\n")
    _, _, rest = rest.partition("\n")
    for code, detail in (
        ("nothing:ms:1", "unknown_variant"),
        ("citadel:ms:0", "seed_out_of_range"),
        ("citadel+flying:ms:1", "unknown_option"),
        ("citadel", "malformed_text"),
    ):
        with pytest.raises(RecordRefused) as caught:
            parse_record(f"{head}\ndeal: {code}\n{rest}")
        assert (caught.value.why, caught.value.line, caught.value.detail) == (Fault.BAD_DEAL, 2, detail)


@pytest.mark.parametrize("keep", range(1, 20, 3))
def test_a_record_cut_short_is_refused(keep: int) -> None:
    lines = format_record(written(won("citadel"))).splitlines(keepends=True)
    with pytest.raises(RecordRefused):
        verify(parse_record("".join(lines[:-keep])))


ATTEMPTS = {
    "won": written(won("citadel")),
    "lively": written(lively()),
    "collected": written(collecting(), written_deal("freecell")),
}
TEXTS = {name: format_record(record) for name, record in ATTEMPTS.items()}
PRINTABLE = st.characters(min_codepoint=9, max_codepoint=126)


@settings(max_examples=250, deadline=None)
@given(name=st.sampled_from(sorted(TEXTS)), at=st.integers(0, 10**6), other=PRINTABLE)
def test_any_changed_character_is_refused(name: str, at: int, other: str) -> None:
    text = TEXTS[name]
    at %= len(text) - 1
    changed = text[:at] + other + text[at + 1 :]
    if changed == text:
        return
    with pytest.raises(RecordRefused):
        verify(parse_record(changed))


@settings(max_examples=120, deadline=None)
@given(name=st.sampled_from(sorted(TEXTS)), at=st.integers(0, 10**6), insert=st.text(PRINTABLE, max_size=3))
def test_any_lost_or_added_character_is_refused(name: str, at: int, insert: str) -> None:
    text = TEXTS[name]
    at %= len(text) - 1
    changed = text[:at] + insert + text[at + (not insert) :]
    if changed.replace("\r\n", "\n") == text:
        return
    with pytest.raises(RecordRefused):
        verify(parse_record(changed))


@st.composite
def attempts(draw: st.DrawFn) -> Record:
    """Attempts of any variant, played at random with all that may come between."""
    game = draw(st.sampled_from(BASE_IDS))
    code = parse_deal_code(f"{game}:ms:{draw(st.integers(1, 2**31 - 1))}")
    iron, kind = draw(st.booleans()), draw(st.sampled_from(["daily", "practice"]))
    history, at_ms, epoch, number = History.begin(deal(code), iron, kind == "practice"), 0, 1, 0
    entries: list[Entry] = []
    for _ in range(draw(st.integers(0, 25))):
        at_ms += draw(st.integers(0, 5000))
        epoch, number = draw(st.sampled_from([(epoch, number + 1), (epoch, number + 1), (epoch + 1, 1)]))
        legal = legal_moves(history.position)
        acts = [act for act in (Act.UNDO, Act.REDO, Act.RESTART, Act.HINT) if history.refusal(act) is None]
        choices: list[Move | Act] = [*legal, *acts, *([] if legal or acts else [Act.RESIGN])]
        group = safe_collect(history.position) if draw(st.booleans()) else ()
        for each in group or (draw(st.sampled_from(choices)),):
            entry = Entry(at_ms, epoch, number, each)
            history = history.advance(entry)
            entries.append(entry)
        if history.has_ended:
            break
    return written(entries, code, iron=iron, kind=kind)


@settings(max_examples=60, deadline=None)
@given(record=attempts())
def test_any_attempt_is_written_read_and_verified(record: Record) -> None:
    assert parse_record(format_record(record)) == record
    assert verify(record).version == len(record.entries)
