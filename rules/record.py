"""An attempt written out as text: who played which deal, every entry with its time, the end and the result.

`verify` plays a record again from its deal. Where records are kept and who may read them is not here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from typing import NoReturn

from rules.deals import DealCode, deal, format_deal_code, parse_deal_code
from rules.errors import RecordRefused, RulesError
from rules.history import Entry, History, format_entry, parse_entry
from rules.moves import Move

TITLE = "ramparts record"
FORMAT_VERSION = 1
HEADERS = ("deal", "race", "player", "kind", "iron", "limit", "started")
FIRST_ENTRY_LINE = 2 + len(HEADERS)

_NUMBER = r"(0|[1-9][0-9]{0,15})"
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_END = re.compile(rf"(finished|resigned|expired) {_NUMBER}")
_RESULT = re.compile(
    rf"cards {_NUMBER} at {_NUMBER} moves {_NUMBER} undos {_NUMBER} redos {_NUMBER} restarts {_NUMBER}"
    r"(?: hints ([1-9][0-9]{0,15}))?"
)
HINTED_KIND = "practice"
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Fault(StrEnum):
    """Why a record is refused: the codes of `RecordRefused`."""

    NOT_A_RECORD = "not_a_record"
    UNKNOWN_FORMAT = "unknown_format"
    MALFORMED = "malformed"
    BAD_DEAL = "bad_deal"
    ILLEGAL = "illegal"
    TIME_BACKWARDS = "time_backwards"
    TOO_LATE = "too_late"
    EPOCH_BACKWARDS = "epoch_backwards"
    ID_BACKWARDS = "id_backwards"
    BAD_GROUP = "bad_group"
    WRONG_END = "wrong_end"
    WRONG_RESULT = "wrong_result"
    WRONG_DIGEST = "wrong_digest"
    OTHER_DIGEST = "other_digest"


FAULTS: dict[Fault, str] = {
    Fault.NOT_A_RECORD: "A record begins with the line `ramparts record 1`.",
    Fault.UNKNOWN_FORMAT: "It is of a format that this version does not read.",
    Fault.MALFORMED: "The line is not of the form that is written here.",
    Fault.BAD_DEAL: "There is no such deal.",
    Fault.ILLEGAL: "This may not be played here.",
    Fault.TIME_BACKWARDS: "Its time is before that of the line above.",
    Fault.TOO_LATE: "Its time is after the limit.",
    Fault.EPOCH_BACKWARDS: "Its epoch is below that of the line above.",
    Fault.ID_BACKWARDS: "Its id is below that of the line above.",
    Fault.BAD_GROUP: "Lines of one id are one collect: cards that go up at one time.",
    Fault.WRONG_END: "The attempt did not end like this.",
    Fault.WRONG_RESULT: "The moves come to another result.",
    Fault.WRONG_DIGEST: "The digest is not that of the lines above: something was changed.",
    Fault.OTHER_DIGEST: "The digest is another than the one asked for.",
}
"""Each fault in words."""


class EndKind(StrEnum):
    """How an attempt ended."""

    FINISHED = "finished"
    RESIGNED = "resigned"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class End:
    """How and when an attempt ended; `at_ms` since its start."""

    kind: EndKind
    at_ms: int


@dataclass(frozen=True, slots=True)
class Result:
    """What an attempt came to: most cards on the foundations, when that was first reached, and counts."""

    cards: int
    at_ms: int
    moves: int
    undos: int
    redos: int
    restarts: int
    hints: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """One attempt written out. `limit_ms` since the attempt's start; `started_ms` since 1970."""

    deal: DealCode
    race: str
    player: str
    kind: str
    iron: bool
    limit_ms: int
    started_ms: int
    entries: tuple[Entry, ...]
    end: End
    result: Result
    digest: str


