"""Every code that goes on the wire besides the refusals of the rules: errors, ends, phases and close codes."""

from enum import IntEnum, StrEnum

PROTOCOL_VERSION = 1


class ErrorCode(StrEnum):
    """Why a command was not carried out. `MESSAGES` says what to do about each."""

    MALFORMED = "malformed"
    UNKNOWN_TYPE = "unknown_type"
    BAD_FIELD = "bad_field"
    BINARY = "binary"
    HELLO_FIRST = "hello_first"
    HELLO_TWICE = "hello_twice"
    TOKEN_UNKNOWN = "token_unknown"  # noqa: S105 - a code, not a secret
    RACE_UNKNOWN = "race_unknown"
    NOT_ENTERED = "not_entered"
    NOT_HOST = "not_host"
    NOT_STARTED = "not_started"
    ALREADY_STARTED = "already_started"
    CLOSED = "closed"
    ENDED = "ended"
    TOO_LATE = "too_late"
    FULL = "full"
    KICKED = "kicked"
    NOT_ENOUGH_PLAYERS = "not_enough_players"
    BUSY = "busy"
    DEAL_LIVE = "deal_live"
    DAY_OVER = "day_over"
    DAY_NOT_OPEN = "day_not_open"
    UNKNOWN_VARIANT = "unknown_variant"
    BAD_DEAL = "bad_deal"
    HIDDEN_NEEDS_SECRET = "hidden_needs_secret"  # noqa: S105 - a code, not a secret
    NOT_QUEUED = "not_queued"
    NOT_CLOSED = "not_closed"
    NOT_FOUND = "not_found"
    NOT_ASKED = "not_asked"
    NOT_ANALYSED = "not_analysed"
    WRITTEN_OUT = "written_out"
    NO_SOLVER = "no_solver"
    MANY_WAITING = "many_waiting"
    QUEUE_FULL = "queue_full"
    UNAUTHORIZED = "unauthorized"
    NAME_REFUSED = "name_refused"
    NAME_TAKEN = "name_taken"
    NAME_CLAIMED_ALREADY = "name_claimed_already"
    RECOVERY_REFUSED = "recovery_refused"
    KEY_REUSED = "key_reused"
    LOG_FULL = "log_full"
    NOTHING_TO_COLLECT = "nothing_to_collect"
    TOO_MANY_HINTS = "too_many_hints"
    STALE = "stale"
    SUPERSEDED = "superseded"
    TAKEN_OVER = "taken_over"
    TOO_MANY = "too_many_messages"
    TOO_BIG = "too_big"
    RETRY = "retry"
    INTERNAL = "internal"


