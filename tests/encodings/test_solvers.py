"""What solvers can do is found by trying, once, and kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crewsolve.encodings import solvers as table
from crewsolve.encodings.probe import PROBES, pigeons, try_one


def test_the_list_is_pysats() -> None:
    from pysat.solvers import SolverNames

    listed = {name for name, value in vars(SolverNames).items() if isinstance(value, tuple)}
    assert table.solver_names().keys() == listed
    assert table.solvers().keys() <= listed
    assert {
        "cadical195",
        "glucose4",
        "minisat22",
        "minicard",
        "lingeling",
        "minisatgh",
    } <= table.solvers().keys()


def test_abilities_are_those_found_by_trying() -> None:
    found = table.solvers()
    assert found["minicard"].native and found["gluecard4"].native and not found["cadical195"].native
    assert found["cadical195"].proofs and found["lingeling"].proofs and not found["minisat22"].proofs
    assert found["glucose4"].limit == "interrupt"
    assert found["cadical195"].limit == "slices"
    assert found["lingeling"].limit == "process"
    assert not found["kissat404"].assumptions and found["cadical195"].assumptions


def test_an_alias_finds_its_solver() -> None:
    assert table.get_solver("cd195").name == "cadical195"


def test_findings_are_kept_and_a_broken_cache_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    table.probed.cache_clear()
    try:
        first = table.probed("minisat22")
        (store,) = (tmp_path / "crewsolve").iterdir()
        assert json.loads(store.read_text())["name"] == "minisat22"
        store.write_text("{broken")
        table.probed.cache_clear()
        assert table.probed("minisat22") == first
        assert json.loads(store.read_text())["name"] == "minisat22"
    finally:
        table.probed.cache_clear()


def test_without_a_writable_cache_a_solver_still_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    table.probed.cache_clear()
    try:
        assert table.probed("minisat22") is not None
    finally:
        table.probed.cache_clear()


def test_what_is_no_solver_has_no_ability() -> None:
    assert not any(try_one(ability, "nosuchsolver") for ability in PROBES)


def test_pigeons_do_not_fit() -> None:
    assert len(pigeons(3)) == 4 + 3 * 6
