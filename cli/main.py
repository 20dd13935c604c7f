"""The command `ramparts`: names, one-line helps and where each command lives; its module is loaded when it is called.

Each module has an `app` (typer); its commands carry the names listed here. What a command raises as a `RulesError`
becomes one line on stderr and exit code 2; Ctrl+C and a closed pipe end it quietly.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module, metadata
from typing import Final

from rules.errors import RulesError

COMMANDS: Final = {
    "serve": ("cli.serve", "start the server"),
    "config": ("cli.serve", "show the settings and where they come from"),
    "race": ("cli.play", "play or show a race in the terminal"),
    "bot": ("cli.play", "let bots play races"),
    "variants": ("cli.rules", "list the variants and their options"),
    "deal": ("cli.rules", "print the boards of deal codes"),
    "legal": ("cli.rules", "list the legal moves of a deal after some moves"),
    "verify": ("cli.verify", "check records of attempts"),
    "solve": ("cli.solve", "say whether a deal or a board can be won, and how"),
    "mint": ("cli.certify", "find winnable deals and certify them"),
    "certify": ("cli.certify", "check files of certified deals again"),
    "survey": ("cli.certify", "measure which share of deals can be won"),
    "analyse": ("cli.analyse", "say where an attempt was lost"),
    "worker": ("cli.worker", "keep certified deals ready for a server"),
    "boards": ("cli.tending", "list, show and rebuild leaderboards"),
    "players": ("cli.tending", "hide players and show them again"),
    "reports": ("cli.tending", "show what players have reported"),
}

USAGE_ERROR: Final = 2
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 1


def main() -> None:
    """The entry point; ends the process with the exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Carries out one command line and says its exit code."""
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
    except RulesError as error:
        from cli.words import explained

        print(f"ramparts: {explained(error)}", file=sys.stderr)
        return USAGE_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # What is still buffered would raise again when the interpreter flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return code


def _dispatch(arguments: Sequence[str]) -> int:
    name, *rest = arguments or ["--help"]
    if name in ("--help", "-h", "help"):
        print(_help())
        return 0
    if name == "--version":
        print(f"ramparts {metadata.version('ramparts')}")
        return 0
    if name not in COMMANDS:
        print(f"ramparts: there is no command {name!r}; there are: {', '.join(COMMANDS)}", file=sys.stderr)
        return USAGE_ERROR
    return _call(name, rest)


def _help() -> str:
    lines = ["Usage: ramparts COMMAND [ARGUMENTS]", "", "Race others on identical deals of solitaire.", ""]
    lines += [f"  {name:10}{told}" for name, (_, told) in COMMANDS.items()]
    return "\n".join([*lines, "", "ramparts COMMAND --help tells more; ramparts --version says which this is."])


def _call(name: str, arguments: Sequence[str]) -> int:
    import typer
    import typer.core
    import typer.main

    command = typer.main.get_command(import_module(COMMANDS[name][0]).app)
    if isinstance(command, typer.core.TyperGroup):
        command = command.commands[name]
    try:
        result = command.main(args=list(arguments), prog_name=f"ramparts {name}", standalone_mode=False)
    except typer.Abort:
        return INTERRUPTED
    except typer.TyperException as error:
        told = error.format_message()
        if isinstance(command, typer.core.TyperGroup) and arguments and told.startswith("No such command"):
            told = f"there is no command {arguments[0]!r}; there are: {', '.join(command.commands)}"
        print(f"ramparts {name}: {told}", file=sys.stderr)
        return error.exit_code
    return result if isinstance(result, int) else 0
