"""Deals with known verdicts, asked of every method; each deal's name starts with its verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from crewsolve.deal import Deal
from crewsolve.notation import scan
from crewsolve.result import Verdict
from crewsolve.solving import solve

CORPORA = Path(__file__).parents[1] / "deals"
BUDGET = {"conflicts": 2_000, "nodes": 50_000}
"""For the corpora that not every method can finish: an answer may be UNKNOWN but not wrong."""


def corpus(name: str) -> list[tuple[Deal, Verdict]]:
    deals = [record.get() for record in scan(CORPORA / f"{name}.deals")]
    return [(deal, Verdict[deal.name.split()[0].upper()]) for deal in deals]


@pytest.mark.parametrize("name", ["tiny", "small"])
def test_verdicts_agree_with_the_corpus(name: str, method: str) -> None:
    for deal, expected in corpus(name):
        assert solve(deal, method=method).verdict is expected, f"{method}: {deal}"


@pytest.mark.parametrize("name", ["full", "unwinnable", "hard"])
def test_no_verdict_contradicts_the_corpus(name: str, method: str) -> None:
    for deal, expected in corpus(name)[:4]:
        found = solve(deal, method=method, **BUDGET).verdict  # type: ignore[arg-type]
        assert found in (expected, Verdict.UNKNOWN), f"{method}: {deal}"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["full", "unwinnable"])
def test_verdicts_agree_with_the_large_corpora(name: str, method: str) -> None:
    for deal, expected in corpus(name):
        assert solve(deal, method=method, time_limit=300).verdict is expected, f"{method}: {deal}"


def test_every_corpus_is_asked_and_has_its_verdicts() -> None:
    asked = {"tiny", "small", "full", "unwinnable", "hard"}
    assert {path.stem for path in CORPORA.glob("*.deals")} == asked
    verdicts = {name: {verdict for _, verdict in corpus(name)} for name in asked}
    assert all(verdicts[name] == {Verdict.WINNABLE, Verdict.UNWINNABLE} for name in ("tiny", "small", "full"))
    assert verdicts["hard"] == verdicts["unwinnable"] == {Verdict.UNWINNABLE}
