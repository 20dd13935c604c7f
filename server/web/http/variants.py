"""Variants over HTTP: the list, and each as the data that clients draw and play from."""

import json
from typing import Any

from protocol.codes import ErrorCode
from rules.errors import RulesError, UnknownOption, UnknownVariant
from rules.variants import Variant, featured_variant, find_variant, variants
from server.web.http.operations import Answer, Cache, Call, HttpRefused, NoBody, NoQuery, Operation, Reply


class VariantSummary(Answer):
    """One variant in the list."""

    id: str
    name: str
    aka: list[str]
    """Other names it goes by."""
    decks: int
    cells: int
    options: list[str]
    """Named patches of its rules; an id with options reads `cruel+bottom-first`."""
    is_ranked: bool
    """Has it a daily challenge and quick matches?"""
    has_hidden_cards: bool
    """Then races on it are iron and on fresh secret deals only."""


class VariantList(Answer):
    """All variants, without options."""

    featured: str
    variants: list[VariantSummary]


class VariantRules(VariantSummary):
    """One variant whole, its options applied."""

    base_id: str
    related: list[str]
    sources: list[str]
    record: dict[str, Any]
    """The rules as data; docs/variants.md explains the fields."""


def variant_called(variant_id: str) -> Variant:
    """The variant of an id as an address names it; raises `HttpRefused`."""
    try:
        return find_variant(variant_id)
    except (UnknownVariant, UnknownOption) as error:
        raise HttpRefused(ErrorCode.UNKNOWN_VARIANT, "variant", f"{error}. See /api/v1/variants.") from None
    except RulesError as error:
        raise HttpRefused(ErrorCode.BAD_FIELD, "variant", f"{error}. See /api/v1/variants.") from None


def _summary(variant: Variant) -> dict[str, Any]:
    return {
        "id": variant.id,
        "name": variant.name,
        "aka": list(variant.aka),
        "decks": variant.decks,
        "cells": variant.cells,
        "options": list(variant.options),
        "is_ranked": variant.ranked_by_default,
        "has_hidden_cards": variant.has_hidden_cards,
    }


async def list_variants(_call: Call[NoBody, NoQuery]) -> Reply:
    """Every base variant in the order of the records."""
    listed = [VariantSummary(**_summary(variant)) for variant in variants()]
    return Reply(VariantList(featured=featured_variant().id, variants=listed), Cache.LONG)


async def show_variant(call: Call[NoBody, NoQuery]) -> Reply:
    """One variant's rules as data."""
    variant = variant_called(call.path["variant"])
    rules = VariantRules(
        **_summary(variant),
        base_id=variant.base_id,
        related=list(variant.related),
        sources=list(variant.sources),
        record=json.loads(variant.record),
    )
    return Reply(rules, Cache.LONG)


OPERATIONS = (
    Operation(
        "GET", "/api/v1/variants", list_variants, "All variants.", answer=VariantList, body=NoBody, query=NoQuery
    ),
    Operation(
        "GET",
        "/api/v1/variants/{variant}",
        show_variant,
        "One variant's rules as data.",
        answer=VariantRules,
        body=NoBody,
        query=NoQuery,
        errors=(ErrorCode.UNKNOWN_VARIANT, ErrorCode.BAD_FIELD),
    ),
)
