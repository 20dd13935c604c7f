"""Attempts written out: the one reading of an attempt's log that ends, results and replays are made from."""

from bisect import bisect_left

import structlog

from protocol.codes import End
from protocol.parts import PlayerRef, Standing
from rules.deals import DealCode
from rules.errors import RulesError
from rules.history import parse_entry
from rules.positions import Position
from rules.record import Record, write_record
from server.race.race import Race
from server.race.standing import standing_key
from server.store.attempts import AttemptRow

log = structlog.get_logger()


def record_of(race: Race, deal_code: DealCode, player: str, row: AttemptRow) -> Record:
    """The record of an attempt; one that neither finished nor resigned has run to the race's limit.

    A log that was damaged counts as far as it can be played: the others of the race shall have their result.
    """
    try:
        return _write(race, deal_code, player, row, len(row.entries))
    except RulesError as damage:
        sound = bisect_left(range(len(row.entries)), True, key=lambda n: _breaks(race, deal_code, player, row, n + 1))
        log.error("attempt.damaged", race=race.id, player=player, at=sound + 1, why=str(damage))  # noqa: TRY400 - the log's
        return _write(race, deal_code, player, row, sound)


def _breaks(race: Race, deal_code: DealCode, player: str, row: AttemptRow, length: int) -> bool:
    try:
        _write(race, deal_code, player, row, length)
    except RulesError:
        return True
    return False


def _write(race: Race, deal_code: DealCode, player: str, row: AttemptRow, length: int) -> Record:
    return write_record(
        deal_code,
        race=race.id,
        player=player,
        kind=race.kind,
        iron=race.created.iron,
        limit_ms=race.created.limit_ms,
        started_ms=(race.start_ms or 0) if race.is_together else row.start_ms,
        entries=map(parse_entry, row.entries[:length]),
    )


def key_of(record: Record, start: Position) -> int | None:
    """The standing key that a record comes to; None as long as nothing was built on what `start` has dealt up."""
    built = record.result.cards > start.progress
    return standing_key(start.variant.cards - record.result.cards, record.result.at_ms) if built else None


def standing_of(record: Record, place: int | None, player: PlayerRef) -> Standing:
    """One line of a result, with the digest of the record that proves it."""
    result = record.result
    return Standing(
        place=place,
        player=player,
        end=End(record.end.kind),
        end_ms=record.end.at_ms,
        cards=result.cards,
        at_ms=result.at_ms,
        moves=result.moves,
        undos=result.undos,
        redos=result.redos,
        restarts=result.restarts,
        hints=result.hints or None,
        digest=record.digest,
    )