MESSAGES: dict[ErrorCode, str] = {
    ErrorCode.MALFORMED: "This frame is not one JSON object. Send one JSON object with a type in each text frame.",
    ErrorCode.UNKNOWN_TYPE: "There is no command of this type. See the list of commands in docs/protocol.md.",
    ErrorCode.BAD_FIELD: "A field is missing, has a wrong value or does not belong here. Correct it and send again.",
    ErrorCode.BINARY: "Binary frames are not understood. Send JSON in text frames.",
    ErrorCode.HELLO_FIRST: "Say hello first.",
    ErrorCode.HELLO_TWICE: "This connection has said hello already. Open another for another player.",
    ErrorCode.TOKEN_UNKNOWN: "This token is not known. Leave it out to play as a new guest, or recover your player.",
    ErrorCode.RACE_UNKNOWN: "There is no such race, or it is private: check the link, or send the token of one in it.",
    ErrorCode.NOT_ENTERED: "You are not in this race. Enter it first.",
    ErrorCode.NOT_HOST: "Only the host may do this.",
    ErrorCode.NOT_STARTED: "The race has not started yet. Wait for started.",
    ErrorCode.ALREADY_STARTED: "The race has started already; nobody can come or go now.",
    ErrorCode.CLOSED: "The race is closed. See its results.",
    ErrorCode.ENDED: "Your attempt has ended. See the standings.",
    ErrorCode.TOO_LATE: "The time limit has passed.",
    ErrorCode.FULL: "All seats are taken.",
    ErrorCode.KICKED: "The host has removed you from this race.",
    ErrorCode.NOT_ENOUGH_PLAYERS: "At least two players are needed to start.",
    ErrorCode.BUSY: "You are in another race that is being played. Finish or resign it first.",
    ErrorCode.DEAL_LIVE: "This deal is being raced now. Practice, hints and analysis open once that race has closed.",
    ErrorCode.DAY_OVER: "This daily takes no more starts. Open today's.",
    ErrorCode.DAY_NOT_OPEN: "This daily has not opened yet.",
    ErrorCode.UNKNOWN_VARIANT: "There is no such variant or option. See /api/v1/variants.",
    ErrorCode.BAD_DEAL: "This deal code can't be dealt. It reads variant:generator:seed.",
    ErrorCode.HIDDEN_NEEDS_SECRET: "A variant with hidden cards is raced on a secret deal only. Leave the deal out.",
    ErrorCode.NOT_QUEUED: "You are not waiting for this variant.",
    ErrorCode.NOT_CLOSED: "This is opened when the race has closed.",
    ErrorCode.NOT_FOUND: "There is nothing here under this name.",
    ErrorCode.NOT_ASKED: "Nobody has asked for this analysis yet. Ask with POST to the same address.",
    ErrorCode.NOT_ANALYSED: "This attempt can't be analysed. Its replay can be looked at.",
    ErrorCode.WRITTEN_OUT: "This deal was written out card by card, and could be that of a race with suits exchanged. "
    "Fetch its record (…/replay?format=record) and look at it on your own machine: ramparts analyse FILE.",
    ErrorCode.NO_SOLVER: "No solver runs on this server just now. Whoever runs it can start one: ramparts worker.",
    ErrorCode.MANY_WAITING: "Three of your analyses wait already. Ask again when one of them is there.",
    ErrorCode.QUEUE_FULL: "Too many analyses wait already. Ask again in a while.",
    ErrorCode.UNAUTHORIZED: "Send your player's token as a bearer token.",
    ErrorCode.NAME_REFUSED: "This name can't be used. Take 2 to 20 letters, digits, - or _ of one script.",
    ErrorCode.NAME_TAKEN: "This name, or one that looks like it, is taken. Choose another.",
    ErrorCode.NAME_CLAIMED_ALREADY: "This player has a claimed name already.",
    ErrorCode.RECOVERY_REFUSED: "Name and recovery code do not match.",
    ErrorCode.KEY_REUSED: "This key was used for a different command. Make a new key for each thing you create.",
    ErrorCode.LOG_FULL: "This attempt has as many moves as one may have. Resign, or let the time run out.",
    ErrorCode.NOTHING_TO_COLLECT: "No card can be collected now.",
    ErrorCode.TOO_MANY_HINTS: "Too many hints were asked for just now. Wait a little and ask again.",
    ErrorCode.STALE: "This command was made on an older version of your attempt. Go on from the snapshot.",
    ErrorCode.SUPERSEDED: "A later command of yours has been played already; this one was not.",
    ErrorCode.TAKEN_OVER: "This attempt goes on in another tab or on another device.",
    ErrorCode.TOO_MANY: "Too many messages. Slow down; this one was not carried out.",
    ErrorCode.TOO_BIG: "This message is too big.",
    ErrorCode.RETRY: "The server could not store this just now. Send it again, with the same id if it has one.",
    ErrorCode.INTERNAL: "Something went wrong on our side. It was logged; try again.",
}


class End(StrEnum):
    """How an attempt ended."""

    FINISHED = "finished"
    RESIGNED = "resigned"
    EXPIRED = "expired"


class Kind(StrEnum):
    """What sort of race it is: which rules of entering, starting and ranking hold."""

    PRIVATE = "private"
    QUICK = "quick"
    DAILY = "daily"
    PRACTICE = "practice"


class Phase(StrEnum):
    """Where a race stands. Dailies and practices are `running` from opening to closing."""

    OPEN = "open"
    COUNTDOWN = "countdown"
    RUNNING = "running"
    CLOSING = "closing"
    CLOSED = "closed"


class CloseCode(IntEnum):
    """WebSocket close codes that this server sends (4000–4999 are ours)."""

    NORMAL = 1000
    POLICY = 1008
    TOO_BIG = 1009
    INTERNAL = 1011
    RESTART = 1012
    TRY_LATER = 1013
    TAKEN_OVER = 4001
    SIGNED_OUT = 4003
    TOO_SLOW = 4008
    UPGRADE_NEEDED = 4010
    TOO_MANY = 4029


CLOSE_MESSAGES: dict[CloseCode, str] = {
    CloseCode.NORMAL: "The connection was closed on purpose. Nothing to do.",
    CloseCode.POLICY: "No `hello` came in time, or the page's origin is not allowed. Do not reconnect by yourself.",
    CloseCode.TOO_BIG: "A message was bigger than `limits.message_bytes`. Correct the client before it reconnects.",
    CloseCode.INTERNAL: "Something went wrong on our side. Reconnect, with growing pauses.",
    CloseCode.RESTART: "The server restarts. Reconnect after `retry_after_ms` of the `notice` before it, plus chance.",
    CloseCode.TRY_LATER: "The server is full or its store can't be reached. Reconnect, with growing pauses.",
    CloseCode.TAKEN_OVER: "Your attempt goes on from another connection. Do not reconnect by yourself: the two would "
    "take it from each other for ever. Offer a button.",
    CloseCode.SIGNED_OUT: "The player was recovered with a new token, or deleted; older tokens are void. Say `hello` "
    "with the token that you keep; if that is answered `token_unknown`, the player is to be recovered here.",
    CloseCode.TOO_SLOW: "You did not read fast enough. Reconnect and enter again: the snapshot is fresh.",
    CloseCode.UPGRADE_NEEDED: "This server does not speak the version that `hello` asked for. Update the client.",
    CloseCode.TOO_MANY: "Far too many messages, after errors `too_many_messages`. Slow down, then reconnect.",
}
