"""Why a move may not be played. The values go on the wire and never change."""

from enum import StrEnum


class Refusal(StrEnum):
    """One reason a move, an undo, a redo, a restart or a hint is refused; `PROSE` says each in words."""

    NO_SUCH_PILE = "no_such_pile"
    EMPTY_PILE = "empty_pile"
    SAME_PILE = "same_pile"
    NOT_AVAILABLE = "not_available"
    RANK = "rank"
    SUIT = "suit"
    COLOUR = "colour"
    BASE = "base"
    SPACE = "space"
    FULL = "full"
    CAPPED = "capped"
    COUNT = "count"
    NOT_A_RUN = "not_a_run"
    TOO_MANY = "too_many"
    TO_RESERVE = "to_reserve"
    TO_STOCK = "to_stock"
    TO_WASTE = "to_waste"
    FROM_FOUNDATION = "from_foundation"
    NO_STOCK = "no_stock"
    NO_PASSES = "no_passes"
    NO_REDEALS = "no_redeals"
    NOT_BLOCKED = "not_blocked"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOTHING_TO_REDO = "nothing_to_redo"
    IRON = "iron"
    NO_HINTS = "no_hints"
    ENDED = "ended"


PROSE: dict[Refusal, str] = {
    Refusal.NO_SUCH_PILE: "There is no such pile in this variant.",
    Refusal.EMPTY_PILE: "There is no card to take.",
    Refusal.SAME_PILE: "The card lies there already.",
    Refusal.NOT_AVAILABLE: "That card is not available.",
    Refusal.RANK: "The rank does not follow.",
    Refusal.SUIT: "The suit does not fit.",
    Refusal.COLOUR: "The colour does not fit.",
    Refusal.BASE: "This foundation starts with another rank.",
    Refusal.SPACE: "This card may not fill a space.",
    Refusal.FULL: "There is no room on that pile.",
    Refusal.CAPPED: "That pile may not hold so many cards.",
    Refusal.COUNT: "Not this many cards can be moved there.",
    Refusal.NOT_A_RUN: "These cards are not a run.",
    Refusal.TOO_MANY: "This variant does not move so many cards at once here.",
    Refusal.TO_RESERVE: "Nothing is moved into the reserve.",
    Refusal.TO_STOCK: "Nothing is moved into the stock.",
    Refusal.TO_WASTE: "Only the stock is turned to the waste.",
    Refusal.FROM_FOUNDATION: "This card may not leave its foundation.",
    Refusal.NO_STOCK: "There is nothing to turn.",
    Refusal.NO_PASSES: "The stock may not be gone through again.",
    Refusal.NO_REDEALS: "There is no redeal here.",
    Refusal.NOT_BLOCKED: "A redeal is allowed only when no move is left.",
    Refusal.NOTHING_TO_UNDO: "There is nothing to undo.",
    Refusal.NOTHING_TO_REDO: "There is nothing to redo.",
    Refusal.IRON: "This attempt is iron: no undo, redo or restart.",
    Refusal.NO_HINTS: "There are no hints here: only practice has them, on deals from a seed with all cards open.",
    Refusal.ENDED: "The attempt has ended.",
}
