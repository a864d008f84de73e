"""`crewsolve methods`: the ways to decide a deal, the SAT solvers, and what each can do."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any

import click

from crewsolve.cli.asking import talking
from crewsolve.cli.options import console, json_option, print_json
from crewsolve.encodings.at_most import AT_MOST

if TYPE_CHECKING:
    from rich.table import Table

    from crewsolve.encodings import Method


@click.command()
@json_option
def methods(as_json: bool) -> None:
    """List the methods and the SAT solvers with their abilities, found by trying each solver once."""
    with talking("trying the solvers"):
        ways, engines = _methods(), _solvers()
    if as_json:
        print_json({"methods": ways, "solvers": engines})
        return
    screen = console()
    screen.print(_table(ways, "method"), "", _table(engines, "SAT solver"))


def _methods() -> list[dict[str, Any]]:
    from crewsolve.encodings import METHODS

    return [_method(name, default=number == 0) for number, name in enumerate(METHODS)]


def _method(name: str, *, default: bool) -> dict[str, Any]:
    """A row of the table: which SAT solvers it uses by itself, whether its own formula can be certified."""
    from crewsolve.encodings import get_method
    from crewsolve.encodings.sat_method import SatMethod
    from crewsolve.encodings.solvers import get_solver

    method = get_method(name)
    used = [get_solver(solver) for solver in _solvers_used(method)]
    if isinstance(method, SatMethod):
        words = AT_MOST[method.encoding].words
    else:
        words = (inspect.getdoc(sys.modules[type(method).__module__]) or "").partition("\n")[0].rstrip(".")
    return {
        "name": name,
        "default": default,
        "sat": [solver.name for solver in used],
        "proof": isinstance(method, SatMethod) and all(solver.proofs for solver in used),
        "limit": " ".join(sorted({getattr(method, "limit", ""), *(solver.limit for solver in used)} - {""})),
        "words": words,
    }


def _solvers_used(method: Method) -> list[str]:
    """The SAT solvers that a method takes unless told otherwise; `cnf` ones are seen deciding two deals."""
    from crewsolve.deal import Deal
    from crewsolve.encodings.auto import Auto
    from crewsolve.solving import solve

    if isinstance(method, Auto):
        return list(method.sat_solvers)
    if not method.name.startswith("cnf:"):
        return []
    tiny = Deal.parse("1x2; 0; B1 | B2; fixed B1:1")
    used = [solve(tiny, method=method.name, free=free).statistics["solver"] for free in (False, True)]
    return list(dict.fromkeys(used))


def _solvers() -> list[dict[str, Any]]:
    from crewsolve.encodings.solvers import DEFAULT_SAT, solvers

    return [
        {
            "name": solver.name, "default": solver.name == DEFAULT_SAT, "proof": solver.proofs,
            "assumptions": solver.assumptions, "native": solver.native, "budget": solver.budget,
            "limit": solver.limit,
        }
        for solver in solvers().values()
    ]  # fmt: skip


def _table(rows: list[dict[str, Any]], title: str) -> Table:
    """Rows as a table; the default is marked, yes and no are words."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    columns = [key for key in rows[0] if key not in ("name", "default")]
    table.add_column(title, no_wrap=True)
    for column in columns:
        table.add_column(column, no_wrap=column != "words")
    for row in rows:
        cells = [Text(_shown(row[column])) for column in columns]
        table.add_row(Text(f"{row['name']} (default)" if row["default"] else row["name"]), *cells)
    return table


def _shown(value: bool | str | list[str]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else ", ".join(value) or "-"