def write_record(
    deal_code: DealCode,
    *,
    race: str,
    player: str,
    kind: str,
    iron: bool,
    limit_ms: int,
    started_ms: int,
    entries: Iterable[Entry],
) -> Record:
    """The record of these entries with end, result and digest worked out. Raises RecordRefused."""
    draft = Record(
        deal_code,
        race,
        player,
        kind,
        iron,
        limit_ms,
        started_ms,
        tuple(entries),
        End(EndKind.EXPIRED, limit_ms),
        Result(0, 0, 0, 0, 0, 0),
        "",
    )
    history = replay(draft)
    settled = replace(draft, end=end_of(history, limit_ms), result=result_of(history))
    return replace(settled, digest=digest_of(settled))


def verify(record: Record) -> History:
    """Play the record again; what it comes to. Raises RecordRefused with a Fault and the line it stands on."""
    history = replay(record)
    last = FIRST_ENTRY_LINE + len(record.entries)
    if record.end != end_of(history, record.limit_ms):
        _refuse(Fault.WRONG_END, last)
    if record.result != result_of(history):
        _refuse(Fault.WRONG_RESULT, last + 1)
    if record.digest != digest_of(record):
        _refuse(Fault.WRONG_DIGEST, last + 2)
    return history


def has_hints(kind: str, code: DealCode) -> bool:
    """May hints be asked in such a race? In practice alone, and on no layout that was written out by hand."""
    return kind == HINTED_KIND and not code.is_written_out


def replay(record: Record) -> History:
    """The record's entries folded one by one, each checked. End, result and digest are not looked at."""
    try:
        history = History.begin(deal(record.deal), record.iron, has_hints(record.kind, record.deal))
    except RulesError as error:
        raise RecordRefused(Fault.BAD_DEAL, 2, error.code) from error
    before: Entry | None = None
    for line, entry in enumerate(record.entries, FIRST_ENTRY_LINE):
        _check_order(before, entry, record.limit_ms, line)
        refusal = history.refusal(entry.what)
        if refusal is not None:
            raise RecordRefused(Fault.ILLEGAL, line, refusal.value)
        history = history.advance(entry)
        before = entry
    return history


def _check_order(before: Entry | None, entry: Entry, limit_ms: int, line: int) -> None:
    """Times, epochs and ids only rise; lines of one id are one collect at one time."""
    if entry.at_ms > limit_ms:
        _refuse(Fault.TOO_LATE, line)
    if before is None:
        return
    if entry.at_ms < before.at_ms:
        _refuse(Fault.TIME_BACKWARDS, line)
    if entry.epoch < before.epoch:
        _refuse(Fault.EPOCH_BACKWARDS, line)
    if entry.epoch > before.epoch:
        return
    if entry.id < before.id:
        _refuse(Fault.ID_BACKWARDS, line)
    if entry.id == before.id and not (_goes_up(before) and _goes_up(entry) and entry.at_ms == before.at_ms):
        _refuse(Fault.BAD_GROUP, line)


def _goes_up(entry: Entry) -> bool:
    return isinstance(entry.what, Move) and entry.what.target.startswith("f")


def end_of(history: History, limit_ms: int) -> End:
    """How the attempt ended; one that neither finished nor resigned ran out at its limit."""
    if history.finished_ms is not None:
        return End(EndKind.FINISHED, history.finished_ms)
    if history.resigned_ms is not None:
        return End(EndKind.RESIGNED, history.resigned_ms)
    return End(EndKind.EXPIRED, limit_ms)


def result_of(history: History) -> Result:
    """The numbers of a record's result line."""
    total = history.start.progress + history.start.cards_left
    return Result(
        cards=total - history.best_left,
        at_ms=history.best_ms,
        moves=history.moves,
        undos=history.undos,
        redos=history.redos,
        restarts=history.restarts,
        hints=history.hints,
    )


def digest_of(record: Record) -> str:
    """SHA-256, in hexadecimal, over the record's text down to the result line, line ends included."""
    return sha256(_body(record).encode()).hexdigest()


def format_record(record: Record) -> str:
    """The record as text, each line ended by a line feed."""
    return f"{_body(record)}digest: {record.digest}\n"


