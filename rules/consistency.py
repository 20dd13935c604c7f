"""Whether the fields of a variant agree with each other; each field by itself is checked in `validation`."""

from rules.errors import BadVariant
from rules.schema import Variant

_TOP_RANKS_LEFT = 4


def check_consistency(variant: Variant) -> None:
    """Raises BadVariant when fields that are sound alone can't hold together."""
    _check_foundations(variant)
    _check_set_aside(variant)
    _check_places(variant)
    _check_replacing(variant)
    _check_count(variant)
    _check_tableau(variant)


def _check_foundations(variant: Variant) -> None:
    if sum(group.count * group.size for group in variant.foundations) < variant.cards:
        raise BadVariant("foundations", "can't hold all the cards")
    if len(variant.foundations) > 1 and variant.tableau.space == "base-1":
        raise BadVariant("tableau.space", "base-1 needs one base for all foundations")
    if variant.foundations[0].base == "chosen-each" and variant.tableau.space == "base-1":
        raise BadVariant("tableau.space", "base-1 needs one base for all foundations")
    if any(group.complete_run for group in variant.foundations) and (
        not variant.tableau.lifts_runs or variant.tableau.bounded_by_spaces
    ):
        raise BadVariant("foundations.unit", "complete runs need a tableau that lifts runs without bound")
    dealt = [step for step in variant.layout.steps if step.to == "foundation"]
    if (variant.foundations[0].base == "dealt") != bool(dealt):
        raise BadVariant("foundations.base", "a dealt base needs a step to the foundation, and only it has one")
    if len(dealt) > 1 or any(sum(step.sizes) != 1 for step in dealt):
        raise BadVariant("deal.steps", "exactly one card is dealt to a foundation")


def _check_set_aside(variant: Variant) -> None:
    layout = variant.layout
    starting = [group for group in variant.foundations if group.starts_with_base]
    if bool(layout.set_aside) != bool(starting):
        raise BadVariant("deal.set_aside", "cards are set aside exactly when foundations start with their base")
    if not layout.set_aside:
        return
    if len(starting) > 1 or starting[0].base_rank != layout.set_aside:
        raise BadVariant("deal.set_aside", "must be the base of the one group that starts with it")
    whole = _TOP_RANKS_LEFT * variant.decks
    if layout.set_aside_count > min(whole, starting[0].count):
        raise BadVariant("deal.set_aside_count", "there are not so many such cards or foundations")
    if not layout.set_aside_count and starting[0].count < whole:
        raise BadVariant("deal.set_aside", "there are more such cards than foundations that start with them")


def _check_places(variant: Variant) -> None:
    steps = variant.layout.steps
    for number, step in enumerate(steps):
        field = f"deal.steps[{number}]"
        if step.to == "tableau" and len(step.sizes) != variant.tableau.piles:
            raise BadVariant(f"{field}.sizes", f"must have one number for each of {variant.tableau.piles} piles")
        if step.to == "cells" and (len(step.sizes) > variant.cells or max(step.sizes) > 1):
            raise BadVariant(f"{field}.sizes", "a cell holds one card")
        if step.to == "stock" and (variant.stock is None or number + 1 < len(steps)):
            raise BadVariant(field, "the stock is dealt last, in a variant with a stock")
    if sum(step.to == "cells" for step in steps) > 1:
        raise BadVariant("deal.steps", "cells are dealt to once")
    reserve = [step.sizes for step in steps if step.to == "reserve"]
    if reserve != ([variant.reserve] if variant.reserve else []):
        raise BadVariant("reserve", "must be the sizes of the one step that deals to it")
    if (variant.stock is None) == any(step.to == "stock" for step in steps):
        raise BadVariant("stock", "needs a last step that deals the rest to it")


def _check_replacing(variant: Variant) -> None:
    for number, step in enumerate(variant.layout.steps):
        bases = {group.base_rank for group in variant.foundations if not group.starts_with_base}
        if step.replace and (step.replace not in bases or not all(g.fixed_suits for g in variant.foundations)):
            raise BadVariant(f"deal.steps[{number}].replace", "must be a base that always goes up")
        if step.play_up and any(group.base != "rank" or group.complete_run for group in variant.foundations):
            raise BadVariant(f"deal.steps[{number}].play_up", "needs foundations with a rank as base")


def _check_count(variant: Variant) -> None:
    layout = variant.layout
    dealt = sum(sum(step.sizes) for step in layout.steps)
    if layout.set_aside:
        dealt += layout.set_aside_count or _TOP_RANKS_LEFT * variant.decks
    dealt += _TOP_RANKS_LEFT * variant.decks * len({step.replace for step in layout.steps if step.replace})
    if dealt > variant.cards or (dealt < variant.cards and variant.stock is None):
        raise BadVariant("deal.steps", f"deal {dealt} cards of {variant.cards}")


def _check_tableau(variant: Variant) -> None:
    if variant.tableau.fills_itself and variant.stock is None:
        raise BadVariant("tableau.space", f"{variant.tableau.space} needs a stock")
    if variant.redeal and variant.has_face_down_tableau:
        raise BadVariant("redeal", "can't gather face-down cards")
    if variant.layout.sink and any(
        step.to == "tableau" and (step.face_down or step.play_up) for step in variant.layout.steps
    ):
        raise BadVariant("deal.sink", "needs a tableau dealt face up")
