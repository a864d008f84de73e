"""Formulas for other solvers, and their models read back."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from crewsolve.cards import Deck
from crewsolve.cli import main
from crewsolve.deal import Deal, random_deals
from crewsolve.encodings.at_most import AT_MOST
from crewsolve.encodings.dimacs import (
    decode,
    dumps_dimacs,
    dumps_opb,
    loads_model,
    provenance,
    read_provenance,
    reading_of,
)
from crewsolve.errors import BadFile, CrewError
from crewsolve.playout import Playout
from crewsolve.result import Verdict
from crewsolve.simulator import verify

WON = Deal.parse("won; 2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:3")
LOST = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:0 G1:0")
CLAUSE_METHODS = [f"cnf:{name}" for name, encoding in AT_MOST.items() if not encoding.is_native] + [
    "cnf:lean"
]


def run(*arguments: str, input: str | None = None) -> str:
    result = CliRunner().invoke(main, list(arguments), input=input)
    assert result.exit_code == 0, result.output
    return result.output


def fails(code: int, *arguments: str, input: str | None = None) -> str:
    result = CliRunner().invoke(main, list(arguments), input=input)
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture
def won(tmp_path: Path) -> Path:
    path = tmp_path / "won.deals"
    path.write_text(f"{WON}\n")
    return path


def test_dimacs_carries_origin_names_and_clauses() -> None:
    formula = reading_of(WON, "cnf:binomial").formula
    fields = provenance(WON, "cnf:binomial")
    lines = dumps_dimacs(formula, comments=[f"{k} {v}" for k, v in fields.items()]).splitlines()
    assert read_provenance(lines) == fields
    assert f"c deal {WON}" in lines
    names = {formula.name_of(v): v for v in range(1, formula.variables + 1)}
    number = names["plays", 0, 1, next(iter(WON.hands[0]))]
    assert f"c varname {number} plays(0,1,B1)" in lines
    at = lines.index(f"p cnf {formula.variables} {len(formula.clauses)}")
    read = [[int(word) for word in line.split()[:-1]] for line in lines[at + 1 :]]
    assert read == formula.clauses


@pytest.mark.parametrize("method", ["cnf:binomial", "cnf:native"])
def test_opb_says_the_same_as_the_clauses(method: str) -> None:
    formula = reading_of(WON.freed(), method).formula
    lines = dumps_opb(formula).splitlines()
    constraints = [line for line in lines if not line.startswith("*")]
    assert lines[0] == f"* #variable= {formula.variables} #constraint= {len(constraints)}"
    assert len(constraints) == len(formula.clauses) + len(formula.counts)
    for line, clause in zip(constraints, formula.clauses, strict=False):
        for true in ({abs(x) for x in clause if x > 0}, {abs(x) for x in clause if x < 0}):
            holds = any((x > 0) == (abs(x) in true) for x in clause)
            assert _holds(line, true) is holds
    for line, (literals, bound) in zip(constraints[len(formula.clauses) :], formula.counts, strict=True):
        assert _holds(line, set(literals[:bound])) and not _holds(line, set(literals[: bound + 1]))


def _holds(constraint: str, true: set[int]) -> bool:
    words = constraint.split()
    assert words[-1] == ";" and words[-3] == ">="
    terms = zip(words[:-3:2], words[1:-3:2], strict=True)
    return sum(int(factor) for factor, name in terms if int(name[1:]) in true) >= int(words[-2])


def test_native_counts_are_no_dimacs() -> None:
    with pytest.raises(CrewError, match="choose another encoding than native, or write OPB"):
        dumps_dimacs(reading_of(WON, "cnf:native").formula)


@pytest.mark.parametrize(
    "text, verdict",
    [
        ("s SATISFIABLE\nv 1 -2\nv 3 0\n", Verdict.WINNABLE),
        ("SAT\n1 -2 3 0\n", Verdict.WINNABLE),
        ("c x\ns SATISFIABLE\nv x1 -x2 x3\n", Verdict.WINNABLE),
        ("1 -2 3 0\n", Verdict.WINNABLE),
        ("s UNSATISFIABLE\n", Verdict.UNWINNABLE),
        ("UNSAT\n", Verdict.UNWINNABLE),
        ("s UNKNOWN\n", Verdict.UNKNOWN),
    ],
)
def test_models_are_read_as_solvers_print_them(text: str, verdict: Verdict) -> None:
    answer = loads_model(text)
    assert answer.verdict is verdict
    assert answer.model == (frozenset({1, -2, 3}) if verdict is Verdict.WINNABLE else frozenset())


@pytest.mark.parametrize("text", ["", "c nothing\n", "v 1 zwei 0\n", "s PERHAPS\n"])
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(BadFile):
        loads_model(text, file="out")


@pytest.mark.parametrize("method", CLAUSE_METHODS)
def test_a_model_becomes_a_verified_playout(method: str) -> None:
    from pysat.solvers import Solver

    with Solver(name="minisat22", bootstrap_with=reading_of(WON, method).formula.clauses) as solver:
        assert solver.solve()
        text = "s SATISFIABLE\nv " + " ".join(map(str, solver.get_model())) + " 0\n"
    playout = decode(WON, loads_model(text), method=method)
    assert verify(WON, playout).position.over
    with pytest.raises(CrewError, match="this is no model of the formula"):
        decode(LOST, loads_model(text), method=method)


def test_a_loss_has_nothing_to_decode() -> None:
    with pytest.raises(CrewError, match="the solver's answer is unwinnable"):
        decode(LOST, loads_model("s UNSATISFIABLE\n"), method="cnf:binomial")


EXTERNAL = {
    "minisat": lambda cnf, out: ["minisat", cnf, out],
    "cadical": lambda cnf, out: ["cadical", "-q", cnf],
    "picosat": lambda cnf, out: ["picosat", cnf],
}


@pytest.mark.parametrize("program", EXTERNAL)
@pytest.mark.parametrize("method", ["cnf:binomial", "cnf:kmtotalizer", "cnf:lean"])
def test_a_solver_from_elsewhere_plays_the_deal(program: str, method: str, tmp_path: Path) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    (deal,) = random_deals(Deck.parse("4x9+4"), seats=4, tasks=5, free=True, seed=4, count=1)
    source, cnf, out = (tmp_path / name for name in ("deal.deals", "x.cnf", "out"))
    source.write_text(f"{deal}\n")
    run("encode", str(source), "-o", str(cnf), "--method", method)
    answer = subprocess.run(
        EXTERNAL[program](str(cnf), str(out)), capture_output=True, text=True, timeout=120
    )
    assert answer.returncode == 10
    if program != "minisat":
        out.write_text(answer.stdout)
    line = run("decode", str(source), str(out), "--cnf", str(cnf))
    assert verify(deal, Playout.parse(line, seats=4)).position.over


def test_encode_and_decode_commands(won: Path, tmp_path: Path) -> None:
    text = run("encode", str(won), "--played", "R2")
    assert "c method cnf:binomial\n" in text and "; played R2\n" in text
    assert run("encode", str(won), "--to", "opb").startswith("* #variable= ")
    assert "plays(0,0,B1)" in run("encode", str(won), "--to", "cpsat")
    run("encode", str(won), "--to", "cpsat", "-o", str(tmp_path / "model.pb"))
    assert (tmp_path / "model.pb").stat().st_size > 1000
    wrong = fails(2, "encode", str(won), "--method", "cnf:binomal")
    assert "'cnf:binomial'" in wrong
    assert "builds no clauses" in fails(1, "encode", str(won), "--method", "cpsat")
    assert "not of cnf:ladder" in fails(2, "encode", str(won), "--to", "cpsat", "--method", "cnf:ladder")
    assert "cannot be written" in fails(1, "encode", str(won), "-o", str(tmp_path / "no" / "x.cnf"))


def test_decode_finds_the_method_and_the_mistakes(won: Path, tmp_path: Path) -> None:
    cnf, model, lost = tmp_path / "x.cnf", tmp_path / "model", tmp_path / "lost.deals"
    run("encode", str(won), "--method", "cnf:ladder", "-o", str(cnf))
    from pysat.formula import CNF
    from pysat.solvers import Solver

    with Solver(name="minisat22", bootstrap_with=CNF(from_file=str(cnf)).clauses) as solver:
        assert solver.solve()
        model.write_text("s SATISFIABLE\nv " + " ".join(map(str, solver.get_model())) + " 0\n")
    assert '"method": "cnf:ladder"' in run("decode", str(won), str(model), "--cnf", str(cnf), "--json")
    line = run("decode", str(won), "-", "--method", "cnf:ladder", input=model.read_text())
    assert verify(WON, Playout.parse(line, seats=4)).position.over
    assert "one of the two" in fails(2, "decode", str(won), str(model))
    assert "read only once" in fails(2, "decode", "-", "-", "--method", "cnf:ladder")
    lost.write_text(f"{LOST}\n")
    assert "another deal" in fails(1, "decode", str(lost), str(model), "--cnf", str(cnf))
    assert "no header" in fails(1, "decode", str(won), str(model), "--cnf", str(model))
    model.write_text("s SATISFIABLE\nv 1 2 3 0\n")
    assert "no model of the formula" in fails(1, "decode", str(won), str(model), "--method", "cnf:binomial")