def _body(record: Record) -> str:
    result = record.result
    lines = [
        f"{TITLE} {FORMAT_VERSION}",
        f"deal: {format_deal_code(record.deal)}",
        f"race: {record.race}",
        f"player: {record.player}",
        f"kind: {record.kind}",
        f"iron: {'yes' if record.iron else 'no'}",
        f"limit: {record.limit_ms}",
        f"started: {record.started_ms}",
        *map(format_entry, record.entries),
        f"end: {record.end.kind} {record.end.at_ms}",
        f"result: cards {result.cards} at {result.at_ms} moves {result.moves} undos {result.undos}"
        f" redos {result.redos} restarts {result.restarts}{f' hints {result.hints}' if result.hints else ''}",
    ]
    return "".join(line + "\n" for line in lines)


def parse_record(text: str) -> Record:
    """The record that a text holds. Raises RecordRefused where it is not of the one form that is written.

    Line ends may be CR LF, and the last may be missing, as mail and editors leave them; nothing else is lax.
    """
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    _check_title(lines[0])
    if len(lines) < FIRST_ENTRY_LINE + 2:
        _refuse(Fault.MALFORMED, len(lines))
    values = [_value(lines, i, name) for i, name in enumerate(HEADERS, 1)]
    last = len(lines) - 3
    return Record(
        deal=_parse_deal(values[0]),
        race=_matching(_WORD, values[1], 3)[0],
        player=_parse_player(values[2]),
        kind=_matching(_WORD, values[3], 5)[0],
        iron=_matching(re.compile("yes|no"), values[4], 6)[0] == "yes",
        limit_ms=_parse_number(values[5], 7),
        started_ms=_parse_number(values[6], 8),
        entries=tuple(_parse_entry(lines[i], i + 1) for i in range(FIRST_ENTRY_LINE - 1, last)),
        end=_parse_end(_value(lines, last, "end"), last + 1),
        result=_parse_result(_value(lines, last + 1, "result"), last + 2),
        digest=_matching(_DIGEST, _value(lines, last + 2, "digest"), last + 3)[0],
    )


def _check_title(line: str) -> None:
    title, _, version = line.rpartition(" ")
    if title != TITLE:
        _refuse(Fault.NOT_A_RECORD, 1)
    if version != str(FORMAT_VERSION):
        _refuse(Fault.UNKNOWN_FORMAT, 1)


def _value(lines: list[str], index: int, name: str) -> str:
    head, colon, value = lines[index].partition(": ")
    if head != name or not colon:
        _refuse(Fault.MALFORMED, index + 1)
    return value


def _matching(pattern: re.Pattern[str], text: str, line: int) -> re.Match[str]:
    match = pattern.fullmatch(text)
    if match is None:
        _refuse(Fault.MALFORMED, line)
    return match


def _parse_number(text: str, line: int) -> int:
    return int(_matching(re.compile(_NUMBER), text, line)[0])


def _parse_deal(text: str) -> DealCode:
    try:
        code = parse_deal_code(text)
    except RulesError as error:
        raise RecordRefused(Fault.BAD_DEAL, 2, error.code) from error
    if format_deal_code(code) != text:
        _refuse(Fault.MALFORMED, 2)
    return code


def _parse_player(text: str) -> str:
    if not text or text != text.strip() or not text.isprintable():
        _refuse(Fault.MALFORMED, 4)
    return text


def _parse_entry(text: str, line: int) -> Entry:
    try:
        entry = parse_entry(text)
    except RulesError as error:
        raise RecordRefused(Fault.MALFORMED, line, error.code) from error
    if format_entry(entry) != text:
        _refuse(Fault.MALFORMED, line)
    return entry


def _parse_end(text: str, line: int) -> End:
    match = _matching(_END, text, line)
    return End(EndKind(match[1]), int(match[2]))


def _parse_result(text: str, line: int) -> Result:
    return Result(*(int(number or 0) for number in _matching(_RESULT, text, line).groups()))


def _refuse(fault: Fault, line: int) -> NoReturn:
    raise RecordRefused(fault, line)
