"""Every claim has its entry, its own computation and a second one, and is what it is found to be."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from crewsolve.claims import CLAIMS, QUICK, find_out, select
from crewsolve.claims.claim import constant
from crewsolve.claims.evidence import hands_up_to_suits
from crewsolve.claims.expansion import Expansion, is_satisfiable
from crewsolve.cli import main
from crewsolve.deal import Deal
from crewsolve.errors import ProofError, UnknownName
from crewsolve.proofs.losing_games import enumerate_deals
from tests import naive

REQUIRED = {
    "dj-eq-4", "dj-eq-5", "dj-eq-6", "dj-eq-7", "dj-eq-8", "dj-eq-9", "dj-eq-10", "dj-eq-11", "dj-eq-12",
    "dj-eq-13", "dj-eq-14", "dj-eq-15", "dj-eq-19", "dj-eq-20", "dj-eq-21", "dj-eq-22", "dj-table-1",
    "dj-figure-6", "dj-figure-7", "dj-figure-8", "dj-lemma-1", "dj-lemma-2", "dj-example-1", "dj-example-2",
    "dj-free-220000", "dj-free-share",
    "w-theorem-3.12", "w-theorem-3.12-identity", "w-theorem-3.12-two-suits", "w-theorem-3.12-three-suits",
    "w-theorem-3.12-four-suits", "w-theorem-3.12-sum", "w-lemma-3.13", "w-theorem-3.15", "w-theorem-3.18",
    "w-s1", "w-s2", "w-s3", "w-s4", "w-s1-bounds", "w-s2-bounds", "w-s3-bounds", "w-s4-bounds",
    "w-corollary-3.21", "w-theorem-3.23", "litjens-hands",
}  # fmt: skip

WRONG = {
    "dj-eq-20", "dj-eq-21", "dj-table-1-caption", "dj-example-1-index", "dj-example-2", "dj-free-share",
    "w-theorem-3.12", "w-theorem-3.12-three-suits", "w-theorem-3.12-sum", "w-theorem-3.15-odd",
    "w-theorem-3.15-playout", "litjens-hands-any-seat",
    "thegame-distance", "thegame-amplified", "thegame-bridges", "thegame-deviation", "thegame-rate-bridges",
    "thegame-rate-amplified", "thegame-rate-amplified-distance",
}  # fmt: skip


def test_no_listed_claim_is_without_an_entry():
    assert not REQUIRED - set(CLAIMS)


@pytest.mark.parametrize("name", CLAIMS)
def test_every_entry_is_complete(name):
    claim = CLAIMS[name]
    assert claim.seed and claim.place and claim.printed
    assert callable(claim.check) and claim.check not in (claim.compute, claim.says)


@pytest.mark.parametrize("name", CLAIMS)
def test_every_claim_is_found_out_again(name):
    finding = find_out(CLAIMS[name])
    assert finding.agrees == (name not in WRONG)
    assert bool(finding.cause) == (name in WRONG)
    assert finding.checked_by and json.dumps(finding.to_json())
    assert "\n" not in finding.cause


def test_a_check_fails_where_the_computation_is_wrong():
    """The second method is one: change what a claim computes from, and it objects."""
    from crewsolve.claims.claim import expect

    with pytest.raises(ProofError, match="should be equal"):
        expect(1, 2, "one and two")
    silent = replace(CLAIMS["w-lemma-3.13"], says=constant(1))
    with pytest.raises(ProofError, match="cause unknown"):
        find_out(silent, QUICK)


def test_the_solver_objects_where_a_sum_is_wrong(monkeypatch):
    from crewsolve.claims import evidence

    evidence.check_counts.cache_clear()
    monkeypatch.setattr(evidence, "losing_by_solver", lambda deck: (1, 2))
    with pytest.raises(ProofError, match="losing deals of 1x2"):
        find_out(CLAIMS["w-s1"])
    evidence.check_counts.cache_clear()


def test_names_select_claims_and_their_parts():
    assert [claim.id for claim in select(["w-lemma-3.13"])] == ["w-lemma-3.13"]
    assert {claim.id for claim in select(["w-theorem-3.12"])} == {n for n in CLAIMS if "3.12" in n}
    assert len(list(select([]))) == len(CLAIMS)
    with pytest.raises(UnknownName, match="did you mean"):
        list(select(["dj-eq-222"]))


def test_verify_answers_in_json():
    result = CliRunner().invoke(main, ["verify", "w-theorem-3.12", "dj-table-1", "--json"])
    assert result.exit_code == 0, result.output
    rows = json.loads(result.output)
    keys = ["id", "seed", "place", "printed", "computed", "checked_by", "agrees", "cause"]
    assert all(list(row) == keys for row in rows)
    found = {row["id"]: row for row in rows}
    assert found["w-theorem-3.12"]["computed"] == 13_677_426_756
    assert found["w-theorem-3.12-three-suits"]["agrees"] is False
    assert "C(18, 18-3i)" in found["w-theorem-3.12-three-suits"]["cause"]


def test_verify_prints_a_table_and_lists_names():
    table = CliRunner().invoke(main, ["verify", "dj-figure-8"])
    assert table.exit_code == 0 and "41/72" in table.output and "1 claim: 1 agree" in table.output
    names = CliRunner().invoke(main, ["verify", "--list"])
    assert all(name in names.output for name in CLAIMS)
    wrong = CliRunner().invoke(main, ["verify", "nonsense"])
    assert wrong.exit_code == 2


@pytest.mark.parametrize("deck", ["1x4", "2x3", "3x2", "4x2", "5x1"])
def test_hands_up_to_suits_stand_for_all_hands(deck):
    from math import comb

    from crewsolve.cards import Deck

    parsed = Deck.parse(deck)
    hands = list(hands_up_to_suits(parsed))
    assert sum(number for _, number in hands) == comb(parsed.size, (parsed.size + 1) // 2)
    assert len({mask for mask, _ in hands}) == len(hands)


def test_the_printed_formula_decides_small_deals():
    from crewsolve.cards import Deck

    deals = list(enumerate_deals(Deck.parse("2x2")))
    assert [is_satisfiable(deal) for deal in deals] == [naive.winnable(deal) for deal in deals]


def test_a_clause_left_out_of_the_printed_formula_changes_verdicts(monkeypatch):
    """The check of equation 11 can fail: without equation 8 nobody has to follow suit."""
    deal = Deal.parse("2x2; 0; B1 G2 | B2 G1; fixed B1:0")
    assert not is_satisfiable(deal)
    monkeypatch.setattr(Expansion, "_equation_8", lambda self: iter(()))
    assert is_satisfiable(deal)
