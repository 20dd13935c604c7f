"""The rules read a second time, slowly: plain dicts and lists, and brute force over piles and counts.

Written from the rules' description and the records alone. It shares no code with `rules` and is not fast.
"""

from __future__ import annotations

import copy
import hashlib
import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

RANKS = "A23456789TJQK"
SUITS = "CSHD"

Record = Mapping[str, Any]
State = dict[str, Any]


def merged(record: Any, patch: Any) -> Any:
    """The record with a JSON merge patch laid over it (RFC 7396)."""
    if not isinstance(patch, Mapping):
        return copy.deepcopy(patch)
    result = dict(record) if isinstance(record, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def with_options(record: Record, *names: str) -> dict[str, Any]:
    """The record with these of its options."""
    result: dict[str, Any] = dict(record)
    for name in names:
        result = merged(result, record["options"][name])
    return result


def foundation_groups(record: Record) -> list[Record]:
    groups = record["foundations"]
    return list(groups) if isinstance(groups, list) else [groups]


def foundation_rule(record: Record, number: int) -> Record:
    """The group that the numbered foundation belongs to."""
    for group in foundation_groups(record):
        if number < group["count"]:
            return group
        number -= group["count"]
    raise AssertionError(number)


def foundation_suit(record: Record, number: int) -> str | None:
    """The one suit this foundation takes, or None where foundations go by position."""
    for group in foundation_groups(record):
        if number < group["count"]:
            return SUITS[number] if group["match"] == "suit" and group["count"] == 4 else None
        number -= group["count"]
    raise AssertionError(number)


def foundation_total(record: Record) -> int:
    return sum(group["count"] for group in foundation_groups(record))


def rank(card: str) -> int:
    return RANKS.index(card[0])


def colour(card: str) -> str:
    return "black" if card[1] in "CS" else "red"


def matches(match: str, card: str, other: str) -> bool:
    if match == "any":
        return True
    if match == "suit":
        return card[1] == other[1]
    if match == "alt":
        return colour(card) != colour(other)
    if match == "color":
        return colour(card) == colour(other)
    if match == "other":
        return card[1] != other[1]
    raise AssertionError(match)


def one_lower(card: str, other: str, *, wrap: bool) -> bool:
    """Whether `card` is one rank lower than `other`."""
    if wrap:
        return (rank(card) + 1) % 13 == rank(other)
    return rank(card) + 1 == rank(other)


def built_on(tableau: Record, match: str, card: str, other: str) -> bool:
    """Whether `card` may lie on `other` by the tableau's direction and the given match."""
    build, wrap = tableau["build"], tableau["wrap"]
    down = build in {"down", "both"} and one_lower(card, other, wrap=wrap)
    up = build in {"up", "both"} and one_lower(other, card, wrap=wrap)
    return (down or up) and matches(match, card, other)


def ms_deck(seed: int, decks: int) -> list[str]:
    """The classic numbering: first dealt first."""
    pack = [r + s for s in "CSHD" for r in RANKS] * decks
    if decks == 1:
        pack = [r + s for r in RANKS for s in "CDHS"]
    state = seed
    for i in range(len(pack) - 1, 0, -1):
        state = (state * 214013 + 2531011) % 2**31
        j = (state >> 16) % (i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    return pack[::-1]


def pysol_deck(seed: int, decks: int) -> list[str]:
    """The long numbering by the Mersenne Twister: first dealt first."""
    if seed < 32000:
        return ms_deck(seed, decks)
    pack = [r + s for s in "CSHD" for r in RANKS] * decks
    twister = random.Random(seed)
    for i in range(len(pack) - 1, 0, -1):
        j = int(twister.random() * (i + 1))
        pack[i], pack[j] = pack[j], pack[i]
    return pack[::-1]


def r1_deck(seed: str, decks: int) -> list[str]:
    """Our own numbering, from its description: first dealt first."""
    pack = [r + s for s in "CSHD" for r in RANKS] * decks
    words: list[int] = []
    for counter in range(100):
        block = hashlib.sha256("\n".join(["ramparts r1", seed, str(counter)]).encode()).hexdigest()
        words += [int(block[k : k + 8], 16) for k in range(0, 64, 8)]
    for size in range(len(pack), 1, -1):
        word = words.pop(0)
        while word >= 2**32 // size * size:
            word = words.pop(0)
        j = word % size
        pack[size - 1], pack[j] = pack[j], pack[size - 1]
    return pack


def empty_state(record: Record) -> State:
    piles: dict[str, list[str]] = {}
    for i in range(record["tableau"]["piles"]):
        piles[f"t{i}"] = []
    for i in range(foundation_total(record)):
        piles[f"f{i}"] = []
    for i in range(record.get("cells", 0)):
        piles[f"c{i}"] = []
    for i in range(len(record.get("reserve") or [])):
        piles[f"r{i}"] = []
    if record.get("stock"):
        piles["s"] = []
        piles["w"] = []
    return {"record": record, "piles": piles, "down": {}, "base": None, "turnovers": 0, "redeals": 0}


def home_of(state: State, card: str) -> str | None:
    """The first foundation that takes this card now."""
    for i in range(foundation_total(state["record"])):
        if foundation_takes(state, i, card):
            return f"f{i}"
    return None


def deal(record: Record, deck: Sequence[str]) -> State:
    """The position as dealt from a deck, first dealt first."""
    state = empty_state(record)
    piles, rules, cards = state["piles"], record["deal"], list(deck)
    aside = rules.get("set_aside")
    if aside:
        limit = rules.get("set_aside_count", len(cards))
        chosen = [card for card in cards if card[0] == aside][:limit]
        for card in chosen:
            cards.remove(card)
            home = home_of(state, card)
            assert home is not None
            piles[home].append(card)
    for step in rules["steps"]:
        deal_step(state, step, cards)
    while cards:  # an ace left over where aces that went up were replaced
        home = home_of(state, cards[0])
        assert home is not None, "cards left over"
        piles[home].append(cards.pop(0))
    if rules.get("sink"):
        sink(state, rules["sink"], rules["sink_mode"])
    return state


def deal_step(state: State, step: Record, cards: list[str]) -> None:
    piles = state["piles"]
    if step["to"] == "stock":
        assert step.get("rest")
        piles["s"].extend(cards)
        cards.clear()
        return
    sizes = step["sizes"]
    if step["to"] == "foundation":
        for _ in range(sum(sizes)):
            card = cards.pop(0)
            state["base"] = state["base"] or card[0]
            home = home_of(state, card)
            assert home is not None
            piles[home].append(card)
        return
    letter = {"tableau": "t", "reserve": "r", "cells": "c"}[step["to"]]
    for row in range(max(sizes)):
        numbers = [i for i in range(len(sizes)) if sizes[i] > row]
        if step.get("from") == "right":
            numbers.reverse()
        for i in numbers:
            while cards:
                card = cards.pop(0)
                home = home_of(state, card) if step.get("play_up") else None
                if home is None:
                    piles[f"{letter}{i}"].append(card)
                    break
                piles[home].append(card)
                if card[0] != step.get("replace"):
                    break
            if step.get("face") == "down":
                state["down"][f"{letter}{i}"] = row + 1


def sink(state: State, letter: str, mode: str) -> None:
    """Bring the cards of a rank to the bottoms of their piles."""
    for i in range(state["record"]["tableau"]["piles"]):
        pile = state["piles"][f"t{i}"]
        if mode == "slide":
            pile.sort(key=lambda card: card[0] != letter)
            continue
        for k in range(len(pile)):
            if pile[k][0] == letter:
                for j in range(k):
                    if pile[j][0] != letter:
                        pile[j], pile[k] = pile[k], pile[j]
                        break


def base_rank(state: State, number: int) -> str | None:
    """The rank the numbered foundation starts with; None while it is free."""
    record, piles = state["record"], state["piles"]
    base = foundation_rule(record, number)["base"]
    if base == "dealt":
        dealt: str | None = state["base"]
        return dealt
    if base == "chosen-rank":
        for i in range(foundation_total(record)):
            if piles[f"f{i}"]:
                bottom: str = piles[f"f{i}"][0]
                return bottom[0]
        return None
    if base == "chosen-each":
        return None
    return str(base)


def foundation_takes(state: State, number: int, card: str) -> bool:
    record, pile = state["record"], state["piles"][f"f{number}"]
    rule = foundation_rule(record, number)
    suit = foundation_suit(record, number)
    if suit is not None and card[1] != suit:
        return False
    if len(pile) >= rule.get("size", 13):
        return False
    if not pile:
        return base_rank(state, number) in {None, card[0]}
    top = pile[-1]
    lower, upper = (top, card) if rule["dir"] == "up" else (card, top)
    return one_lower(lower, upper, wrap=rule["wrap"]) and matches(rule["match"], card, top)


def space_takes(state: State, card: str) -> bool:
    rule = state["record"]["tableau"]["space"]
    if rule == "any":
        return True
    if rule == "none":
        return False
    if rule in {"auto-stock", "auto-waste"}:
        return True  # an empty pile stays empty only when there is nothing left to fill it with
    if rule == "base-1":
        base = base_rank(state, 0)
        return base is not None and (rank(card) + 1) % 13 == RANKS.index(base)
    return bool(card[0] == rule)


def is_run(state: State, cards: Sequence[str]) -> bool:
    """Properly built all the way; where one may build both ways, in one direction."""
    tableau = state["record"]["tableau"]
    ways = ["down", "up"] if tableau["build"] == "both" else [tableau["build"]]
    return any(
        all(
            built_on({**tableau, "build": way}, match, card, under)
            for under, card in itertools.pairwise(cards)
            for match in (tableau["match"], tableau.get("lift_match", tableau["match"]))
        )
        for way in ways
    )


def lift_limit(state: State, target: str) -> int:
    """How many cards may go to the target as one run."""
    tableau, piles = state["record"]["tableau"], state["piles"]
    if tableau["lift"] == "one":
        return 1
    if not piles[target] and tableau.get("space_lift") == "one":
        return 1
    if tableau.get("lift_bound", "none") == "none":
        return 999
    cells = sum(1 for name in piles if name[0] == "c" and not piles[name])
    spaces = sum(1 for name in piles if name[0] == "t" and not piles[name] and name != target)
    return int((cells + 1) * (2**spaces if tableau["space"] == "any" else 1))


def allowed(state: State, source: str, target: str, count: int) -> bool:
    """Whether these cards may go from pile to pile."""
    record, piles = state["record"], state["piles"]
    if source not in piles or target not in piles or source == target:
        return False
    if source == "s" or target in {"s", "w"} or target[0] == "r":
        return False
    if count < 1 or len(piles[source]) < count:
        return False
    if count > 1 and not (source[0] == "t" and target[0] == "t"):
        return False
    if source[0] == "t" and len(piles[source]) - count < state["down"].get(source, 0):
        return False
    if source[0] == "f":
        rule = foundation_rule(record, int(source[1:]))
        if target[0] != "t" or not rule["worry_back"]:
            return False
    cards = piles[source][len(piles[source]) - count :]
    if target[0] == "f":
        return foundation_takes(state, int(target[1:]), cards[0])
    if target[0] == "c":
        return not piles[target]
    return tableau_takes(state, target, cards)


def tableau_takes(state: State, target: str, cards: Sequence[str]) -> bool:
    tableau, pile = state["record"]["tableau"], state["piles"][target]
    if len(cards) > lift_limit(state, target) or not is_run(state, cards):
        return False
    if "cap" in tableau and len(pile) + len(cards) > tableau["cap"]:
        return False
    if not pile:
        return space_takes(state, cards[0])
    return built_on(tableau, tableau["match"], cards[0], pile[-1])


def draw_allowed(state: State) -> bool:
    stock = state["record"].get("stock")
    if not stock:
        return False
    if state["piles"]["s"]:
        return True
    passes = stock.get("passes")
    return bool(state["piles"]["w"]) and (passes is None or state["turnovers"] + 1 < passes)


def redeal_left(state: State) -> bool:
    """Whether a redeal remains and there are cards to gather."""
    redeal = state["record"].get("redeal")
    if not redeal or not any(cards for name, cards in state["piles"].items() if name[0] == "t"):
        return False
    times = redeal.get("times")
    return times is None or state["redeals"] < times


def redeal_allowed(state: State) -> bool:
    if not redeal_left(state):
        return False
    redeal = state["record"]["redeal"]
    return redeal["when"] == "any" or not any(changes(state, move) for move in pile_moves(state))


def move_text(source: str, target: str, count: int) -> str:
    return f"{source}-{target}" + (f"*{count}" if count > 1 else "")


def pile_moves(state: State) -> Iterator[str]:
    """Every move of cards from pile to pile, found by trying all."""
    for source in state["piles"]:
        for target in state["piles"]:
            for count in range(1, len(state["piles"][source]) + 2):
                if allowed(state, source, target, count):
                    yield move_text(source, target, count)


def moves(state: State) -> set[str]:
    """Every legal move."""
    found = set(pile_moves(state))
    if draw_allowed(state):
        found.add("draw")
    if redeal_allowed(state):
        found.add("redeal")
    return found


def copied(state: State) -> State:
    fresh = dict(state)
    fresh["piles"] = {name: list(cards) for name, cards in state["piles"].items()}
    fresh["down"] = dict(state["down"])
    return fresh


def play(state: State, move: str) -> State:
    """The position after a legal move."""
    fresh = copied(state)
    piles = fresh["piles"]
    if move == "draw":
        turn(fresh)
        fill(fresh)
    elif move == "redeal":
        gather(fresh)
    else:
        ends, _, count_text = move.partition("*")
        source, _, target = ends.partition("-")
        count = int(count_text or 1)
        cards = piles[source][len(piles[source]) - count :]
        del piles[source][len(piles[source]) - count :]
        piles[target].extend(cards)
        fill(fresh)
        if fresh["down"].get(source, 0) >= len(piles[source]) and piles[source]:
            fresh["down"][source] = len(piles[source]) - 1
        elif not piles[source]:
            fresh["down"].pop(source, None)
    return fresh


def fill(state: State) -> None:
    """Fill spaces where the game fills them by itself."""
    space, piles = state["record"]["tableau"]["space"], state["piles"]
    if space not in {"auto-stock", "auto-waste"}:
        return
    for name in [name for name in piles if name[0] == "t" and not piles[name]]:
        if space == "auto-waste" and piles["w"]:
            piles[name].append(piles["w"].pop())
        elif piles["s"]:
            piles[name].append(piles["s"].pop(0))


def turn(state: State) -> None:
    piles = state["piles"]
    if not piles["s"]:
        piles["s"], piles["w"] = piles["w"], []
        state["turnovers"] += 1
        return
    for _ in range(state["record"]["stock"]["turn"]):
        if piles["s"]:
            piles["w"].append(piles["s"].pop(0))


def gather(state: State) -> None:
    """Take up the tableau and lay it out again in packets, without shuffling."""
    redeal, piles = state["record"].get("redeal"), state["piles"]
    names = [name for name in piles if name[0] == "t"]
    top_first = redeal["gather"] == "top-first"
    cards: list[str] = []
    for name in names:
        cards.extend(reversed(piles[name]) if top_first else piles[name])
        piles[name] = []
    over = max(0, len(cards) - redeal["packet"] * len(names))
    for i, name in enumerate(names):
        size = redeal["packet"] + over // len(names) + (1 if i < over % len(names) else 0)
        packet, cards = cards[:size], cards[size:]
        piles[name] = packet[::-1] if top_first else packet
    state["redeals"] += 1


def cards_left(state: State) -> int:
    return sum(len(cards) for name, cards in state["piles"].items() if name[0] != "f")


def key(state: State) -> Any:
    """All that tells positions apart."""
    return (
        tuple((name, tuple(cards)) for name, cards in state["piles"].items()),
        tuple(sorted(item for item in state["down"].items() if item[1])),
        state["turnovers"],
        state["redeals"],
    )


def changes(state: State, move: str) -> bool:
    """Whether the move of cards changes the position, the renaming of spaces and cells aside.

    Two positions differ in the names of spaces alone when one pile and one space have changed places. Where a redeal
    can still read the piles in order, that is a change.
    """
    before, after = state["piles"], play(state, move)["piles"]
    cells = [name for name in before if name[0] == "c"]
    if {"".join(before[name]) for name in cells} == {"".join(after[name]) for name in cells}:
        changed = {name for name in before if before[name] != after[name] and name[0] != "c"}
    else:
        changed = {name for name in before if before[name] != after[name]}
    if not changed:
        return False
    if len(changed) == 2 and all(name[0] == "t" for name in changed):
        one, other = sorted(changed)
        swapped = before[one] == after[other] and before[other] == after[one]
        return not swapped or redeal_left(state)
    return True


def is_blocked(state: State) -> bool:
    """No move changes the position, before or after any turning of the stock or redeal; a won one is not blocked."""
    if cards_left(state) == 0:
        return False
    seen, waiting = {key(state)[:2]}, [state]
    while waiting:
        here = waiting.pop()
        if any(changes(here, move) for move in pile_moves(here)):
            return False
        for turning in ("draw", "redeal"):
            possible = draw_allowed(here) if turning == "draw" else redeal_allowed(here)
            after = play(here, turning) if possible else here
            if key(after)[:2] not in seen:
                seen.add(key(after)[:2])
                waiting.append(after)
    return True
