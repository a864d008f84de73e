"""The `crewsolve` command.

One table names the commands; each lives in a module of its own that is imported only when it is asked
for, so that `crewsolve --help` never waits for a solver. A command parses, calls one function of the
package and prints: answers on stdout, talk on stderr.
"""

from __future__ import annotations

import importlib
import io
import sys
from typing import Any

import click

from crewsolve import __version__
from crewsolve.errors import CrewError

COMMANDS: dict[str, str] = {  # name -> "module:command", in the order of the help
    "deal": "crewsolve.cli.deals:deal",
    "show": "crewsolve.cli.deals:show",
    "convert": "crewsolve.cli.deals:convert",
    "encode": "crewsolve.cli.encode:encode",
    "decode": "crewsolve.cli.encode:decode",
    "check": "crewsolve.cli.encode:check",
    "replay": "crewsolve.cli.play:replay",
    "perft": "crewsolve.cli.play:perft",
    "solve": "crewsolve.cli.solve:solve",
    "analyse": "crewsolve.cli.questions:analyse",
    "review": "crewsolve.cli.questions:review",
    "explain": "crewsolve.cli.questions:explain",
    "lines": "crewsolve.cli.questions:lines",
    "methods": "crewsolve.cli.methods:methods",
    "sweep": "crewsolve.cli.sweep:sweep",
    "play": "crewsolve.cli.game:play",
    "players": "crewsolve.cli.arena:players",
    "arena": "crewsolve.cli.arena:arena",
    "report": "crewsolve.cli.report:report",
    "count": "crewsolve.cli.count:count",
    "verify": "crewsolve.cli.verify:verify",
    "thegame": "crewsolve.cli.thegame:thegame",
}


class CrewGroup(click.Group):
    """A group whose commands are imported on first use and whose user errors end without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from crewsolve.errors import UnknownName

            raise click.UsageError(str(UnknownName("command", args[0], COMMANDS)), ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CrewError as error:
            raise click.ClickException(str(error)) from error


@click.group(cls=CrewGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="crewsolve")
def main() -> None:
    """Exact answers about cooperative card games: can this deal be won, how, and if not, why not?"""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a picture with question marks, not a traceback
