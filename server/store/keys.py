"""The names of all keys and channels. What stands in braces is the slot: an aggregate's keys share one."""

Keys = tuple[str, ...]

DUE: Keys = ("{due}", "{due}:leases")
BOARDS = "boards"
LIVE = "live"
FIRST_DAY = "first-day"
REPORTS = "reports"
HINTS: Keys = tuple(f"{{hints}}:{part}" for part in ("waiting", "takes", "versions"))
PROBE = "probe"
WORKER_BEAT = "worker:beat"
ANALYSES: Keys = tuple(f"{{analysis}}:{part}" for part in ("due", "records", "takes", "askers"))


def attempt(attempt_id: str) -> Keys:
    """Hash and log of an attempt."""
    return f"{{a:{attempt_id}}}", f"{{a:{attempt_id}}}:log"


def race_log(race_id: str) -> str:
    """A race's life-cycle events."""
    return f"{{r:{race_id}}}:log"


def race_secret(race_id: str) -> str:
    """Its deal code and nonce."""
    return f"{{r:{race_id}}}:secret"


def race_standings(race_id: str) -> str:
    """Standing keys by player."""
    return f"{{r:{race_id}}}:standings"


def race_entrants(race_id: str) -> str:
    """Who opened an attempt on its own clock, and when."""
    return f"{{r:{race_id}}}:entrants"


def race_away(race_id: str) -> str:
    """Its players who were there and are not connected now."""
    return f"{{r:{race_id}}}:away"


def race_here(race_id: str) -> str:
    """Its players who are connected, and until when that holds unless it is renewed."""
    return f"{{r:{race_id}}}:here"


def race_channel(race_id: str) -> str:
    """Where all that happens in a race is published."""
    return f"r:{race_id}"


SIGNED_OUT_CHANNEL = "signed_out"
"""Where the ids of players are published whose tokens have become void."""


def player_channel(player: str) -> str:
    """Where what concerns one player alone is published."""
    return f"p:{player}"


def link(code: str) -> str:
    """The race behind a link's code."""
    return f"link:{code}"


def deal(deal_key: str) -> str:
    """The live races on a deal."""
    return f"deal:{deal_key}"


def player(player_id: str, part: str = "") -> str:
    """A player's row, or a part beside it."""
    return f"{{p:{player_id}}}:{part}" if part else f"{{p:{player_id}}}"


def token(token_hash: str) -> str:
    """Whose token it is."""
    return f"token:{token_hash}"


def name(name_key: str) -> str:
    """Whose name it is."""
    return f"name:{name_key}"


def mark(kind: str, digest: str) -> str:
    """Players seen with one device or from one address."""
    return f"mark:{kind}:{digest}"


def review(race_id: str) -> str:
    """Players whose attempts at a daily are under review."""
    return f"review:{race_id}"


def pool(variant: str, grade: int) -> str:
    """Certified deals of one grade that wait to be raced."""
    return f"{{pool:{variant}}}:{grade}"


def pool_hurry(variant: str) -> str:
    """Somebody waits for a deal of this variant."""
    return f"{{pool:{variant}}}:hurry"


def analysis(attempt_id: str) -> str:
    """An attempt's analysis, in the first form of its JSON; another form would be another key."""
    return f"{{an:{attempt_id}}}:1"


def hint_pace(player: str) -> str:
    """How many hints a player has asked for lately."""
    return f"{{hints}}:pace:{player}"


def hint_share(address: str) -> str:
    """The attempts for which hints were asked from one address."""
    return f"{{hints}}:from:{address}"


def analysis_share(address: str) -> str:
    """The attempts whose analyses were asked for from one address."""
    return f"{{analysis}}:from:{address}"


def hint(attempt_id: str) -> str:
    """The latest that the solver said of an attempt."""
    return f"hint:{attempt_id}"


def queue(variant: str) -> Keys:
    """Waiting, beats, pairs, paired."""
    return tuple(f"{{q:{variant}}}:{part}" for part in ("waiting", "beats", "pairs", "paired"))


def board(board_id: str) -> Keys:
    """Ranking, rows, hidden, stamp, posted."""
    return f"{{b:{board_id}}}", *(f"{{b:{board_id}}}:{part}" for part in ("rows", "hidden", "stamp", "posted"))


def results(player_id: str) -> Keys:
    """A player's results: order, rows, tallies, times, runs of days."""
    return tuple(player(player_id, part) for part in ("results", "rows", "tallies", "times", "runs"))


def finishes(variant: str) -> Keys:
    """Of a variant, how many attempts there were and how many finished: in all, and by race; and its quick matches."""
    return f"{{f:{variant}}}", f"{{f:{variant}}}:races", f"{{f:{variant}}}:quick"
