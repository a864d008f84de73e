"""Certificates hold, and nothing but what holds is accepted."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from crewsolve.cards import Deck
from crewsolve.cli import main
from crewsolve.deal import Deal, random_deals
from crewsolve.encodings.certificates import (
    BadProof,
    check_certificate,
    check_steps,
    proof_method,
    prove,
)
from crewsolve.encodings.method import Limits
from crewsolve.encodings.solvers import solvers
from crewsolve.errors import BadFile, CrewError
from tests.encodings.hard import HARD
from tests.encodings.small_deals import small_deals

LOST = Deal.parse("lost; 2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:0 G1:0; rules trumps_anytime")
WON = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:3")
PROVERS = [name for name, solver in solvers().items() if solver.proofs]


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """The path of X.drat for LOST, with X.cnf beside it."""
    proof = prove(LOST)
    assert proof is not None
    return proof.write(tmp_path / "X")[1]


def test_both_files_carry_the_same_header(certificate: Path) -> None:
    lines = certificate.read_text().splitlines()
    keys = [line.split()[1] for line in lines[:9] if line.startswith("c ")]
    assert keys == ["version", "method", "rules", "deal", "solver", "formula", "proof", "seal"]
    assert f"c deal {LOST}" in lines and "c rules trumps_anytime" in lines
    assert certificate.with_suffix(".cnf").read_text().splitlines()[:8] == lines[:8]
    assert certificate.read_text().endswith("\n0\n")


def test_a_certificate_holds_with_and_without_its_formula(certificate: Path) -> None:
    assert check_certificate(LOST, certificate).steps > 1
    certificate.with_suffix(".cnf").unlink()
    assert check_certificate(LOST, certificate).rup > 1


@pytest.mark.parametrize("ending", [".cnf", ".drat"])
def test_any_changed_byte_is_refused(certificate: Path, ending: str) -> None:
    path = certificate.with_suffix(ending)
    whole = path.read_bytes()
    step = max(1, len(whole) // 150)
    for place in [*range(0, len(whole), step), len(whole) - 1]:
        changed = bytes([whole[place] ^ 1])
        path.write_bytes(whole[:place] + changed + whole[place + 1 :])
        with pytest.raises(CrewError):
            check_certificate(LOST, certificate)
    for other in (whole + b"\n", whole + b"c", whole[:-1], b"", b"\n" + whole, whole.replace(b"\n", b"\r\n")):
        path.write_bytes(other)
        with pytest.raises(CrewError):
            check_certificate(LOST, certificate)
    path.write_bytes(whole)
    assert check_certificate(LOST, certificate).steps > 1


def _forged(text: str, body: str) -> str:
    """The proof with another body and digests that fit it."""
    header = [line for line in text.splitlines() if line.startswith("c ")][:-1]
    digest = hashlib.sha256(body.encode()).hexdigest()
    fields = [f"c proof sha256 {digest}" if line.startswith("c proof") else line for line in header]
    lines = "".join(f"{line}\n" for line in fields)
    return f"{lines}c seal sha256 {hashlib.sha256(lines.encode()).hexdigest()}\n{body}"


def test_an_invalid_step_is_refused_whatever_the_digest_says(certificate: Path) -> None:
    text = certificate.read_text()
    certificate.with_suffix(".cnf").unlink()
    body = "".join(line + "\n" for line in text.splitlines() if not line.startswith("c "))
    certificate.write_text(_forged(text, body))
    assert check_certificate(LOST, certificate).steps > 1
    for bad in ("1 0\n" + body, "0\n" + body, "", "1 2\n", "hello 0\n", "999999 0\n0\n"):
        certificate.write_text(_forged(text, bad))
        with pytest.raises(BadProof):
            check_certificate(LOST, certificate)


def test_a_forged_formula_is_refused_whatever_the_digest_says(certificate: Path) -> None:
    text = certificate.read_text()
    certificate.with_suffix(".cnf").unlink()
    other = text.replace(text.split("c formula sha256 ")[1][:64], "0" * 64)
    body = "".join(line + "\n" for line in text.splitlines() if not line.startswith("c "))
    certificate.write_text(_forged(other, body))
    with pytest.raises(BadProof, match="is not the one that was refuted"):
        check_certificate(LOST, certificate)


def test_a_proof_is_about_one_deal(certificate: Path) -> None:
    for other in (WON, LOST.freed(), LOST.after(next(iter(LOST.hands[3])))):
        with pytest.raises(BadProof, match="about another deal"):
            check_certificate(other, certificate)
    with pytest.raises(BadFile, match="cannot be read"):
        check_certificate(LOST, certificate.with_name("missing.drat"))


@pytest.mark.parametrize("sat", PROVERS)
def test_every_solver_that_offers_proofs_gives_good_ones(sat: str) -> None:
    proved = 0
    for deal in [
        *small_deals(9000, 18),
        *random_deals(Deck.parse("3x5+2"), seats=3, tasks=6, seed=1, count=4),
    ]:
        proof = prove(deal, sat=sat)
        if proof is not None:
            assert proof.solver == sat
            proved += 1
    assert proved >= 6


@pytest.mark.parametrize(
    "method", ["cnf:binomial", "cnf:seqcounter", "cnf:ladder", "cnf:kmtotalizer", "cnf:lean"]
)
def test_methods_that_build_clauses_give_proofs(method: str) -> None:
    proof = prove(LOST, method=method)
    assert proof is not None and proof.method == method


def test_no_proof_where_there_is_none() -> None:
    assert prove(WON) is None
    assert prove(HARD, limits=Limits.within(0.3)) is None
    assert prove(HARD, limits=Limits(conflicts=200)) is None
    with pytest.raises(CrewError, match=r"'minisat22' cannot give proofs; these can: .*cadical195"):
        prove(LOST, sat="minisat22")
    with pytest.raises(CrewError, match="builds no clauses"):
        prove(LOST, method="cpsat")


def test_many_free_tasks_are_refuted_without_the_binomial_form() -> None:
    (deal,) = random_deals(Deck.parse("4x9+4"), seats=4, tasks=32, free=True, seed=1, count=1)
    assert proof_method(deal) == "cnf:seqcounter"
    assert proof_method(LOST) == "cnf:binomial"


def test_a_proof_must_reach_the_empty_clause() -> None:
    with pytest.raises(BadProof, match="never derives the empty clause"):
        check_steps("p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n", "d 1 2 0\n")


def test_check_command(certificate: Path, tmp_path: Path) -> None:
    deal = tmp_path / "lost.deals"
    deal.write_text(f"{LOST}\n")
    good = CliRunner().invoke(main, ["check", str(deal), str(certificate)])
    assert good.exit_code == 0 and good.output.startswith("checked: unwinnable; all ")
    as_json = CliRunner().invoke(main, ["check", str(deal), str(certificate), "--json"])
    assert '"proof": "checked"' in as_json.output
    certificate.write_text(certificate.read_text().replace("cadical195", "cadical196"))
    bad = CliRunner().invoke(main, ["check", str(deal), str(certificate)])
    assert bad.exit_code == 1 and "the header has been changed" in bad.output
