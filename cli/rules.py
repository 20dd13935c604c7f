"""`ramparts variants`, `deal`, `legal`: the rules at the command line, without a server."""

import json
from typing import Annotated

import typer

from rules.deals import deal, format_deal_code, parse_deal_code
from rules.moves import format_move, legal_moves, parse_move, play
from rules.position_texts import format_position
from rules.positions import Position, encode_position
from rules.variants import Variant
from rules.variants import variants as all_variants

app = typer.Typer(add_completion=False, rich_markup_mode=None)

Code = Annotated[str, typer.Argument(metavar="CODE", help="variant[+option…]:generator:seed, as citadel:ms:11982")]
Codes = Annotated[list[str], typer.Argument(metavar="CODE", help="deal codes: variant[+option…]:generator:seed")]
Moves = Annotated[list[str] | None, typer.Argument(metavar="MOVE", help="t3-f0, t3-t5*4, draw, redeal")]


@app.command()
def variants(
    as_json: Annotated[bool, typer.Option("--json", help="print the raw records, one a line")] = False,
) -> None:
    """List every variant with its other names and its options."""
    for variant in all_variants():
        print(variant.record if as_json else _line(variant))


def _line(variant: Variant) -> str:
    aka = f" ({', '.join(variant.aka)})" if variant.aka else ""
    options = f" +{' +'.join(variant.options)}" if variant.options else ""
    return f"{variant.id:22} {variant.name}{aka}{options}"


@app.command("deal")
def deal_boards(
    codes: Codes,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object a line")] = False,
) -> None:
    """Print the board of each deal code, an empty line between two."""
    dealt = [parse_deal_code(code) for code in codes]
    if as_json:
        for code in dealt:
            print(json.dumps({"deal": format_deal_code(code), "position": encode_position(deal(code))}))
        return
    for number, code in enumerate(dealt):
        print("\n" * (number > 0) + format_position(deal(code)), end="")


@app.command()
def legal(
    code: Code,
    moves: Moves = None,
    every: Annotated[
        bool, typer.Option("--every", help="the sorted set before each move and after the last, one line each")
    ] = False,
) -> None:
    """List the legal moves of a deal after these moves, sorted, one a line."""
    position = deal(parse_deal_code(code))
    sets = [_sorted_moves(position)]
    for move in [parse_move(text) for text in moves or []]:
        position = play(position, move)
        sets.append(_sorted_moves(position))
    lines = [" ".join(texts) for texts in sets] if every else sets[-1]
    for line in lines:
        print(line)


def _sorted_moves(position: Position) -> list[str]:
    return sorted(map(format_move, legal_moves(position)))
