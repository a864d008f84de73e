"""Commands for other people's tools: write a formula, read a model back, check a proof."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from crewsolve.cli.options import Reading, json_option, print_json, reading_options, tracked
from crewsolve.deal import Deal
from crewsolve.encodings import METHODS
from crewsolve.errors import BadFile, CrewError
from crewsolve.notation.sources import opened

if TYPE_CHECKING:
    from crewsolve.playout import Playout

_METHOD = click.option(
    "--method", type=click.Choice(list(METHODS)), help="A method that builds clauses (see `methods`)."
)


@click.command()
@click.argument("deal_file", metavar="DEAL")
@click.option("-o", "--output", default="-", metavar="FILE", help="Where to write; - is stdout.")
@_METHOD
@click.option(
    "--to",
    "target",
    type=click.Choice(["dimacs", "opb", "cpsat"]),
    default="dimacs",
    show_default=True,
    help="The format; cpsat is CP-SAT's model, as text unless FILE ends in .pb.",
)
@reading_options()
def encode(deal_file: str, output: str, method: str | None, target: str, reading: Reading) -> None:
    """Write a deal as a formula for other solvers.

    Comments name the deal, the method and the meaning of each variable, like `c varname 17 plays(0,3,Y7)`.
    """
    deal = reading.one(deal_file)
    if target == "cpsat":
        if method not in (None, "cpsat"):
            raise click.UsageError(f"--to cpsat writes the model of method cpsat, not of {method}")
        _write_cpsat(deal, output)
        return
    from crewsolve.encodings.certificates import proof_method
    from crewsolve.encodings.dimacs import dumps_dimacs, dumps_opb, provenance, reading_of

    chosen = method or ("cnf:native" if target == "opb" else proof_method(deal))
    fields = {**provenance(deal, chosen), "command": f"crewsolve encode --method {chosen} --to {target}"}
    comments = [f"{key} {value}" for key, value in fields.items()]
    write = dumps_opb if target == "opb" else dumps_dimacs
    _write(output, write(reading_of(deal, chosen).formula, comments=comments).encode())


def _write_cpsat(deal: Deal, output: str) -> None:
    """CP-SAT's own format: text, or binary for a file that ends in .pb."""
    from crewsolve.encodings.cpsat import build_model
    from crewsolve.encodings.method import NO_LIMITS
    from crewsolve.position import Position

    model: Any = build_model(Position.of(deal), NO_LIMITS).model
    if not output.endswith(".pb"):
        _write(output, str(model.proto).encode())
    elif not model.export_to_file(output):
        raise BadFile("cannot be written", file=output)


def _write(output: str, data: bytes) -> None:
    if output == "-":
        sys.stdout.buffer.write(data)
        return
    try:
        Path(output).write_bytes(data)
    except OSError as error:
        raise BadFile(f"cannot be written: {error.strerror}", file=output) from error


@click.command()
@click.argument("deal_file", metavar="DEAL")
@click.argument("model_file", metavar="MODEL")
@_METHOD
@click.option("--cnf", metavar="FILE", help="The formula that was solved; its header names the method.")
@reading_options()
@json_option
def decode(
    deal_file: str, model_file: str, method: str | None, cnf: str | None, reading: Reading, as_json: bool
) -> None:
    """Turn a solver's answer to `encode`'s formula into a verified playout.

    MODEL holds the solver's `s` and `v` lines, or what minisat writes; the method is --method or the one
    named in the header of --cnf.
    """
    if [deal_file, model_file, cnf].count("-") > 1:
        raise click.UsageError("stdin (-) can be read only once")
    if (method is None) == (cnf is None):
        raise click.UsageError("give --method or --cnf, one of the two, to say which formula was solved")
    from crewsolve.encodings import dimacs

    deal = reading.one(deal_file)
    chosen = _method_of(cnf, deal) if method is None and cnf is not None else method
    assert chosen is not None
    answer = dimacs.loads_model(_text(model_file), file=model_file)
    playout = dimacs.decode(deal, answer, method=chosen)
    if as_json:
        print_json(
            {"name": deal.name or deal_file, "deal": str(deal), "plays": _plays(playout), "method": chosen}
        )
    else:
        click.echo(str(playout))


def _plays(playout: Playout) -> list[list[str]]:
    return [[str(card) for card in trick] for trick in playout.tricks]


def _method_of(cnf: str, deal: Deal) -> str:
    """The method in the header of a formula, which must be about the deal."""
    from crewsolve.encodings.dimacs import read_provenance
    from crewsolve.notation import loads_line

    lines = _text(cnf).splitlines()
    fields = read_provenance(line for line in lines if not line.startswith("* #variable="))
    if "method" not in fields or "deal" not in fields:
        raise BadFile("no header that names method and deal: was it written by `crewsolve encode`?", file=cnf)
    if loads_line(fields["deal"]) != deal:
        raise BadFile(f"this is the formula of another deal: {fields['deal']}", file=cnf)
    return fields["method"]


def _text(file: str) -> str:
    with opened(file) as stream:
        data = stream.read()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise BadFile(f"not a text file: {error}", file=file) from error


@click.command()
@click.argument("deal_file", metavar="DEAL")
@click.argument("proof_file", metavar="PROOF")
@reading_options()
@json_option
def check(deal_file: str, proof_file: str, reading: Reading, as_json: bool) -> None:
    """Check the proof of a lost deal, X.drat, step by step.

    The formula is built anew from DEAL; a changed byte in X.drat, or in X.cnf beside it, is refused, and so
    is every step that does not follow.
    """
    from crewsolve.encodings.certificates import BadProof, check_certificate

    deal = reading.one(deal_file)
    try:
        found = check_certificate(deal, proof_file, watch=lambda steps: tracked(steps, "Checking the proof"))
    except BadProof as error:
        if as_json:
            print_json({"name": deal.name or deal_file, "proof": "refused", "reason": str(error)})
        raise CrewError(f"refused: {error}") from error
    if as_json:
        steps = {"steps": found.steps, "rup": found.rup, "rat": found.rat, "deletions": found.deletions}
        print_json({"name": deal.name or deal_file, "verdict": "unwinnable", "proof": "checked", **steps})
    else:
        click.echo(
            f"checked: unwinnable; all {found.steps} steps follow "
            f"({found.rup} RUP, {found.rat} RAT, {found.deletions} deletions)"
        )
